import { expect, test } from 'vitest'
import { pastTitle } from './outcome-text.tsx'

test.each([
  ['done', 'Card locked'],
  // Also what a colleague declined, and what was never sent.
  ['refused', 'Lock card: not done'],
  ['unknown', 'Lock card: not confirmed yet'],
] as const)('in a history, an operation that is %s is “%s”', (state, title) => {
  expect(pastTitle(state, 'Lock card', 'Card locked')).toBe(title)
})
