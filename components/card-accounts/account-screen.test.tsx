import { expect, test } from 'vitest'
import { onlyRoles } from '#lib/auth/permissions.ts'
import { isSaidBySetLimit } from './account-screen.tsx'

test('the reason that two buttons in a row share is written once, by the one that is there', () => {
  const issuing = { unavailable: onlyRoles('cards.issue') }
  expect(isSaidBySetLimit({ accountType: 'credit' }, issuing)).toBe(true)
  expect(isSaidBySetLimit({ accountType: 'prepaid' }, issuing)).toBe(false)
  expect(isSaidBySetLimit({ accountType: 'credit' }, { unavailable: undefined })).toBe(false)
})
