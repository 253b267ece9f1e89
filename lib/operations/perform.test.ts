import { randomUUID } from 'node:crypto'
import { eq, isNotNull, sql } from 'drizzle-orm'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { readOperation } from '#lib/console/operations/read.ts'
import { cardIn, readCardStatus } from '#lib/console/testing/cards.ts'
import { openConsole, type TestConsole } from '#lib/console/testing/open-console.ts'
import { readWebhooks } from '#lib/console/webhooks/read.ts'
import { notificationsWritten } from '#lib/live/publish.ts'
import { events } from '#lib/service/tables/webhooks.ts'
import { bearer } from '#lib/service/testing.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { changes } from '#lib/tables/changes.ts'
import { operations } from '#lib/tables/operations.ts'
import { staff } from '#lib/tables/staff.ts'
import { takeOver } from './journal.ts'
import { toOutcome } from './outcome.ts'
import { settleUnknownOperations } from './settle-due.ts'

const globals = globalThis as { carddeskOperations?: unknown }

/** From here on this process knows as little of what is under way as another one. */
function asAnotherProcess(): void {
  delete globals.carddeskOperations
}

async function journalOf(desk: TestConsole) {
  const rows = await desk.db.select().from(operations)
  return rows.length === 1 ? rows[0] : undefined
}

/** What a process leaves behind that was killed after it had sent. */
async function crashAfterSending(desk: TestConsole): Promise<void> {
  await desk.db.update(operations).set({
    state: 'sending',
    attempts: 0,
    status: null,
    requestId: null,
    settledAt: null,
    leaseUntil: new Date(Date.now() - 1000),
    nextSettlementAt: new Date(Date.now() - 1000),
  })
  asAnotherProcess()
}

test('an operation is published once, with everything that reading it back changed', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('operations')
  await readWebhooks('sandbox')
  await notificationsWritten()
  await desk.db.delete(changes)
  const operationId = randomUUID()
  const url = 'https://hooks.example.com/once'
  const result = await runAction('webhook.create', {
    environment: 'sandbox',
    operationId,
    url,
    events: ['*'],
    name: '',
  })
  expect(result).toMatchObject({ operation: { outcome: { state: 'done' } } })
  await notificationsWritten()
  const published = await desk.db.select({ about: changes.about }).from(changes)
  expect(published).toEqual([
    { about: expect.arrayContaining([{ type: 'operation', id: operationId }, { type: 'webhooks' }]) },
  ])
})

test('a second process with the same operation waits for the first and sends nothing', async () => {
  const desk = await openConsole()
  await desk.signIn('support')
  const { target } = await cardIn(desk, 'active')
  const operationId = randomUUID()
  const arrived = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  desk.intercept.before = async (request) => {
    if (!request.url?.endsWith('/cards/lock')) return false
    arrived.resolve()
    await release.promise
    return false
  }
  const first = runAction('card.lock', { ...target, operationId })
  await arrived.promise
  asAnotherProcess()
  const second = runAction('card.lock', { ...target, operationId })
  release.resolve()
  expect((await second).kind).toBe('settled')
  expect(await second).toMatchObject({ operation: { outcome: { state: 'done' } } })
  expect(await first).toMatchObject({ operation: { outcome: { state: 'done' } } })
  expect(desk.requests.get('/cards/lock')).toBe(1)
})

test('a process that lost its lease settles nothing by an error, which may be due to what the next one sent', async () => {
  const desk = await openConsole({ seeded: 4 })
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  desk.intercept.before = async ({ url }, response) => {
    if (!url?.endsWith('/cards/lock')) return false
    delete desk.intercept.before
    await desk.db.update(operations).set({ leaseHolder: randomUUID() })
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ code: 'INACTIVE_CARD', message: 'the card is locked' }))
    return true
  }
  await runAction('card.lock', { ...target, operationId: randomUUID(), reason: 'suspected-fraud' })
  expect(await journalOf(desk)).toMatchObject({ state: 'sending', settledAt: null })
  await crashAfterSending(desk)
  await settleUnknownOperations()
  expect(await journalOf(desk)).toMatchObject({ state: 'done' })
  expect(await readCardStatus(desk, target.cardId)).toBe('locked')
})

