import { expect, test } from 'vitest'
import { demoHelpDeskOrigin, embedOrigins, isHostOrigin } from './embed-origins.ts'

const demo = { NEXTAUTH_URL: 'http://localhost:3000' }
const real = { NEXTAUTH_URL: 'https://carddesk.example.com', OIDC_ISSUER: 'https://login.example.com' }

test('without the setting no origin may show views, but for the demo’s own help desk', () => {
  expect(embedOrigins(real)).toEqual([])
  expect(embedOrigins({ ...real, EMBED_ALLOWED_ORIGINS: ' ' })).toEqual([])
  expect(embedOrigins(demo)).toEqual(['http://embed.localhost:3000'])
  expect(demoHelpDeskOrigin({ ...demo, OIDC_ISSUER: 'https://login.example.com' })).toBeNull()
})

test('the setting lists exact origins', () => {
  const EMBED_ALLOWED_ORIGINS = 'https://help.example.com, https://desk.example.com:8443'
  const listed = ['https://help.example.com', 'https://desk.example.com:8443']
  expect(embedOrigins({ ...real, EMBED_ALLOWED_ORIGINS })).toEqual(listed)
})

test.each([
  'https://*.example.com',
  'https://help.example.com/',
  'https://help.example.com/path',
  'http://help.example.com',
  'https:',
  '*',
  'null',
  "'self'",
  'https://help.example.com;script-src *',
  'https://help.example.com https://other.example.com',
  'https://"help".example.com',
])('%s is no origin of a host', (text) => {
  expect(isHostOrigin(text)).toBe(false)
})
