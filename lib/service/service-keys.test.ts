import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { connect } from '#lib/db/connection.ts'
import { testDatabase } from '#lib/db/testing.ts'
import { sealServiceKeys, serviceKey } from './service-keys.ts'
import { serviceKeys } from './tables/runtime.ts'
import { readWebhookPublicKeyPem } from './webhooks/signer.ts'

const settings = { cardNumberKey: Buffer.alloc(32, 7) }
const otherSettings = { cardNumberKey: Buffer.alloc(32, 8) }
const unsealedKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'der',
})

function isPrivateKey(value: Buffer): boolean {
  try {
    createPrivateKey({ key: value, type: 'pkcs8', format: 'der' })
    return true
  } catch {
    return false
  }
}

test('the key of the deliveries is sealed in the database, and every process opens the same one', async () => {
  const db = await testDatabase()
  const pem = await readWebhookPublicKeyPem({ db, settings })
  const [row] = await db.select().from(serviceKeys)
  expect(row).toMatchObject({ name: 'webhook-signatures', isSealed: true })
  expect(isPrivateKey(row?.value ?? Buffer.alloc(0))).toBe(false)
  expect(isPrivateKey(unsealedKey)).toBe(true)
  const other = connect(db.$client.options.connectionString ?? '', { max: 1, name: 'carddesk test' })
  try {
    expect(await readWebhookPublicKeyPem({ db: other, settings })).toBe(pem)
  } finally {
    await other.$client.end()
  }
})

test('keys that an older version stored unsealed are sealed at the start, and stay the same keys', async () => {
  const db = await testDatabase()
  const pageTokens = Buffer.alloc(32, 1)
  await db.insert(serviceKeys).values([
    { name: 'webhook-signatures', value: unsealedKey },
    { name: 'page-tokens', value: pageTokens },
  ])
  for (let starts = 0; starts < 2; starts += 1) await sealServiceKeys({ db, settings })
  for (const { value, isSealed } of await db.select().from(serviceKeys)) {
    expect(isSealed).toBe(true)
    expect(value.includes(pageTokens) || value.includes(unsealedKey.subarray(40, 80))).toBe(false)
  }
  const neverMade = () => Promise.reject(new Error('a key was made again'))
  expect(await serviceKey({ db, settings }, 'webhook-signatures', neverMade)).toEqual(unsealedKey)
  expect(await serviceKey({ db, settings }, 'page-tokens', neverMade)).toEqual(pageTokens)
})

test('the start fails with a message that names the setting where the keys were sealed with another key', async () => {
  const db = await testDatabase()
  await readWebhookPublicKeyPem({ db, settings })
  const before = await db.select().from(serviceKeys)
  await expect(sealServiceKeys({ db, settings: otherSettings })).rejects.toThrow(
    'CARD_NUMBER_KEY is not the key that sealed "webhook-signatures" in this database.',
  )
  expect(await db.select().from(serviceKeys)).toEqual(before)
})

test('a key that was moved into the row of another is not opened', async () => {
  const db = await testDatabase()
  await serviceKey({ db, settings }, 'one', () => Buffer.alloc(32, 1))
  await db.update(serviceKeys).set({ name: 'two' })
  await expect(serviceKey({ db, settings }, 'two', () => Buffer.alloc(32, 2))).rejects.toThrow('CARD_NUMBER_KEY')
})