test('the same id with other content, or from somebody else, is refused and audited', async () => {
  const desk = await openConsole()
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  const operationId = randomUUID()
  await runAction('card.lock', { ...target, operationId, reason: 'lost-or-stolen' })
  const mismatch = { kind: 'refused', outcome: { code: 'OPERATION_MISMATCH', changed: 'no' } }
  expect(await runAction('card.suspend', { ...target, operationId, reason: 'lost-or-stolen' })).toMatchObject(mismatch)
  expect(await runAction('card.lock', { ...target, operationId, reason: 'suspected-fraud' })).toMatchObject(mismatch)
  await desk.signIn('support')
  expect(await runAction('card.lock', { ...target, operationId, reason: 'lost-or-stolen' })).toMatchObject(mismatch)
  expect(await readCardStatus(desk, target.cardId)).toBe('locked')
  const trail = await desk.db.select().from(auditEntries).orderBy(auditEntries.number)
  expect(trail.map(({ outcome, code }) => code ?? outcome)).toEqual(['done', ...Array(3).fill('OPERATION_MISMATCH')])
})

test('a process killed after sending: reading the card back settles it, and nothing is sent again', async () => {
  const desk = await openConsole()
  await desk.signIn('support')
  const { target } = await cardIn(desk, 'active')
  await runAction('card.lock', { ...target, operationId: randomUUID() })
  await crashAfterSending(desk)
  await settleUnknownOperations()
  expect(await journalOf(desk)).toMatchObject({ state: 'done', statusAfter: 'locked' })
  expect(desk.requests.get('/cards/lock')).toBe(1)
  expect(await readCardStatus(desk, target.cardId)).toBe('locked')
})

test('a process killed before sending: reading the operation has it done once', async () => {
  const desk = await openConsole()
  await desk.signIn('support')
  const { target } = await cardIn(desk, 'active')
  const operationId = randomUUID()
  desk.intercept.before = (request, response) => {
    if (!request.url?.endsWith('/cards/lock')) return false
    response.destroy()
    return true
  }
  expect(await runAction('card.lock', { ...target, operationId })).toMatchObject({
    kind: 'settled',
    operation: { outcome: { state: 'unknown', changed: 'unknown', isSafeToRetry: true } },
    record: { status: 'active' },
  })
  await crashAfterSending(desk)
  delete desk.intercept.before
  const reads = await Promise.all(Array.from({ length: 10 }, () => readOperation('sandbox', operationId)))
  for (const read of reads) expect(read).toMatchObject({ outcome: { state: 'done', changed: 'yes' } })
  expect(await readCardStatus(desk, target.cardId)).toBe('locked')
})

test('after a lost response, a 401, 404 or 429 does not settle the effect: it stays unknown while the card cannot be read', async () => {
  const desk = await openConsole()
  await desk.signIn('support')
  const { target } = await cardIn(desk, 'active')
  const operationId = randomUUID()
  await desk.service.control('POST', '/faults', { path: '/cards/lock', status: 0, times: 10, after: true, delayMs: 0 })
  await desk.service.control('POST', '/faults', { path: '/cards', status: 500, times: 100 })
  expect(await runAction('card.lock', { ...target, operationId })).toMatchObject({
    operation: { outcome: { state: 'unknown' } },
  })
  await desk.service.control('DELETE', '/faults')
  for (const status of [401, 429, 404]) {
    desk.intercept.before = (request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
      response.end(JSON.stringify({ code: status === 404 ? 'NOT_FOUND' : 'INVALID_SIGNATURE', message: 'no' }))
      return true
    }
    expect(await runAction('card.lock', { ...target, operationId })).toMatchObject({
      operation: { outcome: { state: 'unknown' } },
    })
  }
  delete desk.intercept.before
  expect(await runAction('card.lock', { ...target, operationId })).toMatchObject({
    operation: { outcome: { state: 'done' } },
  })
  expect(await readCardStatus(desk, target.cardId)).toBe('locked')
})

