import { stringify } from 'csv-stringify/sync'

export type CsvCell = string | number | boolean | null | undefined

/** Tells spreadsheets that the file is UTF-8. */
export const byteOrderMark = '\uFEFF'

/** What a spreadsheet would take for a formula, also behind white space and in full width. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u
const plainNumber = /^[+-]?\d+(\.\d+)?$/

/** Rows as CSV (RFC 4180). A text that a spreadsheet would calculate gets an apostrophe before it; plain numbers stay. */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return stringify(
    rows.map((row) => row.map(neutral)),
    { record_delimiter: '\r\n' },
  )
}

function neutral(cell: CsvCell): string {
  const text = cell === null || cell === undefined ? '' : String(cell)
  return formula.test(text) && !plainNumber.test(text) ? `'${text}` : text
}
