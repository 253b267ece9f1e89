import { expect, test } from 'vitest'
import { isCurrent, isCurrentTab } from '#components/layout/side-bar.tsx'
import { type Role, rolePermissions } from '#lib/auth/permissions.ts'
import { areasFor } from './navigation.tsx'

const areas = (role: Role) => {
  const permissions = { sandbox: rolePermissions[role], production: rolePermissions[role] }
  return areasFor('sandbox', { staff: { role }, permissions: permissions as never })
}
const shown = (role: Role) =>
  areas(role)
    .filter(({ isFrequent }) => isFrequent)
    .map(({ label }) => label)

test('the navigation has nine entries by what a person does, and five for support', () => {
  expect(shown('operations')).toEqual(
    'Home Accounts Cards Transactions Payouts Fees Identity Audit Developers'.split(' '),
  )
  expect(shown('support')).toEqual('Home Accounts Cards Transactions Payouts'.split(' '))
  expect(shown('viewer')).not.toContain('Audit')
})

test('pages of one area are its tabs, only those that the person may open', () => {
  const tabsOf = (role: Role, label: string) =>
    areas(role)
      .find((area) => area.label === label)
      ?.tabs.map(({ href }) => href)
  expect(tabsOf('operations', 'Payouts')).toEqual([
    '/sandbox/payouts',
    '/sandbox/funding-accounts',
    '/sandbox/rates',
    '/sandbox/banks',
  ])
  expect(tabsOf('operations', 'Developers')).toHaveLength(5)
  expect(tabsOf('operations', 'Developers')?.at(-1)).toBe('/sandbox/lab')
  expect(tabsOf('viewer', 'Developers')).toEqual(['/sandbox/webhooks', '/sandbox/webhooks/inbox'])
})

test('pages of operations belong to Home', () => {
  const home = areas('support').find(({ label }) => label === 'Home')
  expect(home?.tabs.some((tab) => isCurrent(tab, '/sandbox/operations/3f2a'))).toBe(true)
})

test('pages of the QA lab keep the tabs of their area, a record below a list shows none', () => {
  const tabOf = (pathname: string) =>
    areas('qa')
      .flatMap(({ tabs }) => tabs)
      .find((tab) => isCurrentTab(tab, pathname))?.label
  expect(tabOf('/sandbox/lab/explorer')).toBe('QA lab')
  expect(tabOf('/sandbox/lab/scenarios')).toBe('QA lab')
  expect(tabOf('/sandbox/payouts')).toBe('Payouts')
  expect(tabOf('/sandbox/payouts/3f2a')).toBeUndefined()
})

test('what support does not see in the navigation is in its palette', () => {
  expect(areas('support').map(({ label }) => label)).toEqual(expect.arrayContaining(['Fees', 'Identity', 'Audit']))
})

test('the pages of Home are told apart by their icons in the palette', () => {
  const home = areas('operations').find(({ label }) => label === 'Home')
  const icons = home?.tabs.map(({ icon }) => (icon as { type: unknown }).type)
  expect(new Set(icons).size).toBe(4)
})
