import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { readAuditIntegrity } from '#lib/console/audit/integrity.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import type { AuditSettings } from '#lib/settings/audit-settings.ts'
import { auditCheckpointFiles, type AuditEvent } from '#lib/tables/audit.ts'
import { recordAudit, verifyAuditChain } from './chain.ts'
import {
  hashLine,
  linesOfFile,
  makeCheckpoint,
  readCheckpoints,
  type Checkpoint,
  type CheckpointFile,
} from './checkpoints.ts'
import { signNewEntries, verifyNow, watchAuditLog } from './integrity.ts'
import { checkpointPosition, verifyCheckpointFile, verifyEntries } from './verify.ts'

const desk = shareConsole({ seeded: 1 })

/** Every change is tried on a log of nine entries, signed by the checkpoints 1 (entries 1 to 3), 2 (to 6) and 3 (to 9). */
const entries = 9
let settings: AuditSettings
let rows: string
let remembered: unknown
let file: string

const globals = globalThis as typeof globalThis & {
  carddeskAuditSettings?: AuditSettings | null
  carddeskAuditWatch?: unknown
  carddeskAuditWritten?: unknown
}

beforeEach(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-audit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const checkpointFile = path.join(folder, 'audit', 'checkpoints.jsonl')
  settings = { signingKey: privateKey, publicKey, checkpointFile, entriesUrl: null }
  delete globals.carddeskAuditWatch
  delete globals.carddeskAuditWritten
  globals.carddeskAuditSettings = settings
  onTestFinished(() => {
    delete globals.carddeskAuditSettings
    delete globals.carddeskAuditWatch
  })
  await withoutTrigger('delete from console.audit_entries')
  await desk.db.delete(auditCheckpointFiles)
  for (let number = 1; number <= entries; number += 1) {
    await recordAudit(desk.db, event(number))
    if (number % 3 === 0) await signNewEntries(settings)
  }
  const { rows: found } = await desk.db.execute(
    sql`select jsonb_agg(to_jsonb(e) order by number) as rows from console.audit_entries e`,
  )
  rows = JSON.stringify(found[0]?.rows)
  file = readFileSync(checkpointFile, 'utf8')
  delete globals.carddeskAuditWatch
})

function event(number: number): AuditEvent {
  return {
    by: { id: '5d1c7a52-0000-4000-8000-000000000003', name: 'Olivia Poon', role: 'operations' },
    environment: 'sandbox',
    act: 'card.lock',
    target: { type: 'card', id: `card-${number}`, parentId: null, label: null },
    outcome: 'done',
  }
}

/** What somebody with the database's own password could do. */
async function withoutTrigger(...statements: string[]): Promise<void> {
  await desk.db.execute(sql.raw('alter table console.audit_entries disable trigger all'))
  for (const statement of statements) await desk.db.execute(sql.raw(statement))
  await desk.db.execute(sql.raw('alter table console.audit_entries enable trigger all'))
}

async function restoreRows(): Promise<void> {
  await withoutTrigger('delete from console.audit_entries')
  await desk.db.execute(
    sql`insert into console.audit_entries select * from jsonb_populate_recordset(null::console.audit_entries, ${rows}::jsonb)`,
  )
}

/** Writes the log again from an entry on, with hashes that are right: what the chain alone cannot detect. */
async function rewriteFrom(number: number, count: number): Promise<void> {
  await withoutTrigger(`delete from console.audit_entries where number >= ${number}`)
  for (let next = number; next < number + count; next += 1) {
    await recordAudit(desk.db, { ...event(next), target: { type: 'card', id: 'forged', parentId: null, label: null } })
  }
  expect(await verifyAuditChain(desk.db)).toMatchObject({ holds: true })
}

/** The checkpoints of a copy of the file. */
function readText(text: string): Promise<CheckpointFile> {
  const copy = path.join(path.dirname(settings.checkpointFile), 'copy.jsonl')
  writeFileSync(copy, text)
  return readCheckpoints(linesOfFile(copy), settings.publicKey)
}

async function found(): Promise<string> {
  const { file: read, break: broken } = await verifyCheckpointFile(desk.db, settings.checkpointFile, settings.publicKey)
  const verdict = await verifyEntries(desk.db, read.checkpoints)
  if (!verdict.holds) return verdict.break.message
  return broken?.message ?? 'holds'
}

test('an unchanged log holds, with one checkpoint for each signing that had new entries', async () => {
  expect(await found()).toBe('holds')
  await signNewEntries(settings)
  expect(readFileSync(settings.checkpointFile, 'utf8')).toBe(file)
  expect(file.trimEnd().split('\n')).toHaveLength(3)
})

const swap = `update console.audit_entries e set act = o.act, target_id = o.target_id, hash = o.hash
  from console.audit_entries o where (e.number, o.number) in ((4, 5), (5, 4))`