test.each([
  ['disabled', { disabledAt: new Date() }],
  ['a viewer', { role: 'viewer' }],
] as const)('what failed is not sent again while the person who started it is %s', async (_, change) => {
  const desk = await openConsole()
  const person = await desk.signIn('support')
  const { target } = await cardIn(desk, 'active')
  let isFailing = true
  desk.intercept.before = (request, response) => {
    if (!isFailing || !request.url?.endsWith('/cards/lock')) return false
    response.writeHead(503).end()
    return true
  }
  expect(await runAction('card.lock', { ...target, operationId: randomUUID() })).toMatchObject({
    operation: { outcome: { state: 'unknown' } },
  })
  isFailing = false
  const settle = async (set: Partial<typeof staff.$inferInsert>) => {
    await desk.db
      .update(staff)
      .set(set)
      .where(eq(staff.id, person?.id ?? ''))
    await desk.db.update(operations).set({ nextSettlementAt: new Date(0) })
    await settleUnknownOperations()
    return [(await journalOf(desk))?.state, await readCardStatus(desk, target.cardId)]
  }
  expect(await settle(change)).toEqual(['unknown', 'active'])
  const row = await journalOf(desk)
  expect(row && toOutcome(row)).toMatchObject({
    needsReview: true,
    next: expect.stringMatching(/^It is not sent again, because Samuel Ng may not do this any more\. /),
  })
  expect(await settle({ disabledAt: null, role: 'support' })).toEqual(['done', 'locked'])
})

test('a service that cannot be reached: nothing was sent, trying again in the same dialog does it', async () => {
  const desk = await openConsole()
  await desk.signIn('support')
  const { target } = await cardIn(desk, 'active')
  await desk.stopService()
  const operationId = randomUUID()
  expect(await runAction('card.lock', { ...target, operationId })).toMatchObject({
    kind: 'settled',
    operation: { outcome: { state: 'refused', changed: 'no', isSafeToRetry: true } },
    record: null,
  })
  await settleUnknownOperations()
  expect(await journalOf(desk)).toMatchObject({ state: 'not-sent' })
  await desk.startService()
  await vi.waitFor(
    async () =>
      expect(await runAction('card.lock', { ...target, operationId })).toMatchObject({
        operation: { outcome: { state: 'done' } },
      }),
    { timeout: 10_000 },
  )
  expect(await readCardStatus(desk, target.cardId)).toBe('locked')
})

test('a process killed while a second press was sent: it is settled once the lease has ended', async () => {
  const desk = await openConsole()
  await desk.signIn('support')
  const { target } = await cardIn(desk, 'active')
  await desk.stopService()
  await runAction('card.lock', { ...target, operationId: randomUUID() })
  const unsent = await journalOf(desk)
  expect(unsent).toMatchObject({ state: 'not-sent', nextSettlementAt: null })
  await desk.startService()
  if (unsent) await takeOver(desk.db, unsent, randomUUID(), {})
  const ended = sql`clock_timestamp() - interval '1 second'`
  // What has no time is not due: only the times that the process wrote are made earlier.
  await desk.db.update(operations).set({ leaseUntil: ended })
  await desk.db.update(operations).set({ nextSettlementAt: ended }).where(isNotNull(operations.nextSettlementAt))
  await vi.waitFor(
    async () => {
      await settleUnknownOperations()
      expect(await journalOf(desk)).toMatchObject({ state: 'done', settledAt: expect.any(Date) })
    },
    { timeout: 10_000 },
  )
})

