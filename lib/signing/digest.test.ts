import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyBodySha256, sha256Hex } from './digest.ts'

describe('sha256Hex', () => {
  test('is the lower-case hex of FIPS 180-4: the test message "abc", and the empty one', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(emptyBodySha256).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  test('hashes text as its UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(sha256Hex(text)).toBe(sha256Hex(new TextEncoder().encode(text)))
      }),
    )
  })
})
