import { expect, test } from 'vitest'
import { cookieOfColumns, preferenceCookies, readPreferences } from './preferences.ts'

test('has a default for each cookie that is missing or that somebody wrote by hand', () => {
  const hostile = new Map<string, string>([
    [preferenceCookies.theme, '"><script>'],
    [preferenceCookies.zone, '../..'],
    [preferenceCookies.density, 'huge'],
    [preferenceCookies.columns, '__proto__:x~no colon~a:b:c~ok:name.balance'],
  ])
  expect(readPreferences(() => undefined)).toMatchObject({ theme: 'system', density: 'base', columns: {} })
  const read = readPreferences((name) => hostile.get(name))
  expect(read).toMatchObject({ theme: 'system', density: 'base', zone: { choice: 'hkt' } })
  expect(read.columns.ok).toEqual(['name', 'balance'])
  expect(Object.getPrototypeOf(read.columns)).toBe(Object.prototype)
})

test('a cookie that is bound to the host counts before one that another host may have set', () => {
  const cookies: Record<string, string> = { 'carddesk-theme': 'light', '__Host-carddesk-theme': 'dark' }
  expect(readPreferences((name) => cookies[name]).theme).toBe('dark')
  delete cookies['__Host-carddesk-theme']
  expect(readPreferences((name) => cookies[name]).theme).toBe('light')
})

test('reads back the columns that it wrote, in text that a cookie carries as it is', () => {
  const columns = { 'card-accounts': ['name', 'balance'], fees: ['amount'] }
  const text = cookieOfColumns(columns)
  expect(text).toMatch(/^[\w:.~-]+$/)
  expect(readPreferences((name) => (name === preferenceCookies.columns ? text : undefined)).columns).toEqual(columns)
})