test.each([
  ['an hour after it was requested', { createdAt: sql`now() - interval '61 minutes'` }],
  [
    'once its secret is a day old, however late it was approved',
    { createdAt: sql`now() - interval '25 hours'`, approvedAt: sql`now() - interval '10 minutes'` },
  ],
])('what was never sent is closed and published %s, its bytes erased', async (_, times) => {
  const desk = await openConsole()
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  await desk.stopService()
  const operationId = randomUUID()
  await runAction('card.change-pin', { ...target, reason: 'cardholder-request', operationId, pin: '483920' })
  expect(await journalOf(desk)).toMatchObject({ state: 'not-sent', sealedBody: expect.any(Buffer) })
  const read = async () => (await readOperation('sandbox', operationId)).outcome
  expect(await read()).toMatchObject({ isSafeToRetry: true, next: 'Try again when the card service responds.' })
  await desk.db.update(operations).set(times)
  await notificationsWritten()
  await desk.db.delete(changes)
  await settleUnknownOperations()
  expect(await journalOf(desk)).toMatchObject({ sealedBody: null, settledAt: expect.any(Date) })
  expect(await read()).toMatchObject({
    isSafeToRetry: false,
    next: 'It was not sent in time. Do it anew if it is still wanted.',
  })
  await notificationsWritten()
  const published = await desk.db.select({ about: changes.about }).from(changes)
  expect(published).toEqual([{ about: expect.arrayContaining([{ type: 'operation', id: operationId }]) }])
})

test('beyond the day in which the service keeps responses nothing is sent again: the card is read back', async () => {
  const desk = await openConsole()
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  const operationId = randomUUID()
  await runAction('card.change-pin', { ...target, reason: 'cardholder-request', operationId, pin: '483920' })
  await desk.db
    .update(operations)
    .set({ sealedBody: Buffer.from('sealed'), serviceCreatedAt: sql`now() - interval '25 hours'` })
  await crashAfterSending(desk)
  await settleUnknownOperations()
  expect(desk.requests.get('/cards/change-pin')).toBe(1)
  const operation = await readOperation('sandbox', operationId)
  expect(operation.outcome).toMatchObject({ state: 'unknown', isSafeToRetry: false })
  expect(operation.outcome.finding?.text).toContain('active')
  expect(await journalOf(desk)).toMatchObject({ sealedBody: null, statusAfter: 'active', settledAt: expect.any(Date) })
})

