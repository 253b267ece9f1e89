import { stringify } from 'csv-stringify/sync'

/** An identifier is no number, also if it consists of digits. */
type Identifier = { identifier: string }

export type CsvCell = string | number | boolean | null | undefined | Identifier

export function identifierCell(text: string | null | undefined): CsvCell {
  return text ? { identifier: text } : null
}

/** Marks the file as UTF-8 for spreadsheets. */
export const byteOrderMark = '\uFEFF'

const plainNumber = /^[+-]?\d+(\.\d+)?$/
/** Digits that a spreadsheet would not keep as they are: it takes leading zeros away, and rounds long numbers. */
const unkeptDigits = /^(?:0\d+|\d{12,})$/
/** Digits that look as if `csvText` had put an apostrophe before them. */
const markedDigits = /^'+(?:0\d+$|\d{12,}$)/
/**
 * A part of a cell that a spreadsheet may read as a formula, with the apostrophes before it. A spreadsheet set to semicolons
 * or tabs splits the cell there, whatever quotes are around it; a cell that begins with white space counts too.
 */
const formulaPart = /(^|[;\t\r\n])('*[^\S\t\r\n]*[=+\-@＝＋－＠][^;\t\r\n]*)/gu
const leadingBreak = /^'*(?=[\t\r\n])/
const markedPart = /(^|[;\t\r\n])'('*[^\S\t\r\n]*[=+\-@＝＋－＠])/gu

/**
 * Rows as CSV (RFC 4180). A text that a spreadsheet would calculate, and an identifier whose digits it would not keep, gets an
 * apostrophe before it; plain numbers stay. `withoutMark` takes the apostrophes back.
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
  if (plainNumber.test(text)) return text
  if (markedDigits.test(text)) return `'${text}`
  const marked = text.replace(formulaPart, (whole, before: string, part: string) =>
    before !== '' && plainNumber.test(part.trim()) ? whole : `${before}'${part}`,
  )
  return leadingBreak.test(text) ? `'${marked}` : marked
}

/** A cell without the apostrophes that `csvText` put into it. */
export function withoutMark(text: string): string {
  if (markedDigits.test(text)) return text.slice(1)
  const bare = text.replace(markedPart, '$1$2')
  return /^'+[\t\r\n]/.test(text) ? bare.slice(1) : bare
}
