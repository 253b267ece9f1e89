import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { maskForReader } from '#lib/auth/masked-reads.ts'
import { readMyWork } from '#lib/console/my-work.ts'
import { listUnsettled, readOperation, readOperationRecord } from '#lib/console/operations/read.ts'
import { readOverview } from '#lib/console/overview.ts'
import { payoutIndex } from '#lib/console/payouts/index-payouts.ts'
import { creditAccounts } from '#lib/console/testing/bulk.ts'
import { cardIn, readCardStatus } from '#lib/console/testing/cards.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { payoutsMade, philippines, quoted, makeSubmission } from '#lib/console/testing/payouts.ts'
import { readOneAccount } from '#lib/index/account.ts'
import { resolveOperation } from '#lib/operations/resolve.ts'
import { usualModes } from '#lib/service/modes.ts'
import { cardAccounts } from '#lib/service/tables/card-accounts.ts'
import { operations } from '#lib/tables/operations.ts'
import { settleUnknownOperations } from './settle-due.ts'

const desk = shareConsole()
const environment = 'sandbox'

async function rowOf(operationId: string) {
  const [row] = await desk.db.select().from(operations).where(eq(operations.id, operationId))
  if (!row) throw new Error('the operation is not in the journal')
  return row
}

const posts = (path: string) => (request: { method?: string | undefined; url?: string | undefined }) =>
  request.method === 'POST' && (request.url?.endsWith(path) ?? false)

/** The service fails at a path, and it is not known with which effect. */
function failAt(path: string): void {
  desk.intercept.before = (request, response) => {
    if (!posts(path)(request)) return false
    response.writeHead(503).end()
    return true
  }
}

/** The service's list of payouts stays as it was. */
function hidePayouts(): void {
  desk.intercept.after = ({ method, url }) =>
    method === 'GET' && /\/payouts(?:\?|$)/.test(url ?? '') ? Response.json({ payouts: [], nextPageToken: '' }) : null
}

test('looking at a change that keeps failing sends nothing: it is sent again when its growing pause is over, once each', async () => {
  await desk.signIn('operations')
  await desk.service.control('POST', '/modes', usualModes)
  const { target } = await cardIn(desk, 'active')
  const operationId = randomUUID()
  let count = 0
  desk.intercept.before = (request, response) => {
    if (!posts('/cards/lock')(request)) return false
    count += 1
    response.writeHead(500).end()
    return true
  }
  expect(await runAction('card.lock', { ...target, operationId })).toMatchObject({
    operation: { outcome: { state: 'unknown' } },
  })
  const first = count
  const notYet = new Date(Date.now() + 60_000)
  await desk.db.update(operations).set({ nextSettlementAt: notYet }).where(eq(operations.id, operationId))
  for (let looks = 0; looks < 10; looks += 1) await readOperation(environment, operationId)
  expect(count).toBe(first)
  const pauses: number[] = []
  for (let round = 0; round < 20; round += 1) {
    await desk.db
      .update(operations)
      .set({ nextSettlementAt: new Date(0) })
      .where(eq(operations.id, operationId))
    const sentBefore = count
    await settleUnknownOperations()
    const { nextSettlementAt } = await rowOf(operationId)
    pauses.push((nextSettlementAt?.getTime() ?? 0) - Date.now())
    expect(count - sentBefore).toBeLessThanOrEqual(1)
  }
  expect(count - first, 'a capped number of attempts').toBe(15)
  for (const [index, pause] of pauses.slice(1, 8).entries()) expect(pause).toBeGreaterThan((pauses[index] ?? 0) * 1.5)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(600_000)
})

test('what was lost is not sent again once somebody has changed the same since, whoever presses', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'locked')
  const [lost, found] = [randomUUID(), randomUUID()]
  failAt('/cards/unlock')
  const unlock = () => runAction('card.unlock', { ...target, operationId: lost })
  expect(await unlock()).toMatchObject({ operation: { outcome: { state: 'unknown' } } })
  delete desk.intercept.before
  expect(await runAction('card.unlock', { ...target, operationId: found })).toMatchObject({
    operation: { outcome: { state: 'done' } },
  })
  const stolen = { ...target, operationId: randomUUID(), reason: 'lost-or-stolen' as const }
  expect(await runAction('card.lock', stolen)).toMatchObject({ operation: { outcome: { state: 'done' } } })
  desk.requests.clear()
  const outcome = {
    state: 'refused',
    code: 'CHANGED_SINCE',
    changed: 'unknown',
    happened: 'It was not sent again. “Lock card” by Olivia Poon came after it.',
  }
  expect(await unlock()).toMatchObject({ operation: { outcome } })
  expect(await readOperation(environment, lost)).toMatchObject({ outcome })
  expect(desk.requests.get('/cards/unlock'), 'the service got none of it').toBeUndefined()
  expect(await readCardStatus(desk, target.cardId)).toBe('locked')
})

