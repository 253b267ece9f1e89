import 'server-only'
import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { metadataColumn } from '#lib/api/card-accounts.ts'
import { findReadDefinition } from '#lib/api/reads.ts'
import { recordAudit } from '#lib/audit/chain.ts'
import { auditRefusedAttempts } from '#lib/audit/refused-attempts.ts'
import type { Actor, Target } from '#lib/audit/types.ts'
import { maskForReader } from '#lib/auth/masked-reads.ts'
import { withRequestContext, requireCurrentStaff } from '#lib/auth/session.ts'
import { database } from '#lib/db/connection.ts'
import { inSnapshot } from '#lib/db/snapshot.ts'
import { isAppError, AppError } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { asFields } from '#lib/shared/json.ts'
import { present } from '#lib/shared/provided.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { isoDay, zonedIsoTime } from '#lib/shared/wall-clock.ts'
import { reads } from '../reads.ts'
import { type Export, type ExportName, type ExportPage, exportTable, type InstantText } from './table.ts'
import { csvResponse, csvText, type CsvCell, parseZone } from './write-csv.ts'

/** Lines that wait to be sent, outside of memory. Their file has no name any more, so nothing of it survives the process. */
type Spool = {
  write: (lines: readonly string[]) => Promise<void>
  /** The head and the text of each line, as UTF-8; the spool closes at their end, or when its reader disconnects. */
  stream: (head: string, toText: (lines: readonly string[]) => string) => ReadableStream<Uint8Array>
  close: () => Promise<void>
}

/** Lines that become text together. */
const linesAtOnce = 200

async function openSpool(): Promise<Spool> {
  const file = path.join(tmpdir(), `carddesk-${randomUUID()}`)
  const handle = await open(file, 'wx+', 0o600)
  await unlink(file)
  let length = 0
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await handle.close()
  }
  return {
    close,
    async write(lines) {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      await handle.write(bytes, 0, bytes.length, length)
      length += bytes.length
    },
    stream(head, toText) {
      const text = async function* () {
        yield Buffer.from(head)
        let lines: string[] = []
        for await (const line of handle.readLines({ start: 0, autoClose: false })) {
          if (lines.push(line) < linesAtOnce) continue
          yield Buffer.from(toText(lines))
          lines = []
        }
        if (lines.length > 0) yield Buffer.from(toText(lines))
      }
      const chunks = text()
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { value, done } = await chunks.next()
          if (!done) return controller.enqueue(value)
          await close()
          controller.close()
        },
        async cancel() {
          await chunks.return()
          await close()
        },
      })
    },
  }
}

/** The limits of one file: rows, pages and time. */
const bounds = { rows: 200_000, pages: 4000, durationMs: 10 * minuteMs, atOnce: 3 }

/** Waits between tries while the service's rate limit is reached or it does not respond. */
const pausesMs = [secondMs, 5 * secondMs, 20 * secondMs, 40 * secondMs]

/** The largest page that the console's lists give. */
const pageSize = '100'

const exportsOfProcess = globalSingleton('carddeskExports', () => ({ running: 0 }))

/** Search parameters as the list's page has them, with the `zone` and the `columns` of the file. */
type ExportSearch = Readonly<Record<string, string | string[] | undefined>>

/**
 * Every row that a filter shows, on all its pages, as a CSV file with the columns of `search.columns`. Its facts say what it is,
 * which filter and zone it has, how many rows, and whether they are all. `ids` are those of the read's path. Throws `INVALID_PARAMETERS`
 * and what the list throws on its first page.
 */
export async function exportList(
  environment: Environment,
  name: ExportName,
  ids: readonly string[],
  search: ExportSearch,
  signal?: AbortSignal,
): Promise<Response> {
  const by = (await requireCurrentStaff()).staff
  const attempt = { environment, kind: 'export.read', by, target: exportTarget(name) }
  return auditRefusedAttempts(attempt, () => makeFile(environment, name, ids, search, by, signal))
}

/** The last segment of the read's path: `card-accounts`, `ledger` … */
function listName(name: ExportName): string {
  return path.basename(findReadDefinition(name).path)
}

function exportTarget(name: ExportName): Target {
  return { type: 'list', id: listName(name), parentId: null, label: exportTable[name].title }
}

