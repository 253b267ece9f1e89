import { expect, test } from 'vitest'
import { rejectionReasons } from '#lib/contract/terms.ts'
import { reasonEntry } from './rejection-reasons.ts'

test('every reason of the interface has a meaning, a document, an English and a Traditional Chinese text', () => {
  for (const reason of rejectionReasons) {
    const entry = reasonEntry(reason)
    expect(entry?.meaning, reason).toMatch(/^\p{Lu}.{20,}\.$/u)
    expect(entry?.document, reason).toMatch(/^\p{Lu}.{10,}/u)
    expect(entry?.english, reason).toMatch(/^[\p{Lu}].{60,}\.$/u)
    expect(entry?.english, reason).not.toMatch(/\p{Script=Han}/u)
    expect(entry?.chinese.match(/\p{Script=Han}/gu)?.length, reason).toBeGreaterThan(20)
    // Characters of Simplified Chinese that differ from their traditional form.
    expect(entry?.chinese, reason).not.toMatch(/[们证请资讯为时间过内发认实语这应户页两书]/)
  }
})

test('no two reasons share a text to the cardholder', () => {
  const texts = rejectionReasons.flatMap((reason) => [reasonEntry(reason)?.english, reasonEntry(reason)?.chinese])
  expect(new Set(texts).size).toBe(texts.length)
})

test.each([null, '', 'A reason of tomorrow', 'toString'])('the reason %j has no entry', (reason) => {
  expect(reasonEntry(reason)).toBeNull()
})
