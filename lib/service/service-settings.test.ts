import { expect, test } from 'vitest'
import { readServiceSettings } from './service-settings.ts'

test.each([undefined, '', 'hunter2', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64')])(
  'refuses the card number key "%s"',
  (CARD_NUMBER_KEY) => {
    expect(() => readServiceSettings({ CARD_NUMBER_KEY })).toThrow(/^CARD_NUMBER_KEY must be /)
  },
)

test('with an origin of its own the service still delivers to the inbox of the console', () => {
  const variables = {
    CARD_NUMBER_KEY: Buffer.alloc(32).toString('base64'),
    NEXTAUTH_URL: 'https://desk.example.com',
    BUILT_IN_SERVICE_ORIGIN: 'https://desk.example.com',
  }
  const consoleInboxUrl = 'https://desk.example.com/api/webhooks/inbox/sandbox'
  expect(readServiceSettings(variables)).toMatchObject({
    consoleInboxUrl,
    baseUrl: 'https://desk.example.com/service/v1',
    seededCardAccounts: 60,
  })
  const SANDBOX_ORIGIN = 'https://sandbox.example.com'
  expect(readServiceSettings({ ...variables, SANDBOX_ORIGIN, BUILT_IN_SERVICE_ORIGIN: SANDBOX_ORIGIN })).toMatchObject({
    consoleInboxUrl,
    baseUrl: 'https://sandbox.example.com/service/v1',
  })
})

test('webhooks may lead to this machine in demo mode, unless the settings say where they may lead', () => {
  const variables = { CARD_NUMBER_KEY: Buffer.alloc(32).toString('base64') }
  const accepts = (more: Record<string, string>) =>
    readServiceSettings({ ...variables, ...more }).acceptsLoopbackWebhooks
  expect(accepts({})).toBe(true)
  expect(accepts({ SANDBOX_WEBHOOK_HOSTS: 'app' })).toBe(false)
  expect(accepts({ OIDC_ISSUER: 'https://login.example.com' })).toBe(false)
})
