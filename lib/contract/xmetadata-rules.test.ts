import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { longestXmetadata, referenceBody, referenceProblems, type FieldChange } from './xmetadata-rules.ts'
import { xmetadataEndpoints } from './xmetadata.ts'

const target = { type: 'card', id: '11111111-1111-4111-8111-111111111111' } as const
const keep: FieldChange = { mode: 'keep' }
const remove: FieldChange = { mode: 'remove' }
const replace = (text: string): FieldChange => ({ mode: 'replace', text })

describe('the body', () => {
  test.each([
    ['keeps both', keep, keep, {}],
    ['replaces the xid alone', replace('EMP-1'), keep, { xid: 'EMP-1' }],
    ['removes the xid alone', remove, keep, { xid: null }],
    ['removes the xmetadata alone', keep, remove, { xmetadata: null }],
    ['replaces the xid and removes the xmetadata', replace('EMP-1'), remove, { xid: 'EMP-1', xmetadata: null }],
    ['replaces the xmetadata by an object', keep, replace('{"b": 1, "a": null}'), { xmetadata: { b: 1, a: null } }],
    ['replaces the xmetadata by a text', keep, replace('"text"'), { xmetadata: 'text' }],
    ['replaces the xmetadata by a list', keep, replace('["a", "b"]'), { xmetadata: ['a', 'b'] }],
    ['replaces both by what is empty', remove, replace('{}'), { xid: null, xmetadata: {} }],
  ])('%s', (_, xid, xmetadata, sent) => {
    expect(JSON.stringify(referenceBody(target, { xid, xmetadata }))).toBe(JSON.stringify({ target, ...sent }))
  })

  test('what has no problem is what the contract accepts, unchanged', () => {
    const text = fc.string({ maxLength: 300, unit: 'grapheme' })
    const change = (value: fc.Arbitrary<string>) => fc.oneof(fc.constant(keep), fc.constant(remove), value.map(replace))
    fc.assert(
      fc.property(change(text), change(fc.oneof(fc.json(), text)), (xid, xmetadata) => {
        if (Object.keys(referenceProblems({ xid, xmetadata })).length > 0) return
        const body = referenceBody(target, { xid, xmetadata })
        const parsed = xmetadataEndpoints.setXmetadata.body.safeParse(body)
        expect(parsed.success && JSON.stringify(parsed.data)).toBe(JSON.stringify(body))
      }),
      { numRuns: 500 },
    )
  })
})

describe('what is refused before anything is sent', () => {
  test.each([
    ['', 'must not be empty'],
    ['x'.repeat(257), 'must be at most 256 characters; this has 257'],
    ['a\nb', 'must not hold control characters or line breaks'],
    ['\ud800', 'must not hold control characters or line breaks'],
    ['card 4242 4242 4242 4242', 'must not hold a card number'],
  ])('the external id %j', (text, problem) => {
    expect(referenceProblems({ xid: replace(text), xmetadata: keep })).toEqual({ xid: problem })
  })

  test.each([
    ['{"a": }', 'is no JSON that can be sent. Line 1, column 7: Expected a value'],
    ['', 'The text ends too early'],
    ['5', 'must be an object, a text or a list of texts'],
    ['null', 'must be an object, a text or a list of texts'],
    ['["a", 1]', 'must hold texts alone where it is a list'],
    ['{"card": {"pan": "4242424242424242"}}', 'must not hold a card number (at “pan”)'],
    ['{"pan": 4242424242424242}', 'must not hold a card number (at “pan”)'],
    ['{"n": 12345678901234567890}', 'more digits than a JSON number carries'],
    ['{"4242 4242 4242 4242": 1}', 'must not hold a card number'],
    ['"4242-4242-4242-4242"', 'must not hold a card number'],
    [JSON.stringify('x'.repeat(longestXmetadata)), 'must be at most 200000 characters of JSON'],
  ])('the metadata %.40s', (text, problem) => {
    expect(referenceProblems({ xid: keep, xmetadata: replace(text) })).toEqual({
      xmetadata: expect.stringContaining(problem),
    })
  })

  test('a change that changes nothing', () => {
    expect(referenceProblems({ xid: keep, xmetadata: keep })).toEqual({ change: expect.any(String) })
  })

  test('both fields at once', () => {
    expect(Object.keys(referenceProblems({ xid: replace(''), xmetadata: replace('{') }))).toEqual(['xid', 'xmetadata'])
  })
})

test('256 characters and an identifier made of digits are no problem', () => {
  const uuid = '42424242-4242-4242-8242-424242424242'
  expect(
    referenceProblems({ xid: replace('x'.repeat(256)), xmetadata: replace(JSON.stringify({ id: uuid })) }),
  ).toEqual({})
})
