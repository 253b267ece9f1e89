import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvText } from '../export/write-csv.ts'
import { csvBounds, readCsv } from './read-csv.ts'

function errorOf(text: string) {
  const read = readCsv(text)
  return read.ok ? null : read.error
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(
      fc.constantFrom('a', '1', ',', ';', '\t', '"', '""', '\n', '\r', '\r\n', ' ', '\0', '\ufeff', '=1', '\ud800'),
      {
        maxLength: 60,
      },
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 300 }).map((text) => `cardAccountId,limit\n${text}`),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => new TextDecoder().decode(bytes)),
)

test('pasted text is a table or an error message, whose line is one of the text', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const read = readCsv(text)
      if (read.ok) return
      const { line, problem } = read.error
      expect(problem).toMatch(/^[A-Z].*\.$/)
      if (line !== null) {
        expect(line).toBeGreaterThanOrEqual(1)
        expect(line).toBeLessThanOrEqual(text.split(/\r\n|\n|\r/).length)
      }
    }),
    { numRuns: 3000 },
  )
})

const cell = fc
  .string({ minLength: 1, maxLength: 20 })
  .map((text) => text.replaceAll(/[\p{Cc}\ufffd\ufeff]/gu, '').trim())
  .filter((text) => text !== '' && !/^'*\s*[=+\-@＝＋－＠]/u.test(text) && !/\d/.test(text))

test('every delimiter, line end, blank line, byte order mark and quotation is read back cell by cell, with its line', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell, fc.nat(2)), { minLength: 1, maxLength: 20 }),
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      (rows, delimiter, lineEnd, hasMark) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
        let text = `${hasMark ? '\ufeff' : ''}one${delimiter}two${lineEnd}`
        let line = 2
        const expected = rows.map(([one, two, blank]) => {
          text += `${lineEnd.repeat(blank)}${quoted(one)}${delimiter} ${quoted(two)} ${lineEnd}`
          line += blank + 1
          return { line: line - 1, cells: [one, two] }
        })
        expect(readCsv(text)).toEqual({
          ok: true,
          value: { header: { line: 1, cells: ['one', 'two'] }, rows: expected },
        })
      },
    ),
    { numRuns: 500 },
  )
})

test('what the console itself writes is read back', () => {
  const rows = [
    ['cardAccountId', 'note', 'limit'],
    ['6f9619ff-8b86-4d01-b42d-00cf4fc964ff', 'two\nlines, "quoted"', '1000.50'],
    ['x', '', '0'],
  ]
  expect(readCsv(csvText(rows))).toMatchObject({
    ok: true,
    value: {
      rows: [
        { line: 2, cells: rows[1] },
        { line: 4, cells: rows[2] },
      ],
    },
  })
})

test('the apostrophe that the console writes before a text is taken back', () => {
  const written = csvText([
    ['xid', 'limit'],
    ['001230456789', '1000'],
    ['=1+1', '-1'],
    ["'t Hooft", "'0"],
  ])
  const read = readCsv(written)
  expect(read.ok && read.value.rows.map(({ cells }) => cells)).toEqual([
    ['001230456789', '1000'],
    ['=1+1', '-1'],
    ["'t Hooft", "'0"],
  ])
})

const header = 'cardAccountId,limit\n'

test.each([
  ['an empty file', '', null, 'empty'],
  ['blank lines alone', '\n\r\n  \n', null, 'empty'],
  ['a NUL', `${header}a,1\nb\0,2`, 3, 'NUL'],
  ['UTF-16', new TextDecoder().decode(Buffer.from('a,b\n1,2', 'utf16le')), 1, 'NUL'],
  ['a picture', new TextDecoder().decode(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10)), 1, 'no UTF-8'],
  ['Latin-1', `${header}${new TextDecoder().decode(Uint8Array.of(0xe9, 0x2c, 0x31))}`, 2, 'no UTF-8'],
  ['control characters', `${header}a\u0007,1`, 2, 'control characters'],
  ['a card number', `${header}a,1\n4242 4242 4242 4242,2`, 3, 'card number'],
  [
    'a line that is too long',
    `${header}a,1\n${'x'.repeat(csvBounds.lineLength + 1)},2`,
    3,
    'more than 8000 characters',
  ],
  ['a quotation that never closes', `${header}"a,1\nb,2`, 3, 'never closed'],
  ['a stray quotation mark', `${header}a"b,1`, 2, 'quotation mark'],
  ['text behind a quotation', `${header}"a"b,1`, 2, 'quotation mark'],
  ['more cells than columns', `${header}a,1,2`, 2, 'more cells'],
  ['too many columns', `${'a,'.repeat(csvBounds.columns)}b\n`, 1, 'more than 200 columns'],
])('refuses %s, naming the line', (_, text, line, problem) => {
  expect(errorOf(text)).toMatchObject({ line, problem: expect.stringContaining(problem) })
})

test('5,000 rows are read, 5,001 are not, and nothing above 1 MB is', () => {
  const rows = (count: number) => `${header}${'a,1\n'.repeat(count)}`
  expect(errorOf(rows(csvBounds.rows))).toBeNull()
  expect(errorOf(rows(csvBounds.rows + 1))).toMatchObject({ line: 5002, problem: expect.stringContaining('5,000') })
  expect(errorOf('\u00e9\n'.repeat(400_000))).toMatchObject({ line: null, problem: expect.stringContaining('1 MB') })
})

test('the ids of accounts are no card numbers, even where digits alone make them up', () => {
  // Its last run of digits passes the check of a card number.
  expect(errorOf(`${header}4242a242-4242-4242-8242-424242424242,1`)).toBeNull()
  expect(errorOf(`${header}00000000-0000-4000-8000-000000000000,1`)).toBeNull()
})
