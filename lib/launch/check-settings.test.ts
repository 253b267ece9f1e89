import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testCertificate } from '#lib/shared/testing/certificate.ts'
import { strongTestKeyPair, testKeyPair } from '#lib/signing/testing.ts'
import { readSettings, shortKeys, readTls, type Settings } from './check-settings.ts'

function settingsOf(environment: Record<string, string>): Settings {
  const read = readSettings(environment)
  if (!read.ok) throw new Error(read.error.join('\n'))
  return read.value
}

function mistakesOf(environment: Record<string, string>): string[] {
  const read = readSettings(environment)
  return read.ok ? [] : read.error
}

function pem(modulusLength: number): string {
  return generateKeyPairSync('rsa', { modulusLength }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

const oidc = {
  OIDC_ISSUER: 'https://id.example.com',
  OIDC_CLIENT_ID: 'carddesk',
  OIDC_CLIENT_SECRET: 'a secret of the provider',
  NEXTAUTH_SECRET: 'x'.repeat(32),
  NEXTAUTH_URL: 'https://desk.example.com',
}
const production = {
  SERVICE_PRODUCTION_URL: 'https://cards.example.com/v1',
  SERVICE_PRODUCTION_ACCESS_KEY: '6f1de4a0-6a7e-4f9b-9d3c-2f1f9f0a3b4c',
}

test('without any setting it is a demo on loopback with the built-in service', () => {
  expect(settingsOf({})).toEqual({
    PORT: 3000,
    HOST: '127.0.0.1',
    DATA_DIR: '.data',
    isDemo: true,
    hasBuiltInService: true,
  })
})

test('an empty setting counts as not set', () => {
  expect(settingsOf({ PORT: '', SERVICE_PRODUCTION_URL: ' ', OIDC_ISSUER: '' })).toEqual(settingsOf({}))
})

test('an OpenID provider and a production service make it a desk for work', () => {
  const settings = settingsOf({ ...oidc, ...production, SERVICE_PRODUCTION_PRIVATE_KEY: pem(2048), HOST: '0.0.0.0' })
  expect(settings).toMatchObject({ isDemo: false, hasBuiltInService: true, HOST: '0.0.0.0' })
})

test('a key that is shorter than 128 bits of security need works, and the start warns of it', () => {
  const settings = { ...oidc, ...production, SERVICE_PRODUCTION_PRIVATE_KEY: testKeyPair.privateKey }
  expect(shortKeys(settingsOf(settings))).toEqual([
    'SERVICE_PRODUCTION_PRIVATE_KEY: An RSA key of 2048 bits has less than 128 bits of security. Create one of 3072 bits and register it with the service’s operator.',
  ])
  const strong = { ...settings, SERVICE_PRODUCTION_PRIVATE_KEY: strongTestKeyPair.privateKey }
  expect(shortKeys(settingsOf(strong))).toEqual([])
  expect(shortKeys(settingsOf({}))).toEqual([])
})

test('a sandbox needs no private key', () => {
  const sandbox = { SERVICE_SANDBOX_URL: 'https://cards.example.com/v1', SERVICE_SANDBOX_ACCESS_KEY: randomUUID() }
  expect(settingsOf(sandbox)).toMatchObject({ hasBuiltInService: false })
  expect(mistakesOf({ SERVICE_SANDBOX_PRIVATE_KEY: pem(2048) })[0]).toMatch(
    /^SERVICE_SANDBOX_URL, SERVICE_SANDBOX_ACCESS_KEY must be set too/,
  )
})

test('the built-in service may have an origin of its own, with another name than the console', () => {
  const SANDBOX_ORIGIN = 'https://sandbox.example.com'
  expect(settingsOf({ ...oidc, SANDBOX_ORIGIN }).SANDBOX_ORIGIN?.hostname).toBe('sandbox.example.com')
  expect(mistakesOf({ ...oidc, SANDBOX_ORIGIN: `${SANDBOX_ORIGIN}/v1` })[0]).toMatch(
    /^SANDBOX_ORIGIN must be an origin/,
  )
  expect(mistakesOf({ ...oidc, SANDBOX_ORIGIN: `${oidc.NEXTAUTH_URL}:8443` })).toEqual([
    'SANDBOX_ORIGIN must have another host name than the console, which is that of NEXTAUTH_URL.',
  ])
  expect(mistakesOf({ SANDBOX_ORIGIN: 'http://localhost:4000' })[0]).toContain('another host name than the console')
})

test('a certificate and its key make the ports speak https; both are needed, and they have to belong together', () => {
  const { cert, key } = testCertificate
  expect(readTls(settingsOf({}))).toBeNull()
  expect(readTls(settingsOf({ TLS_CERTIFICATE: cert, TLS_KEY: key }))).toEqual({ cert: cert.trim(), key: key.trim() })
  expect(mistakesOf({ TLS_CERTIFICATE: cert })).toEqual(['TLS_KEY must be set too, since TLS_CERTIFICATE is set.'])
  expect(mistakesOf({ TLS_CERTIFICATE: cert, TLS_KEY: testKeyPair.privateKey })).toEqual([
    'TLS_KEY must be the private key of TLS_CERTIFICATE.',
  ])
  expect(mistakesOf({ TLS_CERTIFICATE: 'no certificate', TLS_KEY: key })[0]).toMatch(/^TLS_CERTIFICATE must be a cert/)
})

test('a private key may be the path of a PEM file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'key.pem')
  writeFileSync(file, pem(2048))
  const settings = settingsOf({ ...oidc, ...production, SERVICE_PRODUCTION_PRIVATE_KEY: file })
  expect(settings.SERVICE_PRODUCTION_PRIVATE_KEY).toBe(file)
})

test.each([
  ['PORT', '0', 'PORT must be a port from 1 to 65535; it is "0".'],
  ['PORT', '65536', 'PORT must be a port from 1 to 65535; it is "65536".'],
  ['PORT', '3000x', 'PORT must be a port from 1 to 65535; it is "3000x".'],
  ['HOST', 'http://x', 'HOST must be an address or a host name to listen on; it is "http://x".'],
  ['DEMO_CARD_ACCOUNTS', '1e5', 'DEMO_CARD_ACCOUNTS must be a whole number from 0 to 1000000; it is "1e5".'],
  ['SANDBOX_BASIC_AUTH', 'yes', 'SANDBOX_BASIC_AUTH must be on or off; it is "yes".'],
  [
    'EMBED_ALLOWED_ORIGINS',
    'https://help.example.com/',
    'EMBED_ALLOWED_ORIGINS must be origins such as https://help.example.com, separated by commas; it is "https://help.example.com/".',
  ],
  [
    'OIDC_GROUP_ROLES',
    'desk=root',
    'OIDC_GROUP_ROLES must be pairs such as card-operations=operations, separated by commas, each with one of the roles viewer, support, operations, approver, qa, admin; it is "desk=root".',
  ],
  [
    'OIDC_EMAIL_DOMAINS',
    '@example.com',
    'OIDC_EMAIL_DOMAINS must be domains such as example.com, separated by commas; it is "@example.com".',
  ],
  ['OIDC_MAX_AGE_MINUTES', '0', 'OIDC_MAX_AGE_MINUTES must be a whole number from 5 to 43200, or off; it is "0".'],
  ['SESSION_IDLE_MINUTES', '0', 'SESSION_IDLE_MINUTES must be a whole number from 3 to 60; it is "0".'],
  ['STEP_UP', 'off', 'STEP_UP must be required or optional; it is "off".'],
  [
    'STEP_UP_PAYOUTS',
    'USD=many',
    'STEP_UP_PAYOUTS must be pairs of a funding currency and an amount such as USD=10000, separated by commas; it is "USD=many".',
  ],
  [
    'OIDC_ISSUER',
    'http://id.example.com',
    'OIDC_ISSUER must be the https address of the OpenID provider; http is accepted on this machine alone; it is "http://id.example.com".',
  ],
  [
    'SERVICE_SANDBOX_URL',
    'http://10.0.0.1/v1',
    'SERVICE_SANDBOX_URL must be the https base address of the service, ending in /v1 or the like, without a slash at its end; http is accepted on this machine alone; it is "http://10.0.0.1/v1".',
  ],
  [
    'SERVICE_SANDBOX_URL',
    'https://cards.example.com/v1/',
    'SERVICE_SANDBOX_URL must be the https base address of the service, ending in /v1 or the like, without a slash at its end; http is accepted on this machine alone; it is "https://cards.example.com/v1/".',
  ],
  [
    'SERVICE_SANDBOX_URL',
    'https://cards.example.com/v1?key=a',
    'SERVICE_SANDBOX_URL must be the https base address of the service, ending in /v1 or the like, without a slash at its end; http is accepted on this machine alone; it is "https://cards.example.com/v1?key=a".',
  ],
  [
    'SERVICE_SANDBOX_URL',
    'https://key@cards.example.com/v1',
    'SERVICE_SANDBOX_URL must be the https base address of the service, ending in /v1 or the like, without a slash at its end; http is accepted on this machine alone; it is "https://…@cards.example.com/v1".',
  ],
  [
    'NEXTAUTH_URL',
    'http://desk.example.com',
    'NEXTAUTH_URL must be the https address at which people open the console, without a path; http is accepted on this machine alone; it is "http://desk.example.com".',
  ],
  ['SANDBOX_RATELIMIT', '5', 'SANDBOX_RATELIMIT is not a setting of Carddesk.'],
  ['SESSION_IDLE_MINS', '5', 'SESSION_IDLE_MINS is not a setting of Carddesk. Did you mean SESSION_IDLE_MINUTES?'],
  ['NOTIFY_URLS', 'x', 'NOTIFY_URLS is not a setting of Carddesk. Did you mean NOTIFY_URL?'],
  ['CONSOLE_SEALINGKEY', 'x', 'CONSOLE_SEALINGKEY is not a setting of Carddesk. Did you mean CONSOLE_SEALING_KEY?'],
  [
    'NEXTAUTH_SECRET_PREV',
    'x',
    'NEXTAUTH_SECRET_PREV is not a setting of Carddesk. Did you mean NEXTAUTH_SECRET_PREVIOUS?',
  ],
])('%s=%s is one clear line', (name, value, line) => {
  expect(mistakesOf({ [name]: value })).toContain(line)
})

test('reports every mistake together, one line each', () => {
  const mistakes = mistakesOf({ PORT: 'x', DEMO_CARD_ACCOUNTS: '-1', NEXTAUTH_SECRET: 'short', OIDC_ISSUER: 'id' })
  expect(mistakes).toHaveLength(6)
  expect(mistakes.every((line) => /^[A-Z_, ]+ (must|is) .*\.$/.test(line))).toBe(true)
})

test.each([
  ['DATABASE_URL', 'mysql://user:hunter2@db/x'],
  ['NEXTAUTH_SECRET', 'hunter2'],
  ['CARD_NUMBER_KEY', 'hunter2'],
  ['CONSOLE_SEALING_KEY', 'aHVudGVyMg=='],
  ['SERVICE_SANDBOX_PRIVATE_KEY', '-----BEGIN PRIVATE KEY-----hunter2'],
  ['SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY', pem(2048)],
])('a wrong %s is named and not shown', (name, value) => {
  const mistakes = mistakesOf({ [name]: value })
  expect(mistakes.some((line) => line.startsWith(`${name} must `))).toBe(true)
  expect(mistakes.join('\n')).not.toContain(value)
})

test('refuses a private key under 2048 bits', () => {
  const environment = { ...oidc, ...production, SERVICE_PRODUCTION_PRIVATE_KEY: pem(1024) }
  expect(mistakesOf(environment)).toEqual([
    'SERVICE_PRODUCTION_PRIVATE_KEY must be an RSA private key of 2048 bits or more, as PEM or as the path of a PEM file.',
  ])
})

test('names what is missing beside a setting that is nothing alone', () => {
  expect(mistakesOf({ ...oidc, ...production })).toEqual([
    'SERVICE_PRODUCTION_PRIVATE_KEY must be set too, since SERVICE_PRODUCTION_URL and SERVICE_PRODUCTION_ACCESS_KEY are set: production accepts signed requests only, and the access key alone (HTTP Basic) is for a sandbox.',
  ])
})

test('the provider takes a client secret or a client key, and not both', () => {
  const { OIDC_CLIENT_SECRET: _secret, ...rest } = oidc
  const { privateKey: ecKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ec = ecKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const { privateKey: otherCurve } = generateKeyPairSync('ec', { namedCurve: 'P-521' })
  const other = otherCurve.export({ type: 'pkcs8', format: 'pem' }).toString()
  for (const key of [ec, pem(2048)]) expect(mistakesOf({ ...rest, OIDC_CLIENT_KEY: key })).toEqual([])
  expect(mistakesOf({ ...oidc, OIDC_CLIENT_KEY: ec })).toEqual([
    'OIDC_CLIENT_SECRET and OIDC_CLIENT_KEY cannot both be set.',
  ])
  for (const key of [other, pem(1024)])
    expect(mistakesOf({ ...rest, OIDC_CLIENT_KEY: key })).toEqual([expect.stringMatching(/^OIDC_CLIENT_KEY must be/)])
  expect(mistakesOf(rest)).toEqual([
    'OIDC_CLIENT_SECRET must be set too, since OIDC_ISSUER and OIDC_CLIENT_ID are set.',
  ])
})

test('requires NEXTAUTH_SECRET and NEXTAUTH_URL where people sign in through a provider', () => {
  const { NEXTAUTH_SECRET: _secret, NEXTAUTH_URL: _url, ...provider } = oidc
  expect(mistakesOf(provider)).toEqual([
    'NEXTAUTH_SECRET must be set where people sign in through OIDC_ISSUER.',
    'NEXTAUTH_URL must be set where people sign in through OIDC_ISSUER.',
  ])
})

test.each([
  [{ ...production, SERVICE_PRODUCTION_PRIVATE_KEY: 'k' }, 'SERVICE_PRODUCTION_URL cannot be used in demo mode'],
  [{ HOST: '0.0.0.0' }, 'HOST must be 127.0.0.1, ::1 or localhost in demo mode'],
  [{ HOST: '192.168.1.7' }, 'HOST must be 127.0.0.1, ::1 or localhost in demo mode'],
])('a demo, where anybody may sign in, refuses %o', (environment, beginning) => {
  expect(mistakesOf(environment).some((line) => line.startsWith(beginning))).toBe(true)
})

test.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])('a demo listens on %s', (HOST) => {
  expect(settingsOf({ HOST }).HOST).toBe(HOST)
})

