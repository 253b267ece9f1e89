import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { listPermissions } from '#lib/auth/permissions.ts'
import { listLiveSessions, requirePermission, requireSession } from '#lib/auth/session.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { atShutdown } from '#lib/shared/lifecycle.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { openFeed, findOldestChange, listRowsAfter, type Feed, type FeedRow } from './feed.ts'

const streamsPerProcess = 500
const streamsPerSession = 12
/** The limit of streams per person: enough for several computers, and it leaves streams for everybody else. */
const streamsPerPerson = 20
const beatMs = 15 * secondMs
/** How long the end of a session can still be sent. */
const checkMs = 3 * secondMs
/** A browser that missed more rows than this refetches everything. */
const longestReplay = 1000

type Stream = {
  environment: Environment
  sessionId: string
  staffId: string
  send: (text: string) => void
  end: (event?: string) => void
}
/** `ends`: ends what else waits for a change. */
type Hub = { feed: Feed; streams: Set<Stream>; ends: Set<() => void>; close: () => Promise<void> }

const live = globalSingleton<{ hub: Hub | null }>('carddeskLive', () => ({ hub: null }))

/** Opened with the first browser. It stops before the server waits for its requests. */
export function hub(): Hub {
  const open = live().hub
  if (open) return open
  const feed = openFeed(process.env.DATABASE_URL ?? '')
  const streams = new Set<Stream>()
  const ends = new Set<() => void>()
  feed.subscribe((row) => {
    for (const stream of streams) if (stream.environment === row.environment) stream.send(formatMessage(row))
  })
  const beat = setInterval(() => {
    for (const stream of streams) stream.send(': \n\n')
  }, beatMs)
  const check = setInterval(() => void endRevoked(streams), checkMs)
  beat.unref()
  check.unref()
  const close = async () => {
    live().hub = null
    clearInterval(beat)
    clearInterval(check)
    for (const stream of streams) stream.end()
    for (const end of ends) end()
    await feed.close()
  }
  atShutdown('live updates', close)
  return (live().hub = { feed, streams, ends, close })
}

/** Ends every stream of this process, and its connection. @internal */
export async function closeLive(): Promise<void> {
  await live().hub?.close()
}

/**
 * The stream of changes in an environment, as server-sent events. With `Last-Event-ID` (or `?after=`) it continues from
 * there; where that is too long ago, it sends `reset`. It ends with the session and with the permission.
 */
export async function openLiveStream(request: Request, environment: Environment): Promise<Response> {
  const { id: staffId } = await requirePermission('accounts.read', environment)
  const { sessionId } = await requireSession()
  const { feed, streams } = hub()
  // Without the database the stream still starts: the browser then refetches everything.
  await Promise.race([feed.ready(), delay(checkMs, undefined, { ref: false })])
  // No await between this and the stream's entry in the set, so that streams opened at once count too.
  const ofPerson = [...streams].filter((stream) => stream.staffId === staffId)
  const ofSession = ofPerson.filter((stream) => stream.sessionId === sessionId)
  const isPersonFull = ofPerson.length >= streamsPerPerson || ofSession.length >= streamsPerSession
  if (streams.size >= streamsPerProcess || isPersonFull) {
    throw new AppError(
      'TOO_MANY_ATTEMPTS',
      'Too many pages have live updates open. This one tries again automatically.',
    )
  }
  const after = readPosition(request)
  const encoder = new TextEncoder()
  let stream: Stream | null = null
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      let isOpen = true
      const held: string[] = []
      let isHolding = true
      const write = (text: string) => {
        if (isOpen) controller.enqueue(encoder.encode(text))
      }
      const opened: Stream = {
        environment,
        sessionId,
        staffId,
        send(text) {
          if (isHolding) held.push(text)
          // The stream of a browser that does not read is closed: it reconnects with its Last-Event-ID.
          else if ((controller.desiredSize ?? 0) < -256) opened.end()
          else write(text)
        },
        end(event) {
          if (!isOpen) return
          if (event) write(`event: ${event}\ndata: {}\n\n`)
          isOpen = false
          streams.delete(opened)
          if (!isCancelled) controller.close()
        },
      }
      stream = opened
      streams.add(opened)
      request.signal.addEventListener('abort', () => opened.end(), { once: true })
      const from = feed.position()
      const missed = replay(environment, after, from).catch((error: unknown) => {
        logFailure(error, { while: 'reading the changes that a page missed' })
        return [resetMessage]
      })
      for (const text of await missed) write(text)
      write(`retry: 1500\nevent: ready\nid: ${from}\ndata: {}\n\n`)
      isHolding = false
      for (const text of held) write(text)
    },
    cancel() {
      isCancelled = true
      stream?.end()
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  })
}

/** Makes a browser read everything again. */
const resetMessage = 'event: reset\ndata: {}\n\n'

/** The changes that a browser at `after` missed, up to the row at which its stream starts. */
async function replay(environment: Environment, after: number | null, from: number): Promise<string[]> {
  if (after === null || after === from) return []
  const oldest = await findOldestChange()
  if (after > from || oldest === null || oldest > after + 1) return [resetMessage]
  const rows = await listRowsAfter(after, longestReplay + 1)
  if (rows.length > longestReplay) return [resetMessage]
  return rows.filter((row) => row.id <= from && row.environment === environment).map(formatMessage)
}

function readPosition(request: Request): number | null {
  const text = request.headers.get('last-event-id') ?? new URL(request.url).searchParams.get('after') ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

function formatMessage({ id, about }: FeedRow): string {
  return `id: ${id}\ndata: ${JSON.stringify({ id, about })}\n\n`
}

/** Ends the streams whose session has ended or lost its permission; one that opens meanwhile waits for the next check. @internal */
export async function endRevoked(streams: ReadonlySet<Stream>): Promise<void> {
  if (streams.size === 0) return
  const checked = [...streams]
  try {
    const roles = await listLiveSessions([...new Set(checked.map(({ sessionId }) => sessionId))])
    for (const stream of checked) {
      const role = roles.get(stream.sessionId)
      if (!role || !listPermissions(role, stream.environment).includes('accounts.read')) stream.end('signed-out')
    }
  } catch (error) {
    logFailure(error, { while: 'checking the sessions of live updates' })
  }
}
