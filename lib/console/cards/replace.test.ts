import { randomUUID } from 'node:crypto'
import { eq, isNull } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import type { CardStatus } from '#lib/contract/terms.ts'
import { readCards } from '#lib/index/cards-sync.ts'
import { settleUnknownOperations } from '#lib/operations/settle-due.ts'
import { cards, products } from '#lib/service/tables/cards.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { operations } from '#lib/tables/operations.ts'
import { staff } from '#lib/tables/staff.ts'
import type { ActionInput } from '../actions.ts'
import { readApproval } from '../approvals/read.ts'
import { readOperation } from '../operations/read.ts'
import { setPolicy } from '../testing/approvals.ts'
import { cardIn, readCardStatus } from '../testing/cards.ts'
import { openConsole, shareConsole, type TestConsole } from '../testing/open-console.ts'
import { readCard } from './detail.ts'
import { readReplacements } from './replacements.ts'

const desk = shareConsole()

/** Each input has a name on the card of its own. */
let inputs = 0

const environment = 'sandbox' as const

async function lostCard(
  desk: TestConsole,
  status: CardStatus = 'active',
  change: Partial<ActionInput<'card.replace'>> = {},
) {
  const { db } = desk.service.service
  const { target, last4, card } = await cardIn(desk, status)
  const [product] = await db.select().from(products).where(eq(products.id, card.productId))
  const input: ActionInput<'card.replace'> = {
    ...target,
    operationId: randomUUID(),
    type: product?.cardType === 'virtual' ? 'virtual' : 'physical',
    productId: card.productId,
    embossedName: `NEW CARD ${String.fromCharCode(65 + (inputs++ % 26))}`,
    xid: '',
    isLost: true,
    confirmLast4: last4 ?? '',
    ...change,
  }
  const made = async () =>
    db
      .select()
      .from(cards)
      .where(eq(cards.embossedName, input.embossedName))
      .then((rows) => rows.map(({ id }) => id))
  return { target, input, made }
}

const omitEnvironment = ({ cardAccountId, cardId }: { cardAccountId: string; cardId: string }) => ({
  cardAccountId,
  cardId,
})

const read = ({ cardAccountId }: { cardAccountId: string }, cardId: string) =>
  readCard(environment, cardAccountId, cardId)

test('a lost card is locked, cancelled and replaced by one operation, and both cards lead to each other', async () => {
  const staff = await desk.signIn('operations')
  const { target, input, made } = await lostCard(desk)
  const result = await runAction('card.replace', input)
  expect(result).toMatchObject({
    kind: 'settled',
    operation: {
      outcome: { state: 'done' },
      steps: [
        { kind: 'card.lock', outcome: { state: 'done' } },
        { kind: 'card.cancel', outcome: { state: 'done' } },
      ],
    },
  })
  const [newId = '', ...others] = await made()
  expect(others).toEqual([])
  expect(await readCardStatus(desk, target.cardId)).toBe('cancelled')
  expect(Object.fromEntries(desk.requests)).toMatchObject({ '/cards/lock': 1, '/cards/cancel': 1 })
  const old = await read(target, target.cardId)
  expect(old.replacements).toMatchObject({
    replacedBy: { id: newId, last4: expect.stringMatching(/^\d{4}$/) },
    underWay: null,
    waitsFor: null,
    notIssued: null,
  })
  expect((await read(target, newId)).replacements).toMatchObject({ replaces: { id: target.cardId }, replacedBy: null })
  const { history } = await read(target, newId)
  expect(history.origin).toMatchObject({ act: 'card.replace', by: { id: staff?.id }, reason: 'lost-or-stolen' })
  expect(old.history.origin).toBeNull()
  expect(old.history.rail.slice(-3).map(({ status }) => status)).toEqual(['active', 'locked', 'cancelled'])
  const trail = await desk.db.select().from(auditEntries).orderBy(auditEntries.number)
  expect(trail.map(({ act, reason, staffId }) => [act, reason, staffId])).toEqual(
    ['card.lock', 'card.cancel', 'card.replace'].map((act) => [act, 'lost-or-stolen', staff?.id]),
  )
})

