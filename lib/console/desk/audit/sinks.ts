import 'server-only'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { createConnection, isIP } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectTls } from 'node:tls'
import { eq } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import type { SettingName } from '#lib/settings/settings.ts'
import { secondMs } from '#lib/shared/time.ts'
import { logFailure } from '../log.ts'
import { auditCheckpointFiles } from '../tables/audit.ts'
import { linesOfFile } from './checkpoints.ts'
import type { AuditSettings } from './settings.ts'
import { fileName } from './verify.ts'

const timeoutMs = 10 * secondMs
const mostAtOnce = 1000

type Sink = { column: 'httpSequence' | 'syslogSequence'; send: (lines: readonly string[]) => Promise<void> }

/** Sends the checkpoints that a sink does not have yet, in order, at least once. A failure is logged and tried again. */
export async function sendToSinks(settings: AuditSettings): Promise<void> {
  const { checkpointFile, sinkUrl, syslog } = settings
  const sinks: Sink[] = [
    ...(sinkUrl
      ? [
          {
            column: 'httpSequence',
            send: (lines) => postLines('AUDIT_SINK_URL', sinkUrl, lines),
          } as const satisfies Sink,
        ]
      : []),
    ...(syslog
      ? [{ column: 'syslogSequence', send: (lines) => sendSyslog(syslog, lines) } as const satisfies Sink]
      : []),
  ]
  if (sinks.length === 0) return
  const isFile = eq(auditCheckpointFiles.file, fileName(checkpointFile))
  const [stored] = await database().select().from(auditCheckpointFiles).where(isFile)
  if (!stored) return
  for (const { column, send } of sinks) {
    try {
      const waiting = await linesAfter(checkpointFile, stored[column], stored.sequence)
      if (waiting.length === 0) continue
      await send(waiting)
      await database()
        .update(auditCheckpointFiles)
        .set({ [column]: stored[column] + waiting.length })
        .where(isFile)
    } catch (error) {
      logFailure(error, { while: 'sending checkpoints of the audit log', sink: column })
    }
  }
}

/** The lines of a file with the sequences after `sent` up to `all`, some at a time. */
async function linesAfter(file: string, sent: number, all: number): Promise<string[]> {
  const waiting = all - sent
  if (waiting <= 0) return []
  const isWaiting = (line: string) => sequenceOf(line) > sent && sequenceOf(line) <= all
  if (waiting <= mostAtOnce) {
    // A sink that is up to date misses the end of a large file. A crash may have left a line there that does not count yet.
    const lines = (await newestLines(file, waiting + 1)).filter(isWaiting)
    if (lines.length === waiting) return lines
  }
  const lines: string[] = []
  for await (const { line } of linesOfFile(file)) {
    if (isWaiting(line)) lines.push(line)
    if (lines.length === mostAtOnce) break
  }
  return lines
}

function sequenceOf(line: string): number {
  return Number(/^\{"sequence":(\d+),/.exec(line)?.[1])
}

const chunkBytes = 256 * 1024

/** The last whole lines of a file, read from its end. */
async function newestLines(file: string, count: number): Promise<string[]> {
  const handle = await open(file)
  try {
    let from = (await handle.stat()).size
    let read = Buffer.alloc(0)
    let lines: string[] = []
    // The first of what was read may be the end of a line.
    while (from > 0 && lines.length <= count) {
      const length = Math.min(chunkBytes, from)
      from -= length
      const chunk = Buffer.alloc(length)
      await handle.read(chunk, 0, length, from)
      read = Buffer.concat([chunk, read])
      lines = read.toString('utf8', 0, Math.max(0, read.lastIndexOf(10))).split('\n')
    }
    return lines.slice(-count)
  } finally {
    await handle.close()
  }
}

/** One request with a line for each checkpoint or entry, so that the receiver can append it to a file as it is. */
export async function postLines(setting: SettingName, url: string, lines: readonly string[]): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${setting} returned ${response.status}`)
}

/** Facility 13 (log audit), severity 5 (notice). */
const priority = 13 * 8 + 5

async function sendSyslog(
  { protocol, host, port }: NonNullable<AuditSettings['syslog']>,
  lines: readonly string[],
): Promise<void> {
  const messages = lines.map((line) =>
    Buffer.from(
      `<${priority}>1 ${new Date().toISOString()} ${hostname()} carddesk ${process.pid} checkpoint - ${line}`,
    ),
  )
  if (protocol === 'udp') {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    try {
      for (const message of messages) {
        await new Promise<void>((resolve, reject) => {
          socket.send(message, port, host, (error) => (error ? reject(error) : resolve()))
        })
      }
    } finally {
      socket.close()
    }
    return
  }
  const isTls = protocol === 'tls'
  const options = { host, port, timeout: timeoutMs }
  const socket = isTls
    ? connectTls({ ...options, ...(isIP(host) ? {} : { servername: host }) })
    : createConnection(options)
  socket.once('timeout', () => socket.destroy(new Error('the syslog server did not respond in time')))
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect')
    // RFC 6587 and RFC 5425: the length of a message is before it.
    const failed = once(socket, 'error').then(([error]) => Promise.reject(error as Error))
    const written = new Promise<void>((resolve) => {
      socket.end(Buffer.concat(messages.flatMap((message) => [Buffer.from(`${message.length} `), message])), resolve)
    })
    await Promise.race([written, failed])
  } finally {
    socket.destroy()
  }
}
