import { stringify } from 'csv-stringify/sync'

/** An identifier is no number, also where it is digits alone. */
type Identifier = { identifier: string }

export type CsvCell = string | number | boolean | null | undefined | Identifier

export function identifierCell(text: string | null | undefined): CsvCell {
  return text ? { identifier: text } : null
}

/** Tells spreadsheets that the file is UTF-8. */
export const byteOrderMark = '\uFEFF'

/** What a spreadsheet would take for a formula, also behind white space and in full width. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u
const plainNumber = /^[+-]?\d+(\.\d+)?$/
/** Digits that a spreadsheet would not keep as they are: it takes leading zeros away, and rounds long numbers. */
const unkeptDigits = /^(?:0\d+|\d{12,})$/
/** What begins as if an apostrophe had been put before it. */
const marked = /^'+(?:\s*[=+\-@＝＋－＠]|[\t\r\n]|0\d+$|\d{12,}$)/u

/**
 * Rows as CSV (RFC 4180). A text that a spreadsheet would calculate, and an identifier whose digits it would not keep, gets an
 * apostrophe before it; plain numbers stay. `withoutMark` takes the apostrophe back.
 */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return stringify(
    rows.map((row) => row.map(neutral)),
    { record_delimiter: '\r\n' },
  )
}

function neutral(cell: CsvCell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'object')
    return unkeptDigits.test(cell.identifier) ? `'${cell.identifier}` : neutral(cell.identifier)
  const text = String(cell)
  return (formula.test(text) && !plainNumber.test(text)) || marked.test(text) ? `'${text}` : text
}

/** A cell without the apostrophe that `csvText` put before it. */
export function withoutMark(text: string): string {
  return marked.test(text) ? text.slice(1) : text
}
