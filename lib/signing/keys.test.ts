import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { generateKeyPair, readPrivateKey, readPublicKey } from './keys.ts'
import { testKeyPair } from './testing.ts'

type Pair = { privateKey: KeyObject; publicKey: KeyObject }

function pemOf({ privateKey, publicKey }: Pair): { privateKey: string; publicKey: string } {
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
}

describe('keys', () => {
  test('reads both halves of a generated pair, RSA of 3072 bits: 128 bits of security', async () => {
    const { privateKey, publicKey } = await generateKeyPair()
    expect(readPrivateKey(privateKey).asymmetricKeyDetails?.modulusLength).toBe(3072)
    expect(readPublicKey(publicKey).asymmetricKeyDetails?.modulusLength).toBe(3072)
  })

  test('reads PKCS #1 as well, which openssl and older tools write', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    })
    expect(readPrivateKey(privateKey).type).toBe('private')
    expect(readPublicKey(publicKey).type).toBe('public')
  })

  test('refuses a key under 2048 bits with a TypeError that names its bits', () => {
    const weak = pemOf(generateKeyPairSync('rsa', { modulusLength: 1024 }))
    expect(() => readPrivateKey(weak.privateKey)).toThrow(
      new TypeError('The private key has 1024 bits, and RS256 needs 2048 or more'),
    )
    expect(() => readPublicKey(weak.publicKey)).toThrow(TypeError)
  })

  test('refuses keys that are not for RS256: elliptic curve and RSA-PSS', () => {
    const curve = pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }))
    const pss = pemOf(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }))
    for (const pair of [curve, pss]) {
      expect(() => readPrivateKey(pair.privateKey)).toThrow(TypeError)
      expect(() => readPublicKey(pair.publicKey)).toThrow(TypeError)
    }
  })

  test('refuses a private key where a public one is expected, an encrypted key, and other text', () => {
    const { privateKey, publicKey } = testKeyPair
    const encrypted = generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
      .toString()
    expect(() => readPublicKey(privateKey)).toThrow(TypeError)
    expect(() => readPrivateKey(publicKey)).toThrow(TypeError)
    expect(() => readPrivateKey(encrypted)).toThrow(TypeError)
    for (const text of ['', 'not a key', privateKey.slice(0, 200)]) {
      expect(() => readPrivateKey(text)).toThrow(TypeError)
      expect(() => readPublicKey(text)).toThrow(TypeError)
    }
  })

  test('never repeats the key in what it throws', () => {
    const { privateKey } = testKeyPair
    const broken = privateKey.replace('MII', 'MIX')
    expect(() => readPrivateKey(broken)).toThrow('not a PEM that can be read without a passphrase')
  })
})
