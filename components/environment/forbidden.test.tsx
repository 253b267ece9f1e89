import { expect, test } from 'vitest'
import { overviewHref } from '#components/layout/message-page.tsx'
import { onlyRoles, type Permission } from '#lib/auth/permissions.ts'
import { readPageNeeds } from '#lib/console/testing/page-needs.ts'
import { permissionOfPage } from './forbidden.tsx'
import { missingKind } from './missing.tsx'

const ofEnvironment = Object.entries(readPageNeeds()).filter(
  ([folder, needs]) => folder.startsWith('[environment]') && needs !== 'session',
)

test('a page that is refused names the roles that its permission needs', () => {
  const pathOf = (folder: string) => `/${folder.replace('[environment]', 'sandbox')}`
  const named = ofEnvironment.map(([folder]) => [folder, onlyRoles(permissionOfPage(pathOf(folder)))])
  expect(named).toEqual(ofEnvironment.map(([folder, needs]) => [folder, onlyRoles(needs as Permission)]))
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