test.each([
  'http://localhost:3000',
  'http://127.0.0.1:4000',
  'http://[::1]:3000',
  'http://desk.localhost',
  'https://desk.example.com',
])('people may come by %s', (url) => {
  expect(settingsOf({ ...oidc, NEXTAUTH_URL: url, OIDC_ISSUER: url })).toMatchObject({ NEXTAUTH_URL: url })
})

test.each([
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'http://10.0.0.1',
  'http://[::2]',
  'http://user@localhost.example',
])('%s is refused: cookies and codes would be sent in clear text', (url) => {
  expect(mistakesOf({ ...oidc, NEXTAUTH_URL: url })).toHaveLength(1)
  expect(mistakesOf({ ...oidc, OIDC_ISSUER: url })).toHaveLength(1)
})

test('notices go to https, in demo mode to this machine too; webhooks are named by UUIDs', () => {
  const id = '6f1de4a0-6a7e-4f9b-9d3c-2f1f9f0a3b4c'
  expect(settingsOf({ NOTIFY_URL: 'http://127.0.0.1:9/x' }).NOTIFY_URL).toBe('http://127.0.0.1:9/x')
  expect(settingsOf({ ...oidc, NOTIFY_URL: 'https://hooks.example.com/T1' }).NOTIFY_URL).toMatch(/^https/)
  expect(mistakesOf({ ...oidc, NOTIFY_URL: 'http://127.0.0.1:9/x' })).toHaveLength(1)
  expect(settingsOf({ SERVICE_SANDBOX_WEBHOOK_IDS: `${id}, ${id}` }).SERVICE_SANDBOX_WEBHOOK_IDS).toEqual([id, id])
  for (const [name, value] of [
    ['NOTIFY_URL', 'http://hooks.example.com/a-secret'],
    ['NOTIFY_URL', 'https://ops:50%off@hooks.example.com/a-secret'],
    ['NOTIFY_URL', 'ftp://127.0.0.1/a-secret'],
    ['SERVICE_SANDBOX_WEBHOOK_IDS', 'a-secret'],
  ] as const) {
    const [mistake = '', ...more] = mistakesOf({ [name]: value })
    expect([mistake.startsWith(name), more.length]).toEqual([true, 0])
    if (name === 'NOTIFY_URL') expect(mistake).not.toContain('a-secret')
  }
})

