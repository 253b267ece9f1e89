import { expect, test } from 'vitest'
import { endpointNames, endpointRow } from './endpoints.ts'
import { commonErrors, errorTable, isErrorCode, type ErrorCode } from './errors.ts'

const codes = Object.keys(errorTable) as ErrorCode[]
const listed = endpointNames.flatMap((name) => [...endpointRow(name).errors])

test('every code of the error table is given by some endpoint or by all of them', () => {
  const given = new Set<string>([...commonErrors, ...listed])
  expect(codes.filter((code) => !given.has(code))).toEqual([])
})

test('every endpoint names codes of the table alone', () => {
  expect(listed.filter((code) => !isErrorCode(code))).toEqual([])
  expect(isErrorCode('NO_SUCH_CODE')).toBe(false)
})

/** Whole sentences for people: a capital, a full stop, words instead of codes and fields. */
function isCompleteSentence(text: string): boolean {
  return /^[A-Z][^_{}`]{15,}\.$/.test(text) && text.split(' ').length >= 4 && !/[A-Z]{2,}_|\bundefined\b/.test(text)
}

test.each(codes)('%s has whole sentences for what happened and what to do next', (code) => {
  const { happened, next } = errorTable[code]
  expect(isCompleteSentence(happened)).toBe(true)
  expect(isCompleteSentence(next)).toBe(true)
  expect(next).not.toBe(happened)
})

test.each([
  '',
  'Error.',
  'The CARD_NOT_FOUND code was given.',
  'the service refused the request.',
  'No full stop at all',
])('the check of sentences refuses "%s"', (text) => {
  expect(isCompleteSentence(text)).toBe(false)
})
