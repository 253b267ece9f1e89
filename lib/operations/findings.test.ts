import { expect, test } from 'vitest'
import { formatFindingAlone, saidText } from './findings.ts'
import type { OperationRow } from './journal.ts'
import type { Confirmation } from './spec.ts'

test.each([
  ['active', 'locked', 'The card shows it. It is locked.'],
  [null, 'locked', 'The card shows it. It is locked.'],
  ['locked', 'locked', 'The card is locked, as it was before. No response says whether this made it so.'],
  [null, null, 'The card shows it.'],
])('without a response, a card that was %s and is %s: %s', (statusBefore, statusAfter, finding) => {
  const row = { kind: 'card.lock', statusBefore } as OperationRow
  const confirmation = { verdict: 'done', detail: null, statusAfter, resultId: null } as Confirmation
  expect(formatFindingAlone(row, confirmation)).toBe(finding)
})

test('what an accepted response says is told behind what the record shows, without card numbers', () => {
  expect(saidText({ success: true })).toBe('')
  expect(saidText({ status: 'ERROR', message: 'limit over program cap' })).toBe(
    ' The response says: Limit over program cap.',
  )
  expect(saidText({ message: 'no 4242 4242 4242 4242' })).not.toContain('4242 4242')
})
