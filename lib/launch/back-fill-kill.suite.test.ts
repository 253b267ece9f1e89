import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type ServerUnderTest, startTestServer, startTimeoutMs } from './testing.ts'

/** As many as a new process may read at once. */
const settings = { DEMO_CARD_ACCOUNTS: '300' }

test(
  'a back-fill of transactions that is killed goes on with the accounts that it has not read',
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'carddesk-back-fill-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const first = await startTestServer(settings, dataDir)
    onTestFinished(() => void first.process.kill('SIGKILL'))
    const before = await vi.waitFor(
      async () => {
        const found = await wholeAccounts(first)
        expect(found.length).toBeGreaterThan(20)
        return found
      },
      { timeout: 120_000, interval: 20 },
    )
    first.process.kill('SIGKILL')
    await once(first.process, 'close')
    expect(before.length, 'it was killed before its end').toBeLessThan(300)

    const second = await startTestServer(settings, dataDir)
    onTestFinished(async () => void (await second.stop()))
    const after = await vi.waitFor(
      async () => {
        const found = await wholeAccounts(second)
        expect(found.length).toBeGreaterThanOrEqual(300)
        return found
      },
      { timeout: 180_000, interval: 250 },
    )
    const readAgain = before.filter(({ id, figures, read }) =>
      after.some((one) => one.id === id && one.figures === figures && one.read !== read),
    )
    expect(readAgain).toEqual([])
    const client = await second.connect()
    const { rows } = await client.query(`
      select (select count(*) from console.index_transactions) as index,
        (select count(*) from service.card_account_transactions) as service`)
    await client.end()
    const [counts] = rows as { index: string; service: string }[]
    expect(Number(counts?.service)).toBeGreaterThan(1000)
    expect(counts?.index).toBe(counts?.service)
  },
  startTimeoutMs,
)

type Read = { id: string; read: string; figures: string }

/** The accounts whose transactions were read to their end, when that was, and since when their figures are as they are. */
async function wholeAccounts(server: ServerUnderTest): Promise<Read[]> {
  const client = await server.connect()
  try {
    const { rows } = await client.query(`
      select a.id, p.last_read_at::text as read, a.figures_changed_at::text as figures
      from console.index_transaction_progress p
      join console.index_accounts a on a.environment = p.environment and a.id = p.card_account_id
      where p.is_whole and p.last_read_at is not null`)
    return rows as Read[]
  } finally {
    await client.end()
  }
}
