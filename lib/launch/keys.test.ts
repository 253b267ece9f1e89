import { createPublicKey } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '#lib/db/testing.ts'
import { readKeys, readServiceIdentity } from './keys.ts'
import { findDifferingKeys } from './same-keys.ts'

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('makes each key once, in files that their owner alone may read', () => {
  const dataDir = newFolder()
  const keys = readKeys(dataDir, {})
  expect(readKeys(dataDir, {})).toEqual(keys)
  expect(Buffer.from(keys.CARD_NUMBER_KEY, 'base64')).toHaveLength(32)
  expect(Buffer.from(keys.CONSOLE_SEALING_KEY, 'base64')).toHaveLength(32)
  const folder = path.join(dataDir, 'keys')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder).map((name) => statSync(path.join(folder, name)).mode & 0o777)).toEqual([
    0o600, 0o600, 0o600, 0o600,
  ])
})

test('two folders have different keys', () => {
  const [one, other] = [readKeys(newFolder(), {}), readKeys(newFolder(), {})]
  expect(one.CARD_NUMBER_KEY).not.toBe(other.CARD_NUMBER_KEY)
  expect(one.NEXTAUTH_SECRET).not.toBe(other.NEXTAUTH_SECRET)
})

test('a key from the settings is used and not written down', () => {
  const dataDir = newFolder()
  const pem = readKeys(newFolder(), {}).AUDIT_SIGNING_KEY
  const given = { CARD_NUMBER_KEY: 'c', CONSOLE_SEALING_KEY: 's', NEXTAUTH_SECRET: 'n', AUDIT_SIGNING_KEY: pem }
  expect(readKeys(dataDir, given)).toEqual(given)
  expect(readdirSync(dataDir)).toEqual([])
})

test('the identity at the built-in service stays the same, and its public key belongs to the file', () => {
  const dataDir = newFolder()
  const identity = readServiceIdentity(dataDir, 'sandbox')
  expect(readServiceIdentity(dataDir, 'sandbox')).toEqual(identity)
  const fromFile = createPublicKey(readFileSync(identity.privateKeyFile, 'utf8'))
  expect(fromFile.asymmetricKeyDetails?.modulusLength).toBe(3072)
  expect(fromFile.export({ type: 'spki', format: 'pem' })).toBe(identity.publicKeyPem)
  expect(statSync(identity.privateKeyFile).mode & 0o777).toBe(0o600)
  expect(readServiceIdentity(dataDir, 'caller').accessKey).not.toBe(identity.accessKey)
})

test('a process with other keys than the database’s first is refused, and its keys are not stored', async () => {
  const db = await testDatabase()
  const keys = { CARD_NUMBER_KEY: 'one-key', CONSOLE_SEALING_KEY: 'another-key' }
  expect(await findDifferingKeys(db, keys)).toEqual([])
  expect(await findDifferingKeys(db, keys)).toEqual([])
  expect(await findDifferingKeys(db, { ...keys, CONSOLE_SEALING_KEY: 'a-third-key' })).toEqual(['CONSOLE_SEALING_KEY'])
  const { rows } = await db.$client.query('select * from launch.key_fingerprints')
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows)).not.toMatch(/one-key|another-key|third-key/)
})
