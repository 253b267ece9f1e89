import { expect, test } from 'vitest'
import { overviewHref } from '#components/layout/message-page.tsx'
import { rolePermissions, roles } from '#lib/auth/permissions.ts'
import { readPageNeeds } from '#lib/console/testing/page-needs.ts'
import { missingKind } from './missing.tsx'
import { findPagePermission } from './navigation.tsx'

const pageNeeds = Object.entries(readPageNeeds())

test('a page that is refused names the roles that its permission needs', () => {
  const refused = pageNeeds.flatMap(([folder, needs]) => {
    const isForAll =
      needs === 'nothing' || needs === 'session' || roles.every((role) => rolePermissions[role].includes(needs))
    return isForAll ? [] : [[`/${folder.replace('[environment]', 'sandbox')}`, needs]]
  })
  expect(refused.length).toBeGreaterThan(10)
  expect(refused.map(([path = '']) => [path, findPagePermission(path)])).toEqual(refused)
})

test('a 404 names the object of its path', () => {
  const nameOf = (path: string) => missingKind(path)?.name
  expect(nameOf('/sandbox/payouts/x')).toBe('payout')
  expect(nameOf('/sandbox/card-accounts/x/cards/y')).toBe('card')
  expect(nameOf('/sandbox/card-accounts/x/transactions/y')).toBe('transaction')
  expect(nameOf('/sandbox/card-accounts/x')).toBe('card account')
  expect(nameOf('/sandbox/nothing')).toBeUndefined()
  expect(nameOf('/sandbox')).toBeUndefined()
})

test('the way out of an error leads to the overview of the same environment', () => {
  expect(overviewHref('/production/settings/staff')).toBe('/production')
  expect(overviewHref('/sandbox/nothing-here')).toBe('/sandbox')
  expect([overviewHref('/staging/fees'), overviewHref(null)]).toEqual(['/', '/'])
})
