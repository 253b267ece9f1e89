import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { feeFreshness } from '#lib/console/fees/fee-freshness.ts'
import { feeIndex } from '#lib/console/fees/index-fees.ts'
import { ledgerFreshness, ledgerIndex } from '#lib/console/ledger/index-ledger.ts'
import { readOperation } from '#lib/console/operations/read.ts'
import { approvalIn, setPolicy } from '#lib/console/testing/approvals.ts'
import { creditAccounts, jobIn, limitJob } from '#lib/console/testing/bulk.ts'
import { cardIn } from '#lib/console/testing/cards.ts'
import { accountsIn, chargeFees } from '#lib/console/testing/fees.ts'
import { openConsole } from '#lib/console/testing/open-console.ts'
import { accountIndex } from '#lib/index/accounts-sync.ts'
import { indexSomeTransactions } from '#lib/index/transactions-sync.ts'
import { notificationsWritten } from '#lib/live/publish.ts'
import { fees as serviceFees } from '#lib/service/tables/fees.ts'
import { cardAccountTransactions as serviceTransactions } from '#lib/service/tables/transactions.ts'
import { changes } from '#lib/tables/changes.ts'
import { indexedFees } from '#lib/tables/fees.ts'
import { indexedTransactions } from '#lib/tables/transactions.ts'
import { performFromTicket } from '../act.ts'
import { bulkJobsDone } from '../bulk/run.ts'
import { startBulkJob } from '../bulk/start.ts'
import { findTicketApprovalNeed } from './help-desk.ts'
import { noteContents } from './sandbox-contents.ts'

test('a reset that the console did not make leaves no fee and no ledger entry of before, also where the list was read a moment ago', async () => {
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  const desk = await openConsole({ seeded: 4 })
  await desk.signIn('operations')
  const [account] = await accountsIn(desk)
  const charged = await chargeFees(desk, account?.id ?? '', [1, 2, 3])
  const ids = async (table: typeof indexedFees | typeof serviceFees) =>
    (await desk.db.select({ id: table.id }).from(table as typeof indexedFees)).map(({ id }) => id).toSorted()
  const readings = [noteContents, accountIndex.readAll, feeIndex.readAll, ledgerIndex.readAll, noteContents]
  for (const read of readings) await read('sandbox')
  const areComplete = async () =>
    Promise.all([feeIndex, ledgerIndex].map(async (index) => (await index.coverage('sandbox')).isComplete))
  expect(await areComplete()).toEqual([true, true])
  expect(await ids(indexedFees)).toEqual(expect.arrayContaining(charged.map(({ id }) => id)))

  await notificationsWritten()
  await desk.db.delete(changes)
  expect((await desk.service.control('POST', '/reset', {})).status).toBe(200)
  await noteContents('sandbox')
  expect(await areComplete(), 'what is shown is of before').toEqual([false, false])
  await notificationsWritten()
  const published = (await desk.db.select({ about: changes.about }).from(changes)).flatMap(({ about }) => about)
  expect(published, 'open pages read again').toEqual(
    expect.arrayContaining([{ type: 'fees' }, { type: 'funding-accounts' }]),
  )
  for (const { inBackground } of [feeFreshness, ledgerFreshness]) await inBackground('sandbox')
  expect(await ids(indexedFees)).toEqual(await ids(serviceFees))
  expect(await areComplete()).toEqual([true, true])
})

test('a reset that the console did not make pauses the jobs that run: the same ids are other records now', async () => {
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  const desk = await openConsole({ seeded: 12 })
  const by = await desk.signIn('operations')
  if (!by) throw new Error('there is nobody of Operations')
  await noteContents('sandbox')
  const entry = limitJob(
    by,
    (await creditAccounts(desk)).map(({ id }) => id),
  )
  await startBulkJob(entry)
  expect((await desk.service.control('POST', '/reset', {})).status).toBe(200)
  await noteContents('sandbox')
  await bulkJobsDone()
  const { job } = await jobIn(desk, entry.id)
  expect(job).toMatchObject({ state: 'paused', pausedBecause: expect.stringContaining('contents were replaced.') })

  expect((await desk.service.control('POST', '/reset', {})).status).toBe(200)
  const next = { ...entry, id: randomUUID() }
  await startBulkJob(next)
  await noteContents('sandbox')
  await bulkJobsDone()
  expect((await jobIn(desk, next.id)).job.state, 'started after a reset that nobody had noted').toBe('finished')
})

