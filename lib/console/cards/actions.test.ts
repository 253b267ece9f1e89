import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { cardActionRow, cardActions, cardActionTable } from '#lib/contract/card-actions.ts'
import { cardStatuses } from '#lib/contract/terms.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { operations } from '#lib/tables/operations.ts'
import { cardIn, readCardStatus } from '../testing/cards.ts'
import { openConsole, shareConsole } from '../testing/open-console.ts'

const desk = shareConsole({ seeded: 1 })

test('locks a card, reads it back, and leaves a journal row and an audit entry', async () => {
  const desk = await openConsole()
  const staff = await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  const operationId = randomUUID()
  const result = await runAction('card.lock', { ...target, operationId, reason: 'lost-or-stolen' })
  expect(result).toMatchObject({
    kind: 'settled',
    record: { id: target.cardId, status: 'locked' },
    operation: {
      id: operationId,
      kind: 'card.lock',
      outcome: { state: 'done', changed: 'yes' },
      by: { id: staff?.id },
    },
  })
  const [row] = await desk.db.select().from(operations)
  expect(row).toMatchObject({ id: operationId, state: 'done', statusAfter: 'locked', reason: 'lost-or-stolen' })
  const [entry] = await desk.db.select().from(auditEntries)
  expect(entry).toMatchObject({ act: 'card.lock', outcome: 'done', operationId, staffName: 'Olivia Poon' })
  expect(entry?.requestId).toBe(row?.requestId)
})

test('in each status each action does what the transition table says, with the code that it names', async () => {
  const desk = await openConsole()
  await desk.signIn('operations')
  for (const status of cardStatuses) {
    for (const action of cardActions) {
      const transition = cardActionTable[action].transitions[status]
      if (!('refused' in transition)) continue
      const { target, last4, card } = await cardIn(desk, status)
      const { expiryMonth, expiryYear } = card
      const fields = { last6: '000000', expiryMonth, expiryYear, pin: '135790', confirmLast4: last4 }
      const input = { ...target, operationId: randomUUID(), reason: cardActionRow(action).reasons[0], ...fields }
      const result = await runAction(`card.${action}`, input as never)
      expect(result, `${action} a card that is ${status}`).toMatchObject({
        kind: 'settled',
        operation: { outcome: { state: 'refused', changed: 'no', code: transition.refused, status: 400 } },
        record: { status },
      })
    }
  }
})

test('suspends, unsuspends and cancels with a reason and the last four digits, and says each outcome', async () => {
  const desk = await openConsole()
  await desk.signIn('operations')
  const { target, last4 } = await cardIn(desk, 'active')
  const step = () => ({ ...target, operationId: randomUUID() })
  expect(await runAction('card.suspend', step())).toMatchObject({
    kind: 'invalid',
    fields: { reason: expect.any(String) },
  })
  expect(await runAction('card.suspend', { ...step(), reason: 'other', comment: '  ' })).toMatchObject({
    kind: 'invalid',
    fields: { comment: expect.any(String) },
  })
  expect(await runAction('card.suspend', { ...step(), reason: 'suspected-fraud' })).toMatchObject({
    record: { status: 'suspended' },
  })
  expect(await runAction('card.unsuspend', { ...step(), reason: 'resolved' })).toMatchObject({
    record: { status: 'active' },
  })
  const wrong = last4 === '0000' ? '0001' : '0000'
  expect(await runAction('card.cancel', { ...step(), reason: 'lost-or-stolen', confirmLast4: wrong })).toMatchObject({
    kind: 'invalid',
    fields: { confirmLast4: expect.any(String) },
  })
  expect(await readCardStatus(desk, target.cardId)).toBe('active')
  expect(await runAction('card.cancel', { ...step(), reason: 'lost-or-stolen', confirmLast4: last4 })).toMatchObject({
    record: { status: 'cancelled' },
  })
})

test('a card that was reported lost is unlocked with a reason only, any other without one', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('support')
  const { target } = await cardIn(desk, 'active')
  const step = () => ({ ...target, operationId: randomUUID() })
  await runAction('card.lock', step())
  expect(await runAction('card.unlock', step())).toMatchObject({ record: { status: 'active' } })
  await runAction('card.lock', { ...step(), reason: 'lost-or-stolen' })
  expect(await runAction('card.unlock', step())).toMatchObject({ kind: 'invalid', fields: { reason: 'must be given' } })
  expect(await readCardStatus(desk, target.cardId)).toBe('locked')
  expect(await runAction('card.unlock', { ...step(), reason: 'card-found' })).toMatchObject({
    record: { status: 'active' },
  })
})