test.each<[string, () => Promise<void>, string]>([
  [
    'edit',
    () => withoutTrigger("update console.audit_entries set target_id = 'x' where number = 4"),
    'Entry 4 was changed.',
  ],
  ['delete', () => withoutTrigger('delete from console.audit_entries where number = 4'), 'Entry 4 is missing.'],
  [
    'insert',
    () =>
      withoutTrigger(
        'update console.audit_entries set number = number + 100 where number >= 4',
        'update console.audit_entries set number = number - 99 where number >= 104',
        'insert into console.audit_entries select (jsonb_populate_record(e, \'{"number": 4}\')).* from console.audit_entries e where number = 3',
      ),
    'Entry 4 does not follow entry 3.',
  ],
  ['reorder', () => withoutTrigger(swap), 'Entry 4 was changed.'],
  [
    'truncate',
    () => withoutTrigger('delete from console.audit_entries where number > 7'),
    'Entry 8 and later entries are missing.',
  ],
  ['truncate all', () => withoutTrigger('delete from console.audit_entries'), 'Entry 1 and later entries are missing.'],
  ['rewrite', () => rewriteFrom(1, entries), 'Entry 1 is not the one that was signed.'],
  ['rewrite a part', () => rewriteFrom(5, 5), 'Entry 5 is not the one that was signed.'],
  ['rewrite with more entries', () => rewriteFrom(8, 12), 'Entry 8 is not the one that was signed.'],
])('database: %s is detected, and the first bad entry named', async (_, tamper, message) => {
  await tamper()
  expect(await found()).toBe(message)
  await restoreRows()
  expect(await found()).toBe('holds')
})

const linesOf = (text: string) => text.trimEnd().split('\n')
const edited = (line: string, change: Partial<Checkpoint>) => JSON.stringify({ ...JSON.parse(line), ...change })

/** A file as somebody would sign it who has no key of ours. */
function signedBy(key: KeyObject): string[] {
  const made: string[] = []
  let last: (Checkpoint & { lineHash: string }) | null = null
  for (const line of linesOf(file)) {
    const { hashes } = JSON.parse(line) as Checkpoint
    const whole = hashes.match(/.{16}/g)?.map((each) => each.padEnd(64, '0')) ?? []
    const next = makeCheckpoint(key, last, whole)
    last = { ...(JSON.parse(next) as Checkpoint), lineHash: hashLine(next) }
    made.push(next)
  }
  return made
}

test.each<[string, (lines: string[]) => string[], string]>([
  [
    'edit',
    ([one = '', two = '', three = '']) => [one, edited(two, { entries: 5 }), three],
    'Checkpoint 2 was changed.',
  ],
  [
    'edit of the last',
    ([one = '', two = '', three = '']) => [one, two, edited(three, { at: '2026-01-01T00:00:00.000Z' })],
    'Checkpoint 3 was changed.',
  ],
  ['delete', ([one = '', , three = '']) => [one, three], 'Checkpoint 2 does not follow checkpoint 1.'],
  [
    'insert',
    ([one = '', two = '', three = '']) => [one, one, two, three],
    'Checkpoint 2 does not follow checkpoint 1.',
  ],
  [
    'insert of a forged one',
    (lines) => [...lines, edited(lines[2] ?? '', { sequence: 4, previous: hashLine(lines[2] ?? ''), hashes: '' })],
    'Checkpoint 4 was changed.',
  ],
  ['reorder', ([one = '', two = '', three = '']) => [one, three, two], 'Checkpoint 2 does not follow checkpoint 1.'],
  ['truncate', ([one = '', two = '']) => [one, two], 'Checkpoint 3 and later checkpoints are missing.'],
  ['delete all', () => [], 'Checkpoint 1 and later checkpoints are missing.'],
  ['rewrite', () => signedBy(generateKeyPairSync('ed25519').privateKey), 'Checkpoint 1 was signed with another key.'],
  ['nonsense', ([one = '']) => [one, 'x'], 'Checkpoint 2 was changed.'],
])('checkpoint file: %s is detected, and the first bad checkpoint named', async (_, tamper, message) => {
  writeFileSync(
    settings.checkpointFile,
    tamper(linesOf(file))
      .map((line) => `${line}\n`)
      .join(''),
  )
  expect(await found()).toBe(message)
  await signNewEntries(settings)
  expect(await found()).toBe(message)
})

test('log and file cut back together: the running process knows better, and so does a copy of the file', async () => {
  await watchAuditLog()
  await withoutTrigger('delete from console.audit_entries where number > 3')
  const [first = ''] = linesOf(file)
  writeFileSync(settings.checkpointFile, `${first}\n`)
  await desk.db.update(auditCheckpointFiles).set({ sequence: 1, lineHash: hashLine(first) })
  expect(await found()).toBe('holds')
  await verifyNow(settings)
  await desk.signIn('viewer')
  expect(await readAuditIntegrity('sandbox')).toMatchObject({ state: 'broken' })
  const copy = await readText(file)
  expect(await verifyEntries(desk.db, copy.checkpoints)).toMatchObject({ holds: false, break: { number: 4 } })
})