test('a secret may come from a file, of which no message repeats the content', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-secrets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text)
    return path.join(folder, name)
  }
  const secret = 'a secret of thirty-two characters or more'
  expect(settingsOf({ NEXTAUTH_SECRET_FILE: file('one', `${secret}\n`) }).NEXTAUTH_SECRET).toBe(secret)
  const url = 'postgresql://user:hidden@host:5432/database'
  expect(settingsOf({ DATABASE_URL_FILE: file('two', url) }).DATABASE_URL).toBe(url)
  const wrong: [Record<string, string>, RegExp][] = [
    [{ NEXTAUTH_SECRET_FILE: file('three', 'hidden') }, /^NEXTAUTH_SECRET must have 32 characters or more\.$/],
    [{ NEXTAUTH_SECRET_FILE: path.join(folder, 'none') }, /^NEXTAUTH_SECRET_FILE must be a file that can be read/],
    [{ NEXTAUTH_SECRET_FILE: 'hidden' }, /^NEXTAUTH_SECRET_FILE must be a file that can be read\.$/],
    [{ DATABASE_URL_FILE: url }, /^DATABASE_URL_FILE must be a file that can be read\.$/],
    [{ SANDBOX_ACCESS_KEY_FILE: file('key', 'hidden') }, /^SANDBOX_ACCESS_KEY must be a UUID\.$/],
    [{ NEXTAUTH_SECRET_FILE: file('four', ' \n') }, /^NEXTAUTH_SECRET_FILE must not be empty/],
    [{ NEXTAUTH_SECRET_FILE: file('five', secret), NEXTAUTH_SECRET: secret }, /cannot both be set/],
    [{ OIDC_ISSUER_FILE: file('six', 'x') }, /OIDC_ISSUER_FILE is not a setting/],
  ]
  for (const [variables, mistake] of wrong) {
    const mistakes = mistakesOf(variables)
    expect(mistakes).toEqual([expect.stringMatching(mistake)])
    expect(mistakes.join()).not.toContain('hidden')
  }
})