test('a limit that was lost is not sent again once the service has another one', async () => {
  await desk.signIn('operations')
  const [account] = await creditAccounts(desk)
  if (!account) throw new Error('the seed has no credit account')
  const { id, limit } = account
  failAt('/cardaccounts/fixed-limit')
  const operationId = randomUUID()
  const set = () =>
    runAction('account.set-limit', {
      environment,
      operationId,
      cardAccountId: id,
      limit: String(Number(limit) - 100),
      limitBefore: Number(limit),
    })
  expect(await set()).toMatchObject({ operation: { outcome: { state: 'unknown' } } })
  delete desk.intercept.before
  await desk.service.service.db.update(cardAccounts).set({ limit: '500' }).where(eq(cardAccounts.id, id))
  const happened = expect.stringContaining('It was not sent again. The limit was changed meanwhile: it is 500.00')
  expect(await set()).toMatchObject({ operation: { outcome: { state: 'refused', happened } } })
  expect(await readOneAccount(environment, id)).toMatchObject({ account: { limit: 500 } })
})

test('a limit that could not be sent is not sent by a second press once the service has another one', async () => {
  await desk.signIn('operations')
  const [, account] = await creditAccounts(desk)
  if (!account) throw new Error('the seed has two credit accounts')
  const { id, limit } = account
  const operationId = randomUUID()
  const input = { environment, operationId, cardAccountId: id } as const
  const set = () =>
    runAction('account.set-limit', { ...input, limit: String(Number(limit) - 100), limitBefore: Number(limit) })
  failAt('/cardaccounts/fixed-limit')
  await set()
  delete desk.intercept.before
  const notSent = { state: 'not-sent', status: null, nextSettlementAt: null } as const
  await desk.db.update(operations).set(notSent).where(eq(operations.id, operationId))
  await desk.service.service.db.update(cardAccounts).set({ limit: '500' }).where(eq(cardAccounts.id, id))
  const happened = expect.stringMatching(/^The limit was changed meanwhile: it is 500\.00 .* Nothing was sent\.$/)
  expect(await set()).toMatchObject({
    operation: { outcome: { state: 'refused', code: 'CHANGED_MEANWHILE', happened } },
  })
  expect(await readOneAccount(environment, id)).toMatchObject({ account: { limit: 500 } })
})

test('a payout that is listed long after its 201 is settled by the ID of the response, however often somebody looked', async () => {
  await desk.signIn('operations')
  const quote = await quoted(philippines)
  hidePayouts()
  const input = makeSubmission(quote, philippines)
  const sent = await runAction('payout.submit', input)
  const [made] = await payoutsMade(desk, quote.id)
  expect(sent).toMatchObject({
    operation: {
      resultId: made?.id,
      outcome: { state: 'unknown', code: 'NOT_CONFIRMED', needsReview: true, isSafeToRetry: false },
    },
  })
  for (let looks = 0; looks < 15; looks += 1) {
    const { outcome, settledAt } = await readOperation(environment, input.operationId)
    expect(settledAt).toBeNull()
    expect(`${outcome.happened} ${outcome.next}`).not.toMatch(/start again|no such payout/)
    expect(outcome.finding).toEqual({ text: expect.stringContaining('lists no payout'), at: expect.any(String) })
  }
  const { checks, attempts } = await rowOf(input.operationId)
  expect(attempts).toBeLessThan(4)
  expect(checks).toMatchObject([
    { finding: expect.stringContaining('HTTP 200'), times: 1 },
    { times: expect.any(Number) },
  ])
  expect(checks[1]?.times).toBeGreaterThan(10)
  delete desk.intercept.after
  expect(await readOperation(environment, input.operationId)).toMatchObject({
    outcome: { state: 'done', finding: null },
    resultId: made?.id,
  })
  expect(await payoutsMade(desk, quote.id)).toHaveLength(1)
})

test('an accepted payout without a trace is settled by what a person found, after one more look', async () => {
  await desk.signIn('operations')
  const quote = await quoted(philippines)
  const input = makeSubmission(quote, philippines)
  desk.intercept.before = (request, response) => {
    if (!posts('/payouts')(request)) return false
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id: randomUUID() }))
    return true
  }
  await runAction('payout.submit', input)
  const resolution = { environment, operationId: input.operationId, resolution: 'not-made' } as const
  expect(await resolveOperation(resolution)).toMatchObject({
    operation: { outcome: { state: 'refused', code: 'RESOLVED_BY_STAFF', changed: 'no' } },
  })
})

