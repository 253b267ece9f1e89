import { expect, test } from 'vitest'
import { type Known, type NextStep, nextStep } from './next-step.ts'

const change: Known = {
  occasion: 'due',
  isEarlyLook: false,
  attempts: 1,
  code: null,
  isBusinessError: false,
  creates: false,
  hasOneEffect: true,
  sameRequest: 'possible',
  mustWait: false,
  isPermitted: true,
}
const record: Known = { ...change, creates: true }
const open = (code: string | null): NextStep => ({ code, isLast: false })
const ends = (code: string | null): NextStep => ({ code, isLast: true })

const accepted = { code: 'NOT_CONFIRMED' }
const refused = { code: 'CARD_ALREADY_LOCKED', isBusinessError: true }

test.each<[string, Known, NextStep]>([
  ['a change', change, 'send'],
  ['a record', record, 'send'],
  ['a record that a second request might make twice', { ...record, hasOneEffect: false }, open('NEEDS_REVIEW')],
  ['a change whose bytes or key are gone', { ...change, sameRequest: 'never' }, ends(null)],
  ['a record whose bytes or key are gone', { ...record, sameRequest: 'never' }, open('NEEDS_REVIEW')],
  ['an accepted record whose key is gone', { ...record, ...accepted, sameRequest: 'never' }, open('NOT_CONFIRMED')],
  ['a change while the clock is unknown', { ...change, sameRequest: 'not now' }, open(null)],
  ['a record while the clock is unknown', { ...record, sameRequest: 'not now' }, open('NEEDS_REVIEW')],
  ['an accepted change', { ...change, ...accepted, attempts: 8 }, open('NOT_CONFIRMED')],
  ['an accepted change, read for the tenth time', { ...change, ...accepted, attempts: 9 }, ends('NOT_CONFIRMED')],
  ['the same, by a look', { ...change, ...accepted, attempts: 9, isEarlyLook: true }, open('NOT_CONFIRMED')],
  ['an accepted record, read for the tenth time', { ...record, ...accepted, attempts: 9 }, open('NOT_CONFIRMED')],
  ['a change refused after a loss', { ...change, ...refused, attempts: 9 }, ends('CARD_ALREADY_LOCKED')],
  ['a record refused after a loss', { ...record, ...refused, attempts: 9 }, open('CARD_ALREADY_LOCKED')],
  ['a look before it is due', { ...change, occasion: 'look', isEarlyLook: true }, open(null)],
  ['a look when it is due', { ...change, occasion: 'look' }, 'send'],
  ['a change that was sent often', { ...change, attempts: 16 }, open(null)],
  ['the same, when a person presses', { ...change, attempts: 16, occasion: 'press' }, 'send'],
  ['a press while the service is limited', { ...change, occasion: 'press', mustWait: true }, open(null)],
  ['a change of a person who may not do it any more', { ...change, isPermitted: false }, open('NEEDS_REVIEW')],
  ['the same, accepted', { ...change, ...accepted, isPermitted: false }, open('NOT_CONFIRMED')],
])('%s', (_what, known, expected) => {
  expect(nextStep(known)).toEqual(expected)
})