test('a replica needs the database that it is a replica of', () => {
  const replica = { DATABASE_REPLICA_URL: 'postgresql://app:hidden@replica/desk' }
  expect(mistakesOf(replica)).toEqual([
    'DATABASE_REPLICA_URL needs DATABASE_URL, the database that it is a replica of.',
  ])
  expect(mistakesOf({ ...replica, DATABASE_URL: 'postgresql://app:x@db/desk' })).toEqual([])
})

test('the address of the database’s owner needs a database and a service of their own', () => {
  const owner = { DATABASE_OWNER_URL: 'postgresql://owner:hunter2@db/desk' }
  expect(mistakesOf(owner)).toEqual([
    expect.stringMatching(/^DATABASE_OWNER_URL needs DATABASE_URL and SERVICE_SANDBOX_URL/),
  ])
  const service = {
    SERVICE_SANDBOX_URL: 'https://sandbox.example.com/v1',
    SERVICE_SANDBOX_ACCESS_KEY: '6f1de4a0-6a7e-4f9b-9d3c-2f1f9f0a3b4c',
    SERVICE_SANDBOX_PRIVATE_KEY: pem(2048),
  }
  expect(mistakesOf({ ...owner, ...service, DATABASE_URL: 'postgresql://app:x@db/desk' })).toEqual([])
})