test('what a card does not need is no step: a locked card is cancelled, a cancelled one only replaced', async () => {
  await desk.signIn('operations')
  for (const [status, steps] of [
    ['locked', ['card.cancel']],
    ['cancelled', []],
  ] as const) {
    const { target, input, made } = await lostCard(desk, status === 'locked' ? 'locked' : 'active')
    if (status === 'cancelled') await desk.service.call('cancelCard', { body: omitEnvironment(target) })
    const result = await runAction('card.replace', input)
    if (result.kind !== 'settled') throw new Error(JSON.stringify(result))
    expect(result.operation.steps.map(({ kind }) => kind)).toEqual(steps)
    expect(result.operation.outcome.state).toBe('done')
    expect(await made()).toHaveLength(1)
  }
})

test('pressed many times, by two people at once and again later: one replacement', async () => {
  await desk.signIn('operations')
  const { input, made } = await lostCard(desk)
  const presses = [...Array(6).fill(input.operationId), randomUUID(), randomUUID()] as string[]
  const results = await Promise.all(presses.map((operationId) => runAction('card.replace', { ...input, operationId })))
  expect(await made()).toHaveLength(1)
  const codes = results.flatMap((result) => (result.kind === 'refused' ? [result.outcome.code] : []))
  expect(codes.every((code) => code === 'ALREADY_UNDER_WAY' || code === 'CARD_ALREADY_REPLACED')).toBe(true)
  expect(await runAction('card.replace', { ...input, operationId: randomUUID(), isLost: false })).toMatchObject({
    kind: 'refused',
    outcome: { code: 'CARD_ALREADY_REPLACED', changed: 'no' },
  })
  expect(await made()).toHaveLength(1)
})

test('a reset of the sandbox begins anew: the card that has its id again can be replaced once', async () => {
  await desk.signIn('operations')
  const { target, input, made } = await lostCard(desk)
  expect(await runAction('card.replace', input)).toMatchObject({ operation: { outcome: { state: 'done' } } })
  await desk.service.control('POST', '/reset', {})
  expect(await readCardStatus(desk, target.cardId)).toBe('active')
  expect((await read(target, target.cardId)).replacements).toEqual({
    replacedBy: null,
    replaces: null,
    underWay: null,
    waitsFor: null,
    notIssued: null,
  })
  await readCards(environment, target.cardAccountId)
  const act = (kind: 'card.lock' | 'card.unlock', reason?: 'card-found') =>
    runAction(kind, { ...target, operationId: randomUUID(), ...(reason && { reason }) })
  for (const reason of ['card-found', undefined] as const) {
    await act('card.lock')
    expect(await act('card.unlock', reason)).toMatchObject({ operation: { outcome: { state: 'done' } } })
  }
  const again = () => runAction('card.replace', { ...input, operationId: randomUUID() })
  expect(await again()).toMatchObject({ operation: { outcome: { state: 'done' } } })
  expect(await again()).toMatchObject({ kind: 'refused', outcome: { code: 'CARD_ALREADY_REPLACED' } })
  expect(await made()).toHaveLength(1)
})

test('where cards could not all be read, a replacement that is not seen still counts', async () => {
  await desk.signIn('operations')
  const { target, input } = await lostCard(desk)
  await runAction('card.replace', input)
  const { card } = await read(target, target.cardId)
  const partly = await readReplacements(environment, card, { cards: [card], excluded: 1, hasMore: false })
  expect(partly.replacedBy).toMatchObject({ last4: null })
})

test.each(['/cards/lock', '/cards/cancel', '/cards'])(
  'a lost response of %s: each step has one effect',
  async (path) => {
    await desk.signIn('operations')
    const { target, input, made } = await lostCard(desk)
    await desk.service.control('POST', '/faults', {
      path,
      method: 'POST',
      status: 0,
      times: 1,
      after: true,
      delayMs: 0,
    })
    expect(await runAction('card.replace', input)).toMatchObject({ operation: { outcome: { state: 'done' } } })
    expect(await readCardStatus(desk, target.cardId)).toBe('cancelled')
    expect(await made()).toHaveLength(1)
  },
)

