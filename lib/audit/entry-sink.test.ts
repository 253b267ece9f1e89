import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { captureLog } from '#lib/console/testing/capture-log.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { readMetricsText } from '#lib/environments/metrics.ts'
import type { AuditSettings } from '#lib/settings/audit-settings.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { recordAudit } from './chain.ts'
import { sendAuditEntries } from './entry-sink.ts'

const desk = shareConsole({ seeded: 1 })
const globals = globalThis as typeof globalThis & { carddeskAuditSettings?: Partial<AuditSettings> }

beforeEach(async () => {
  await desk.db.execute(sql.raw('delete from console.audit_entry_sinks'))
  await desk.db.execute(sql.raw('alter table console.audit_entries disable trigger all'))
  await desk.db.execute(sql.raw('delete from console.audit_entries'))
  await desk.db.execute(sql.raw('alter table console.audit_entries enable trigger all'))
})
afterEach(() => void delete globals.carddeskAuditSettings)

async function add(count = 1, comment: string | null = null): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await recordAudit(desk.db, {
      by: { id: randomUUID(), name: 'Wei Łukasz "Ö"\u2028', role: 'admin' },
      environment: null,
      act: 'sign-in',
      target: null,
      outcome: 'done',
      comment,
      caller: { ipAddress: index % 2 === 0 ? '192.0.2.1' : null, requestId: null },
    })
}

type Received = { number: number; hash: string }

