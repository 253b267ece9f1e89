import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { mayNeedResealing, seal, sealingAlgorithms, unsealWithEither } from './sealing.ts'

const key = Buffer.alloc(32, 7)
const plain = Buffer.from('4242')
const open = (sealed: Buffer, boundTo = 'card 1') => unsealWithEither({ key, previous: null }, sealed, boundTo)

beforeEach(() => onTestFinished(() => void vi.unstubAllEnvs()))

/** Seals with an algorithm as a process does that has it in its settings. */
function sealWith(algorithm: string, sealingKey = key): Buffer {
  vi.stubEnv('SEALING_ALGORITHM', algorithm)
  return seal(sealingKey, plain, 'card 1')
}

test.each(sealingAlgorithms)(
  'what %s sealed opens whatever the setting, and is current only while it is the one',
  (by) => {
    const sealed = sealWith(by)
    for (const algorithm of sealingAlgorithms) {
      vi.stubEnv('SEALING_ALGORITHM', algorithm)
      expect(open(sealed)).toEqual({ plain, isCurrent: algorithm === by })
    }
    const before = sealWith(by, Buffer.alloc(32, 8))
    expect(unsealWithEither({ key, previous: Buffer.alloc(32, 8) }, before, 'card 1')).toEqual({
      plain,
      isCurrent: false,
    })
  },
)

test.each(sealingAlgorithms)('%s opens nothing that was changed, moved or sealed with another key', (algorithm) => {
  const sealed = sealWith(algorithm)
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(() => open(changed)).toThrow()
  }
  expect(() => open(sealed, 'card 2')).toThrow()
  expect(() => open(sealed.subarray(0, 20))).toThrow()
  expect(() => open(sealWith(algorithm, Buffer.alloc(32, 8)))).toThrow()
})

test('AES-256-GCM without a mark is the first format: the version before reads it, and it is read', () => {
  const sealed = sealWith('')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from('card 1'))
  decipher.setAuthTag(sealed.subarray(12, 28))
  expect(Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])).toEqual(plain)

  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from('card 1'))
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()])
  expect(open(Buffer.concat([iv, cipher.getAuthTag(), encrypted]))).toEqual({ plain, isCurrent: true })
})

test('another algorithm names itself, and does not share the key of the first one', () => {
  const sealed = sealWith('chacha20-poly1305')
  const mark = 'chacha20-poly1305:'
  expect(sealed.subarray(0, mark.length).toString()).toBe(mark)
  const rest = sealed.subarray(mark.length)
  const decipher = createDecipheriv('chacha20-poly1305' as 'aes-256-gcm', key, rest.subarray(0, 12), {
    authTagLength: 16,
  })
  decipher.setAAD(Buffer.from('card 1')).setAuthTag(rest.subarray(12, 28))
  decipher.update(rest.subarray(28))
  expect(() => decipher.final()).toThrow()
})

test('stored bytes are sealed again after a new key or a chosen algorithm alone', () => {
  expect(mayNeedResealing(null)).toBe(false)
  expect(mayNeedResealing(key)).toBe(true)
  vi.stubEnv('SEALING_ALGORITHM', 'aes-256-gcm')
  expect(mayNeedResealing(null)).toBe(true)
})
