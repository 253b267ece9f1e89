import { randomBytes, randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { assert, expect, onTestFinished, test, vi } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { usualModes } from '#lib/service/modes.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { operations } from '#lib/tables/operations.ts'
import { indexedPayouts } from '#lib/tables/payouts.ts'
import { shareConsole } from '../testing/open-console.ts'
import { payoutsMade, philippines, quoted, resultState, makeSubmission } from '../testing/payouts.ts'
import { readSentPayout } from './sent-payout.ts'
import { findSimilarPayouts, findSimilarTo } from './similar-payouts.ts'

const desk = shareConsole({ seeded: 1 })
const other = { ...philippines, destination: { ...philippines.destination, accountNumber: '009990001111' } }

test('a quote names the payout of the same amount to the same beneficiary, made within 24 hours', async () => {
  await desk.signIn('operations')
  const first = await quoted(philippines, '410')
  expect(first.similar).toEqual([])
  const submitted = makeSubmission(first, philippines)
  expect(resultState(await runAction('payout.submit', submitted))).toBe('done')
  const [made] = await payoutsMade(desk, first.id)
  const again = await quoted(philippines, '410')
  expect(again.similar).toMatchObject([
    {
      state: 'made',
      payoutId: made?.id,
      operationId: submitted.operationId,
      sourceAmount: '410',
      by: expect.any(String),
    },
  ])
  expect((await quoted(philippines, '411')).similar, 'another amount').toEqual([])
  expect((await quoted(other, '410')).similar, 'another beneficiary').toEqual([])
  await desk.db
    .update(operations)
    .set({ createdAt: new Date(Date.now() - 25 * 3_600_000) })
    .where(eq(operations.id, submitted.operationId))
  expect((await quoted(philippines, '410')).similar.map(({ operationId }) => operationId)).not.toContain(
    submitted.operationId,
  )
})

test('one whose outcome is not known is named however old it is, and a submission that does not name it is not sent', async () => {
  await desk.signIn('operations')
  await desk.service.control('POST', '/modes', { ...usualModes, ignoreIdempotencyKeys: true })
  const early = await quoted(philippines, '420')
  await desk.service.control('POST', '/faults', {
    path: '/payouts',
    method: 'POST',
    status: 503,
    after: false,
    times: 1,
  })
  const lost = makeSubmission(await quoted(philippines, '420'), philippines)
  expect(resultState(await runAction('payout.submit', lost))).toBe('unknown')
  await desk.db
    .update(operations)
    .set({ createdAt: new Date(Date.now() - 72 * 3_600_000) })
    .where(eq(operations.id, lost.operationId))
  expect(await runAction('payout.submit', makeSubmission(early, philippines))).toMatchObject({
    kind: 'invalid',
    fields: { similarShown: expect.any(String) },
  })
  expect(await payoutsMade(desk, early.id)).toEqual([])
  const warned = await quoted(philippines, '420')
  expect(warned.similar).toMatchObject([{ state: 'unsettled', operationId: lost.operationId, payoutId: null }])
  expect(resultState(await runAction('payout.submit', makeSubmission(warned, philippines)))).toBe('done')
})

test('of two that are submitted at once, neither of them named to the other’s person, one is sent', async () => {
  await desk.signIn('operations')
  const quotes = [await quoted(philippines, '422'), await quoted(philippines, '422')]
  const submissions = quotes.map((quote) => makeSubmission(quote, philippines))
  // Both have passed the check of similar payouts when the first of them may be written.
  const submitted = await inTransaction(desk.db, async (tx) => {
    await tx.execute(sql`lock table ${operations} in share row exclusive mode`)
    const running = submissions.map((submission) => runAction('payout.submit', submission))
    await vi.waitFor(async () => {
      const { rows } = await tx.execute(
        sql`select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`,
      )
      expect(rows).toHaveLength(2)
    })
    return { running }
  })
  const results = await Promise.all(submitted.running)
  const [refused, ...others] = results.filter((result) => result.kind === 'refused')
  expect(others).toEqual([])
  expect(refused).toMatchObject({ outcome: { code: 'ALREADY_UNDER_WAY', changed: 'no' } })
  const made = await Promise.all(quotes.map(({ id }) => payoutsMade(desk, id)))
  expect(made.flat()).toHaveLength(1)
  // The one that was sent is the same operation when it is sent again.
  for (const [index, result] of results.entries()) {
    const submission = submissions[index]
    assert(submission)
    if (result.kind !== 'refused') expect(resultState(await runAction('payout.submit', submission))).toBe('done')
  }
})

async function submitUnsent(amount: string) {
  const unsent = makeSubmission(await quoted(philippines, amount), philippines)
  await desk.stopService()
  await runAction('payout.submit', unsent)
  await desk.startService()
  const [row] = await desk.db.select().from(operations).where(eq(operations.id, unsent.operationId))
  expect(row).toMatchObject({ state: 'not-sent', settledAt: null })
  return unsent
}

test('one that could not be sent is no reason against the next try with its quote', async () => {
  await desk.signIn('operations')
  const unsent = await submitUnsent('424')
  const again = { ...unsent, operationId: randomUUID() }
  expect(resultState(await runAction('payout.submit', again))).toBe('done')
  expect(await payoutsMade(desk, unsent.quoteId)).toHaveLength(1)
})

test('one that could not be sent is not sent by a second press once another one was', async () => {
  await desk.signIn('operations')
  const unsent = await submitUnsent('426')
  const other = await quoted(philippines, '426')
  expect(other.similar).toEqual([])
  expect(resultState(await runAction('payout.submit', makeSubmission(other, philippines)))).toBe('done')
  const happened = expect.stringMatching(/^A payout of this amount to this beneficiary by .* Nothing was sent\.$/)
  expect(await runAction('payout.submit', unsent)).toMatchObject({
    operation: { outcome: { state: 'refused', code: 'CHANGED_MEANWHILE', changed: 'no', happened } },
  })
  expect(await payoutsMade(desk, unsent.quoteId)).toEqual([])
})

test('one that was approved and could not be sent is named while it may be sent again', async () => {
  await desk.signIn('operations')
  const early = await quoted(philippines, '425')
  const { operationId } = await submitUnsent('425')
  await desk.db.update(operations).set({ needsApproval: true }).where(eq(operations.id, operationId))
  expect(await runAction('payout.submit', makeSubmission(early, philippines))).toMatchObject({
    kind: 'invalid',
    fields: { similarShown: expect.any(String) },
  })
  expect((await quoted(philippines, '425')).similar).toMatchObject([{ state: 'approved', operationId, payoutId: null }])
  await desk.db.update(operations).set({ settledAt: new Date() }).where(eq(operations.id, operationId))
  expect((await quoted(philippines, '425')).similar).toEqual([])
})

test('a payout that another program made is named by the last digits of its account', async () => {
  await desk.signIn('operations')
  const quote = await quoted(philippines, '430')
  await runAction('payout.submit', makeSubmission(quote, philippines))
  await desk.db.delete(operations)
  const [made] = await payoutsMade(desk, quote.id)
  expect((await quoted(philippines, '430')).similar).toMatchObject([
    { state: 'made', payoutId: made?.id, operationId: null },
  ])
})

test('the payout that an operation made is not similar to the operation', async () => {
  await desk.signIn('operations')
  const submitted = makeSubmission(await quoted(philippines, '440'), philippines)
  expect(resultState(await runAction('payout.submit', submitted))).toBe('done')
  const [operation] = await desk.db.select().from(operations).where(eq(operations.id, submitted.operationId))
  assert(operation?.resultId && operation.expected, 'the operation made a payout')
  // The next quote reads the payouts of the day.
  await quoted(philippines, '440')
  const listed = await desk.db.select().from(indexedPayouts).where(eq(indexedPayouts.id, operation.resultId))
  expect(listed).toHaveLength(1)
  const { beneficiary, sourceAmount, sourceCurrency, destinationAmount, destinationCurrency } = operation.expected
  const payment = {
    beneficiaries: [String(beneficiary)] as [string],
    accountNumber: philippines.destination.accountNumber,
    holder: 'Maria Santos',
    sourceAmount: String(sourceAmount),
    sourceCurrency: String(sourceCurrency),
    destinationAmount: String(destinationAmount),
    destinationCurrency: String(destinationCurrency),
  }
  expect(await findSimilarPayouts('sandbox', payment, operation.id)).toEqual([])
  expect(await findSimilarPayouts('sandbox', payment, null)).toMatchObject([{ payoutId: operation.resultId }])
})

/** Replaces the sealing key until the test ends; the present one is the previous one then. */
function replaceSealingKey() {
  const before = { ...consoleSettings() }
  Object.assign(consoleSettings(), { sealingKey: randomBytes(32), previousSealingKey: before.sealingKey })
  onTestFinished(() => void Object.assign(consoleSettings(), before))
}

test('one from before the sealing key was replaced is named, and names one from after', async () => {
  await desk.signIn('operations')
  const unsent = await submitUnsent('460')
  await desk.db.update(operations).set({ needsApproval: true }).where(eq(operations.id, unsent.operationId))
  replaceSealingKey()
  const warned = await quoted(philippines, '460')
  expect(warned.similar).toMatchObject([{ state: 'approved', operationId: unsent.operationId }])
  const again = makeSubmission(warned, philippines)
  expect(resultState(await runAction('payout.submit', again))).toBe('done')
  const [row] = await desk.db.select().from(operations).where(eq(operations.id, unsent.operationId))
  const payout = row && (await readSentPayout(row))
  assert(payout)
  expect(await findSimilarTo(row, payout), 'on the page of its approval').toMatchObject([
    { state: 'made', operationId: again.operationId },
  ])
})

test('one is found among any number of the same amount that went to others', async () => {
  await desk.signIn('operations')
  const quote = await quoted(philippines, '450')
  await runAction('payout.submit', makeSubmission(quote, philippines))
  await desk.db.delete(operations)
  await quoted(philippines, '450')
  const [made] = await payoutsMade(desk, quote.id)
  const [row] = await desk.db
    .select()
    .from(indexedPayouts)
    .where(eq(indexedPayouts.id, made?.id ?? ''))
  assert(row, 'the index has the payout')
  const others = Array.from({ length: 120 }, (_, index) => {
    const id = randomUUID()
    const record = { ...row.record, id, destination: { accountNumber: `00 12${String(index).padStart(4, '0')}` } }
    return { ...row, id, record, createdAt: new Date() }
  })
  await desk.db.insert(indexedPayouts).values(others)
  const { sourceAmount, sourceCurrency, destinationAmount, destinationCurrency } = quote
  const figures = { sourceAmount, sourceCurrency, destinationAmount, destinationCurrency }
  const { accountNumber } = philippines.destination
  const find = (number: string) =>
    findSimilarPayouts(
      'sandbox',
      { ...figures, beneficiaries: [''], accountNumber: number, holder: 'Maria Santos' },
      null,
    )
  expect(await find(accountNumber)).toMatchObject([{ payoutId: row.id }])
  expect(await find('not in digits'), 'by the name alone').toMatchObject([{ payoutId: row.id }])
  for (const number of ['*****6789', '0012 3045 67-89', 'PH-89', '************', null]) {
    const destination = { accountHolderName: 'Maria Santos', accountNumber: number }
    await desk.db
      .update(indexedPayouts)
      .set({ record: { ...row.record, destination } })
      .where(eq(indexedPayouts.id, row.id))
    expect(await find(accountNumber), `shown as ${number}`).toMatchObject([{ payoutId: row.id }])
  }
})
