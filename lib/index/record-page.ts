import 'server-only'
import { and, type SQL } from 'drizzle-orm'
import type { indexedFees } from '#lib/tables/fees.ts'
import type { indexedLedger } from '#lib/tables/ledger.ts'
import type { indexedPayouts } from '#lib/tables/payouts.ts'
import { pageSorted, type Sort } from './keyset.ts'

/** A page of an indexed list by a sort: its records as the service provided them. Throws as `pageSorted` does. */
export async function pageRecords(
  table: typeof indexedFees | typeof indexedPayouts | typeof indexedLedger,
  sort: Sort,
  request: Parameters<typeof pageSorted>[1],
  matching: SQL,
) {
  const { id, record } = table
  const { rows, ...page } = await pageSorted(sort, request, (db, key, { condition, order, limit }) =>
    db
      .select({ id, record, key })
      .from(table as typeof indexedFees)
      .where(and(matching, condition))
      .orderBy(...order)
      .limit(limit),
  )
  return { ...page, rows }
}
