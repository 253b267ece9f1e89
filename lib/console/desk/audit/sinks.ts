import 'server-only'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { hostname } from 'node:os'
import { eq } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { secondMs } from '#lib/shared/time.ts'
import { logFailure } from '../log.ts'
import { auditCheckpointFiles } from '../tables/audit.ts'
import type { AuditSettings } from './settings.ts'
import { fileName, readFileIfThere } from './verify.ts'

const timeoutMs = 10 * secondMs
const mostAtOnce = 100

type Sink = { column: 'httpSequence' | 'syslogSequence'; send: (lines: readonly string[]) => Promise<void> }

/** Sends the checkpoints that a sink does not have yet, in order, at least once. A failure is logged and tried again. */
export async function sendToSinks(settings: AuditSettings): Promise<void> {
  const { checkpointFile, sinkUrl, syslog } = settings
  const sinks: Sink[] = [
    ...(sinkUrl ? [{ column: 'httpSequence', send: (lines) => post(sinkUrl, lines) } as const satisfies Sink] : []),
    ...(syslog
      ? [{ column: 'syslogSequence', send: (lines) => sendSyslog(syslog, lines) } as const satisfies Sink]
      : []),
  ]
  if (sinks.length === 0) return
  const isFile = eq(auditCheckpointFiles.file, fileName(checkpointFile))
  const [stored] = await database().select().from(auditCheckpointFiles).where(isFile)
  if (!stored) return
  const lines = readFileIfThere(checkpointFile).split('\n').slice(0, stored.sequence)
  for (const { column, send } of sinks) {
    try {
      const waiting = lines.slice(stored[column], stored[column] + mostAtOnce)
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

/** One request with a line for each checkpoint, so that the receiver can append it to a file as it is. */
async function post(url: string, lines: readonly string[]): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`AUDIT_SINK_URL returned ${response.status}`)
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
  const socket = createConnection({ host, port, timeout: timeoutMs })
  socket.once('timeout', () => socket.destroy(new Error('the syslog server did not respond in time')))
  try {
    await once(socket, 'connect')
    // RFC 6587: the length of a message is before it.
    const failed = once(socket, 'error').then(([error]) => Promise.reject(error as Error))
    const written = new Promise<void>((resolve) => {
      socket.end(Buffer.concat(messages.flatMap((message) => [Buffer.from(`${message.length} `), message])), resolve)
    })
    await Promise.race([written, failed])
  } finally {
    socket.destroy()
  }
}
