import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { openConsole } from '#lib/console/testing/open-console.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { genesis, hashRow } from './chain.ts'
import { signNewEntries, verifyNow } from './integrity.ts'
import { verifyCheckpointFile, verifyEntries } from './verify.ts'

/** A million in `npm run suites:full`: 39 s and 87 MB on two cores that other programs shared. */
const entries = cases(1) > 1 ? 1_000_000 : 10_000
const perStatement = 2000

test(
  `${entries} entries are verified a page at a time, and a changed one in the middle is named`,
  async () => {
    const { db } = await openConsole({ seeded: 1 })
    const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-many-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'carddeskAuditWatch'))
    let previousHash = genesis
    for (let from = 1; from <= entries; from += perStatement) {
      const rows = Array.from({ length: Math.min(perStatement, entries - from + 1) }, (_, index) => {
        const row = { ...entry(from + index), previousHash }
        previousHash = hashRow(row)
        return { ...row, hash: previousHash }
      })
      await db.insert(auditEntries).values(rows)
    }
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const checkpointFile = path.join(folder, 'checkpoints.jsonl')
    const settings = {
      signingKey: privateKey,
      publicKey,
      checkpointFile,
      entriesUrl: null,
    }
    await signNewEntries(settings)

    const verified = await measured(async () => {
      const { file } = await verifyCheckpointFile(db, checkpointFile, publicKey)
      return verifyEntries(db, file.checkpoints)
    })
    expect(verified.value).toMatchObject({ holds: true, position: { entries } })
    process.stdout.write(`${entries} entries: ${verified.seconds} s, heap grew by ${verified.megabytes} MB at most\n`)
    // The entries alone would be more than 1 kB each.
    expect(verified.megabytes).toBeLessThan(150)

    await db.execute(sql.raw('alter table console.audit_entries disable trigger all'))
    const middle = Math.floor(entries / 2)
    await db.execute(sql.raw(`update console.audit_entries set act = 'card.unlock' where number = ${middle}`))
    const hourly = await measured(() => verifyNow(settings))
    process.stdout.write(`the first verification of a process: ${hourly.seconds} s\n`)
    const { file } = await verifyCheckpointFile(db, checkpointFile, publicKey)
    expect(await verifyEntries(db, file.checkpoints)).toMatchObject({
      holds: false,
      break: { number: middle, message: `Entry ${middle} was changed.` },
    })
  },
  30 * minuteMs,
)

function entry(number: number) {
  return {
    number,
    at: new Date(Date.UTC(2026, 0, 1) + number * 1000),
    staffId: '5d1c7a52-0000-4000-8000-000000000003',
    staffName: 'Olivia Poon',
    staffRole: 'operations' as const,
    environment: 'sandbox' as const,
    act: 'card.lock',
    targetType: 'card',
    targetId: randomUUID(),
    targetParentId: randomUUID(),
    targetLabel: 'card ending 4242',
    outcome: 'done' as const,
    code: null,
    reason: 'lost-or-stolen',
    comment: 'the cardholder called',
    operationId: randomUUID(),
    requestId: randomUUID(),
    details: JSON.stringify({ ipAddress: '192.0.2.8', consoleRequestId: randomUUID() }),
  }
}

/** What the work returned, its seconds, and by how many megabytes the heap grew at most meanwhile. */
async function measured<Value>(work: () => Promise<Value>) {
  const before = process.memoryUsage().heapUsed
  let most = before
  const sampling = setInterval(() => void (most = Math.max(most, process.memoryUsage().heapUsed)), 20)
  const startedAt = performance.now()
  try {
    const value = await work()
    const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1))
    return { value, seconds, megabytes: Math.round((most - before) / 1_000_000) }
  } finally {
    clearInterval(sampling)
  }
}
