import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readAuditIntegrity } from '#lib/console/audit/integrity.ts'
import { captureLog } from '#lib/console/testing/capture-log.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { metrics } from '#lib/environments/metrics.ts'
import type { AuditSettings } from '#lib/settings/audit-settings.ts'
import { hourMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import { auditCheckpointFiles } from '#lib/tables/audit.ts'
import { recordAudit } from './chain.ts'
import { watchAuditLog, watched } from './integrity.ts'

const desk = shareConsole({ seeded: 1 })
let settings: AuditSettings

const globals = globalThis as typeof globalThis & {
  carddeskAuditSettings?: AuditSettings | null
  carddeskAuditWatch?: unknown
  carddeskAuditWritten?: unknown
}

beforeEach(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-watch-'))
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const checkpointFile = path.join(folder, 'checkpoints.jsonl')
  settings = { signingKey: privateKey, publicKey, checkpointFile, entriesUrl: null }
  delete globals.carddeskAuditWatch
  delete globals.carddeskAuditWritten
  globals.carddeskAuditSettings = settings
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
    delete globals.carddeskAuditSettings
    delete globals.carddeskAuditWatch
  })
  await change('delete from console.audit_entries')
  await desk.db.delete(auditCheckpointFiles)
})

/** What somebody with the database's own password could do. */
async function change(statement: string): Promise<void> {
  await desk.db.execute(sql.raw('alter table console.audit_entries disable trigger all'))
  await desk.db.execute(sql.raw(statement))
  await desk.db.execute(sql.raw('alter table console.audit_entries enable trigger all'))
}

function add(): Promise<void> {
  return recordAudit(desk.db, { by: null, environment: null, act: 'sign-in', target: null, outcome: 'done' })
}

const checkpoints = () => readFileSync(settings.checkpointFile, 'utf8').trimEnd().split('\n')

/** The rounds of the background work, at a time since the start. */
function clockOfWork(): (atMs: number) => Promise<void> {
  // Whole milliseconds add up exactly.
  const start = Math.ceil(performance.now())
  const now = vi.spyOn(performance, 'now')
  onTestFinished(() => now.mockRestore())
  return async (atMs) => {
    now.mockReturnValue(start + atMs)
    await watchAuditLog()
  }
}

