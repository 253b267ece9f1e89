import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPrivateKey, readPublicKey } from './keys.ts'
import { testKeyPair } from './testing.ts'
import vectors from './vectors/webhook-signatures.json' with { type: 'json' }
import { signWebhook, verifyWebhook } from './webhook-signature.ts'

const privateKey = readPrivateKey(testKeyPair.privateKey)
const publicKey = readPublicKey(testKeyPair.publicKey)

describe('verifyWebhook', () => {
  test.each(vectors.cases)('verifies the signature made with openssl of $name, base64 and hex: $expect', (vector) => {
    const key = readPublicKey(vectors.publicKey)
    expect(verifyWebhook(vector.body, vector.base64, key)).toBe(vector.expect)
    expect(verifyWebhook(vector.body, vector.hex, key)).toBe(vector.expect)
    expect(verifyWebhook(Buffer.from(vector.body), vector.hex.toUpperCase(), key)).toBe(vector.expect)
  })

  test('accepts what signWebhook signed, of any bytes, and refuses it under another key', async () => {
    const other = readPublicKey(vectors.publicKey)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (body) => {
        const signature = await signWebhook(body, privateKey)
        expect(verifyWebhook(body, signature, publicKey)).toBe(true)
        expect(verifyWebhook(body, Buffer.from(signature, 'base64').toString('hex'), publicKey)).toBe(true)
        expect(verifyWebhook(body, signature, other)).toBe(false)
      }),
      { numRuns: 50 },
    )
  })

  test('refuses any other body, and any other character of the signature', async () => {
    const body = '{"id":"x","event":"ping","data":{},"time":"2026-08-01T00:00:00.000Z"}'
    const signature = await signWebhook(body, privateKey)
    fc.assert(
      fc.property(
        fc.nat(body.length - 1),
        fc.nat(signature.length - 1),
        fc.string({ minLength: 1, maxLength: 1 }),
        (inBody, inSignature, character) => {
          fc.pre(body[inBody] !== character && signature[inSignature] !== character)
          expect(verifyWebhook(replaced(body, inBody, character), signature, publicKey)).toBe(false)
          expect(verifyWebhook(body, replaced(signature, inSignature, character), publicKey)).toBe(false)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('is false and never throws for any header, nor without one', () => {
    expect(verifyWebhook('{}', null, publicKey)).toBe(false)
    expect(verifyWebhook('{}', undefined, publicKey)).toBe(false)
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String({ minLength: 340, maxLength: 348 }),
      fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 510, maxLength: 514 }),
      fc.constantFrom('\0', '='.repeat(344), 'A'.repeat(344), 'f'.repeat(512), 'A'.repeat(1_000_000)),
    )
    fc.assert(
      fc.property(hostile, (signature) => {
        expect(verifyWebhook('{}', signature, publicKey)).toBe(false)
      }),
      { numRuns: 300 },
    )
  })
})

function replaced(text: string, index: number, character: string): string {
  return text.slice(0, index) + character + text.slice(index + 1)
}
