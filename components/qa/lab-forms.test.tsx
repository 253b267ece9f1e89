import { expect, test } from 'vitest'
import { sandboxNowMs } from '#components/environment/server-now.ts'
import { toIsoDuration, durationUntil } from './clock-panel.tsx'
import { effectText, faultForm, timesText } from './faults.ts'
import { withTyped } from './pickers.tsx'
import { aheadText, changedModes } from './sandbox-state.tsx'
import { makeBodies, makeBody, idsIn, initialValues, simulatorIn, simulators } from './simulators.ts'

test('a simulator sends what was entered, numbers as numbers, and nothing that is empty', () => {
  const given = {
    cardAccountId: 'a',
    cardId: 'b',
    'merchant.name': 'Shop',
    'merchant.mcc': '5812',
    cardPresent: 'false',
  }
  expect(makeBody(simulators.charge, initialValues(simulators.charge, given))).toEqual({
    cardAccountId: 'a',
    cardId: 'b',
    amount: 50,
    currency: 'HKD',
    cardPresent: false,
    merchant: { name: 'Shop', mcc: '5812' },
  })
  expect(makeBody(simulators.capture, { transactionId: 't', amount: ' ' })).toEqual({ transactionId: 't' })
  expect(makeBody(simulators.capture, { transactionId: 't', amount: '1O' })).toEqual({
    transactionId: 't',
    amount: '1O',
  })
  expect(makeBody(simulators.dispute, { transactionId: 't', status: '' })).toEqual({ transactionId: 't', status: null })
  const event = { event: 'x.y', data: '{"a":[1]}' }
  expect(makeBody(simulators.event, event)).toEqual({ event: 'x.y', data: { a: [1] } })
  expect(makeBody(simulators.event, { ...event, data: '{' })).toEqual({ event: 'x.y', data: '{' })
})

test('what helps to choose a record is not sent, and an event names the one record that it is about', () => {
  const ids = { cardAccountId: 'a', cardId: 'b', transactionId: 't', payoutId: 'p', accountTransactionId: 'l' }
  expect(makeBody(simulators.capture, ids)).toEqual({ cardAccountId: 'a', transactionId: 't' })
  const sent = (event: string) => makeBody(simulators.event, { ...ids, event })
  expect(sent('card.updated')).toEqual({ event: 'card.updated', cardId: 'b' })
  expect(sent('cardaccount.balance')).toMatchObject({ cardAccountId: 'a' })
  expect(sent('cardaccount.transaction.updated')).toEqual({
    event: 'cardaccount.transaction.updated',
    transactionId: 't',
  })
  expect(sent('payout.created')).toEqual({ event: 'payout.created', payoutId: 'p' })
  expect(sent('account.transaction.created')).toMatchObject({ accountTransactionId: 'l' })
  expect(sent('ping')).toEqual({ event: 'ping' })
})

test('another service’s sandbox gets only what the interface’s simulators take', () => {
  const charge = simulatorIn('interface', simulators.charge)
  const values = initialValues(simulators.charge, {
    cardAccountId: 'a',
    cardId: 'b',
    declineReason: 'lost-card',
    'merchant.name': 'Shop',
    'opts.countryCode': '344',
  })
  const opts = { countryCode: 344 }
  expect(makeBody(charge, values)).toEqual({ cardAccountId: 'a', cardId: 'b', amount: 50, currency: 'HKD', opts })
  const currencies = charge.fields.find(({ name }) => name === 'currency')?.options?.map(({ value }) => value)
  expect(currencies).toEqual(['HKD', 'USD', 'EUR'])
  const reversal = makeBody(simulatorIn('interface', simulators.reverse), {
    cardAccountId: 'a',
    transactionId: 't',
    amount: '5',
  })
  expect(reversal).toEqual({ cardAccountId: 'a', transactionId: 't' })
  expect(makeBody(simulators.repay, { cardAccountIds: 'a, b a' })).toEqual({ cardAccountIds: ['a', 'b'] })
  expect(simulatorIn('built-in', simulators.charge)).toEqual(simulators.charge)
})

test('identities are decided one request an account, a rejection with the reason that the sandbox takes', () => {
  const values = initialValues(simulators.identity, { cardAccountId: 'a b', rejectionAdditionalInfo: 'Page 2' })
  expect(makeBodies(simulators.identity, values)).toEqual([
    { cardAccountId: 'a', action: 'approve' },
    { cardAccountId: 'b', action: 'approve' },
  ])
  const rejection = { ...values, action: 'reject' }
  expect(makeBodies(simulators.identity, rejection).at(-1)).toEqual({
    cardAccountId: 'b',
    action: 'reject',
    rejectedReason: 'Incomplete Info (not residential address)',
    rejectionAdditionalInfo: 'Page 2',
  })
  const foreign = simulatorIn('interface', simulators.identity)
  expect(makeBodies(foreign, rejection).at(-1)).toEqual({ cardAccountId: 'b', action: 'reject' })
  expect(makeBodies(simulators.identity, { action: 'approve' })).toEqual([{ action: 'approve' }])
})

