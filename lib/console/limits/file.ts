import { limitProblem } from '#lib/contract/limit-text.ts'
import { isServiceId } from '#lib/shared/ids.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import { readCsv } from './read-csv.ts'
import type { CsvProblem } from './types.ts'

/** The content of a line, before any account is looked up. Empty cells are null; the id is as it was typed. */
export type RequestedLimit = {
  line: number
  cardAccountId: string | null
  xid: string | null
  limit: string
  problem: string | null
}

type LimitFile = { requested: RequestedLimit[]; ignoredColumns: string[] }

/** `id` is what the export of the accounts calls it. */
const known = { cardaccountid: 'cardAccountId', id: 'cardAccountId', xid: 'xid', limit: 'limit' } as const
type Column = (typeof known)[keyof typeof known]

/** The lines of a file of limits, or why the file as a whole is refused. */
export function readLimitFile(text: string): Result<LimitFile, CsvProblem> {
  const read = readCsv(text)
  if (!read.ok) return read
  const { header, rows } = read.value
  const places = new Map<Column, number>()
  const ignoredColumns: string[] = []
  for (const [index, name] of header.cells.entries()) {
    const column = findColumn(name)
    if (column === null) ignoredColumns.push(name)
    else if (places.has(column)) return refused(header.line, `The header names ${column} twice.`)
    else places.set(column, index)
  }
  if (!places.has('cardAccountId') && !places.has('xid')) {
    return refused(
      header.line,
      'The header names no column cardAccountId or xid. It must be the first line of the file.',
    )
  }
  if (!places.has('limit')) return refused(header.line, 'The header names no column limit.')
  if (rows.length === 0) return refused(header.line, 'There is nothing below the header.')
  const requested = rows.map(({ line, cells }) => {
    const cell = (column: Column) => cells[places.get(column) ?? -1] ?? ''
    return toRequestedLimit(line, cell('cardAccountId'), cell('xid'), cell('limit'))
  })
  return ok({ requested, ignoredColumns: ignoredColumns.map((name) => name || 'a column without a name') })
}

function findColumn(name: string): Column | null {
  const plain = name.toLowerCase().replaceAll(/[\s_-]/g, '')
  return Object.hasOwn(known, plain) ? known[plain as keyof typeof known] : null
}

function toRequestedLimit(line: number, id: string, xid: string, limit: string): RequestedLimit {
  const requested = { line, cardAccountId: id === '' ? null : id, xid: xid === '' ? null : xid, limit }
  return { ...requested, problem: findProblem(requested) }
}

function findProblem({ cardAccountId, xid, limit }: Omit<RequestedLimit, 'line' | 'problem'>): string | null {
  if (cardAccountId === null && xid === null) return 'No account is named.'
  if (cardAccountId !== null && !isServiceId(cardAccountId)) {
    return 'The cardAccountId has more than 200 characters.'
  }
  if (xid !== null && xid.length > 256) return 'The xid has more than 256 characters.'
  const wrong = limitProblem(limit, null)
  return wrong && `The limit ${wrong}.`
}

function refused(line: number, problem: string) {
  return fail({ line, problem })
}
