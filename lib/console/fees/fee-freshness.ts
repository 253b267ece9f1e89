import 'server-only'
import { and, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { withExclusive } from '#lib/db/exclusive.ts'
import { listFreshness } from '#lib/index/list-freshness.ts'
import { requestAllowance } from '#lib/index/request-allowance.ts'
import { publish } from '#lib/live/publish.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { dayMs } from '#lib/shared/time.ts'
import { feeProgress, indexedFees as fee } from '#lib/tables/fees.ts'
import { indexedTransactions as transaction } from '#lib/tables/transactions.ts'
import { feeIndex, readFeesOfAccounts } from './index-fees.ts'

/** A quarter of the service's usual rate limit. */
const allowance = requestAllowance('fees', 300)
/** As many ids as an address holds with ease. */
export const accountsAtOnce = 50

/**
 * Reads the fees that the index lacks, many accounts in one request. No event holds a fee, but events and the sync of transactions bring the
 * transaction that carries it: where the index of fees has it with the same status, it costs no request. Nothing is read before the first
 * whole reading, which includes them.
 */
async function readDueFees(environment: Environment): Promise<void> {
  if ((await listDueAccounts(environment)).length === 0) return
  await withExclusive(database(), `due fees ${environment}`, async () => {
    await markExplained(environment)
    for (let ids = await listDueAccounts(environment); ids.length > 0; ids = await listDueAccounts(environment)) {
      if (!allowance.take()) return
      const readAt = new Date()
      let pages = 0
      await readFeesOfAccounts(environment, ids, () => {
        pages += 1
        if (pages > 1) allowance.spend()
      })
      await database()
        .update(transaction)
        .set({ feeReadAt: readAt })
        .where(and(isDue(environment), inArray(transaction.cardAccountId, ids), lte(transaction.readAt, readAt)))
      publish(environment, [{ type: 'fees' }])
    }
  })
}

/** The condition of the index `index_transactions_fee_due`. */
function isDue(environment: Environment) {
  return and(eq(transaction.environment, environment), eq(transaction.intent, 'fee'), isNull(transaction.feeReadAt))
}

async function listDueAccounts(environment: Environment): Promise<string[]> {
  const rows = await database()
    .selectDistinct({ id: transaction.cardAccountId })
    .from(transaction)
    .where(
      and(
        isDue(environment),
        sql`exists (select from ${feeProgress} where environment = ${environment} and as_of is not null)`,
      ),
    )
    .limit(accountsAtOnce)
  return rows.map(({ id }) => id)
}

/** Transactions whose fee is in the index as they are, or was read after them. */
async function markExplained(environment: Environment): Promise<void> {
  await database().execute(sql`
    update ${transaction} t set fee_read_at = f.read_at from ${fee} f
    where t.environment = ${environment} and t.intent = 'fee' and t.fee_read_at is null
      and f.environment = t.environment and f.transaction_id = t.id
      and (f.transaction_status is not distinct from t.status or f.read_at >= t.read_at)`)
}

/**
 * Few fees are read again whole. Many are read whole once a day, which heals what nothing else showed: their newest page is read when
 * somebody looks, and what is due at once.
 */
export const feeFreshness = listFreshness('fees', feeIndex, { largeMs: dayMs, readDue: readDueFees })