/** A sink of entries that is set; `respond` may wait, and returns a status, or null to cut the connection off. */
async function openSink() {
  const sink = { bodies: [] as string[], respond: (): Promise<number | null> | number | null => 204 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    sink.bodies.push(Buffer.concat(chunks).toString())
    const status = await sink.respond()
    if (status === null) response.destroy()
    else response.writeHead(status).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  globals.carddeskAuditSettings = { entriesUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/entries` }
  const received = () => sink.bodies.join('').trimEnd().split('\n')
  return {
    sink,
    received,
    numbers: () => received().map((line) => (JSON.parse(line) as Received).number),
  }
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
const pauseEnds = () => desk.db.execute(sql.raw('update console.audit_entry_sinks set lease_until = now()'))

/** The program of docs/audit.md, as a receiver runs it. */
function verifyReceived(lines: readonly string[]): string {
  const [, program = ''] = /```js\n([\s\S]+?)\n```/.exec(readFileSync('docs/audit.md', 'utf8')) ?? []
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    input: `${lines.join('\n')}\n`,
    stdio: 'pipe',
  }).toString()
}

test('entries arrive in order and in batches, and the receiver can verify their chain', async () => {
  const { sink, received, numbers } = await openSink()
  await add(3, 'Client’s "request"\n\u007f')
  await sendAuditEntries()
  await sendAuditEntries()
  await add(2)
  await sendAuditEntries()
  expect(numbers()).toEqual(upTo(5))
  expect(sink.bodies).toHaveLength(2)
  expect(verifyReceived([...received(), ...received()])).toBe('Entries 1 to 5 hold.\n')
  // After a restore a receiver begins a new series, whose first entry is not the first of the log.
  expect(verifyReceived([...received().slice(2), ...received().slice(2)])).toBe('Entries 3 to 5 hold.\n')

  const changed = received().map((line) => line.replace('"number":2,"at":"20', '"number":2,"at":"19'))
  expect(() => verifyReceived(changed)).toThrow('Entry 2 does not hold.')
  expect(() => verifyReceived(received().toSpliced(2, 1))).toThrow('Entry 4 does not hold.')
  const entry = { previousHash: '1'.repeat(64), number: 1 }
  const hash = sha256Hex(JSON.stringify(Object.values(entry)))
  expect(() => verifyReceived([JSON.stringify({ ...entry, hash })])).toThrow('Entry 1 does not hold.')
})

test('without AUDIT_ENTRIES_URL nothing is sent', async () => {
  const { sink } = await openSink()
  globals.carddeskAuditSettings = { entriesUrl: null }
  await add()
  await sendAuditEntries()
  expect(sink.bodies).toEqual([])
})

test('a sink that is down gets everything later, after a pause that grows', async () => {
  const log = captureLog()
  const { sink, numbers } = await openSink()
  sink.respond = () => 503
  await add(2)
  await sendAuditEntries()
  expect(log()).toContain('AUDIT_ENTRIES_URL returned 503')
  const attempts = sink.bodies.length
  await sendAuditEntries()
  expect(sink.bodies).toHaveLength(attempts)
  const { rows } = await desk.db.execute<{ pause: number; attempts: number }>(
    sql.raw(`select extract(epoch from lease_until - now())::float8 as pause, failed_attempts as attempts
      from console.audit_entry_sinks`),
  )
  expect(rows[0]?.attempts).toBe(1)
  expect(rows[0]?.pause).toBeLessThanOrEqual(2)

  sink.respond = () => 200
  sink.bodies.length = 0
  await add(2)
  await pauseEnds()
  await sendAuditEntries()
  expect(numbers()).toEqual(upTo(4))
})

test('a process that ends before the sink has responded sends the same entries after its restart', async () => {
  captureLog()
  const { sink, numbers } = await openSink()
  await add(2)
  await sendAuditEntries()
  await add(2)
  sink.respond = () => null
  await sendAuditEntries()
  sink.respond = () => 200
  await pauseEnds()
  await sendAuditEntries()
  await add(1)
  await sendAuditEntries()
  expect(numbers()).toEqual([1, 2, 3, 4, 3, 4, 5])
})

test('of two processes one sends at a time; one that lost its lease does not move the position back', async () => {
  const { sink, numbers } = await openSink()
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  sink.respond = async () => {
    reached.resolve()
    await released.promise
    return 200
  }
  await add(2)
  const first = sendAuditEntries()
  await reached.promise
  await sendAuditEntries()
  expect(numbers()).toEqual([1, 2])

  // As after a long pause of the first process.
  await pauseEnds()
  sink.respond = () => 200
  await add(1)
  await sendAuditEntries()
  expect(numbers()).toEqual([1, 2, 1, 2, 3])
  released.resolve()
  await first
  await add(1)
  await sendAuditEntries()
  expect(numbers()).toEqual([1, 2, 1, 2, 3, 4])
})

test('entries that wait for a quarter of an hour are notified once, and once when they arrive again', async () => {
  captureLog()
  const { sink } = await openSink()
  const notices: string[] = []
  const { fetch } = globalThis
  vi.stubEnv('NOTIFY_URL', 'https://notify.test/')
  vi.stubGlobal('fetch', (url: string, options: RequestInit) => {
    if (url !== 'https://notify.test/') return fetch(url, options)
    notices.push((JSON.parse(String(options.body)) as { text: string }).text)
    return Promise.resolve(new Response(null, { status: 200 }))
  })
  onTestFinished(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })
  const lag = async () => {
    const text = await readMetricsText()
    return [/^carddesk_audit_entries_lag_seconds (.+)$/m, /^carddesk_queue_depth\{queue="audit_entries"\} (.+)$/m].map(
      (pattern) => Number(pattern.exec(text)?.[1]),
    )
  }
  sink.respond = () => 503
  await add(2)
  await desk.db.execute(sql.raw('alter table console.audit_entries disable trigger all'))
  await desk.db.execute(sql.raw(`update console.audit_entries set at = now() - interval '16 minutes'`))
  await desk.db.execute(sql.raw('alter table console.audit_entries enable trigger all'))
  // Entries from before the sink was set are not late.
  await sendAuditEntries()
  expect(notices).toEqual([])
  await desk.db.execute(sql.raw(`update console.audit_entry_sinks set started_at = now() - interval '1 day'`))
  for (let round = 0; round < 2; round += 1) {
    await pauseEnds()
    await sendAuditEntries()
  }
  expect(notices).toEqual([expect.stringContaining('Audit entries from 1 on have not reached AUDIT_ENTRIES_URL')])
  const [seconds, depth] = await lag()
  expect(seconds).toBeGreaterThanOrEqual(16 * 60)
  expect(depth).toBe(2)

  sink.respond = () => 200
  await pauseEnds()
  await sendAuditEntries()
  await add()
  await sendAuditEntries()
  expect(notices.slice(1)).toEqual([expect.stringContaining('arrive at AUDIT_ENTRIES_URL again')])
  expect(await lag()).toEqual([0, 0])
})
