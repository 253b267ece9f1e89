import { randomUUID } from 'node:crypto'
import { asc, eq, sql } from 'drizzle-orm'
import type { Staff } from '#lib/auth/types.ts'
import { runBulkJobs, bulkJobsDone } from '#lib/operations/bulk/run.ts'
import type { BulkEntry } from '#lib/operations/bulk/start.ts'
import { cardAccounts } from '#lib/service/tables/card-accounts.ts'
import { events } from '#lib/service/tables/webhooks.ts'
import { bulkItems, bulkJobs } from '#lib/tables/bulk.ts'
import type { TestConsole } from './open-console.ts'

/** The credit accounts of the built-in service, in order of their ids. */
export async function creditAccounts({ service }: TestConsole) {
  return service.service.db
    .select()
    .from(cardAccounts)
    .where(eq(cardAccounts.accountType, 'credit'))
    .orderBy(asc(cardAccounts.id))
}

/** A job that sets the limits of these accounts, one row each, the n-th to 1000 + n. */
export function limitJob(by: Staff, accountIds: readonly string[], id: string = randomUUID()): BulkEntry {
  return {
    id,
    environment: 'sandbox',
    kind: 'account.set-limit',
    title: `Set ${accountIds.length} limits`,
    reason: null,
    by: { id: by.id, name: by.name, role: by.role },
    items: accountIds.map((accountId, index) => ({
      target: { type: 'cardaccount', id: accountId, parentId: null, label: `account ${index + 1}` },
      endpoint: 'setFixedLimit',
      body: { cardAccountId: accountId, limit: 1001 + index },
      facts: { account: `account ${index + 1}`, limitBefore: null, limit: String(1001 + index), currency: 'HKD' },
    })),
  }
}

/** The job and its rows, as the database has them. */
export async function jobIn({ db }: TestConsole, id: string) {
  const [job] = await db.select().from(bulkJobs).where(eq(bulkJobs.id, id))
  const items = await db.select().from(bulkItems).where(eq(bulkItems.jobId, id)).orderBy(asc(bulkItems.position))
  if (!job) throw new Error('there is no such job')
  return { job, items, states: items.map(({ state }) => state) }
}

/** How often the limit of an account was set, as the service's events have it. */
export async function effectsOn({ service }: TestConsole, accountId: string): Promise<number> {
  const { rows } = await service.service.db.execute<{ count: number }>(
    sql`select count(*)::int as count from ${events} where event = 'cardaccount.balance' and data ->> 'id' = ${accountId}`,
  )
  return rows[0]?.count ?? 0
}

/** What waits is due now, and the rounds that the console would make in the background are made. */
export async function letTimePass({ db }: TestConsole): Promise<void> {
  await db.update(bulkJobs).set({ nextAt: new Date(0), leaseUntil: sql`least(lease_until, clock_timestamp())` })
  await runBulkJobs()
  await bulkJobsDone()
}

/** Holds the n-th request to set a limit back until it is let go. */
export function holdRequest(desk: TestConsole, number: number): { arrived: Promise<void>; letGo: () => void } {
  const arrived = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  let count = 0
  desk.intercept.before = async (request) => {
    if (!request.url?.endsWith('/cardaccounts/fixed-limit')) return false
    count += 1
    if (count !== number) return false
    arrived.resolve()
    await release.promise
    return false
  }
  return { arrived: arrived.promise, letGo: () => release.resolve() }
}
