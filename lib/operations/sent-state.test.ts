import { expect, test } from 'vitest'
import { type SentRequest, stateOnceSent } from './sent-state.ts'

const lost: SentRequest = {
  verdict: 'not-done',
  isAccepted: false,
  isLimited: false,
  isRefused: false,
  isAfterLoss: true,
  code: null,
  creates: false,
}
const refused: SentRequest = { ...lost, isRefused: true, isAfterLoss: false, code: 'CARD_ALREADY_LOCKED' }
const limited: SentRequest = { ...lost, isLimited: true }
const unreadable = { verdict: 'unreadable' } as const

test.each<[string, SentRequest, ReturnType<typeof stateOnceSent>]>([
  ['what the record shows, whatever the response', { ...lost, verdict: 'done' }, 'done'],
  ['the same after a refusal', { ...refused, verdict: 'partial' }, 'partial'],
  ['an accepted request that the record does not show', { ...lost, isAccepted: true }, 'unknown'],
  ['an accepted request whose record cannot be read', { ...lost, ...unreadable, isAccepted: true }, 'unknown'],
  ['one too many that makes a record', { ...limited, creates: true }, 'not-sent'],
  ['the same, while the record cannot be read', { ...limited, ...unreadable, creates: true }, 'not-sent'],
  ['one too many that changes a record', limited, 'unknown'],
  ['a refusal', refused, 'refused'],
  ['a refusal while the record cannot be read', { ...refused, ...unreadable }, 'unknown'],
  ['a refusal after a loss', { ...refused, isAfterLoss: true, code: 'INVALID_PARAMETERS' }, 'refused'],
  ['the same, as made before', { ...refused, isAfterLoss: true }, 'unknown'],
  ['a lost response', lost, 'unknown'],
])('%s', (_what, sent, state) => {
  expect(stateOnceSent(sent)).toBe(state)
})
