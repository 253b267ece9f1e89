import 'server-only'
import { randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { database } from '#lib/db/connection.ts'
import { processWide } from '#lib/shared/process-wide.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { isoDay, wallClock } from '#lib/shared/wall-clock.ts'
import { isAppError, AppError } from '../desk/app-error.ts'
import { recordAudit } from '../desk/audit/chain.ts'
import { auditRefusedAttempts } from '../desk/audit/refused-attempts.ts'
import { csvResponse, csvText, zoneOf } from '../desk/csv/write.ts'
import { requireActor } from '../desk/operations/act.ts'
import { forCaller } from '../desk/session/session.ts'
import type { Actor } from '../desk/shapes.ts'
import type { ExportList, ExportSearch, InstantText } from './list.ts'
import { exportTable } from './table.ts'

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

const exportsOfProcess = processWide('carddeskExports', () => ({ running: 0 }))

/**
 * Every row that a filter shows, on all its pages, as a CSV file with the columns of `search.columns`. Its facts say what it is,
 * which filter and zone it has, how many rows, and whether they are all. Throws `EXPORT_NOT_FOUND`, `INVALID_PARAMETERS` and what the list throws on
 * its first page.
 */
export async function exportList(
  environment: Environment,
  name: string,
  search: ExportSearch,
  signal?: AbortSignal,
): Promise<Response> {
  const list = Object.hasOwn(exportTable, name) ? exportTable[name] : undefined
  if (!list) throw new AppError('EXPORT_NOT_FOUND', 'There is no such list to export.')
  const target = { type: 'list', id: name, parentId: null, label: list.title }
  const attempt = { kind: 'export.read', permission: list.permission, about: () => target } as const
  const by = await requireActor(attempt, { environment })
  const refusable = { id: null, environment, kind: 'export.read', by, target, reason: null, comment: null }
  return auditRefusedAttempts(refusable, () => makeFile(list, environment, name, search, by, signal))
}

async function makeFile(
  list: ExportList,
  environment: Environment,
  name: string,
  search: ExportSearch,
  by: Actor,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { zone: zoneText, columns: chosen, pageToken: _, pageSize: __, ...filter } = search
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
    const fetch = () => fetchAll({ ...list, columns }, environment, filter, at, spool, signal)
    const fetched = await (signal ? forCaller({ signal }, fetch) : fetch())
    await recordAudit(database(), {
      by,
      environment,
      act: 'export.read',
      target: {
        type: 'list',
        id: name,
        parentId: null,
        label: `${list.title}, ${fetched.rows} ${fetched.rows === 1 ? 'row' : 'rows'}`,
      },
      outcome: 'done',
      code: fetched.stoppedBecause === null && fetched.excluded === 0 ? null : 'INCOMPLETE',
    })
    const isComplete = fetched.stoppedBecause === null && fetched.excluded === 0
    const facts = [
      ['List', `${list.title} (${environment})`],
      ['Filter', filterText(filter)],
      ['Time zone', zone],
      ['Read from', wallClock(startedAt, zone)],
      ['Read until', wallClock(new Date(), zone)],
      ['Rows', fetched.rows],
      ['Complete', completeness(fetched)],
    ] as const
    const size = `${fetched.rows}-${fetched.rows === 1 ? 'row' : 'rows'}${isComplete ? '' : '-incomplete'}`
    return csvResponse(`${name}-${environment}-${isoDay(startedAt, zone)}-${size}`, facts, (start) =>
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
  list: ExportList,
  environment: Environment,
  filter: ExportSearch,
  at: InstantText,
  spool: Spool,
  signal: AbortSignal | undefined,
): Promise<Fetched> {
  const endsAt = Date.now() + bounds.durationMs
  const usedTokens = new Set<string>()
  let [rows, excluded] = [0, 0]
  let pageToken: string | undefined
  for (;;) {
    signal?.throwIfAborted()
    const read = () => list.readPage(environment, filter, pageToken)
    // Before the first page the download has not started, so an error can still be shown as a message.
    const page = await (pageToken === undefined ? read() : readWithRetries(read, signal)).catch((error: unknown) => {
      if (rows === 0 || !isAppError(error)) throw error
      return error
    })
    if (page instanceof AppError) return { rows, excluded, stoppedBecause: `after ${rows} rows: ${page.message}` }
    await spool.write(csvText(page.rows.map((row) => list.columns.map(({ value }) => value(row, at)))))
    rows += page.rows.length
    excluded += page.excluded ?? 0
    const next = page.nextPageToken
    const stoppedBecause =
      next === null
        ? (page.missing ?? null)
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
function chosenColumns(list: ExportList, chosen: string | string[] | undefined): ExportList['columns'] {
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

function filterText(filter: ExportSearch): string {
  const parts = Object.entries(filter)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name} = ${Array.isArray(value) ? value.join(', ') : value}`)
  return parts.length === 0 ? 'none' : parts.join('; ')
}
