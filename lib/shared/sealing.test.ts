import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { seal, unsealWithEither } from './sealing.ts'

const key = Buffer.alloc(32, 7)
const previous = Buffer.alloc(32, 8)
const plain = Buffer.from('4242')
const open = (sealed: Buffer, boundTo = 'card 1') => unsealWithEither({ key, previous: null }, sealed, boundTo)

test('sealed bytes open with their key, and with the previous one while it is replaced', () => {
  expect(open(seal(key, plain, 'card 1'))).toEqual({ plain, isCurrent: true })
  const before = seal(previous, plain, 'card 1')
  expect(unsealWithEither({ key, previous }, before, 'card 1')).toEqual({ plain, isCurrent: false })
})

test('nothing opens that was changed, moved or sealed with another key', () => {
  const sealed = seal(key, plain, 'card 1')
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(() => open(changed)).toThrow()
  }
  expect(() => open(sealed, 'card 2')).toThrow()
  expect(() => open(sealed.subarray(0, 20))).toThrow()
  expect(() => open(seal(previous, plain, 'card 1'))).toThrow()
})

test('the format is AES-256-GCM: IV, tag, ciphertext', () => {
  const sealed = seal(key, plain, 'card 1')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from('card 1'))
  decipher.setAuthTag(sealed.subarray(12, 28))
  expect(Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])).toEqual(plain)

  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from('card 1'))
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()])
  expect(open(Buffer.concat([iv, cipher.getAuthTag(), encrypted]))).toEqual({ plain, isCurrent: true })
})