describe('beside the built-in service, whose clock is moved', () => {
  async function openDesk(): Promise<{ desk: TestConsole; target: Awaited<ReturnType<typeof cardIn>>['target'] }> {
    const desk = await openConsole({ serviceSettings: { acceptsBasic: false } })
    process.env.BUILT_IN_SERVICE = 'on'
    onTestFinished(() => void delete process.env.BUILT_IN_SERVICE)
    await desk.signIn('support')
    return { desk, target: (await cardIn(desk, 'active')).target }
  }

  const call = async (desk: TestConsole, method: string, path: string, body?: object) => {
    const text = body ? JSON.stringify(body) : null
    const authorization = await bearer(desk.service.caller, method, `/service/control${path}`, text)
    expect((await desk.service.control(method, path, body, { authorization })).status).toBe(200)
  }

  async function effects(desk: TestConsole, cardId: string): Promise<number> {
    return (await desk.service.service.db.select().from(events)).filter(({ data }) => data.id === cardId).length
  }

  /** An operation whose response was lost, while its card could not be read back. */
  async function lose(desk: TestConsole, path: string, perform: () => Promise<unknown>): Promise<void> {
    await call(desk, 'POST', '/faults', { path, status: 0, times: 'always', after: true })
    await call(desk, 'POST', '/faults', {
      path: '/cards',
      method: 'GET',
      status: 500,
      times: 'always',
      background: true,
    })
    expect(await perform()).toMatchObject({ operation: { outcome: { state: 'unknown' } } })
    await call(desk, 'DELETE', '/faults')
    desk.requests.clear()
  }

  async function settleNow(desk: TestConsole): Promise<void> {
    await desk.db.update(operations).set({ nextSettlementAt: new Date(0) })
    await settleUnknownOperations()
  }

  test('after a day of that clock nothing is sent again: reading the card settles it, with one effect', async () => {
    const { desk, target } = await openDesk()
    const operationId = randomUUID()
    await lose(desk, '/cards/lock', () => runAction('card.lock', { ...target, operationId }))
    await call(desk, 'POST', '/clock', { advance: 'PT25H' })
    await settleNow(desk)
    await runAction('card.lock', { ...target, operationId })
    expect(desk.requests.get('/cards/lock')).toBeUndefined()
    expect(await effects(desk, target.cardId)).toBe(1)
    expect(await journalOf(desk)).toMatchObject({ state: 'done', statusAfter: 'locked' })
    const trail = await desk.db.select().from(auditEntries)
    expect(trail.filter(({ outcome }) => outcome === 'refused')).toEqual([])
  })

  test.each([
    ['PT23H', 1, { state: 'done' }],
    ['PT25H', undefined, { state: 'unknown', settledAt: expect.any(Date) }],
  ])('a PIN, which cannot be read back, is sent again after %s %s times', async (advance, times, outcome) => {
    const { desk, target } = await openDesk()
    await desk.signIn('operations')
    await lose(desk, '/cards/change-pin', () =>
      runAction('card.change-pin', {
        ...target,
        reason: 'cardholder-request',
        operationId: randomUUID(),
        pin: '483920',
      }),
    )
    await call(desk, 'POST', '/clock', { advance })
    await settleNow(desk)
    expect(desk.requests.get('/cards/change-pin')).toBe(times)
    expect(await journalOf(desk)).toMatchObject(outcome)
  })

  test('while that clock cannot be read nothing is sent, and the operation stays open', async () => {
    const { desk, target } = await openDesk()
    await desk.signIn('operations')
    await lose(desk, '/cards/change-pin', () =>
      runAction('card.change-pin', {
        ...target,
        reason: 'cardholder-request',
        operationId: randomUUID(),
        pin: '483920',
      }),
    )
    desk.intercept.before = (request, response) => {
      if (request.url !== '/service/control/clock') return false
      response.destroy()
      return true
    }
    await settleNow(desk)
    expect(desk.requests.get('/cards/change-pin')).toBeUndefined()
    expect(await journalOf(desk)).toMatchObject({ state: 'unknown', settledAt: null })
    delete desk.intercept.before
    await settleNow(desk)
    expect(await journalOf(desk)).toMatchObject({ state: 'done' })
  })

  test('after a reset, which sets the clock back and forgets the keys, nothing is sent again', async () => {
    const { desk, target } = await openDesk()
    await call(desk, 'POST', '/clock', { advance: 'PT2H' })
    await lose(desk, '/cards/lock', () => runAction('card.lock', { ...target, operationId: randomUUID() }))
    await call(desk, 'POST', '/reset')
    await settleNow(desk)
    expect(desk.requests.get('/cards/lock')).toBeUndefined()
    expect(await journalOf(desk)).toMatchObject({ state: 'unknown', settledAt: expect.any(Date) })
  })
})

test('an operation of another environment, and an id that is none, are not found', async () => {
  const desk = await openConsole()
  await desk.signIn('support')
  const { target } = await cardIn(desk, 'active')
  const operationId = randomUUID()
  await runAction('card.lock', { ...target, operationId })
  for (const [environment, id] of [
    ['production', operationId],
    ['sandbox', randomUUID()],
    ['sandbox', "x' or 1=1"],
  ] as const) {
    await expect(readOperation(environment, id)).rejects.toMatchObject({ code: 'OPERATION_NOT_FOUND', status: 404 })
  }
  const [row] = await desk.db.select().from(operations).where(eq(operations.id, operationId))
  expect(row?.sealedBody?.toString('latin1')).not.toContain(target.cardId)
})

test('after a 429 nothing is sent again before the time that the service named', async () => {
  const desk = await openConsole()
  await desk.signIn('support')
  const { target } = await cardIn(desk, 'active')
  const operationId = randomUUID()
  let isLimited = true
  desk.intercept.before = (request, response) => {
    if (!isLimited || !request.url?.endsWith('/cards/lock')) return false
    response.writeHead(429, { 'retry-after': '60' }).end()
    return true
  }
  expect(await runAction('card.lock', { ...target, operationId })).toMatchObject({
    operation: { outcome: { state: 'unknown' } },
  })
  isLimited = false
  for (let reads = 0; reads < 3; reads += 1) await readOperation('sandbox', operationId)
  expect(await readCardStatus(desk, target.cardId)).toBe('active')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  onTestFinished(() => void vi.useRealTimers())
  expect(await readOperation('sandbox', operationId)).toMatchObject({ outcome: { state: 'done' } })
})
