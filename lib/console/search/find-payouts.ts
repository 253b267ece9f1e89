import 'server-only'
import { and, eq } from 'drizzle-orm'
import { indexDatabase } from '#lib/db/connection.ts'
import { moneyText } from '#lib/shared/currency.ts'
import { indexedPayouts } from '#lib/tables/payouts.ts'
import { parseStoredPayout } from '../payouts/payout-record.ts'
import { findClosest, hasTerms, mostCompared, termsArray } from './closest.ts'
import type { Hit, Query } from './query.ts'

/** The payouts by their beneficiary, ids and external id. */
export async function findPayouts({ environment, text }: Query): Promise<Hit[]> {
  const { id, record, createdAt, terms } = indexedPayouts
  const rows = await findClosest(text, async (query) => {
    const found = await indexDatabase()
      .select({ id, record, terms: termsArray(terms), at: createdAt })
      .from(indexedPayouts)
      .where(and(eq(indexedPayouts.environment, environment), hasTerms(terms, query)))
      .limit(mostCompared)
    return found.map((row) => ({ ...row, name: parseStoredPayout(row.record).destination.accountHolderName }))
  })
  return rows.map(({ record }) => {
    const payout = parseStoredPayout(record)
    const hint = [payout.xid, moneyText(payout.destinationAmount, payout.destinationCurrency)]
    return {
      id: payout.id,
      label: payout.destination.accountHolderName,
      hint: hint.filter(Boolean).join(' · '),
      status: payout.status,
    }
  })
}