test('a PIN is in no row of the console, sealed or hashed, once its outcome is known', async () => {
  const desk = await openConsole()
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  const pin = '483920'
  const result = await runAction('card.change-pin', {
    ...target,
    operationId: randomUUID(),
    reason: 'cardholder-request',
    pin,
  })
  expect(result).toMatchObject({
    kind: 'settled',
    operation: { outcome: { state: 'done' } },
    record: { status: 'active' },
  })
  const [row] = await desk.db.select().from(operations)
  expect(row).toMatchObject({ sealedBody: null, bodySha256: null, holdsSecret: true })
  expect(JSON.stringify(result)).not.toContain(pin)
  expect(JSON.stringify([row, await desk.db.select().from(auditEntries)])).not.toContain(pin)
})

test('a comment with a card number is refused and stored nowhere', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  const comment = 'holder says 4242-4242 4242 4242'
  const result = await runAction('card.lock', { ...target, operationId: randomUUID(), comment })
  expect(result).toEqual({ kind: 'invalid', fields: { comment: 'must not hold a card number' } })
  expect(await desk.db.select().from(operations)).toEqual([])
  expect(await desk.db.select().from(auditEntries)).toEqual([])
})

test.each(['739154', 'new PIN: 739 154', '７３９１５４'])(
  'a comment with the new PIN (%s) is refused and stored nowhere',
  async (comment) => {
    await desk.signIn('operations')
    const { target } = await cardIn(desk, 'active')
    const input = {
      ...target,
      operationId: randomUUID(),
      reason: 'cardholder-request',
      pin: '739154',
      comment,
    } as const
    expect(await runAction('card.change-pin', input)).toEqual({
      kind: 'invalid',
      fields: { comment: 'must not hold the PIN' },
    })
    expect(await desk.db.select().from(operations)).toEqual([])
    expect(await desk.db.select().from(auditEntries)).toEqual([])
    expect(desk.requests.get('/cards/change-pin')).toBeUndefined()
  },
)

test('an attempt without the permission changes nothing and is in the audit trail with its target', async () => {
  const staff = await desk.signIn('viewer')
  const { target } = await cardIn(desk, 'active')
  const operationId = randomUUID()
  expect(await runAction('card.lock', { ...target, operationId })).toMatchObject({
    kind: 'refused',
    outcome: { code: 'NOT_PERMITTED', changed: 'no' },
  })
  expect(desk.requests.size).toBe(0)
  const trail = await desk.db.select().from(auditEntries)
  expect(trail).toMatchObject([
    {
      act: 'card.lock',
      outcome: 'refused',
      code: 'NOT_PERMITTED',
      staffId: staff?.id,
      targetId: target.cardId,
      operationId,
    },
  ])
})

test('production that is not connected refuses and names what to set', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  const result = await runAction('card.lock', { ...target, environment: 'production', operationId: randomUUID() })
  expect(result).toMatchObject({ kind: 'refused', outcome: { code: 'NOT_CONNECTED', changed: 'no' } })
  expect(JSON.stringify(result)).toContain('SERVICE_PRODUCTION_PRIVATE_KEY')
})

test('hostile input gets the wrong fields, never a failure, and reaches no service', async () => {
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  const fine = { ...target, operationId: randomUUID() }
  const hostile: unknown[] = [
    undefined,
    null,
    42,
    'lock',
    [],
    {},
    { environment: '__proto__' },
    { ...fine, environment: ['sandbox'] },
    { ...fine, operationId: "'; drop table console.operations; --" },
    { ...fine, operationId: { toString: () => 'x' } },
    { ...fine, cardId: '' },
    { ...fine, cardId: '4929123456789015' },
    { ...fine, cardId: 'a\u0000b' },
    { ...fine, cardAccountId: 'a'.repeat(100_000) },
    { ...fine, reason: '__proto__' },
    { ...fine, comment: 'a\0b' },
    { ...fine, comment: '\ud800' },
    { ...fine, comment: 'x'.repeat(501) },
  ]
  for (const input of hostile) {
    const result = await runAction('card.lock', input as never)
    expect(['invalid', 'refused']).toContain(result.kind)
  }
  expect(desk.requests.get('/cards/lock')).toBeUndefined()
  const pins: unknown[] = ['12345', '1234567', 123456, null, ['123456'], '12345６', ' 123456']
  for (const pin of pins) {
    expect(await runAction('card.change-pin', { ...fine, pin } as never)).toMatchObject({
      kind: 'invalid',
      fields: { pin: expect.any(String) },
    })
  }
})
