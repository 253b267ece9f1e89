import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvResponse, csvText, withoutMark } from './write-csv.ts'

const hostile = fc.string({ unit: fc.constantFrom('=', '-', '@', ';', '\t', '\n', "'", ' ', '1', '0', 'a', '"', ',') })

test('every cell reads back as written, except for removable apostrophes before formulas', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.oneof(fc.string({ unit: 'binary' }), hostile), { minLength: 2, maxLength: 4 }), {
        minLength: 1,
      }),
      (rows) => {
        const read = parse(csvText(rows), {
          relax_column_count: true,
          skip_empty_lines: false,
          record_delimiter: '\r\n',
        })
        expect(read.flat().filter(isFormula)).toEqual([])
        expect(read.map((row: string[]) => row.map(withoutMark))).toEqual(rows)
      },
    ),
  )
})

/** Written apart from the code: OWASP's characters that begin a formula, in every part that a spreadsheet may split off. */
function isFormula(cell: string): boolean {
  if (/^[+-]?\d+(\.\d+)?$/.test(cell)) return false
  if (['\t', '\r', '\n'].includes(cell.at(0) ?? '')) return true
  return cell.split(/[;\t\r\n]/).some((part, index) => {
    const isNumber = index > 0 && /^[+-]?\d+(\.\d+)?$/.test(part.trim())
    return !isNumber && '=+-@＝＋－＠'.includes(part.trimStart().at(0) || ' ')
  })
}

test.each([
  ['=1+1', "'=1+1"],
  ['+852 1234', "'+852 1234"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2+3', "'-2+3"],
  ['  =HYPERLINK("http://x")', `'  =HYPERLINK(""http://x"")`],
  ['＝1', "'＝1"],
  ['a;=1+1', "a;'=1+1"],
  ['a; \t@SUM(A1)', "a; \t'@SUM(A1)"],
  ['a\t=1+1', "a\t'=1+1"],
  ['Refund; -20', 'Refund; -20'],
  ['-12.50', '-12.50'],
  ['+1', '+1'],
])('%s is written so that no spreadsheet calculates it', (cell, written) => {
  expect(csvText([[cell, 'x']])).toBe(`"${written}","x"\r\n`)
})

test('every cell is in quotes, and no number or identifier gets an apostrophe', () => {
  const cells = ['001230456789', '50100234567891', '0012', 12, '-12.50', null, "O'Neil", "'t Hooft"]
  expect(csvText([cells])).toBe(`"001230456789","50100234567891","0012","12","-12.50","","O'Neil","'t Hooft"\r\n`)
  expect(csvText([["'=1"]])).toBe(`"''=1"\r\n`)
  expect(withoutMark("''=1")).toBe("'=1")
  expect(csvText([['a', 1]], { isQuoted: false })).toBe('a,1\r\n')
})

test('a file begins with its byte order mark, and its facts are beside it', async () => {
  const response = csvResponse(
    'fees-2-rows',
    [
      ['Rows', 2],
      ['Filter', '陳 "x"'],
      ['Reason', null],
    ],
    (start) => `${start}a`,
  )
  expect(Array.from(new Uint8Array(await response.clone().arrayBuffer()))).toEqual([0xef, 0xbb, 0xbf, 0x61])
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="fees-2-rows.csv"')
  expect(JSON.parse(decodeURIComponent(response.headers.get('x-file-facts') ?? ''))).toEqual([
    ['Rows', '2'],
    ['Filter', '陳 "x"'],
  ])
})
