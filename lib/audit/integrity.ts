import 'server-only'
import { mkdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { asc, gt } from 'drizzle-orm'
import { database, type Database, type Transaction } from '#lib/db/connection.ts'
import { isDatabaseUnavailable } from '#lib/db/errors.ts'
import { lockByName } from '#lib/db/locks.ts'
import { afterCommit, inTransaction } from '#lib/db/transaction.ts'
import { auditSettings, type AuditSettings } from '#lib/settings/audit-settings.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { logAuditBreak, logFailure } from '#lib/shared/log.ts'
import { hourMs, minuteMs } from '#lib/shared/time.ts'
import { auditCheckpointFiles, auditEntries } from '#lib/tables/audit.ts'
import { appendAudit } from './chain.ts'
import { hashLine, makeCheckpoint, mostPerCheckpoint, type Checkpoint, type CheckpointFile } from './checkpoints.ts'
import { postNotice } from './notify.ts'
import {
  entryBreak,
  fileName,
  checkpointPosition,
  readAddedCheckpoints,
  verifyCheckpointFile,
  verifyEntries,
  type AuditBreak,
  type AuditVerdict,
  type VerifiedFile,
} from './verify.ts'
import { findLost, forgetSigned, hasUnsigned } from './written.ts'

/** For the entries of other processes, and for the sinks; entries of this process are signed in the next round. */
const checkpointEveryMs = minuteMs
const verifyEveryMs = hourMs
/** A break may be repaired, or its notice may not have been delivered. */
const againEveryMs = minuteMs
/** Older entries that are verified again each hour, beside the new ones. */
const olderEntries = 100_000

/**
 * This process's knowledge of the audit log. It is not in the database, so a change of the log cannot change it too.
 */
type Watched = {
  break: AuditBreak | null
  verifiedAt: Date | null
  /** The newest checkpoint that held; null before the first. */
  file: VerifiedFile | null
  /** Up to which checkpoint the older entries were verified again. */
  olderUpTo: number
  notified: string | null
  /** Since when entries could not be signed, by the clock of the process; null where they can. */
  unsignedSinceMs: number | null
  nextCheckpointMs: number
  nextVerificationMs: number
}

/** The part of the log that this process has verified. */
export const watched = globalSingleton<Watched>('carddeskAuditWatch', () => ({
  break: null,
  verifiedAt: null,
  file: null,
  olderUpTo: 0,
  notified: null,
  unsignedSinceMs: null,
  nextCheckpointMs: 0,
  nextVerificationMs: 0,
}))

/** One round of the background work: verifies the log when that is due, and signs what was added to it. */
export async function watchAuditLog(): Promise<void> {
  const settings = auditSettings()
  if (!settings) return
  const state = watched()
  const now = performance.now()
  if (now >= state.nextVerificationMs) {
    state.nextVerificationMs = now + againEveryMs
    await verifyNow(settings)
    if (!state.break) state.nextVerificationMs = now + verifyEveryMs
  }
  if (state.break === null && state.verifiedAt && (hasUnsigned() || now >= state.nextCheckpointMs)) {
    state.nextCheckpointMs = now + checkpointEveryMs
    await signOrNotify(settings, state, now)
  }
}

/** Signs what is new. Where the file cannot be written for a minute, a notice says so: people go on working, and nothing of it is signed. */
async function signOrNotify(settings: AuditSettings, state: Watched, now: number): Promise<void> {
  try {
    await signNewEntries(settings)
    state.unsignedSinceMs = null
  } catch (error) {
    // Without the database there are no new entries.
    if (isDatabaseUnavailable(error)) throw error
    state.unsignedSinceMs ??= now
    const isLasting = now - state.unsignedSinceMs >= checkpointEveryMs
    if (isLasting)
      await notifyOnce(`New audit entries cannot be signed: ${settings.checkpointFile} is not written.`, state)
    throw error
  }
}

/** Signs what was added since the last checkpoint, before the process ends. */
export async function signAtShutdown(): Promise<void> {
  const settings = auditSettings()
  if (settings && watched().break === null && watched().verifiedAt) await signNewEntries(settings)
}

/**
 * Verifies the log: the first time all of it; then what is newer than the last checkpoint, and a part of what is older, so
 * that a million entries are gone through in ten hours. A break is logged and notified once.
 */
export async function verifyNow(settings: AuditSettings): Promise<void> {
  const state = watched()
  const { checkpointFile, publicKey } = settings
  const read = await verifyCheckpointFile(database(), checkpointFile, publicKey, state.file?.last)
  const verdict = await verify(database(), read, state)
  state.verifiedAt = new Date()
  if (verdict.holds) {
    const last = read.file.checkpoints.at(-1)
    state.break = null
    state.notified = null
    state.file = last ? { last, wholeBytes: read.file.wholeBytes } : null
    return
  }
  if (state.break?.message !== verdict.break.message) logAuditBreak(verdict.break.message)
  state.break = verdict.break
  await notifyOnce(`The audit log was changed outside Carddesk. ${verdict.break.message}`, state)
}

async function verify(
  db: Database,
  { file: { checkpoints }, break: broken }: Awaited<ReturnType<typeof verifyCheckpointFile>>,
  state: Watched,
): Promise<AuditVerdict> {
  const lost = await findLost(db)
  if (lost) return { holds: false, break: entryBreak(lost.number, lost.problem) }
  const isFirst = state.verifiedAt === null || state.break !== null
  const newer = await verifyEntries(db, checkpoints, isFirst ? {} : { from: checkpointPosition(checkpoints.at(-1)) })
  if (!newer.holds) return newer
  if (broken) return { holds: false, break: broken }
  if (isFirst) return newer
  const older = await verifyEntries(db, checkpoints, {
    from: checkpointPosition(checkpoints[state.olderUpTo - 1]),
    most: olderEntries,
  })
  if (!older.holds) return older
  const reached = checkpoints.findLastIndex(({ entries }) => entries <= older.position.entries) + 1
  state.olderUpTo = reached >= checkpoints.length ? 0 : reached
  return newer
}

/**
 * Appends checkpoints for the entries that have none: to the file, then to the database. What was added is verified first, since
 * a signature would make a forged entry a proven one, and compared with what this process wrote, since entries that were deleted at
 * the end leave a chain that holds.
 */
export async function signNewEntries(settings: AuditSettings, perCheckpoint = mostPerCheckpoint): Promise<void> {
  const { checkpointFile, signingKey } = settings
  await inTransaction(database(), async (tx) => {
    // Processes with one data folder have one file.
    await lockByName(tx, 'audit checkpoints')
    const state = watched()
    const file = await readWatchedCheckpoints(tx, settings, state)
    let last = file?.checkpoints.at(-1) ?? state.file?.last ?? null
    const added = file && (await verifyEntries(tx, [], { from: checkpointPosition(last ?? undefined) }))
    if (!file || !added?.holds || (await findLost(tx))) {
      // The next round verifies everything, and reports it.
      state.nextVerificationMs = 0
      return
    }
    const begins = last === null
    const lines: string[] = []
    for (let from = last?.entries ?? 0; from < added.position.entries; from = last?.entries ?? 0) {
      const rows = await tx
        .select({ hash: auditEntries.hash })
        .from(auditEntries)
        .where(gt(auditEntries.number, from))
        .orderBy(asc(auditEntries.number))
        .limit(Math.min(perCheckpoint, added.position.entries - from))
      const line = makeCheckpoint(
        signingKey,
        last,
        rows.map(({ hash }) => hash),
      )
      last = { ...(JSON.parse(line) as Checkpoint), lineHash: hashLine(line) }
      lines.push(line)
    }
    afterCommit(tx, () => forgetSigned(added.position.entries))
    if (!last || lines.length === 0) return
    const text = `${lines.join('\n')}\n`
    await append(checkpointFile, file.wholeBytes, text)
    const { sequence, lineHash } = last
    const name = fileName(checkpointFile)
    const isAnother = begins && (await tx.$count(auditCheckpointFiles)) > 0
    await tx
      .insert(auditCheckpointFiles)
      .values({ file: name, sequence, lineHash })
      .onConflictDoUpdate({ target: auditCheckpointFiles.file, set: { sequence, lineHash } })
    if (isAnother) await appendAudit(tx, { ...newFile, comment: name.slice(-500) })
    state.file = { last, wholeBytes: file.wholeBytes + Buffer.byteLength(text) }
  })
}

/**
 * A process on a new machine begins a file, as a machine does that lost its own: nothing but this entry tells one from the other. The
 * first file of all needs none.
 */
const newFile = { by: null, environment: null, act: 'audit.new-file', target: null, outcome: 'done' } as const

/** The checkpoints that the file has beyond the verified ones; null where the file fails verification. */
async function readWatchedCheckpoints(
  tx: Transaction,
  settings: AuditSettings,
  state: Watched,
): Promise<CheckpointFile | null> {
  const { checkpointFile, publicKey } = settings
  if (state.file) return readAddedCheckpoints(tx, checkpointFile, publicKey, state.file)
  const { file, break: broken } = await verifyCheckpointFile(tx, checkpointFile, publicKey)
  return broken ? null : file
}

/** Appends after the last whole line: a line that a crash cut off never counted. */
async function append(file: string, wholeBytes: number, text: string): Promise<void> {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const handle = await open(file, 'a', 0o600)
  try {
    if ((await handle.stat()).size > wholeBytes) await handle.truncate(wholeBytes)
    await handle.appendFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function notifyOnce(message: string, state: Watched): Promise<void> {
  if (state.notified === message) return
  try {
    await postNotice(`${message} ${consoleSettings().consoleUrl}`)
    state.notified = message
  } catch (error) {
    logFailure(error, { while: 'sending a notice about the audit log' })
  }
}