test.each([
  ['as requested', true, 'done'],
  ['with another name', false, 'partial'],
] as const)(
  'a card that the service replaces itself as it cancels it, %s: no second one is issued',
  async (_, isAlike, state) => {
    await desk.signIn('operations')
    const { target, input, made } = await lostCard(desk)
    const own = { embossedName: isAlike ? input.embossedName : 'NAME ON FILE' }
    desk.intercept.before = async (request) => {
      if (!request.url?.endsWith('/cards/cancel')) return false
      const { cardAccountId, productId, type } = input
      const { json } = await desk.service.call('issueCard', { body: { cardAccountId, productId, type, ...own } })
      const replacedBy = (json as { id: string }).id
      await desk.service.control('POST', '/cards/set', { ...omitEnvironment(target), replacedBy })
      return false
    }
    const result = await runAction('card.replace', input)
    const { replacedBy } = (await read(target, target.cardId)).card
    expect(result).toMatchObject({ operation: { outcome: { state }, resultId: replacedBy ?? 'no card' } })
    expect(await made()).toEqual(isAlike ? [replacedBy] : [])
  },
)

test('a card that cannot be cancelled is not replaced, and the result says what was done', async () => {
  await desk.signIn('operations')
  const { target, input, made } = await lostCard(desk)
  desk.intercept.before = (request, response) => {
    if (!request.url?.endsWith('/cards/cancel')) return false
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ code: 'NOT_NOW', message: 'Not now' }))
    return true
  }
  const result = await runAction('card.replace', input)
  expect(result).toMatchObject({
    operation: {
      outcome: { state: 'partial', code: 'STEP_NOT_DONE', changed: 'yes' },
      steps: [{ outcome: { state: 'done' } }, { outcome: { state: 'refused' } }],
    },
  })
  expect(await made()).toEqual([])
  expect(await readCardStatus(desk, target.cardId)).toBe('locked')
  expect((await read(target, target.cardId)).replacements.underWay).toBeNull()
  // What is missing can be done again.
  delete desk.intercept.before
  expect(await runAction('card.replace', { ...input, operationId: randomUUID() })).toMatchObject({
    operation: { outcome: { state: 'done' }, steps: [{ kind: 'card.cancel' }] },
  })
  expect(await made()).toHaveLength(1)
})

test.each([
  ['has ended', 'refused'],
  ['has its turn', 'queued'],
] as const)('a cancellation that was not sent stays so where its replacement %s', async (_, state) => {
  await desk.signIn('operations')
  const { target, input, made } = await lostCard(desk)
  desk.intercept.before = (request, response) => {
    if (!request.url?.endsWith('/cards/cancel')) return false
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ code: 'NOT_NOW' }))
    return true
  }
  await runAction('card.replace', input)
  delete desk.intercept.before
  const { operationId } = input
  const [issue] = await desk.db.select().from(operations).where(eq(operations.id, operationId))
  // The service was away, and the process ended before or after it had ended the operation.
  const unsent = { state: 'not-sent', code: null, status: null, settledAt: null } as const
  await desk.db
    .update(operations)
    .set(unsent)
    .where(eq(operations.id, issue?.follows ?? ''))
  if (state === 'queued') {
    const due = { state, code: null, settledAt: null, nextSettlementAt: new Date(0) }
    await desk.db.update(operations).set(due).where(eq(operations.id, operationId))
    await settleUnknownOperations()
  }
  desk.requests.clear()
  const result = await runAction('card.replace', input)
  expect(result).toMatchObject({ operation: { outcome: { state: 'partial', code: 'STEP_NOT_DONE' } } })
  expect(desk.requests.get('/cards/cancel')).toBeUndefined()
  expect(await readCardStatus(desk, target.cardId)).toBe('locked')
  expect(await made()).toEqual([])
})