async function makeFile(
  environment: Environment,
  name: ExportName,
  ids: readonly string[],
  search: ExportSearch,
  by: Actor,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { zone: zoneText, columns: chosen, pageToken: _, pageSize: __, ...filter } = search
  const list = exportTable[name] as Export<ExportPage>
  const columns = chosenColumns(list, chosen)
  const keys = chosenKeys(chosen)
  const metadata = metadataColumns()
  const zone = parseZone(zoneText)
  if (exportsOfProcess().running >= bounds.atOnce) {
    throw new AppError('TOO_MANY_ATTEMPTS', 'Other exports are being made. Try again in a minute.')
  }
  exportsOfProcess().running += 1
  const startedAt = new Date()
  const spool = await openSpool()
  try {
    const at: InstantText = (instant) => (instant ? zonedIsoTime(instant, zone) : null)
    const read = reads[name] as (environment: Environment, ...rest: unknown[]) => Promise<ExportPage>
    const readPage = async (pageToken: string | undefined) => {
      const page = await read(environment, ...ids, { ...filter, pageSize, pageToken })
      const { coverage } = page
      return maskForReader({ ...page, coverage: list.findGaps?.(page) ?? coverage }, environment)
    }
    const write = async (page: ExportPage) => {
      const rows = list.rows(page)
      const lines = rows.map((row): SpooledRow => ({
        cells: columns.map(({ value }) => value(row, at) ?? null),
        metadata: metadata.take(list.metadata?.(row), keys),
      }))
      await spool.write(lines.map(oneLine))
      return rows.length
    }
    const fetch = () => fetchAll(readPage, write, signal)
    const context = { signal: signal ?? new AbortController().signal, isAuditedAsOne: true } as const
    const fetched = await withRequestContext(context, () => inSnapshot(fetch))
    const gaps = listGaps(fetched)
    await recordAudit(database(), {
      by,
      environment,
      act: 'export.read',
      target: { ...exportTarget(name), label: `${list.title}, ${fetched.rows} ${fetched.rows === 1 ? 'row' : 'rows'}` },
      outcome: 'done',
      code: gaps.length === 0 ? null : 'INCOMPLETE',
    })
    const facts = [
      ['List', `${list.title} (${environment})`],
      ['Filter', filterText({ ...idsByName(name, ids), ...filter })],
      ['Time zone', zone],
      ['Read from', zonedIsoTime(startedAt, zone)],
      ['Read until', zonedIsoTime(new Date(), zone)],
      ['Rows', fetched.rows],
      ['Complete', gaps.length === 0 ? 'yes, every row of the filter' : `NO: ${gaps.join('; ')}`],
    ] as const
    const size = `${fetched.rows}-${fetched.rows === 1 ? 'row' : 'rows'}${gaps.length === 0 ? '' : '-incomplete'}`
    return csvResponse(`${listName(name)}-${environment}-${isoDay(startedAt, zone)}-${size}`, facts, (start) =>
      spool.stream(`${start}${csvText([[...columns.map(({ name }) => name), ...metadata.names()]])}`, (lines) =>
        csvText(
          lines.map((line) => {
            const row = JSON.parse(line) as SpooledRow
            return [...row.cells, ...metadata.names().map((name) => row.metadata[name])]
          }),
        ),
      ),
    )
  } catch (error) {
    await spool.close()
    throw error
  } finally {
    exportsOfProcess().running -= 1
  }
}

/** A row of the file. The columns of its metadata are known once the last row is read. */
type SpooledRow = { cells: CsvCell[]; metadata: Record<string, CsvCell> }

