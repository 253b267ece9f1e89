import { stringify } from 'csv-stringify/sync'
import { AppError } from '#lib/shared/app-error.ts'

export type CsvCell = string | number | boolean | null | undefined

/** Marks the file as UTF-8 for spreadsheets. */
const byteOrderMark = '\uFEFF'

const plainNumber = /^[+-]?\d+(\.\d+)?$/
/**
 * A part of a cell that a spreadsheet may read as a formula, with the apostrophes before it. A spreadsheet set to semicolons
 * or tabs splits the cell there, whatever quotes are around it; a cell that begins with white space counts too.
 */
const formulaPart = /(^|[;\t\r\n])('*[^\S\t\r\n]*[=+\-@＝＋－＠][^;\t\r\n]*)/gu
const leadingBreak = /^'*(?=[\t\r\n])/
const markedPart = /(^|[;\t\r\n])'('*[^\S\t\r\n]*[=+\-@＝＋－＠])/gu

/**
 * Rows as CSV (RFC 4180), every cell in quotes. A text that a spreadsheet would calculate gets an apostrophe before it; plain
 * numbers stay. `withoutMark` takes the apostrophes back.
 */
export function csvText(rows: readonly (readonly CsvCell[])[], { isQuoted = true } = {}): string {
  return stringify(
    rows.map((row) => row.map(neutral)),
    { record_delimiter: '\r\n', quoted: isQuoted, quoted_empty: isQuoted },
  )
}

function neutral(cell: CsvCell): string {
  const text = String(cell ?? '')
  if (plainNumber.test(text)) return text
  const marked = text.replace(formulaPart, (whole, before: string, part: string) =>
    before !== '' && plainNumber.test(part.trim()) ? whole : `${before}'${part}`,
  )
  return leadingBreak.test(text) ? `'${marked}` : marked
}

/** A cell without the apostrophes that `csvText` put into it. */
export function withoutMark(text: string): string {
  const bare = text.replace(markedPart, '$1$2')
  return /^'+[\t\r\n]/.test(text) ? bare.slice(1) : bare
}

/** Facts about a file beside its rows: label and value, in order. */
export type FileFacts = readonly (readonly [label: string, value: CsvCell])[]

/** The header of a response that holds the facts of its file. */
const factsHeader = 'x-file-facts'

/** A CSV file to download, as UTF-8 for spreadsheets. The facts go beside it, so that its first line is its header. */
export function csvResponse(
  name: string,
  facts: FileFacts,
  body: (start: string) => ReadableStream<Uint8Array> | string,
): Response {
  const shown = facts.filter(([, value]) => value !== null && value !== undefined && value !== '')
  return new Response(body(byteOrderMark), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
      [factsHeader]: encodeURIComponent(JSON.stringify(shown.map(([label, value]) => [label, String(value)]))),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

/** The IANA zone in which a file writes its instants, if this runtime knows it; UTC without one. Throws `INVALID_PARAMETERS`. */
export function parseZone(text: string | string[] | undefined): string {
  if (text === undefined || text === '') return 'UTC'
  try {
    if (typeof text === 'string') return new Intl.DateTimeFormat('en-GB', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    // Unknown to this runtime.
  }
  throw new AppError('INVALID_PARAMETERS', 'zone must be the name of a time zone, such as Asia/Hong_Kong')
}