test('an id that no found record has can be used as typed; part of a name or a card number cannot', () => {
  const found = [{ value: 'id-12345', label: 'Ada' }]
  expect(withTyped(found, 'id-99999').at(-1)).toEqual({ value: 'id-99999', label: 'Use this ID', note: 'id-99999' })
  for (const typed of ['', 'Ada', 'id-12345', 'Ada Lovelace 12', '4111111111111111']) {
    expect(withTyped(found, typed)).toEqual(found)
  }
})

test('a fault has the options of its effect alone', () => {
  const form = faultForm([])
  const faultOf = (values: Record<string, string>) => makeBody(form, initialValues(form, values))
  const values = {
    path: 'POST /cards/lock',
    times: '2',
    status: '503',
    'shape.at': 'status',
    'shape.value': '{"a":1}',
  }
  const shared = { path: '/cards/lock', method: 'POST', times: 2 }
  expect(faultOf({ ...values, code: 'X', after: 'true' })).toEqual({ ...shared, status: 503, after: true, code: 'X' })
  expect(faultOf({ ...values, effect: 'dropped' })).toEqual({ ...shared, status: 0 })
  expect(faultOf({ ...values, effect: 'lost' })).toEqual({ ...shared, status: 500, after: true })
  expect(faultOf({ ...values, effect: 'delay', delayMs: '250' })).toEqual({ ...shared, delayMs: 250 })
  expect(faultOf({ ...values, effect: 'shape', 'shape.kind': 'null' })).toEqual({
    ...shared,
    shape: { kind: 'null', at: 'status' },
  })
  const shape = { at: 'status', value: { a: 1 } }
  expect(faultOf({ ...values, effect: 'shape', 'shape.kind': 'value' })).toMatchObject({ shape })
  expect(faultOf({ ...values, effect: 'shape', 'shape.kind': 'unknown-enum' })).toMatchObject({
    shape: { at: 'status', value: '{"a":1}' },
  })
  expect(faultOf({ times: 'always', status: 'x', background: 'true' })).toEqual({
    path: '*',
    times: 'always',
    status: 'x',
    background: true,
  })
})

test('an armed fault shows its effect and how often it applies', () => {
  const fault = { id: 1, path: '*', times: 1, after: false, delayMs: 0, background: false }
  expect(effectText({ ...fault, status: 500, code: 'X', after: true, delayMs: 20 })).toBe(
    '500 X, after the work, 20 ms late',
  )
  expect(effectText({ ...fault, status: 0 })).toBe('Dropped connection')
  expect(effectText({ ...fault, shape: { kind: 'null', at: 'cards[*].status' } })).toBe(
    'Null in its place: cards[*].status',
  )
  expect(effectText({ ...fault, shape: { kind: 'later' } })).toBe('later')
  expect([timesText(1), timesText(3), timesText('always')]).toEqual(['Once', '3 times', 'Until removed'])
})

test('durations, account IDs, changed modes and the distance of the clock', () => {
  expect([toIsoDuration('90', 'M'), toIsoDuration(' 2 ', 'D')]).toEqual(['PT90M', 'P2D'])
  for (const amount of ['', 'two', '0', '-1', '1.5']) expect(toIsoDuration(amount, 'H')).toBeNull()
  expect(durationUntil('2026-01-01T00:00:10Z', Date.parse('2026-01-01T00:00:00.500Z'))).toBe('PT10S')
  expect(durationUntil('2026-01-01T00:00:00Z', Date.parse('2026-01-02T00:00:00Z'))).toBe('PT1S')
  const clock = { now: '2026-01-01T00:00:00.000Z', isFrozen: false }
  const [readAt, now] = [Date.parse('2026-05-01T00:00:20Z'), Date.parse(clock.now)]
  expect(sandboxNowMs(clock, readAt, readAt + 15_000)).toBe(now + 15_000)
  expect(sandboxNowMs({ ...clock, isFrozen: true }, readAt, readAt + 15_000)).toBe(now)
  expect(idsIn(' a,b\n\na; c ')).toEqual(['a', 'b', 'c'])
  expect(changedModes({ idForm: 'uuid', replay: 'refused', ignoreIdempotencyKeys: false })).toEqual(['replay'])
  expect([aheadText(90_000_000), aheadText(-60_000), aheadText(86_399_989)]).toEqual([
    '+25 h 0 min',
    '−1 min',
    '+24 h 0 min',
  ])
})