/** JSON without what `readLines` takes for the end of a line. */
function oneLine(row: SpooledRow): string {
  return JSON.stringify(row).replaceAll(/[\u2028\u2029]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`)
}

/** Further keys share a column as JSON. */
const mostMetadataKeys = 100
const textColumn = 'xmetadata'

/** The columns that the metadata of rows needs: `xmetadata.<key>` for each key, and `xmetadata` for what is no object. */
function metadataColumns() {
  const names = new Set<string>()
  return {
    names: () => [...names].toSorted(),
    /** The cells of a row's metadata by their columns, of these keys or, where null, of all. */
    take(metadata: unknown, keys: readonly string[] | null): Record<string, CsvCell> {
      const cells = keys === null ? ofEveryKey(metadata) : ofKeys(asFields(metadata), keys)
      for (const name of Object.keys(cells)) names.add(name)
      return cells
    },
  }

  function ofKeys(metadata: Record<string, unknown>, keys: readonly string[]): Record<string, CsvCell> {
    return Object.fromEntries(keys.map((key) => [`${textColumn}.${key}`, metadataCell(metadata[key])]))
  }

  function ofEveryKey(metadata: unknown): Record<string, CsvCell> {
    if (metadata === null || metadata === undefined) return {}
    const isObject = typeof metadata === 'object' && !Array.isArray(metadata)
    const cells: Record<string, CsvCell> = {}
    const rest: Record<string, unknown> = {}
    for (const [key, value] of isObject ? Object.entries(metadata) : []) {
      const name = `${textColumn}.${key}`
      if (names.has(name) || names.size + Object.keys(cells).length < mostMetadataKeys)
        cells[name] = metadataCell(value)
      else rest[key] = value
    }
    if (!isObject) cells[textColumn] = metadataCell(metadata)
    else if (Object.keys(rest).length > 0) cells[textColumn] = metadataCell(rest)
    return cells
  }
}

/** Text as it is, anything else as JSON. */
function metadataCell(value: unknown): CsvCell {
  return value === null || value === undefined || typeof value === 'string' ? (value ?? null) : JSON.stringify(value)
}

type Fetched = { rows: number; excluded: number; stoppedBecause: string | null }

/** Statuses of a reader whose session or role ended on the way: there is no file for them. */
const accessLost = new Set([401, 403])

/**
 * Fetches the list to its end. A failure after the first page ends the file, which says so, instead of losing what was read;
 * so does a page token that comes a second time. Throws where the reader may read no further.
 */
async function fetchAll(
  readPage: (pageToken: string | undefined) => Promise<ExportPage>,
  write: (page: ExportPage) => Promise<number>,
  signal: AbortSignal | undefined,
): Promise<Fetched> {
  const endsAt = Date.now() + bounds.durationMs
  const usedTokens = new Set<string>()
  let [rows, excluded] = [0, 0]
  let pageToken: string | undefined
  for (;;) {
    signal?.throwIfAborted()
    const read = () => readPage(pageToken)
    // Before the first page the download has not started, so an error can still be shown as a message.
    const page = await (pageToken === undefined ? read() : readWithRetries(read, signal)).catch((error: unknown) => {
      if (rows === 0 || !isAppError(error) || accessLost.has(error.status)) throw error
      return error
    })
    if (page instanceof AppError) return { rows, excluded, stoppedBecause: `after ${rows} rows: ${page.message}` }
    rows += await write(page)
    // Each page counts all that the index lacks.
    excluded = page.coverage?.excluded ?? excluded + (page.excluded ?? 0)
    const next = page.nextPageToken
    const stoppedBecause =
      next === null ? missingAtTheEnd(page) : reasonToStop({ rows, next, usedTokens, isLate: Date.now() > endsAt })
    if (next === null || stoppedBecause !== null) return { rows, excluded, stoppedBecause }
    usedTokens.add(next)
    pageToken = next
  }
}

/** Why the list lacks rows although its last page was read; null where it lacks none. */
function missingAtTheEnd(last: ExportPage): string | null {
  const isPartial = last.coverage?.isComplete === false || last.isTruncated
  return isPartial ? 'the console has not read the whole list from the card service' : null
}

/** Why the page at `next` is not read any more; null where it is. */
function reasonToStop({
  rows,
  next,
  usedTokens,
  isLate,
}: {
  rows: number
  next: string
  usedTokens: ReadonlySet<string>
  isLate: boolean
}): string | null {
  if (rows >= bounds.rows || usedTokens.size >= bounds.pages)
    return `a file holds ${bounds.rows} rows of ${bounds.pages} pages at most; narrow the filter`
  if (usedTokens.has(next)) return `the card service repeats a page token after ${rows} rows`
  return isLate ? `it took too long after ${rows} rows; narrow the filter` : null
}

/** The columns whose table column is among the chosen ones; all where none are chosen. */
function chosenColumns(list: Export<ExportPage>, chosen: string | string[] | undefined): Export<ExportPage>['columns'] {
  const ids = chosenIds(chosen)
  if (ids.length === 0) return list.columns
  const columns = list.columns.filter(({ of = [] }) => [of].flat().some((id) => ids.includes(id)))
  if (columns.length === 0) throw new AppError('INVALID_PARAMETERS', 'columns must name columns of the list')
  return columns
}

function chosenIds(chosen: string | string[] | undefined): string[] {
  return [chosen ?? []].flat().flatMap((text) => text.split(','))
}

/** The keys of metadata among the chosen columns; null where no columns were chosen. */
function chosenKeys(chosen: string | string[] | undefined): string[] | null {
  const ids = chosenIds(chosen)
  if (ids.length === 0) return null
  return ids.filter((id) => id.startsWith(metadataColumn)).map((id) => id.slice(metadataColumn.length))
}

/** The service limits how often it is called: a long list waits for it rather than ending early. */
async function readWithRetries<Page>(read: () => Promise<Page>, signal: AbortSignal | undefined): Promise<Page> {
  for (const pauseMs of pausesMs) {
    try {
      return await read()
    } catch (error) {
      if (!isAppError(error) || error.code !== 'SERVICE_UNREACHABLE') throw error
      await delay(pauseMs, undefined, signal ? { signal } : {})
    }
  }
  return read()
}

/** Gaps of the file, a text each. */
function listGaps({ excluded, stoppedBecause }: Fetched): string[] {
  const unreadable = excluded > 0 ? `${excluded} ${excluded === 1 ? 'record' : 'records'} could not be read` : null
  return present([stoppedBecause, unreadable])
}

/** The ids of the list's path by the names that they have in it. */
function idsByName(name: ExportName, ids: readonly string[]): Record<string, string | undefined> {
  const names = [...findReadDefinition(name).path.matchAll(/\[(\w+)\]/g)]
  return Object.fromEntries(names.map(([, id], index) => [id, ids[index]]))
}

function filterText(filter: ExportSearch): string {
  const parts = Object.entries(filter)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name} = ${Array.isArray(value) ? value.join(', ') : value}`)
  return parts.length === 0 ? 'none' : parts.join('; ')
}
