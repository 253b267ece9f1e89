import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { contractProfile } from '#lib/client/service-profile.ts'
import { readConsoleSettings } from './console-settings.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim()
const whole = {
  NEXTAUTH_URL: 'http://localhost:3000/',
  NEXTAUTH_SECRET: 's'.repeat(40),
  CONSOLE_SEALING_KEY: Buffer.alloc(32, 1).toString('base64'),
  SERVICE_SANDBOX_URL: 'http://127.0.0.1:3000/service/v1',
  SERVICE_SANDBOX_ACCESS_KEY: '6F9619FF-8B86-4D01-B42D-00CF4FC964FF',
  SERVICE_SANDBOX_PRIVATE_KEY: pem,
}

test('reads what the launcher leaves: demo mode, production not connected', () => {
  const read = readConsoleSettings({ ...whole, SERVICE_PRODUCTION_URL: '', OIDC_ISSUER: ' ' })
  expect(read).toMatchObject({
    ok: true,
    value: {
      isDemo: true,
      oidc: null,
      consoleUrl: 'http://localhost:3000',
      idleMs: 15 * 60_000,
      services: {
        sandbox: {
          baseUrl: whole.SERVICE_SANDBOX_URL,
          accessKey: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
          privateKey: pem,
        },
        production: null,
      },
    },
  })
})

test('the origins that may show embedded views are the listed ones, and in a demo its own help desk', () => {
  const originsWith = (more: Record<string, string>) => {
    const read = readConsoleSettings({ ...whole, ...more })
    return read.ok && { allowed: read.value.embedOrigins, demo: read.value.demoHelpDesk }
  }
  const demo = 'http://embed.localhost:3000'
  const provider = { OIDC_ISSUER: 'https://login.example.com' }
  const EMBED_ALLOWED_ORIGINS = 'https://help.example.com, https://desk.example.com:8443'
  const listed = ['https://help.example.com', 'https://desk.example.com:8443']
  expect(originsWith({ EMBED_ALLOWED_ORIGINS: ' ' })).toEqual({ allowed: [demo], demo })
  expect(originsWith({ EMBED_ALLOWED_ORIGINS })).toEqual({ allowed: [...listed, demo], demo })
  expect(originsWith(provider)).toEqual({ allowed: [], demo: null })
  expect(originsWith({ ...provider, EMBED_ALLOWED_ORIGINS })).toEqual({ allowed: listed, demo: null })
})

test('a private key in one line with \\n in it is the same key', () => {
  const read = readConsoleSettings({
    ...whole,
    SERVICE_SANDBOX_PRIVATE_KEY: pem.replaceAll('\n', String.raw`\n`),
  })
  expect(read.ok && read.value.services.sandbox?.privateKey).toBe(pem)
})

test('a sandbox may have the access key alone, and production without a private key says why it may not', () => {
  const { SERVICE_SANDBOX_PRIVATE_KEY: _, ...keyless } = whole
  const read = readConsoleSettings(keyless)
  expect(read.ok && read.value.services.sandbox).toMatchObject({ privateKey: null })
  const production = {
    SERVICE_PRODUCTION_URL: 'https://cards.example.com/v1',
    SERVICE_PRODUCTION_ACCESS_KEY: whole.SERVICE_SANDBOX_ACCESS_KEY,
  }
  expect(readConsoleSettings({ ...whole, ...production })).toEqual({
    ok: false,
    error: [
      'SERVICE_PRODUCTION_PRIVATE_KEY must be set: production accepts signed requests only, and the access key alone (HTTP Basic) is for a sandbox.',
    ],
  })
})

test('names every wrong setting in a line of its own, and repeats no secret', () => {
  const read = readConsoleSettings({
    NEXTAUTH_URL: 'localhost',
    NEXTAUTH_SECRET: 'hunter2',
    CONSOLE_SEALING_KEY: 'c2hvcnQ=',
    SERVICE_SANDBOX_URL: whole.SERVICE_SANDBOX_URL,
    SERVICE_SANDBOX_ACCESS_KEY: 'key',
  })
  const lines = read.ok ? [] : read.error
  expect(lines.map((line) => line.split(' ')[0])).toEqual([
    'NEXTAUTH_URL',
    'NEXTAUTH_SECRET',
    'CONSOLE_SEALING_KEY',
    'SERVICE_SANDBOX_ACCESS_KEY',
  ])
  expect(lines.join('\n')).not.toMatch(/hunter2|c2hvcnQ/)
})

test('with a provider one-click sign-in is off', () => {
  const oidc = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'carddesk', OIDC_CLIENT_SECRET: 'x' }
  const read = readConsoleSettings({
    ...whole,
    ...oidc,
    OIDC_ADMIN_EMAILS: 'Grace@Example.com, ada@example.com',
    OIDC_GROUP_ROLES: 'desk=support, cn=ops=operations',
    OIDC_EMAIL_DOMAINS: 'Example.com',
    OIDC_ACR_VALUES: 'silver, urn:example:gold',
    OIDC_AMR_VALUES: 'mfa',
  })
  expect(read).toMatchObject({
    ok: true,
    value: {
      isDemo: false,
      oidc: {
        clientId: 'carddesk',
        scopes: 'openid email profile',
        signOut: 'get',
        maxAgeMs: 12 * 60 * 60_000,
        acrValues: ['silver', 'urn:example:gold'],
        amrValues: ['mfa'],
      },
      admission: {
        adminEmails: ['grace@example.com', 'ada@example.com'],
        groupRoles: [
          { group: 'desk', role: 'support' },
          { group: 'cn=ops', role: 'operations' },
        ],
        emailDomains: ['example.com'],
      },
    },
  })
})

function namesFile(content: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-names-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'names.json')
  writeFileSync(file, content)
  return file
}

const sandboxProfile = (read: ReturnType<typeof readConsoleSettings>) => read.ok && read.value.services.sandbox?.profile

test('the names of a service come from SERVICE_NAMES_FILE; the built-in service has the contract’s', () => {
  const file = namesFile('{"sandbox":{"lists":{"listFees":"items"}}}')
  const real = readConsoleSettings({ ...whole, SERVICE_NAMES_FILE: file })
  expect(sandboxProfile(real)).toMatchObject({ lists: { listFees: 'items' } })
  const builtIn = readConsoleSettings({ ...whole, SERVICE_NAMES_FILE: file, BUILT_IN_SERVICE: 'on' })
  expect(sandboxProfile(builtIn)).toBe(contractProfile)
  expect(sandboxProfile(readConsoleSettings(whole))).toBe(contractProfile)
})

test('a wrong names file stops the start with one line for each mistake', () => {
  const file = namesFile('{"sandbox":{"list":{},"amounts":"float"}}')
  expect(readConsoleSettings({ ...whole, SERVICE_NAMES_FILE: file })).toEqual({
    ok: false,
    error: ['names.json: sandbox.amounts must be number or text.', 'names.json: sandbox.list is not a known name.'],
  })
  const missing = readConsoleSettings({ ...whole, SERVICE_NAMES_FILE: `${file}.missing` })
  expect(missing).toMatchObject({ ok: false, error: [expect.stringMatching(/^SERVICE_NAMES_FILE must be a file/)] })
})
