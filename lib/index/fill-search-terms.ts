import 'server-only'
import { isNull, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Card } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { indexedAccounts as account, indexedCards as card } from '#lib/tables/card-accounts.ts'
import { indexedMerchants } from '#lib/tables/transactions.ts'
import { accountColumns, toCardAccount } from './account-record.ts'
import { cardTerms } from './index-cards.ts'
import { termsOfName, toTsvector } from './search-terms.ts'

const atOnce = 200
const progress = globalSingleton('carddeskSearchTermsFilled', () => ({ isDone: false }))

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
  const terms = rows.map((row) => accountColumns(toCardAccount(row)).terms)
  return write(
    account,
    account.id,
    rows.map(({ environment, id }) => ({ environment, key: id })),
    terms,
  )
}

async function fillCards(): Promise<number> {
  const rows = await database().select().from(card).where(isNull(card.terms)).limit(atOnce)
  const terms = rows.map(({ record }) => cardTerms(record as Card))
  return write(
    card,
    card.id,
    rows.map(({ environment, id }) => ({ environment, key: id })),
    terms,
  )
}

async function fillMerchants(): Promise<number> {
  const rows = await database().select().from(indexedMerchants).where(isNull(indexedMerchants.terms)).limit(atOnce)
  const terms = rows.map(({ name }) => toTsvector(termsOfName(name)))
  return write(
    indexedMerchants,
    indexedMerchants.name,
    rows.map(({ environment, name }) => ({ environment, key: name })),
    terms,
  )
}

/** Writes the terms of rows, each by its environment and key, unless they were written meanwhile. Returns how many rows there were. */
async function write(
  table: typeof account | typeof card | typeof indexedMerchants,
  key: AnyPgColumn,
  rows: readonly { environment: string; key: string }[],
  terms: readonly string[],
): Promise<number> {
  if (rows.length === 0) return 0
  const texts = (values: readonly string[]) => sql`${sql.param(values)}::text[]`
  await database().execute(sql`
    update ${table} set terms = given.terms::tsvector
    from unnest(${texts(rows.map(({ environment }) => environment))}, ${texts(rows.map((row) => row.key))}, ${texts(terms)})
      as given (environment, key, terms)
    where ${table.environment} = given.environment and ${key} = given.key and ${table.terms} is null`)
  return rows.length
}