test('a replacement waits for a cancellation that is not confirmed, and is issued once it is, however often its turn came', async () => {
  await desk.signIn('operations')
  const { target, input, made } = await lostCard(desk)
  desk.intercept.before = (request, response) => {
    if (!request.url?.endsWith('/cards/cancel')) return false
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    return true
  }
  expect(await runAction('card.replace', input)).toMatchObject({ operation: { outcome: { state: 'running' } } })
  delete desk.intercept.before
  const isOwn = eq(operations.id, input.operationId)
  const takeTurns = async (turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) {
      await desk.db
        .update(operations)
        .set({ nextSettlementAt: new Date(0) })
        .where(isOwn)
      await settleUnknownOperations()
    }
  }
  await takeTurns(12)
  expect((await read(target, target.cardId)).replacements).toMatchObject({
    underWay: input.operationId,
    waitsFor: 'step',
  })
  expect(await made()).toEqual([])
  await desk.service.call('cancelCard', { body: omitEnvironment(target) })
  await takeTurns(1)
  expect(await made()).toHaveLength(1)
})

test('a lost card whose replacement met the rate limit says that it was done in part, and pressing again issues one', async () => {
  await desk.signIn('operations')
  const { target, input, made } = await lostCard(desk)
  desk.intercept.before = (request, response) => {
    if (request.method !== 'POST' || !request.url?.endsWith('/cards')) return false
    response.writeHead(429).end()
    return true
  }
  const limited = await runAction('card.replace', input)
  expect(limited).toMatchObject({ operation: { outcome: { state: 'partial', changed: 'yes', isSafeToRetry: true } } })
  // It is cancelled by then.
  expect(JSON.stringify(limited)).not.toContain('stays locked')
  expect((await read(target, target.cardId)).replacements.notIssued).toBe(input.operationId)
  delete desk.intercept.before
  expect(await runAction('card.replace', input)).toMatchObject({ operation: { outcome: { state: 'done' } } })
  expect((await read(target, target.cardId)).replacements.notIssued).toBeNull()
  expect(await made()).toHaveLength(1)
})

test('a person who is disabled before the last step has no card issued any more', async () => {
  const person = await desk.signIn('operations')
  const { target, input, made } = await lostCard(desk)
  let isFailing = true
  desk.intercept.before = (request, response) => {
    if (!isFailing || !request.url?.endsWith('/cards/cancel')) return false
    response.writeHead(503).end()
    return true
  }
  expect(await runAction('card.replace', input)).toMatchObject({ operation: { outcome: { state: 'running' } } })
  isFailing = false
  const own = eq(staff.id, person?.id ?? '')
  onTestFinished(async () => void (await desk.db.update(staff).set({ disabledAt: null }).where(own)))
  await desk.service.call('cancelCard', { body: omitEnvironment(target) })
  await desk.db.update(staff).set({ disabledAt: new Date() }).where(own)
  // A round for the cancellation, which is read, and one for the step after it.
  for (let round = 0; round < 2; round += 1) {
    await desk.db
      .update(operations)
      .set({ nextSettlementAt: new Date(0) })
      .where(isNull(operations.settledAt))
    await settleUnknownOperations()
  }
  await desk.db.update(staff).set({ disabledAt: null }).where(own)
  const { outcome, steps } = await readOperation(environment, input.operationId)
  expect(steps.map((step) => step.outcome.state)).toEqual(['done', 'done'])
  expect(outcome).toMatchObject({ state: 'partial', code: 'STEP_NOT_DONE' })
  expect(await made()).toEqual([])
})

test('while the cancellation waits for an approval, the card is locked and the new one is issued', async () => {
  await setPolicy(desk, [{ topic: 'cancellations', when: 'always' }])
  await desk.signIn('operations')
  const { target, input, made } = await lostCard(desk)
  const result = await runAction('card.replace', input)
  expect(result).toMatchObject({
    operation: {
      outcome: { state: 'done' },
      steps: [{ outcome: { state: 'done' } }, { outcome: { state: 'waiting' } }],
    },
  })
  expect(await made()).toHaveLength(1)
  expect(await readCardStatus(desk, target.cardId)).toBe('locked')
  const { waiting, history } = await read(target, target.cardId)
  expect(waiting).toMatchObject([{ by: 'Olivia Poon', targetId: target.cardId }])
  // The status of the new card is none of this one's.
  expect(history.current).toMatchObject({ status: 'locked', act: 'card.lock', by: { name: 'Olivia Poon' } })
  expect(await desk.db.$count(approvals)).toBe(1)
})

