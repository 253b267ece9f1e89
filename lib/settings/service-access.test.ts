import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { environments } from '#lib/shared/routes.ts'
import { testKeyPair } from '#lib/signing/testing.ts'
import { readServiceAccess, builtInAccess } from './service-access.ts'

const accessKey = '6f1de4a0-6a7e-4f9b-9d3c-2f1f9f0a3b4c'
const { privateKey } = testKeyPair

const connected = (environment: 'SANDBOX' | 'PRODUCTION') => ({
  [`SERVICE_${environment}_URL`]: `https://${environment.toLowerCase()}.example.com/v1`,
  [`SERVICE_${environment}_ACCESS_KEY`]: accessKey,
  [`SERVICE_${environment}_PRIVATE_KEY`]: privateKey,
})

const oidc = {
  OIDC_ISSUER: 'https://id.example.com',
  OIDC_CLIENT_ID: 'carddesk',
  OIDC_CLIENT_SECRET: 'a secret of the provider',
  NEXTAUTH_SECRET: 'x'.repeat(32),
  NEXTAUTH_URL: 'https://desk.example.com',
}

function dataDir(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-access-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(path.join(folder, 'keys'))
  const privateKeyFile = path.join(folder, 'keys', 'caller.pem')
  writeFileSync(privateKeyFile, privateKey)
  const access = { baseUrl: 'http://127.0.0.1:3000/service/v1', accessKey, privateKeyFile }
  writeFileSync(path.join(folder, 'service-access.json'), JSON.stringify(access))
  return folder
}

test('an environment is called by its settings', () => {
  const variables = { ...connected('SANDBOX'), ...connected('PRODUCTION'), ...oidc }
  for (const environment of environments) {
    const baseUrl = `https://${environment}.example.com/v1`
    expect(readServiceAccess(environment, variables)).toMatchObject({
      baseUrl,
      accessKey,
      privateKey: privateKey.trim(),
      controlUrl: null,
    })
  }
})

test('a sandbox that is not connected is the built-in service', () => {
  const variables = { DATA_DIR: dataDir() }
  const access = { baseUrl: 'http://127.0.0.1:3000/service/v1', accessKey, privateKey }
  expect(builtInAccess(variables)).toMatchObject(access)
  expect(readServiceAccess('sandbox', variables)).toMatchObject(access)
})

test('a built-in service with a public key of the settings is called with the access key alone', () => {
  const folder = dataDir()
  const access = { baseUrl: 'http://127.0.0.1:3000/service/v1', accessKey, controlUrl: 'http://127.0.0.1:3000' }
  writeFileSync(path.join(folder, 'service-access.json'), JSON.stringify(access))
  expect(builtInAccess({ DATA_DIR: folder })).toEqual({ ...access, privateKey: null })
})

test.each([
  [
    'production',
    {},
    'production is not connected. Set SERVICE_PRODUCTION_URL, SERVICE_PRODUCTION_ACCESS_KEY and SERVICE_PRODUCTION_PRIVATE_KEY.',
  ],
  ['sandbox', { SERVICE_SANDBOX_URL: 'https://sandbox.example.com/v1' }, 'SERVICE_SANDBOX_ACCESS_KEY must be set.'],
  ['sandbox', { DATA_DIR: '/nowhere' }, '/nowhere/service-access.json cannot be read.'],
] as const)('--env %s with %j is refused: %s', (environment, variables, message) => {
  expect(() => readServiceAccess(environment, variables)).toThrow(message)
})
