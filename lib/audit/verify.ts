import type { KeyObject } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { eq } from 'drizzle-orm'
import type { Queryable } from '#lib/db/connection.ts'
import { auditCheckpointFiles } from '#lib/tables/audit.ts'
import { chainStart, verifyAuditChain, type ChainPosition } from './chain.ts'
import {
  linesOfFile,
  readCheckpoints,
  signedHashes,
  type CheckpointFile,
  type StoredCheckpoint,
} from './checkpoints.ts'

/** Where the audit log or its checkpoint file was changed: the first entry, or line of the file, that does not hold. */
export type AuditBreak = { in: 'entries' | 'checkpoints'; number: number; message: string }
export type AuditVerdict = { holds: true; position: ChainPosition } | { holds: false; break: AuditBreak }

const entryProblems = {
  missing: (number: number) => `Entry ${number} is missing.`,
  altered: (number: number) => `Entry ${number} was changed.`,
  'not linked': (number: number) => `Entry ${number} does not follow entry ${number - 1}.`,
  'not signed': (number: number) => `Entry ${number} is not the one that was signed.`,
  'not written': (number: number) => `Entry ${number} is not the one that was written.`,
  truncated: (number: number) => `Entry ${number} and later entries are missing.`,
} as const

const checkpointProblems = {
  missing: (number: number) => `Checkpoint ${number} and later checkpoints are missing.`,
  altered: (number: number) => `Checkpoint ${number} was changed.`,
  'not linked': (number: number) => `Checkpoint ${number} does not follow checkpoint ${number - 1}.`,
  'other key': (number: number) => `Checkpoint ${number} was signed with another key.`,
} as const

export function entryBreak(number: number, problem: keyof typeof entryProblems): AuditBreak {
  return { in: 'entries', number, message: entryProblems[problem](number) }
}

export function checkpointBreak(number: number, problem: keyof typeof checkpointProblems): AuditBreak {
  return { in: 'checkpoints', number, message: checkpointProblems[problem](number) }
}

/** How the database names a checkpoint file. */
export function fileName(file: string): string {
  return `${hostname()}:${file}`
}

/** The file's checkpoints, or what is wrong with the file: with its lines, or with its end, which the database has too. */
export async function verifyCheckpointFile(
  db: Queryable,
  file: string,
  publicKey: KeyObject,
  remembered: Pick<StoredCheckpoint, 'sequence' | 'lineHash'> | null = null,
): Promise<{ file: CheckpointFile; break: AuditBreak | null }> {
  // Read before the file: a checkpoint is written to the file first.
  const [stored] = await db
    .select()
    .from(auditCheckpointFiles)
    .where(eq(auditCheckpointFiles.file, fileName(file)))
  const read = await readCheckpoints(linesOfFile(file), publicKey)
  const { checkpoints, broken } = read
  if (broken) return { file: read, break: checkpointBreak(broken.sequence, broken.problem) }
  for (const known of [stored, remembered]) {
    if (!known) continue
    const found = checkpoints[known.sequence - 1]
    if (!found) return { file: read, break: checkpointBreak(checkpoints.length + 1, 'missing') }
    if (found.lineHash !== known.lineHash) return { file: read, break: checkpointBreak(known.sequence, 'altered') }
  }
  return { file: read, break: null }
}

/** Up to where a file was verified: its newest checkpoint then, and the bytes up to the end of that line. */
export type VerifiedFile = { last: StoredCheckpoint; wholeBytes: number }

/**
 * The checkpoints that were added to a file since it was verified, or null where it is not the same file any more. What is
 * older is not read again: a file grows by a line for each minute.
 */
export async function readAddedCheckpoints(
  db: Queryable,
  file: string,
  publicKey: KeyObject,
  verified: VerifiedFile,
): Promise<CheckpointFile | null> {
  const [stored] = await db
    .select()
    .from(auditCheckpointFiles)
    .where(eq(auditCheckpointFiles.file, fileName(file)))
  const read = await readCheckpoints(linesOfFile(file, verified.wholeBytes), publicKey, verified)
  const newest = read.checkpoints.at(-1) ?? verified.last
  const isShorter = (await readFileSize(file)) < verified.wholeBytes
  if (read.broken || isShorter || (stored && stored.sequence > newest.sequence)) return null
  const known = [verified.last, ...read.checkpoints].find(({ sequence }) => sequence === stored?.sequence)
  return known && known.lineHash !== stored?.lineHash ? null : read
}

async function readFileSize(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}

/**
 * Verifies the entries from a position on against the chain and the checkpoints, to the end or for about `most` entries. The
 * position has to be one that holds: the start, or that of a checkpoint.
 */
export async function verifyEntries(
  db: Queryable,
  checkpoints: readonly StoredCheckpoint[],
  { from = chainStart, most = Number.POSITIVE_INFINITY }: { from?: ChainPosition; most?: number } = {},
): Promise<AuditVerdict> {
  const isSigned = signedHashes(checkpoints, from.entries)
  const verdict = await verifyAuditChain(db, { from, most, isSigned })
  if (!verdict.holds) return { holds: false, break: entryBreak(verdict.number, verdict.problem) }
  const { entries, head } = verdict
  const isWhole = entries - from.entries < most
  const last = checkpoints.at(-1)
  if (isWhole && last && last.entries > entries) return { holds: false, break: entryBreak(entries + 1, 'truncated') }
  return { holds: true, position: { entries, head } }
}

/** The position of a checkpoint, from which the entries can be verified. */
export function checkpointPosition(checkpoint: StoredCheckpoint | undefined): ChainPosition {
  return checkpoint ? { entries: checkpoint.entries, head: checkpoint.head } : chainStart
}