test.each([
  ['with Retry-After', { 'retry-after': '30' }, true],
  ['without Retry-After', {}, false],
])(
  'a payout that the service refuses with 429 %s is refused, with the time, and sent by no one but the person',
  async (_title, headers, isNamed) => {
    await desk.signIn('operations')
    await desk.service.control('POST', '/modes', { ...usualModes, ignoreIdempotencyKeys: true })
    const quote = await quoted(philippines)
    const input = makeSubmission(quote, philippines)
    let count = 0
    desk.intercept.before = (request, response) => {
      if (!posts('/payouts')(request)) return false
      count += 1
      response.writeHead(429, headers).end()
      return true
    }
    const before = new Date().toISOString()
    const result = await runAction('payout.submit', input)
    expect(result).toMatchObject({
      operation: {
        outcome: {
          state: 'refused',
          changed: 'no',
          status: 429,
          needsReview: false,
          happened: expect.stringContaining('before any work'),
          finding: { text: 'The card service responded HTTP 429.' },
          retryAt: isNamed ? expect.any(String) : null,
        },
      },
    })
    const { operation } = result as { operation: { outcome: { finding: { at: string }; retryAt: string | null } } }
    expect(operation.outcome.finding.at >= before).toBe(true)
    if (operation.outcome.retryAt)
      expect(Date.parse(operation.outcome.retryAt)).toBeGreaterThan(Date.parse(before) + 29_000)
    delete desk.intercept.before
    await readOperation(environment, input.operationId)
    await settleUnknownOperations()
    expect(count).toBe(1)
    expect(await payoutsMade(desk, quote.id)).toEqual([])
    expect(await runAction('payout.submit', input)).toMatchObject({ operation: { outcome: { state: 'done' } } })
    expect(await payoutsMade(desk, quote.id)).toHaveLength(1)
  },
)

test('a payout whose 429 came after its effect is found, and not made twice', async () => {
  await desk.signIn('operations')
  await desk.service.control('POST', '/modes', { ...usualModes, ignoreIdempotencyKeys: true })
  const quote = await quoted(philippines)
  desk.intercept.after = (request) => (posts('/payouts')(request) ? new Response(null, { status: 429 }) : null)
  expect(await runAction('payout.submit', makeSubmission(quote, philippines))).toMatchObject({
    operation: { outcome: { state: 'done' } },
  })
  expect(await payoutsMade(desk, quote.id)).toHaveLength(1)
})

test('an open payout is listed with all others, on its own page, and on Home, until it is known', async () => {
  await desk.signIn('operations')
  await desk.service.control('POST', '/modes', { ...usualModes, ignoreIdempotencyKeys: true })
  const contacts = { mobileNumber: '+6591234567', email: 'maria@example.com' }
  const parties = {
    ...philippines,
    destinationCountry: 'KR',
    destinationCurrency: 'KRW',
    destination: { ...philippines.destination, ...contacts, bankCode: '004' },
  }
  const quote = await quoted(parties, '321')
  const input = makeSubmission(quote, parties, { xid: 'PAY-OPEN-1' })
  desk.intercept.before = (request, response) => {
    if (!posts('/payouts')(request)) return false
    response.writeHead(500).end()
    return true
  }
  await runAction('payout.submit', input)
  const { operationId } = input
  const { operation, checks, payout } = await readOperationRecord(environment, operationId)
  expect(operation.outcome).toMatchObject({ state: 'unknown', needsReview: true })
  expect(checks[0]).toMatchObject({ finding: 'The card service responded HTTP 500.', from: expect.any(String) })
  expect(payout).toMatchObject({
    sourceAmount: '321',
    beneficiary: 'Maria Santos',
    accountNumber: '001230456789',
    country: 'KR',
    xid: 'PAY-OPEN-1',
    destination: contacts,
    source: { mobileNumber: null },
  })
  const listed = await listUnsettled(environment, { kind: 'payout.submit', by: 'me' })
  expect(listed.operations.map(({ id }) => id)).toContain(operationId)
  const { sections } = await readMyWork(environment)
  expect(sections.find(({ source }) => source === 'operations')?.items.map(({ id }) => id)).toContain(operationId)
  const others = async () =>
    (await readOverview(environment)).attention
      .find(({ id }) => id === 'payout-unsettled')
      ?.examples.map(({ id }) => id)
  expect((await others()) ?? []).not.toContain(operationId)
  await desk.signIn('viewer')
  expect(await others()).toContain(operationId)
  const seen = await maskForReader(await readOperationRecord(environment, operationId), environment)
  for (const secret of ['001230456789', ...Object.values(contacts)]) {
    expect(JSON.stringify(seen)).not.toContain(secret)
  }
  await desk.signIn('operations')
  delete desk.intercept.before
  await resolveOperation({ environment, operationId, resolution: 'not-made' })
  expect((await listUnsettled(environment, { about: quote.id })).count).toBe(0)
})

test('an open payout is settled as soon as the index has it', async () => {
  await desk.signIn('operations')
  const quote = await quoted(philippines, '322')
  hidePayouts()
  const input = makeSubmission(quote, philippines)
  await runAction('payout.submit', input)
  await desk.db
    .update(operations)
    .set({ nextSettlementAt: new Date(Date.now() + 600_000) })
    .where(eq(operations.id, input.operationId))
  await settleUnknownOperations()
  expect(await rowOf(input.operationId)).toMatchObject({ state: 'unknown' })
  delete desk.intercept.after
  await payoutIndex.readNewest(environment)
  await settleUnknownOperations()
  expect(await rowOf(input.operationId)).toMatchObject({ state: 'done' })
})
