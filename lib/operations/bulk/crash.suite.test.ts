import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { asc, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { verifyAuditChain } from '#lib/audit/chain.ts'
import { creditAccounts, effectsOn, jobIn, limitJob } from '#lib/console/testing/bulk.ts'
import { toSettings, startProcess } from '#lib/console/testing/console-process.ts'
import { openConsole, type TestConsole } from '#lib/console/testing/open-console.ts'
import { cardAccounts } from '#lib/service/tables/card-accounts.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { bulkJobs } from '#lib/tables/bulk.ts'
import { operations } from '#lib/tables/operations.ts'
import { stopBulkJobs } from './run.ts'
import { startBulkJob } from './start.ts'

const rows = 60

/** Runs `processes` console processes on the job and kills them after a while; null waits until they end. */
async function runAndKill(desk: TestConsole, processes: number, afterMs: number | null): Promise<void> {
  const program = new URL('../../console/testing/bulk-child.ts', import.meta.url)
  const started = Array.from({ length: processes }, () =>
    startProcess(program, { ...toSettings(desk), BULK_ROWS_PER_SECOND: '100' }),
  )
  await Promise.all(started.map(({ child }) => once(child.stdout, 'data')))
  if (afterMs !== null) {
    await delay(afterMs)
    for (const { child } of started) child.kill('SIGKILL')
  }
  await Promise.all(started.map(({ exited }) => exited))
}

test('processes killed (-9) at random points of a job: every row takes effect once, in order, and the job says so', async () => {
  const desk = await openConsole({ seeded: 6 })
  const by = await desk.signIn('operations')
  const [account] = await creditAccounts(desk)
  if (!by || !account) throw new Error('the seed has nobody of Operations, or no credit account')
  const before = await effectsOn(desk, account.id)
  const entry = limitJob(by, Array(rows).fill(account.id))
  await stopBulkJobs()
  await startBulkJob(entry)
  await stopBulkJobs()
  for (let kill = 0; kill < 6; kill += 1) {
    await runAndKill(desk, 1 + (kill % 2), randomInt(1, 400))
    // Instead of waiting for the leases of the dead to run out.
    await desk.db.update(bulkJobs).set({ leaseUntil: sql`least(lease_until, clock_timestamp())`, nextAt: new Date(0) })
    await desk.db.update(operations).set({ leaseUntil: sql`least(lease_until, clock_timestamp())` })
  }
  await runAndKill(desk, 2, null)

  const { job, states } = await jobIn(desk, entry.id)
  expect(states).toEqual(Array(rows).fill('done'))
  expect(job).toMatchObject({ state: 'finished', finishedAt: expect.any(Date) })
  expect((await effectsOn(desk, account.id)) - before).toBe(rows)
  const [after] = await desk.service.service.db.select().from(cardAccounts).where(eq(cardAccounts.id, account.id))
  expect(Number(after?.limit)).toBe(1000 + rows)
  const done = await desk.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.act, 'account.set-limit'))
    .orderBy(asc(auditEntries.number))
  expect(done).toHaveLength(rows)
  expect(done.map(({ comment }) => /: row (\d+) of/.exec(comment ?? '')?.[1])).toEqual(
    Array.from({ length: rows }, (_, row) => `${row + 1}`),
  )
  expect(await verifyAuditChain(desk.db)).toMatchObject({ holds: true })
}, 240_000)
