import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Xmetadata } from '#lib/contract/fields.ts'
import { referenceBody } from '#lib/contract/xmetadata-rules.ts'
import {
  type DraftKind,
  toXmetadataDraft,
  draftText,
  newRow,
  withKind,
  withShape,
  type XmetadataDraft,
} from './xmetadata-draft.ts'

function edited(rows: [key: string, kind: DraftKind, value: string][]): XmetadataDraft {
  return { ...toXmetadataDraft(null), rows: rows.map(([key, kind, value]) => ({ ...newRow(), key, kind, value })) }
}

/** The errors without the ids of their rows, by place. */
function errorsOf(draft: XmetadataDraft): Record<string, string> {
  const text = draftText(draft)
  if (text.ok) return {}
  const place = new Map([...draft.rows, ...draft.texts].map(({ id }, index) => [String(id), String(index)]))
  return Object.fromEntries(
    Object.entries(text.error).map(([field, problem]) => [field.replace(/\d+/, (id) => place.get(id) ?? id), problem]),
  )
}

const printable = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .filter((text) => text !== '__proto__' && !/\d{4}/.test(text))
const value = fc.oneof(
  printable,
  fc.array(printable, { maxLength: 4 }),
  fc.dictionary(
    printable.filter((key) => key !== ''),
    fc.oneof(
      printable,
      fc.integer({ max: 999 }),
      fc.boolean(),
      fc.constant(null),
      fc.array(printable, { maxLength: 2 }),
    ),
    { maxKeys: 5 },
  ) as never,
)

test('an unchanged value is sent as it was, in every editor', () => {
  fc.assert(
    fc.property(value as fc.Arbitrary<Xmetadata>, (xmetadata) => {
      const draft = toXmetadataDraft(xmetadata)
      const text = draftText(draft)
      expect(text.ok && JSON.stringify(JSON.parse(text.value))).toBe(JSON.stringify(xmetadata))
      const raw = withShape(draft, 'json')
      const back = raw.ok ? withShape(raw.value, draft.shape) : raw
      const again = back.ok ? draftText(back.value) : back
      expect(again.ok && JSON.stringify(JSON.parse(again.value))).toBe(JSON.stringify(xmetadata))
    }),
  )
})

test('rows become an object in their order: texts as texts, the rest as the JSON that was entered', () => {
  const draft = edited([
    ['team', 'text', 'ops'],
    ['floor', 'text', '3'],
    ['count', 'json', '3'],
    ['tags', 'json', '["a", null]'],
    ['', 'text', ''],
  ])
  const text = draftText(draft)
  const target = { type: 'card', id: 'x' } as const
  const body =
    text.ok && referenceBody(target, { xid: { mode: 'keep' }, xmetadata: { mode: 'replace', text: text.value } })
  expect(JSON.stringify(body)).toBe(
    '{"target":{"type":"card","id":"x"},"xmetadata":{"team":"ops","floor":"3","count":3,"tags":["a",null]}}',
  )
})

test('texts, numbers and truths have fields of their own; what is nested or null is JSON', () => {
  const now = { team: 'ops', floor: 3, isOpen: true, tags: ['a'], of: { a: 1 }, none: null }
  const { rows } = toXmetadataDraft(now)
  expect(rows.map(({ kind, value }) => [kind, value])).toEqual([
    ['text', 'ops'],
    ['number', '3'],
    ['boolean', 'true'],
    ['json', '["a"]'],
    ['json', '{"a":1}'],
    ['json', 'null'],
  ])
  const [text] = rows
  expect(text && withKind(text, 'boolean').value).toBe('false')
  expect(text && withKind(text, 'number').value).toBe('ops')
  expect(text && withKind(withKind(text, 'boolean'), 'text').value).toBe('ops')
  const sent = draftText(edited([['floor', 'number', ' -12.50 ']]))
  expect(sent.ok && JSON.parse(sent.value)).toEqual({ floor: -12.5 })
})

describe('an issue is shown at its field', () => {
  test.each<[string, XmetadataDraft, Record<string, string>]>([
    ['a value without a key', edited([['', 'text', 'x']]), { 'row-0-key': 'Give this value a key.' }],
    [
      'a duplicate key',
      edited([
        ['a', 'text', '1'],
        ['a', 'text', '2'],
      ]),
      { 'row-1-key': 'This key is already used above.' },
    ],
    ['a key that cannot be sent', edited([['__proto__', 'text', '1']]), { 'row-0-key': 'This key can’t be sent.' }],
    [
      'JSON that is none, with its place',
      edited([['a', 'json', '[1, x]']]),
      { 'row-0-value': expect.stringContaining('character 5: Expected a value') as never },
    ],
    [
      'a number that would lose digits',
      edited([['a', 'json', '12345678901234567890']]),
      { 'row-0-value': expect.stringContaining('more digits') as never },
    ],
    [
      'a number that is none',
      edited([['a', 'number', '1,234']]),
      { 'row-0-value': expect.stringContaining('Write a number as 1234.5') as never },
    ],
    [
      'a number that is a card number',
      edited([['a', 'number', '4242424242424242']]),
      { 'row-0-value': expect.stringContaining('card number') as never },
    ],
    [
      'a card number',
      edited([['pan', 'text', '4242 4242 4242 4242']]),
      { 'row-0-value': expect.stringContaining('card number') as never },
    ],
    [
      'raw JSON',
      { ...toXmetadataDraft(null), shape: 'json', json: '{"a": 1,\n}' },
      { json: expect.stringContaining('Line 2, column 1') as never },
    ],
    [
      'raw JSON of another form',
      { ...toXmetadataDraft(null), shape: 'json', json: '7' },
      { json: expect.stringContaining('must be an object') as never },
    ],
    [
      'a text that is a card number',
      { ...toXmetadataDraft('4242424242424242') },
      { text: expect.stringContaining('card number') as never },
    ],
  ])('%s', (_, draft, errors) => {
    expect(errorsOf(draft)).toEqual(errors)
  })
})

test('switching editors keeps the entries that fit, and JSON that cannot be parsed stays with its error', () => {
  const rows = withShape(toXmetadataDraft({ a: 'x', b: 1 }), 'json')
  expect(rows.ok && rows.value.json).toBe('{\n  "a": "x",\n  "b": 1\n}')
  const broken = withShape({ ...toXmetadataDraft(null), shape: 'json', json: '{' }, 'object')
  expect(broken).toMatchObject({ ok: false, error: { json: expect.stringContaining('ends too early') } })
  const text = withShape(toXmetadataDraft({ a: 'x' }), 'text')
  expect(text).toMatchObject({ ok: true, value: { shape: 'text', text: '' } })
  const again = text.ok ? withShape(text.value, 'object') : text
  expect(again).toMatchObject({ ok: true, value: { shape: 'object', rows: [{ key: 'a', value: 'x' }] } })
})
