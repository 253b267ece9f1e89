import 'server-only'
import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { database } from '#lib/db/connection.ts'
import { processWide } from '#lib/shared/process-wide.ts'
import { readPaths } from '#lib/shared/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { isoDay, wallClock } from '#lib/shared/wall-clock.ts'
import { isAppError, AppError } from '../desk/app-error.ts'
import { recordAudit } from '../desk/audit/chain.ts'
import { auditRefusedAttempts } from '../desk/audit/refused-attempts.ts'
import { csvResponse, csvText, zoneOf } from '../desk/csv/write.ts'
import { maskedForReader } from '../desk/masked-reads.ts'
import { forCaller, requireCurrentStaff } from '../desk/session/session.ts'
import type { Actor, Target } from '../desk/shapes.ts'
import { unauditedReads } from '../reads.ts'
import { type Export, type ExportName, type ExportPage, exportTable, type InstantText } from './table.ts'

/** Text that waits to be sent, outside of memory. Its file has no name any more, so nothing of it survives the process. */
type Spool = {
  write: (text: string) => Promise<void>
  /** The written bytes from the start, as UTF-8; the spool closes at their end, or when its reader disconnects. */
  stream: (head: string) => ReadableStream<Uint8Array>
  close: () => Promise<void>
}

const chunkBytes = 64 * 1024

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
    async write(text) {
      const bytes = Buffer.from(text)
      await handle.write(bytes, 0, bytes.length, length)
      length += bytes.length
    },
    stream(head) {
      let position = 0
      return new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(Buffer.from(head))
        },
        async pull(controller) {
          const wanted = Math.min(chunkBytes, length - position)
          const { bytesRead, buffer } = await handle.read(Buffer.alloc(wanted), 0, wanted, position)
          if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead))
          position += bytesRead
          if (position < length && bytesRead > 0) return
          await close()
          controller.close()
        },
        cancel: close,
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

const exportsOfProcess = processWide('carddeskExports', () => ({ running: 0 }))

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
  const attempt = { environment, kind: 'export.read', by, target: targetOf(name) }
  return auditRefusedAttempts(attempt, () => makeFile(environment, name, ids, search, by, signal))
}

/** The last segment of the read's path: `card-accounts`, `ledger` … */
function listName(name: ExportName): string {
  return path.basename(readPaths[name])
}

function targetOf(name: ExportName): Target {
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
  const zone = zoneOf(zoneText)
  if (exportsOfProcess().running >= bounds.atOnce) {
    throw new AppError('TOO_MANY_ATTEMPTS', 'Other exports are being made. Try again in a minute.')
  }
  exportsOfProcess().running += 1
  const startedAt = new Date()
  const spool = await openSpool()
  try {
    const at: InstantText = (instant) => (instant ? wallClock(instant, zone) : null)
    const read = unauditedReads[name] as (environment: Environment, ...rest: unknown[]) => Promise<ExportPage>
    const readPage = async (pageToken: string | undefined) =>
      maskedForReader(await read(environment, ...ids, { ...filter, pageSize, pageToken }), environment)
    const write = async (page: ExportPage) => {
      const rows = list.rows(page)
      await spool.write(csvText(rows.map((row) => columns.map(({ value }) => value(row, at)))))
      return rows.length
    }
    const fetch = () => fetchAll(readPage, write, signal)
    const fetched = await (signal ? forCaller({ signal }, fetch) : fetch())
    await recordAudit(database(), {
      by,
      environment,
      act: 'export.read',
      target: { ...targetOf(name), label: `${list.title}, ${fetched.rows} ${fetched.rows === 1 ? 'row' : 'rows'}` },
      outcome: 'done',
      code: fetched.stoppedBecause === null && fetched.excluded === 0 ? null : 'INCOMPLETE',
    })
    const isComplete = fetched.stoppedBecause === null && fetched.excluded === 0
    const facts = [
      ['List', `${list.title} (${environment})`],
      ['Filter', filterText({ ...idsByName(name, ids), ...filter })],
      ['Time zone', zone],
      ['Read from', wallClock(startedAt, zone)],
      ['Read until', wallClock(new Date(), zone)],
      ['Rows', fetched.rows],
      ['Complete', completeness(fetched)],
    ] as const
    const size = `${fetched.rows}-${fetched.rows === 1 ? 'row' : 'rows'}${isComplete ? '' : '-incomplete'}`
    return csvResponse(`${listName(name)}-${environment}-${isoDay(startedAt, zone)}-${size}`, facts, (start) =>
      spool.stream(`${start}${csvText([columns.map((column) => column.name)])}`),
    )
  } catch (error) {
    await spool.close()
    throw error
  } finally {
    exportsOfProcess().running -= 1
  }
}

type Fetched = { rows: number; excluded: number; stoppedBecause: string | null }

/**
 * Fetches the list to its end. A failure after the first page ends the file, which says so, instead of losing what was read;
 * so does a page token that comes a second time.
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
      if (rows === 0 || !isAppError(error)) throw error
      return error
    })
    if (page instanceof AppError) return { rows, excluded, stoppedBecause: `after ${rows} rows: ${page.message}` }
    rows += await write(page)
    // What the mirror lacks is the same on every page.
    excluded = page.coverage?.excluded ?? excluded + (page.excluded ?? 0)
    const next = page.nextPageToken
    const stoppedBecause =
      next === null
        ? page.coverage?.isComplete === false || page.isCut
          ? 'the console has not read the whole list from the service'
          : null
        : rows >= bounds.rows || usedTokens.size >= bounds.pages
          ? `a file holds ${bounds.rows} rows of ${bounds.pages} pages at most; narrow the filter`
          : usedTokens.has(next)
            ? `the service repeats a page token after ${rows} rows`
            : Date.now() > endsAt
              ? `it took too long after ${rows} rows; narrow the filter`
              : undefined
    if (next === null || stoppedBecause !== undefined) return { rows, excluded, stoppedBecause: stoppedBecause ?? null }
    usedTokens.add(next)
    pageToken = next
  }
}

/** The columns whose table column is among the chosen ones; all where none are chosen. */
function chosenColumns(list: Export<ExportPage>, chosen: string | string[] | undefined): Export<ExportPage>['columns'] {
  const ids = [chosen ?? []].flat().flatMap((text) => text.split(','))
  if (ids.length === 0) return list.columns
  const columns = list.columns.filter(({ of }) => of !== undefined && ids.includes(of))
  if (columns.length === 0) throw new AppError('INVALID_PARAMETERS', 'columns must name columns of the list')
  return columns
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

function completeness({ excluded, stoppedBecause }: Fetched): string {
  const unreadable = `${excluded} ${excluded === 1 ? 'record' : 'records'} could not be read`
  const gaps = [...(stoppedBecause === null ? [] : [stoppedBecause]), ...(excluded === 0 ? [] : [unreadable])]
  return gaps.length === 0 ? 'yes, every row of the filter' : `NO: ${gaps.join('; ')}`
}

/** The ids of the list's path by the names that they have in it. */
function idsByName(name: ExportName, ids: readonly string[]): Record<string, string | undefined> {
  const names = [...readPaths[name].matchAll(/\[(\w+)\]/g)]
  return Object.fromEntries(names.map(([, id], index) => [id, ids[index]]))
}

function filterText(filter: ExportSearch): string {
  const parts = Object.entries(filter)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name} = ${Array.isArray(value) ? value.join(', ') : value}`)
  return parts.length === 0 ? 'none' : parts.join('; ')
}
