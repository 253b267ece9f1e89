import type { KeyObject } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { eq } from 'drizzle-orm'
import { recordAudit } from '#lib/audit/chain.ts'
import { linesOfFile, readCheckpoints, type StoredCheckpoint } from '#lib/audit/checkpoints.ts'
import {
  checkpointBreak,
  fileName,
  checkpointPosition,
  verifyCheckpointFile,
  verifyEntries,
  type AuditBreak,
} from '#lib/audit/verify.ts'
import { commandLine } from '#lib/console/staff/staff-changes.ts'
import type { Database } from '#lib/db/connection.ts'
import { checkpointFilePath } from '#lib/settings/audit-settings.ts'
import { readPem, type Variables } from '#lib/settings/settings.ts'
import { readCheckingKey } from '#lib/signing/keys.ts'
import { auditCheckpointFiles } from '#lib/tables/audit.ts'
import { requireSettings, type Settings } from './check-settings.ts'
import { loadEnv } from './command.ts'
import { withDatabase } from './database.ts'
import { runCommand } from './run-command.ts'

const usage = `Usage: npm run audit:verify [-- OPTIONS]

Compares the audit log with its hash chain and its signed checkpoints, and names the first entry that does not hold.

  --checkpoints FILE   use this file, such as the copy that a sink received
  --public-key FILE    the public key of the checkpoints (PEM), where the signing key is elsewhere
  --since DATE         verify only entries after the last checkpoint before that date, such as 2026-11-01
  --new-file REASON    put the checkpoint file aside and begin a new one, such as after restoring a backup

Exit code: 0 it holds, 1 it was changed, 2 it could not be verified.`

type Outcome = { text: string; exitCode: 0 | 1 }

/** Runs the command and returns what to print. Throws an `Error` with a message for people where nothing could be verified. */
export async function runAuditVerify(args: string[], environment: Variables): Promise<Outcome> {
  const { values } = parseArgs({
    args,
    options: {
      checkpoints: { type: 'string' },
      'public-key': { type: 'string' },
      since: { type: 'string' },
      'new-file': { type: 'string' },
    },
  })
  const since = values.since === undefined ? null : Date.parse(values.since)
  if (since !== null && Number.isNaN(since)) throw new Error(`--since must be a date; it is "${values.since}".`)
  const settings = requireSettings(environment)
  const file = values.checkpoints ?? checkpointFilePath(settings.DATA_DIR)
  return withDatabase(settings, 'carddesk audit', async (db) => {
    if (values['new-file'] !== undefined) return beginNewFile(db, file, values['new-file'])
    const key = checkingKey(settings, values['public-key'])
    return verify(db, { file, isCopy: values.checkpoints !== undefined, key, since })
  })
}

async function verify(
  db: Database,
  { file, isCopy, key, since }: { file: string; isCopy: boolean; key: KeyObject; since: number | null },
): Promise<Outcome> {
  const { checkpoints, broken } = await (isCopy ? checkCopy(file, key) : verifyOwnFile(db, file, key))
  const from = checkpoints.findLast(({ at }) => since !== null && Date.parse(at) <= since)
  const verdict = await verifyEntries(db, checkpoints, { from: checkpointPosition(from) })
  const first = verdict.holds ? broken : verdict.break
  if (first) return { text: `The audit log was changed outside Carddesk. ${first.message}`, exitCode: 1 }
  const entries = verdict.holds ? verdict.position.entries : 0
  const signed = checkpoints.at(-1)
  const lines = [
    from ? `${entries - from.entries} entries after entry ${from.entries} hold.` : `All ${entries} entries hold.`,
    signed
      ? `${checkpoints.length} signed checkpoints; the newest is of ${signed.at} and covers entries 1 to ${signed.entries}.`
      : `No checkpoint was signed yet: nothing proves that entries were not rewritten (${file}).`,
  ]
  if (signed && signed.entries < entries) {
    lines.push(
      `Entries ${signed.entries + 1} to ${entries} are not in it. Another process has signed them in a file of its own, or they could not be signed.`,
    )
  }
  return { text: lines.join('\n'), exitCode: 0 }
}

type Checked = { checkpoints: StoredCheckpoint[]; broken: AuditBreak | null }

async function verifyOwnFile(db: Database, file: string, key: KeyObject): Promise<Checked> {
  const { file: read, break: broken } = await verifyCheckpointFile(db, file, key)
  return { checkpoints: read.checkpoints, broken }
}

/** The checkpoints of a sink. The database has no copy, and the sink may end earlier. */
async function checkCopy(file: string, key: KeyObject): Promise<Checked> {
  if (!existsSync(file)) throw new Error(`${file} cannot be read.`)
  const { checkpoints, broken } = await readCheckpoints(linesOfFile(file), key)
  if (checkpoints.length === 0 && !broken) throw new Error(`${file} holds no checkpoint.`)
  return { checkpoints, broken: broken && checkpointBreak(broken.sequence, broken.problem) }
}

function checkingKey(settings: Settings, file: string | undefined): KeyObject {
  const setting = settings.AUDIT_SIGNING_KEY
  const keyFile = path.join(path.resolve(settings.DATA_DIR), 'keys', 'audit-signing-key.pem')
  try {
    return readCheckingKey(readPem(file ?? setting ?? keyFile))
  } catch {
    throw new Error(`The key of the checkpoints cannot be read: ${file ?? (setting ? 'AUDIT_SIGNING_KEY' : keyFile)}.`)
  }
}

/** Renames the file, and records that in an audit entry. */
async function beginNewFile(db: Database, file: string, reason: string): Promise<Outcome> {
  const text = reason.trim()
  if (text === '') throw new Error('--new-file needs a reason.')
  const aside = `${file}.${new Date().toISOString().replaceAll(':', '')}`
  const wasThere = existsSync(file)
  if (wasThere) renameSync(file, aside)
  await db.delete(auditCheckpointFiles).where(eq(auditCheckpointFiles.file, fileName(file)))
  await recordAudit(db, {
    by: commandLine,
    environment: null,
    act: 'audit.new-file',
    target: null,
    outcome: 'done',
    comment: text.slice(0, 500),
  })
  const old = wasThere ? `The old file is ${aside}.` : 'There was no file before.'
  return { text: `A new checkpoint file begins within a minute. ${old} Restart Carddesk.`, exitCode: 0 }
}

/** `npm run audit:verify -- …`: whether the audit log is whole. */
if (import.meta.main) {
  loadEnv()
  const printVerdict = async (args: string[]) => {
    const { text, exitCode } = await runAuditVerify(args, process.env)
    console.log(text)
    return exitCode
  }
  await runCommand(printVerdict, { usage })
}