test('a line that a crash cut off does not count, and is replaced by the next', async () => {
  writeFileSync(settings.checkpointFile, `${file}{"sequence":4,"ent`)
  expect(await found()).toBe('holds')
  await recordAudit(desk.db, event(10))
  await signNewEntries(settings)
  expect(linesOf(readFileSync(settings.checkpointFile, 'utf8'))).toHaveLength(4)
  expect(await found()).toBe('holds')
})

test('a file that begins while others are known, as after it was deleted under another host name, has an entry', async () => {
  await desk.db.update(auditCheckpointFiles).set({ file: 'gone:/var/lib/carddesk/audit/checkpoints.jsonl' })
  rmSync(settings.checkpointFile)
  await signNewEntries(settings)
  await signNewEntries(settings)
  const { rows: begun } = await desk.db.execute(
    sql`select comment, staff_id from console.audit_entries where act = 'audit.new-file'`,
  )
  expect(begun).toEqual([{ comment: expect.stringContaining(settings.checkpointFile), staff_id: null }])
  expect(await found()).toBe('holds')
})

test('what was changed since the last checkpoint is not signed', async () => {
  await recordAudit(desk.db, event(10))
  await recordAudit(desk.db, event(11))
  await withoutTrigger("update console.audit_entries set target_id = 'x' where number = 10")
  await signNewEntries(settings)
  expect(readFileSync(settings.checkpointFile, 'utf8')).toBe(file)
})

test.each<[string, () => Promise<void>, string]>([
  [
    'deleted at the end',
    () => withoutTrigger('delete from console.audit_entries where number > 10'),
    'Entry 11 is missing.',
  ],
  ['deleted and replaced by later ones', () => rewriteFrom(10, 3), 'Entry 10 is not the one that was written.'],
  [
    'written again by somebody else',
    async () => {
      await rewriteFrom(11, 1)
      globals.carddeskAuditWritten = remembered
    },
    'Entry 11 is not the one that was written.',
  ],
])('entries that no checkpoint has yet, %s, are missed before the next signature', async (_, tamper, message) => {
  await desk.signIn('viewer')
  await watchAuditLog()
  await recordAudit(desk.db, event(10))
  await recordAudit(desk.db, event(11))
  remembered = new Map(globals.carddeskAuditWritten as Map<number, string>)
  await tamper()
  expect(await found()).toBe('holds')
  await watchAuditLog()
  await watchAuditLog()
  expect(readFileSync(settings.checkpointFile, 'utf8')).toBe(file)
  expect(await readAuditIntegrity('sandbox')).toMatchObject({ state: 'broken', message })
})

test('many new entries get several checkpoints, each of which names its first bad entry', async () => {
  for (let number = 10; number <= 20; number += 1) await recordAudit(desk.db, event(number))
  await signNewEntries(settings, 4)
  const { checkpoints } = await readText(readFileSync(settings.checkpointFile, 'utf8'))
  expect(checkpoints.map((checkpoint) => checkpoint.entries)).toEqual([3, 6, 9, 13, 17, 20])
  expect(await found()).toBe('holds')
  await rewriteFrom(15, 6)
  expect(await found()).toBe('Entry 15 is not the one that was signed.')
  expect(
    await verifyEntries(desk.db, checkpoints, { from: checkpointPosition(checkpoints[2]), most: 4 }),
  ).toMatchObject({
    holds: false,
  })
})

test('a break is on every page and notified once; it ends when the log is restored', async () => {
  const notices: string[] = []
  const slack = createServer((request, response) => {
    let body = ''
    request
      .on('data', (chunk) => (body += chunk))
      .on('end', () => {
        notices.push((JSON.parse(body) as { text: string }).text)
        response.end()
      })
  })
  await new Promise<void>((resolve) => slack.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void slack.close())
  process.env.NOTIFY_URL = `http://127.0.0.1:${(slack.address() as AddressInfo).port}/`
  onTestFinished(() => void delete process.env.NOTIFY_URL)

  await desk.signIn('viewer')
  expect(await readAuditIntegrity('sandbox')).toEqual({ state: 'pending' })
  await watchAuditLog()
  expect(await readAuditIntegrity('sandbox')).toMatchObject({ state: 'intact' })
  await withoutTrigger("update console.audit_entries set outcome = 'refused' where number = 2")
  await verifyNow(settings)
  await verifyNow(settings)
  expect(await readAuditIntegrity('sandbox')).toMatchObject({
    state: 'broken',
    message: 'Entry 2 was changed.',
    entry: 2,
  })
  expect(notices).toEqual([expect.stringContaining('Entry 2 was changed.')])
  await restoreRows()
  await verifyNow(settings)
  expect(await readAuditIntegrity('sandbox')).toMatchObject({ state: 'intact' })
})