test('a reset leaves no declined charge of before, which moved no figure, after the next round', async () => {
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  const desk = await openConsole({ seeded: 4 })
  const { cardAccountId, cardId } = (await cardIn(desk, 'active')).target
  await desk.service.call('simulateAuthorization', {
    body: { cardAccountId, cardId, amount: 9_000_000, currency: 'HKD' },
  })
  for (const read of [noteContents, accountIndex.readAll, indexSomeTransactions]) await read('sandbox')
  const ids = async (table: typeof indexedTransactions | typeof serviceTransactions) =>
    (await desk.db.select({ id: table.id }).from(table as typeof indexedTransactions)).map(({ id }) => id).toSorted()
  const indexed = await ids(indexedTransactions)
  expect(indexed).toEqual(await ids(serviceTransactions))

  expect((await desk.service.control('POST', '/reset', {})).status).toBe(200)
  for (const read of [accountIndex.readAll, noteContents, indexSomeTransactions]) await read('sandbox')
  expect(await ids(indexedTransactions)).toEqual(await ids(serviceTransactions))
  expect((await ids(indexedTransactions)).length).toBeLessThan(indexed.length)
})

describe('requests that wait for an approval', () => {
  /** A console where each cancellation needs an approval, whose service has `seeded` accounts. */
  async function openWithPolicy() {
    vi.stubEnv('BUILT_IN_SERVICE', 'on')
    const desk = await openConsole({ seeded: 4 })
    await setPolicy(desk, [{ topic: 'cancellations', when: 'always' }])
    await noteContents('sandbox')
    const reset = async () => expect((await desk.service.control('POST', '/reset', {})).status).toBe(200)
    const requestCancellation = async () => {
      await desk.signIn('operations')
      const { target, last4 } = await cardIn(desk, 'active')
      const operationId = randomUUID()
      await runAction('card.cancel', { ...target, operationId, confirmLast4: last4 ?? '', reason: 'lost-or-stolen' })
      expect(await approvalIn(desk, operationId)).toMatchObject({ state: 'waiting' })
      return operationId
    }
    return { desk, reset, requestCancellation }
  }
  const because = 'The sandbox was reset before a decision.'

  test('end with a reset: their ids are those of other records now', async () => {
    const { desk, reset, requestCancellation } = await openWithPolicy()
    const operationId = await requestCancellation()
    await noteContents('sandbox')
    expect(await approvalIn(desk, operationId)).toMatchObject({ state: 'waiting' })
    await reset()
    await noteContents('sandbox')
    expect(await approvalIn(desk, operationId)).toMatchObject({ state: 'expired', decisionReason: because })
    const { outcome } = await readOperation('sandbox', operationId)
    expect(outcome).toMatchObject({ state: 'refused', code: 'APPROVAL_EXPIRED', happened: because })
  })

  test('go on where they were made after a reset that the console had not noticed', async () => {
    const { desk, reset, requestCancellation } = await openWithPolicy()
    await reset()
    const operationId = await requestCancellation()
    await noteContents('sandbox')
    expect(await approvalIn(desk, operationId)).toMatchObject({ state: 'waiting' })
  })

  test('go on where a help desk made them after a reset that the console had not noticed', async () => {
    const { desk, reset } = await openWithPolicy()
    await reset()
    const { target } = await cardIn(desk, 'active')
    const operationId = randomUUID()
    const by = { id: randomUUID(), name: 'Kim Lee (Zendesk)', role: null }
    const ticketOrigin = { agent: { name: 'Kim Lee', email: 'kim.lee@help.example.com' }, ticket: 'T-17' }
    const findNeed = await findTicketApprovalNeed(desk.db, 'sandbox', 'card.lock', by, ticketOrigin)
    await performFromTicket('card.lock', { ...target, operationId }, by, { ticketOrigin, findNeed })
    await noteContents('sandbox')
    expect(await approvalIn(desk, operationId)).toMatchObject({ state: 'waiting' })
  })

  test('are not approved after a reset that the console had not noticed', async () => {
    const { desk, reset, requestCancellation } = await openWithPolicy()
    const operationId = await requestCancellation()
    await reset()
    await desk.signIn('approver')
    const { topic, fingerprint } = await approvalIn(desk, operationId)
    const decided = {
      environment: 'sandbox',
      approvalId: operationId,
      topic,
      decision: 'approve',
      reason: '',
      fingerprint,
    } as const
    expect(await runAction('decideApproval', decided)).toMatchObject({ kind: 'refused' })
    expect(await approvalIn(desk, operationId)).toMatchObject({ state: 'expired', decisionReason: because })
  })
})
