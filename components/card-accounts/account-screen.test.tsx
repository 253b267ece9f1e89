import { expect, test } from 'vitest'
import { onlyRoles } from '#lib/auth/permissions.ts'
import { isSaidBySetLimit } from './account-screen.tsx'

test('the reason that two buttons in a row share is written once, by the one that is there', () => {
  const said = onlyRoles('limits.set', 'sandbox')
  const issuing = { unavailable: onlyRoles('cards.issue', 'sandbox') }
  expect(isSaidBySetLimit({ accountType: 'credit' }, issuing, said)).toBe(true)
  expect(isSaidBySetLimit({ accountType: 'prepaid' }, issuing, said)).toBe(false)
  expect(isSaidBySetLimit({ accountType: 'credit' }, { unavailable: undefined }, said)).toBe(false)
})