test('variables of the machine, of Kubernetes and of OpenTelemetry are no misspelt settings', () => {
  const ofMachine =
    'HOME HOSTNAME SESSION_MANAGER NEXTAUTH_URL_INTERNAL OTEL_EXPORTER_OTLP_PROTOCOL OTEL_TRACES_SAMPLER'
  const names = [
    ...ofMachine.split(' '),
    'SANDBOX_SERVICE_HOST',
    'SANDBOX_PORT_4400_TCP_ADDR',
    'DATABASE_PORT',
    'DATABASE_USER',
  ]
  expect(mistakesOf(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([])
})

test('the console has an origin of its own, with a host name where passkeys are needed', () => {
  const must = 'NEXTAUTH_URL must be the https address at which people open the console, without a path'
  for (const url of ['https://desk.example.com/carddesk', 'https://desk.example.com/?x', 'https://desk.example.com/#x'])
    expect(mistakesOf({ ...oidc, NEXTAUTH_URL: url })).toEqual([expect.stringContaining(must)])
  expect(mistakesOf({ ...oidc, NEXTAUTH_URL: 'https://desk.example.com/' })).toEqual([])
  for (const url of ['https://10.20.0.5', 'https://[2001:db8::1]:8443']) {
    expect(mistakesOf({ ...oidc, NEXTAUTH_URL: url })).toEqual([expect.stringContaining('must have a host name')])
    expect(mistakesOf({ ...oidc, NEXTAUTH_URL: url, STEP_UP: 'optional' })).toEqual([])
  }
})

test('the webhook key of a sandbox that is not connected is refused', () => {
  const publicKey = { SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY: testKeyPair.publicKey }
  expect(mistakesOf(publicKey)).toEqual([expect.stringContaining('signs with a key of its own')])
  expect(mistakesOf({ ...publicKey, SANDBOX_WEBHOOK_KEY: testKeyPair.privateKey })).toEqual([])
})
