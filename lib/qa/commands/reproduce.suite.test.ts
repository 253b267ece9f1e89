import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAsk } from '#lib/qa/scenarios/reproduce/case.ts'
import { openTarget } from '#lib/qa/scenarios/target.ts'
import { serveBuiltInService } from '#lib/qa/scenarios/testing.ts'
import { nodeArguments } from '#lib/shared/testing/npm-script.ts'

const run = promisify(execFile)
const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-reproduce-'))

let served: Awaited<ReturnType<typeof serveBuiltInService>>
beforeAll(async () => {
  served = await serveBuiltInService(11)
  const { baseUrl, controlUrl, accessKey, privateKey } = served.connection
  const privateKeyFile = path.join(folder, 'key.pem')
  writeFileSync(privateKeyFile, privateKey)
  const access = { baseUrl, controlUrl, accessKey, privateKeyFile }
  writeFileSync(path.join(folder, 'service-access.json'), JSON.stringify(access))
})
afterAll(() => served.close())

async function reproduce(...args: string[]) {
  const env = { PATH: process.env.PATH, NODE_ENV: 'test' as const, DATA_DIR: folder }
  try {
    return { code: 0, ...(await run(process.execPath, [...nodeArguments('reproduce'), ...args], { env })) }
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string }
  }
}

test('a transaction is written to a file, and its sandbox stays where that is asked for', async () => {
  const target = openTarget(served.connection)
  const ask = makeAsk(target)
  const [account] = (await ask('listCardAccounts', {})).cardaccounts
  const [entry] = (await ask('listCardAccountTransactions', { cardAccountId: account?.id })).transactions
  await target.close()
  const out = path.join(folder, 'case.yaml')
  const named = ['--account', account?.id ?? '', '--transaction', entry?.id ?? '']
  const done = await reproduce(...named, '--out', out, '--keep', 'PT5M')
  expect(done.code, done.stderr).toBe(0)
  expect(done.stderr).toMatch(/^the original’s state, (\d+) of \1 steps passed$/m)
  expect(readFileSync(out, 'utf8')).toContain('scenario: The state of a card transaction')
  const controlUrl = /Control URL +(\S+)/.exec(done.stderr)?.[1] ?? ''
  const response = await fetch(`${controlUrl}/clock`, {
    headers: { authorization: `Basic ${btoa(`${served.connection.accessKey}:`)}` },
  })
  expect(response.status).toBe(200)
})

test('another state than the original’s exits with 1, also where the file names a part that can’t be built', async () => {
  const target = openTarget(served.connection)
  const { payouts } = await makeAsk(target)('listPayouts', { pageSize: '100' })
  await target.close()
  const recalled = payouts.find(
    ({ status, subStatus }) => status === 'under-recall' && subStatus === 'ORDER_SENT_TO_BANK',
  )
  const done = await reproduce('--payout', recalled?.id ?? '', '--run')
  expect(done.stderr).toMatch(/^another state,[^]*not as in the original:/m)
  expect(done.code).toBe(1)
})

test.each([[['--account', 'nobody']], [['--account', 'a', '--payout', 'b']], [['--transaction', 'a']], [[]]])(
  'nothing is done for %j, with exit code 2',
  async (args) => {
    const done = await reproduce(...args)
    expect(done).toMatchObject({ code: 2, stdout: '' })
    expect(done.stderr).not.toBe('')
  },
)
