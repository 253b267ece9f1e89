import { expect, test } from 'vitest'
import { stepsAhead } from './issue-card-dialog.tsx'

test('the dialog of a lost card does not promise a cancellation that waits for an approval', () => {
  expect(stepsAhead('active', null)).toBe('Locks and cancels this card for good and issues a new one, in one go.')
  const ahead = { isCertain: true, sentence: 'Ada Ng (Approver) must approve it within 24 hours.' }
  expect(stepsAhead('active', ahead)).toBe(
    'Locks this card and issues a new one now. The cancellation needs an approval: Ada Ng (Approver) must approve it within 24 hours.',
  )
  expect(stepsAhead('suspended', ahead)).toMatch(/^Issues a new card now\./)
  expect(stepsAhead('cancelled', ahead)).toBe('Issues a new card. This one is cancelled already.')
})
