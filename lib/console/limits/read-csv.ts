import { CsvError, parse, type Info } from 'csv-parse/sync'
import { isCardNumberTyped } from '#lib/shared/card-numbers.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import { withoutMark } from '../export/write-csv.ts'
import type { CsvProblem } from './types.ts'

export const csvBounds = { bytes: 1024 * 1024, rows: 5000, lineLength: 8000, columns: 200 }

/** The cells of a row, without the white space around them and the apostrophe that the console writes before some; `line` is where the row begins. */
type CsvRow = { line: number; cells: string[] }

/** A file with a header. Blank lines are left out. */
type CsvTable = { header: CsvRow; rows: CsvRow[] }

const delimiters = [',', ';', '\t'] as const
type Delimiter = (typeof delimiters)[number]

/**
 * Reads a pasted or chosen file: comma, semicolon or tab, with or without a byte order mark. Returns the table, or a
 * problem that names the line and never repeats its text.
 */
export function readCsv(given: string): Result<CsvTable, CsvProblem> {
  const text = given.replaceAll(/\r\n|\r/g, '\n')
  const problem = errorOfText(text)
  if (problem) return fail(problem)
  const parsed = parseRows(text, detectDelimiter(text))
  if (!parsed.ok) return parsed
  const [header, ...rows] = parsed.value
  if (!header) return fail({ line: null, problem: 'The file is empty.' })
  const wrong = errorOfRows(header, rows)
  return wrong ? fail(wrong) : ok({ header, rows })
}

/** Why a text cannot be a CSV of ours, found before it is parsed; null where it can. */
function errorOfText(text: string): CsvProblem | null {
  if (Buffer.byteLength(text) > csvBounds.bytes) {
    return { line: null, problem: 'The file is larger than 1 MB. Split it and start a job for each part.' }
  }
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const problem = problemOfLine(line)
    if (problem) return { line: index + 1, problem }
  }
  return null
}

function problemOfLine(line: string): string | null {
  if (line.length > csvBounds.lineLength) return `The line has more than ${csvBounds.lineLength} characters.`
  if (line.includes('\0')) return 'The line holds a NUL: this is no text, or text in UTF-16. Save it as CSV in UTF-8.'
  if (/[\ufffd\p{Cs}]/u.test(line)) return 'The line holds bytes that are no UTF-8. Save the file as CSV in UTF-8.'
  // A tab may separate the columns.
  if (/[^\P{Cc}\t]/u.test(line)) return 'The line holds control characters: this is no text.'
  return null
}

/** The one that the header has most of. */
function detectDelimiter(text: string): Delimiter {
  const header = text.split('\n').find((line) => line.trim() !== '') ?? ''
  const bare = header.replaceAll(/"[^"]*"/g, '')
  const count = (delimiter: string) => bare.split(delimiter).length
  return delimiters.toSorted((one, other) => count(other) - count(one))[0] ?? ','
}

/** A row as parsed with the option `info`, which the parser's types do not know. */
type WithInfo = { record: string[]; info: Info }

function parseRows(text: string, delimiter: Delimiter): Result<CsvRow[], CsvProblem> {
  try {
    const records: unknown = parse(text, {
      bom: true,
      delimiter,
      info: true,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    })
    return ok(
      (records as WithInfo[]).map(({ record, info }) => ({
        line: startLine(record, info),
        cells: record.map(withoutMark),
      })),
    )
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = typeof error.lines === 'number' ? error.lines : null
    return fail({ line, problem: problemOfCode[error.code] ?? 'The line is no CSV.' })
  }
}

/** The parser counts the lines up to a row's end; a quoted cell may hold line breaks. */
function startLine(record: readonly string[], { lines }: Info): number {
  const within = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
  return Math.max(1, lines - within)
}

const problemOfCode: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'A quotation mark is opened here or before and never closed.',
  INVALID_OPENING_QUOTE: 'A quotation mark is in the middle of a cell. Quote the whole cell.',
  CSV_INVALID_CLOSING_QUOTE:
    'Something follows a closing quotation mark. Double a quotation mark that belongs to the cell.',
}

/** The problem of a line with a number that is of no account. */
export function holdingCardNumber(line: number): CsvProblem {
  return { line, problem: 'The line holds what may be a card number. Take it out: the console keeps none.' }
}

/** The problem of a row as such, whatever its columns mean. */
function errorOfRows(header: CsvRow, rows: readonly CsvRow[]): CsvProblem | null {
  const over = rows[csvBounds.rows]
  if (over) {
    return {
      line: over.line,
      problem: `The file has more than ${csvBounds.rows.toLocaleString('en-HK')} rows. Split it.`,
    }
  }
  if (header.cells.length > csvBounds.columns) {
    return { line: header.line, problem: `The file has more than ${csvBounds.columns} columns.` }
  }
  for (const { line, cells } of [header, ...rows]) {
    if (cells.some((cell, at) => isCardNumberTyped(header.cells[at] ?? '', cell))) return holdingCardNumber(line)
    if (cells.length > header.cells.length && cells.slice(header.cells.length).some((cell) => cell !== '')) {
      return { line, problem: `The line has more cells than the header has columns (${header.cells.length}).` }
    }
  }
  return null
}
