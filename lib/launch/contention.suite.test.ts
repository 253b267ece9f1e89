import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestServer, startTimeoutMs, type ServerUnderTest } from './testing.ts'

let server: ServerUnderTest
let accounts: { id: string; limit: number | null }[]

beforeAll(async () => {
  server = await startTestServer()
  const { text } = await server.call('GET', '/cardaccounts?pageSize=100')
  accounts = (JSON.parse(text) as { cardaccounts: typeof accounts }).cardaccounts
}, startTimeoutMs)
afterAll(() => server.stop())

/** An account with a limit, which can be set. */
function creditAccounts(): string[] {
  return accounts.filter(({ limit }) => limit).map(({ id }) => id)
}

/** Pages and reads of other people respond. The bar of 2 s (an idle machine) is generous here: before, they failed. */
async function expectOthersServed(): Promise<void> {
  const paths = [
    '/sandbox/card-accounts',
    `/sandbox/card-accounts/${accounts.at(-1)?.id}`,
    '/sandbox/fees',
    '/sandbox/audit',
  ]
  const began = performance.now()
  expect(await Promise.all(paths.map((path) => server.visit(path)))).toEqual(paths.map(() => 200))
  expect((await server.call('GET', '/cardaccounts')).status).toBe(200)
  const ms = performance.now() - began
  console.log(`four pages and a call of the service: ${ms.toFixed()} ms`)
  expect(ms).toBeLessThan(20_000)
}

/** A session that pauses in the middle of a transaction, as a process does that was stopped. */
async function pausedSession(...statements: string[]): Promise<() => Promise<unknown>> {
  const client = await server.connect()
  onTestFinished(() => client.end())
  for (const statement of ['begin', ...statements]) await client.query(statement)
  return () => client.query('rollback')
}

test('a session that holds the lock of a card account blocks only its waiters, which get a retry error', async () => {
  const [id = ''] = creditAccounts()
  const release = await pausedSession(`select from service.card_accounts where id = '${id}' for update`)
  const body = { cardAccountId: id, limit: 12_345 }
  const waiting = Array.from({ length: 40 }, () => server.call('POST', '/cardaccounts/fixed-limit', body))
  await delay(300)
  await expectOthersServed()
  const refused = await Promise.all(waiting)
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
  for (const { text } of refused) expect(text).not.toMatch(/lock|timeout|statement|select/i)
  await release()
  expect((await server.call('POST', '/cardaccounts/fixed-limit', body)).status).toBe(200)
})

test('a peer that pauses with the locks of the audit trail and of the changes stops no page', async () => {
  await pausedSession('select pg_advisory_xact_lock(7263101)', 'select pg_advisory_xact_lock(7263103)')
  await expectOthersServed()
})

test('40 calls with long arrays at once take turns: some are done, others are refused, and pages respond', async () => {
  const ids = creditAccounts()
  const body = Array.from({ length: 1000 }, (_, index) => ({
    cardAccountId: ids[index % ids.length],
    limit: index + 1,
  }))
  const calls = Array.from({ length: 40 }, () => server.call('POST', '/cardaccounts/fixed-limit', body))
  await delay(300)
  await expectOthersServed()
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(statuses).toContain(200)
  expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([])
})
