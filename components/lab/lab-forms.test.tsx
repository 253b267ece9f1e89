import { expect, test } from 'vitest'
import { durationOf, durationUntil } from './clock-panel.tsx'
import { faultOf } from './fault-form.tsx'
import { effectText, timesText } from './fault-text.ts'
import { idsIn } from './identity-simulator.tsx'
import { aheadText, changedModes } from './sandbox-state.tsx'
import { bodyOf, initialValues, simulators } from './simulators.ts'

test('a simulator sends what was entered, numbers as numbers, and nothing that is empty', () => {
  const given = {
    cardAccountId: 'a',
    cardId: 'b',
    'merchant.name': 'Shop',
    'merchant.mcc': '5812',
    cardPresent: 'false',
  }
  expect(bodyOf(simulators.charge, initialValues(simulators.charge, given))).toEqual({
    cardAccountId: 'a',
    cardId: 'b',
    amount: 50,
    currency: 'HKD',
    cardPresent: false,
    merchant: { name: 'Shop', mcc: '5812' },
  })
  expect(bodyOf(simulators.capture, { transactionId: 't', amount: ' ' })).toEqual({ transactionId: 't' })
  expect(bodyOf(simulators.capture, { transactionId: 't', amount: '1O' })).toEqual({ transactionId: 't', amount: '1O' })
  expect(bodyOf(simulators.dispute, { transactionId: 't', status: '' })).toEqual({ transactionId: 't', status: null })
  const event = { event: 'x.y', data: '{"a":[1]}' }
  expect(bodyOf(simulators.event, event)).toEqual({ event: 'x.y', data: { a: [1] } })
  expect(bodyOf(simulators.event, { ...event, data: '{' })).toEqual({ event: 'x.y', data: '{' })
})

test('a fault has the options of its effect alone', () => {
  const values = {
    endpoint: 'POST /cards/lock',
    times: '2',
    status: '503',
    'shape.at': 'status',
    'shape.value': '{"a":1}',
  }
  const shared = { path: '/cards/lock', method: 'POST', times: 2 }
  expect(faultOf({ ...values, effect: 'status', code: 'X' })).toEqual({
    ...shared,
    status: 503,
    after: false,
    code: 'X',
  })
  expect(faultOf({ ...values, effect: 'dropped' })).toEqual({ ...shared, status: 0, after: false })
  expect(faultOf({ ...values, effect: 'lost' })).toEqual({ ...shared, status: 500, after: true })
  expect(faultOf({ ...values, effect: 'delay', delayMs: '250' })).toEqual({ ...shared, delayMs: 250 })
  expect(faultOf({ ...values, effect: 'shape', kind: 'null' })).toEqual({
    ...shared,
    shape: { kind: 'null', at: 'status' },
  })
  expect(faultOf({ ...values, effect: 'shape', kind: 'value' })).toMatchObject({
    shape: { kind: 'value', at: 'status', value: { a: 1 } },
  })
  expect(faultOf({ effect: 'status', times: 'always', status: 'x', background: 'on' })).toEqual({
    path: '*',
    times: 'always',
    status: 'x',
    after: false,
    background: true,
  })
})

test('an armed fault says what it does and how often', () => {
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

test('durations, account ids, changed modes and the distance of the clock', () => {
  expect([durationOf('90', 'M'), durationOf(' 2 ', 'D')]).toEqual(['PT90M', 'P2D'])
  expect(durationUntil('2026-01-01T00:00:10Z', Date.parse('2026-01-01T00:00:00.500Z'))).toBe('PT10S')
  expect(durationUntil('2026-01-01T00:00:00Z', Date.parse('2026-01-02T00:00:00Z'))).toBe('PT1S')
  expect(idsIn(' a,b\n\na; c ')).toEqual(['a', 'b', 'c'])
  expect(changedModes({ idForm: 'uuid', replay: 'refused', ignoreIdempotencyKeys: false })).toEqual(['replay'])
  expect([aheadText(90_000_000), aheadText(-60_000)]).toEqual(['+25 h 0 min', '−1 min'])
})
