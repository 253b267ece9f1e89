import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvText } from './write.ts'

test('whatever is written reads back cell by cell, but for the apostrophe before a formula', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 4 }), { minLength: 1 }),
      (rows) => {
        const read = parse(csvText(rows), {
          relax_column_count: true,
          skip_empty_lines: false,
          record_delimiter: '\r\n',
        })
        const expected = rows.map((row) => row.map((cell) => (isFormula(cell) ? `'${cell}` : cell)))
        expect(read).toEqual(expected)
      },
    ),
  )
})

/** Written down apart from the code: OWASP's list of characters that begin a formula. */
function isFormula(cell: string): boolean {
  const first = cell.trimStart().at(0) ?? ''
  if (/^[+-]?\d+(\.\d+)?$/.test(cell)) return false
  return '=+-@＝＋－＠'.includes(first || ' ') || ['\t', '\r', '\n'].includes(cell.at(0) ?? '')
}

test.each([
  ['=1+1', "'=1+1"],
  ['+852 1234', "'+852 1234"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2+3', "'-2+3"],
  ['  =HYPERLINK("http://x")', `"'  =HYPERLINK(""http://x"")"`],
  ['＝1', "'＝1"],
  ['-12.50', '-12.50'],
  ['+1', '+1'],
])('%s is written so that no spreadsheet calculates it', (cell, written) => {
  expect(csvText([[cell, 'x']])).toBe(`${written},x\r\n`)
})