async function receiveNotices(): Promise<{ notices: string[]; respondWith: (status: number) => void }> {
  const notices: string[] = []
  let status = 200
  const server = createHttpServer((request, response) => {
    let body = ''
    request
      .on('data', (chunk) => (body += chunk))
      .on('end', () => {
        if (status === 200) notices.push((JSON.parse(body) as { text: string }).text)
        response.writeHead(status).end()
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  vi.stubEnv('NOTIFY_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  onTestFinished(() => void vi.unstubAllEnvs())
  return { notices, respondWith: (next) => void (status = next) }
}

describe('the timer', () => {
  test('signs what was added, verifies at the start and each hour, and notifies until a notice arrives', async () => {
    const { notices, respondWith } = await receiveNotices()
    captureLog()
    const roundAt = clockOfWork()
    await desk.signIn('viewer')
    await add()
    await add()
    await roundAt(0)
    expect(checkpoints()).toHaveLength(1)
    await roundAt(secondMs)
    expect(checkpoints()).toHaveLength(1)
    await add()
    await roundAt(2 * secondMs)
    expect(checkpoints()).toHaveLength(2)

    // What another process wrote is signed each minute.
    await add()
    delete globals.carddeskAuditWritten
    await roundAt(minuteMs)
    expect(checkpoints()).toHaveLength(2)
    await roundAt(2 * secondMs + minuteMs)
    expect(checkpoints()).toHaveLength(3)

    // Entries that are signed are verified by the hour alone.
    await change("update console.audit_entries set act = 'sign-out' where number = 2")
    await roundAt(hourMs - secondMs)
    expect(await readAuditIntegrity('sandbox')).toMatchObject({ state: 'intact' })
    respondWith(500)
    await roundAt(hourMs)
    const broken = { state: 'broken', message: 'Entry 2 was changed.', entry: 2 }
    expect(await readAuditIntegrity('sandbox')).toMatchObject(broken)
    expect(notices).toEqual([])
    respondWith(200)
    await roundAt(hourMs + minuteMs)
    await roundAt(hourMs + 2 * minuteMs)
    expect(notices).toEqual([expect.stringContaining('Entry 2 was changed.')])

    // Nothing more is signed until the log holds, which is checked each minute.
    await add()
    await roundAt(hourMs + 3 * minuteMs)
    expect(checkpoints()).toHaveLength(3)
    await change("update console.audit_entries set act = 'sign-in' where number = 2")
    await roundAt(hourMs + 4 * minuteMs)
    expect(await readAuditIntegrity('sandbox')).toMatchObject({ state: 'intact' })
    expect(checkpoints()).toHaveLength(4)
  })

  test('each minute reads what was added to the file alone, the hour all of it', async () => {
    captureLog()
    const roundAt = clockOfWork()
    await desk.signIn('viewer')
    for (let minute = 0; minute < 3; minute += 1) {
      await add()
      await roundAt(minute * minuteMs)
    }
    const changed = readFileSync(settings.checkpointFile, 'utf8').replace('"sequence":1,', '"sequence":9,')
    writeFileSync(settings.checkpointFile, changed)
    await add()
    await roundAt(3 * minuteMs)
    expect(checkpoints()).toHaveLength(4)
    await roundAt(hourMs)
    expect(await readAuditIntegrity('sandbox')).toMatchObject({ state: 'broken', message: 'Checkpoint 1 was changed.' })
  })

  test('a file that lost its end meanwhile is found before the next signature', async () => {
    captureLog()
    const roundAt = clockOfWork()
    await desk.signIn('viewer')
    for (let minute = 0; minute < 2; minute += 1) {
      await add()
      await roundAt(minute * minuteMs)
    }
    writeFileSync(settings.checkpointFile, `${checkpoints()[0]}\n`)
    await add()
    await roundAt(2 * minuteMs)
    expect(checkpoints()).toHaveLength(1)
    await roundAt(2 * minuteMs + 5 * secondMs)
    const message = 'Checkpoint 2 and later checkpoints are missing.'
    expect(await readAuditIntegrity('sandbox')).toMatchObject({ state: 'broken', message })
  })

  test('a checkpoint of another process that the file lost is found before the next signature', async () => {
    captureLog()
    const roundAt = clockOfWork()
    await desk.signIn('viewer')
    await add()
    await roundAt(0)
    const own = globals.carddeskAuditWatch
    delete globals.carddeskAuditWatch
    await add()
    await roundAt(minuteMs)
    expect(checkpoints()).toHaveLength(2)
    globals.carddeskAuditWatch = own
    writeFileSync(settings.checkpointFile, `${checkpoints()[0]}\n`)
    await add()
    await roundAt(2 * minuteMs)
    expect(checkpoints()).toHaveLength(1)
    await roundAt(2 * minuteMs + 5 * secondMs)
    const message = 'Checkpoint 2 and later checkpoints are missing.'
    expect(await readAuditIntegrity('sandbox')).toMatchObject({ state: 'broken', message })
  })

  test('a checkpoint file that cannot be written is notified after a minute, and is in the metrics', async () => {
    const { notices } = await receiveNotices()
    captureLog()
    const roundAt = clockOfWork()
    await add()
    await roundAt(0)
    const { checkpointFile } = settings
    rmSync(checkpointFile)
    mkdirSync(checkpointFile)
    await change('delete from console.audit_checkpoint_files')
    delete globals.carddeskAuditWatch
    Object.assign(watched(), { verifiedAt: new Date(), nextVerificationMs: Number.POSITIVE_INFINITY })
    const isUnsigned = async () =>
      /^carddesk_audit_unsigned_seconds (\S+)/m.exec(await metrics().registry.metrics())?.[1]
    await expect(roundAt(minuteMs)).rejects.toThrow('EISDIR')
    expect(notices).toEqual([])
    await expect(roundAt(2 * minuteMs)).rejects.toThrow('EISDIR')
    await expect(roundAt(3 * minuteMs)).rejects.toThrow('EISDIR')
    expect(notices).toEqual([expect.stringContaining('New audit entries cannot be signed')])
    expect(await isUnsigned()).toBe('120')
    rmSync(checkpointFile, { recursive: true })
    await roundAt(4 * minuteMs)
    expect(await isUnsigned()).toBe('0')
  })

  test('entries that are deleted while they cannot be signed are missed once they can', async () => {
    captureLog()
    const roundAt = clockOfWork()
    await desk.signIn('viewer')
    await roundAt(0)
    const { checkpointFile } = settings
    // A disk that is not mounted: the file cannot be written.
    const disk = path.join(path.dirname(checkpointFile), 'disk')
    symlinkSync(path.join(disk, 'checkpoints.jsonl'), checkpointFile)
    await add()
    await add()
    await expect(roundAt(minuteMs)).rejects.toThrow('ENOENT')
    await change('delete from console.audit_entries where number = 2')
    mkdirSync(disk)
    await roundAt(2 * minuteMs)
    await roundAt(2 * minuteMs + 5 * secondMs)
    expect(await readAuditIntegrity('sandbox')).toMatchObject({ state: 'broken', entry: 2 })
  })

  test('a log that was changed while the console was stopped is found at the start', async () => {
    const { notices } = await receiveNotices()
    captureLog()
    await add()
    await watchAuditLog()
    delete globals.carddeskAuditWatch
    await change('delete from console.audit_entries')
    await desk.signIn('viewer')
    await watchAuditLog()
    expect(await readAuditIntegrity('sandbox')).toMatchObject({ state: 'broken', entry: 1 })
    expect(notices).toEqual([expect.stringContaining('Entry 1 and later entries are missing.')])
  })
})