test('a cancellation that waits for an approval locks the card at once, unless the person says no', async () => {
  await setPolicy(desk, [{ topic: 'cancellations', when: 'always' }])
  await desk.signIn('operations')
  const reason = 'suspected-fraud' as const
  for (const lockNow of [true, false]) {
    const { target, last4 } = await cardIn(desk, 'active')
    const input = { ...target, operationId: randomUUID(), reason, confirmLast4: last4 ?? '', lockNow }
    expect(await runAction('card.cancel', input)).toMatchObject({ operation: { outcome: { state: 'waiting' } } })
    expect(await readCardStatus(desk, target.cardId)).toBe(lockNow ? 'locked' : 'active')
    expect(await readOperation(environment, input.operationId)).toMatchObject({
      outcome: { state: 'waiting' },
      steps: lockNow ? [{ kind: 'card.lock', outcome: { state: 'done' } }] : [],
    })
    expect(await runAction('withdrawApproval', { environment, approvalId: input.operationId })).toMatchObject({
      kind: 'settled',
    })
    const { operation } = await readApproval(environment, input.operationId)
    expect(operation?.outcome.next.includes('The card stays locked.')).toBe(lockNow)
  }
})

test('the request of a cancellation says that the card was cancelled meanwhile', async () => {
  const desk = await openConsole()
  await setPolicy(desk, [{ topic: 'cancellations', when: 'always' }])
  await desk.signIn('operations')
  const { target, last4 } = await cardIn(desk, 'active')
  const input = { ...target, operationId: randomUUID(), reason: 'suspected-fraud' as const, confirmLast4: last4 ?? '' }
  await runAction('card.cancel', input)
  const obstacle = async () => (await readApproval(environment, input.operationId)).obstacle
  expect(await obstacle()).toBeNull()
  await desk.service.service.db.update(cards).set({ status: 'cancelled' }).where(eq(cards.id, target.cardId))
  expect(await obstacle()).toBe('The card is cancelled already.')
})

test('an identical request that waits is refused with a link to it, whoever asks', async () => {
  const desk = await openConsole()
  await setPolicy(desk, [{ topic: 'cancellations', when: 'always' }])
  await desk.signIn('operations')
  const { target, last4 } = await cardIn(desk, 'active')
  const cancel = (operationId: string) =>
    runAction('card.cancel', { ...target, operationId, reason: 'suspected-fraud', confirmLast4: last4 ?? '' })
  const ids = [randomUUID(), randomUUID(), randomUUID()]
  const results = await Promise.all(ids.map(cancel))
  const [approval, ...others] = await desk.db.select().from(approvals)
  expect(others).toEqual([])
  expect(results.filter(({ kind }) => kind === 'settled')).toHaveLength(1)
  for (const result of results.filter(({ kind }) => kind === 'refused')) {
    expect(result).toMatchObject({ outcome: { code: 'ALREADY_WAITING', changed: 'no', approvalId: approval?.id } })
  }
  await desk.signIn('qa')
  expect(await cancel(randomUUID())).toMatchObject({ outcome: { approvalId: approval?.id } })
})

test('a replacement that waits for an approval is requested, and is being issued once it was approved', async () => {
  await desk.signIn('operations')
  const { target, input } = await lostCard(desk)
  await runAction('card.replace', input)
  const isOperation = eq(operations.id, input.operationId)
  const [done] = await desk.db.select().from(operations).where(isOperation)
  for (const state of ['waiting', 'approved'] as const) {
    await desk.db.update(operations).set({ state, settledAt: null, resultId: null }).where(isOperation)
    const { underWay, waitsFor } = (await read(target, target.cardId)).replacements
    expect([underWay, waitsFor]).toEqual([input.operationId, state === 'waiting' ? 'approval' : null])
  }
  await desk.db
    .update(operations)
    .set({ ...done })
    .where(isOperation)
})
