import { createPublicKey } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { recordAudit } from '#lib/audit/chain.ts'
import { signNewEntries } from '#lib/audit/integrity.ts'
import { openConsole } from '#lib/console/testing/open-console.ts'
import { checkpointFilePath } from '#lib/settings/audit-settings.ts'
import { readSigningKey } from '#lib/signing/keys.ts'
import { runAuditVerify } from './audit-verify-command.ts'
import { readKeys } from './keys.ts'

async function arrange() {
  delete (globalThis as { carddeskAuditWatch?: unknown }).carddeskAuditWatch
  const desk = await openConsole({ seeded: 1 })
  const dataDir = mkdtempSync(path.join(tmpdir(), 'carddesk-verify-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const signingKey = readSigningKey(readKeys(dataDir, {}).AUDIT_SIGNING_KEY)
  const publicKey = createPublicKey(signingKey)
  const checkpointFile = checkpointFilePath(dataDir)
  const add = async () => {
    await recordAudit(desk.db, { by: null, environment: null, act: 'sign-in', target: null, outcome: 'done' })
    await signNewEntries({ signingKey, publicKey, checkpointFile, entriesUrl: null })
  }
  for (let count = 0; count < 3; count += 1) await add()
  const variables = { DATA_DIR: dataDir, DATABASE_URL: desk.databaseUrl }
  return { desk, dataDir, publicKey, checkpointFile, verify: (...args: string[]) => runAuditVerify(args, variables) }
}

test('a log that holds exits with 0, also by a copy, the public key alone, and from a date on', async () => {
  const { verify, dataDir, checkpointFile, publicKey } = await arrange()
  expect(await verify()).toMatchObject({ exitCode: 0, text: expect.stringContaining('All 3 entries hold.') })
  const copy = path.join(dataDir, 'copy.jsonl')
  const pem = path.join(dataDir, 'public.pem')
  writeFileSync(copy, readFileSync(checkpointFile))
  writeFileSync(pem, publicKey.export({ type: 'spki', format: 'pem' }))
  expect(await verify('--checkpoints', copy, '--public-key', pem)).toMatchObject({ exitCode: 0 })
  expect((await verify('--since', '2999-01-01')).text).toContain('0 entries after entry 3 hold.')
})

test('a changed entry exits with 1 and is named', async () => {
  const { verify, desk } = await arrange()
  await desk.db.execute(sql.raw('alter table console.audit_entries disable trigger all'))
  await desk.db.execute(sql.raw("update console.audit_entries set act = 'sign-out' where number = 2"))
  expect(await verify()).toEqual({
    exitCode: 1,
    text: 'The audit log was changed outside Carddesk. Entry 2 was changed.',
  })
})

test('a new file begins with a reason, which is in the log, and leaves the old one', async () => {
  const { verify, checkpointFile } = await arrange()
  await expect(verify('--new-file', ' ')).rejects.toThrow('needs a reason')
  writeFileSync(checkpointFile, '')
  expect(await verify()).toMatchObject({ exitCode: 1, text: expect.stringContaining('Checkpoint 1 and later') })
  expect(await verify('--new-file', 'Restored from the backup of Sunday')).toMatchObject({ exitCode: 0 })
  expect(readdirSync(path.dirname(checkpointFile))).toEqual([expect.stringMatching(/^checkpoints\.jsonl\.2/)])
  expect((await verify()).text).toMatch(/All 4 entries hold\.\nNo checkpoint was signed yet/)
})

test('what cannot be verified is an error for people', async () => {
  const { verify, dataDir } = await arrange()
  await expect(verify('--checkpoints', path.join(dataDir, 'none'))).rejects.toThrow('cannot be read')
  await expect(verify('--public-key', path.join(dataDir, 'none'))).rejects.toThrow('key of the checkpoints')
  await expect(verify('--since', 'yesterday')).rejects.toThrow('--since must be a date')
  writeFileSync(path.join(dataDir, 'empty'), '')
  await expect(verify('--checkpoints', path.join(dataDir, 'empty'))).rejects.toThrow('holds no checkpoint')
})
