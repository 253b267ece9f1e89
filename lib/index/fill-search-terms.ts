import 'server-only'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Card } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { processWide } from '#lib/shared/process-wide.ts'
import { directoryAccounts as account, directoryCards as card } from '#lib/tables/directory.ts'
import { indexedMerchants } from '#lib/tables/transactions.ts'
import { accountColumns, accountOf } from './account-record.ts'
import { cardTerms } from './mirror.ts'
import { termsOfName, tsvectorOf } from './search-terms.ts'

const atOnce = 200
const progress = processWide('carddeskSearchTermsFilled', () => ({ isDone: false }))

/**
 * Writes the terms of the rows that a version without any has left, once in the life of a process. What is read from the service
 * has its terms at once.
 */
export async function fillSearchTerms(): Promise<void> {
  if (progress().isDone) return
  await database().execute(sql`
    insert into ${indexedMerchants} (environment, name)
    select distinct environment, lower(merchant_name) from console.index_transactions where merchant_name <> ''
    on conflict do nothing`)
  while ((await fillAccounts()) + (await fillCards()) + (await fillMerchants()) > 0);
  progress().isDone = true
}

async function fillAccounts(): Promise<number> {
  const rows = await database().select().from(account).where(isNull(account.terms)).limit(atOnce)
  for (const row of rows) {
    const { terms } = accountColumns(accountOf(row))
    await database()
      .update(account)
      .set({ terms })
      .where(and(eq(account.environment, row.environment), eq(account.id, row.id), isNull(account.terms)))
  }
  return rows.length
}

async function fillCards(): Promise<number> {
  const rows = await database().select().from(card).where(isNull(card.terms)).limit(atOnce)
  for (const row of rows) {
    await database()
      .update(card)
      .set({ terms: cardTerms(row.record as Card) })
      .where(and(eq(card.environment, row.environment), eq(card.id, row.id), isNull(card.terms)))
  }
  return rows.length
}

async function fillMerchants(): Promise<number> {
  const rows = await database().select().from(indexedMerchants).where(isNull(indexedMerchants.terms)).limit(atOnce)
  for (const { environment, name } of rows) {
    await database()
      .update(indexedMerchants)
      .set({ terms: tsvectorOf(termsOfName(name)) })
      .where(and(eq(indexedMerchants.environment, environment), eq(indexedMerchants.name, name)))
  }
  return rows.length
}
