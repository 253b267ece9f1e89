import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { eq } from 'drizzle-orm'
import type { Queryable } from '#lib/db/connection.ts'
import { auditCheckpointFiles } from '../tables/audit.ts'
import { chainStart, verifyAuditChain, type ChainPosition } from './chain.ts'
import { readCheckpoints, signedHashes, type CheckpointFile, type StoredCheckpoint } from './checkpoints.ts'

/** Where the audit log or its checkpoint file was changed: the first entry, or line of the file, that does not hold. */
export type AuditBreak = { in: 'entries' | 'checkpoints'; number: number; message: string }
export type AuditVerdict =
  | { holds: true; position: ChainPosition; checkpoints: StoredCheckpoint[] }
  | { holds: false; break: AuditBreak }

const entryProblems = {
  missing: (number: number) => `Entry ${number} is missing.`,
  altered: (number: number) => `Entry ${number} was changed.`,
  'not linked': (number: number) => `Entry ${number} does not follow entry ${number - 1}.`,
  'not signed': (number: number) => `Entry ${number} is not the one that was signed.`,
  truncated: (number: number) => `Entry ${number} and later entries are missing.`,
} as const

const checkpointProblems = {
  missing: (number: number) => `Checkpoint ${number} and later checkpoints are missing.`,
  altered: (number: number) => `Checkpoint ${number} was changed.`,
  'not linked': (number: number) => `Checkpoint ${number} does not follow checkpoint ${number - 1}.`,
  'other key': (number: number) => `Checkpoint ${number} was signed with another key.`,
} as const

function entryBreak(number: number, problem: keyof typeof entryProblems): AuditBreak {
  return { in: 'entries', number, message: entryProblems[problem](number) }
}

export function checkpointBreak(number: number, problem: keyof typeof checkpointProblems): AuditBreak {
  return { in: 'checkpoints', number, message: checkpointProblems[problem](number) }
}

/** How the database names a checkpoint file. */
export function fileName(file: string): string {
  return `${hostname()}:${file}`
}

/** The file's content; empty where there is none. */
export function readFileIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
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
  const read = readCheckpoints(readFileIfThere(file), publicKey)
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

/**
 * Verifies the entries from a position on against the chain and the checkpoints, to the end or for about `most` entries. The
 * position has to be one that holds: the start, or that of a checkpoint.
 */
export async function verifyEntries(
  db: Queryable,
  checkpoints: readonly StoredCheckpoint[],
  { from = chainStart, most }: { from?: ChainPosition; most?: number } = {},
): Promise<AuditVerdict> {
  const isSigned = signedHashes(checkpoints, from.entries)
  const verdict = await verifyAuditChain(db, { from, isSigned, ...(most === undefined ? {} : { most }) })
  if (!verdict.holds) return { holds: false, break: entryBreak(verdict.number, verdict.problem) }
  const { entries, head } = verdict
  const isWhole = most === undefined || entries - from.entries < most
  const last = checkpoints.at(-1)
  if (isWhole && last && last.entries > entries) return { holds: false, break: entryBreak(entries + 1, 'truncated') }
  return { holds: true, position: { entries, head }, checkpoints: [...checkpoints] }
}

/** The position of a checkpoint, from which the entries can be verified. */
export function positionOf(checkpoint: StoredCheckpoint | undefined): ChainPosition {
  return checkpoint ? { entries: checkpoint.entries, head: checkpoint.head } : chainStart
}
