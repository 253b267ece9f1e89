import 'server-only'
import { and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { readAmount } from '#lib/contract/amount-entry.ts'
import { indexDatabase } from '#lib/db/connection.ts'
import { escapeLike } from '#lib/index/conditions.ts'
import { readCurrencies } from '#lib/index/list-accounts.ts'
import { moneyText } from '#lib/shared/currency.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedFees } from '#lib/tables/fees.ts'
import { indexedMerchants, indexedTransactions } from '#lib/tables/transactions.ts'
import { mostCompared, findClosest, hasTerms, termsArray } from './closest.ts'
import { type Hit, type Query, mostOfAKind, unique } from './query.ts'

/** The transactions by id, merchant and amount, those of the open account by any of their texts. */
export async function findTransactions(query: Query): Promise<Hit[]> {
  const found = await Promise.all([
    findTransactionsById(query),
    findTransactionsOfAccount(query),
    findTransactionsOfMerchants(query),
    findTransactionsByAmount(query),
  ])
  return unique(found.flat()).slice(0, mostOfAKind)
}

const transactionColumns = {
  id: indexedTransactions.id,
  cardAccountId: indexedTransactions.cardAccountId,
  merchantName: indexedTransactions.merchantName,
  description: indexedTransactions.description,
  amount: indexedTransactions.amount,
  currency: indexedTransactions.currency,
  status: indexedTransactions.status,
}

async function findNewestTransactions(environment: Environment, condition: SQL | undefined): Promise<Hit[]> {
  const rows = await indexDatabase()
    .select(transactionColumns)
    .from(indexedTransactions)
    .where(and(eq(indexedTransactions.environment, environment), condition))
    .orderBy(desc(indexedTransactions.createdAt))
    .limit(mostOfAKind)
  return rows.map((row) => ({
    id: row.id,
    parentId: row.cardAccountId,
    label: row.merchantName ?? row.description,
    hint: moneyText(row.amount, row.currency) || null,
    status: row.status,
  }))
}

/** By the whole id or external id, or an end of the id. */
async function findTransactionsById({ environment, q, text }: Query): Promise<Hit[]> {
  const { id, searchText } = indexedTransactions
  const typed = q.toLowerCase()
  if (text.id === null || /\s/.test(typed)) return []
  const escaped = escapeLike(typed)
  const [whole] = await indexDatabase()
    .select({ id })
    .from(indexedTransactions)
    .where(and(eq(indexedTransactions.environment, environment), sql`lower(${id}) = ${typed}`))
    .limit(1)
  if (whole) return findNewestTransactions(environment, eq(id, whole.id))
  // The index of the search text finds the rows; sorting them keeps PostgreSQL from walking all of them by their time.
  const rows = await indexDatabase().execute<{ id: string }>(sql`
    with found as materialized (
      select id, lower(id) as lower, lower(xid) as xid from ${indexedTransactions}
      where environment = ${environment} and ${searchText} like ${`%${escaped}%`} limit ${mostCompared})
    select id from found where lower like ${`${escaped}%`} or lower like ${`%${escaped}`} or xid = ${typed} limit ${mostOfAKind}`)
  const ids = rows.rows.map((row) => row.id)
  return ids.length === 0 ? [] : findNewestTransactions(environment, inArray(id, ids))
}

/** By the whole id or an end of it, or by the external id of its transaction. */
export async function findFees({ environment, q, text }: Query): Promise<Hit[]> {
  const typed = q.toLowerCase()
  if (text.id === null || /\s/.test(typed)) return []
  const escaped = escapeLike(typed)
  const { rows } = await indexDatabase().execute<
    Record<'id' | 'intent' | 'amount' | 'currency' | 'status', string | null> & { id: string }
  >(sql`
    with found as materialized (
      select id, lower(id) as lower, lower(transaction_xid) as xid, intent, amount, currency, status from ${indexedFees}
      where environment = ${environment} and search_text like ${`%${escaped}%`} limit ${mostCompared})
    select * from found where lower like ${`${escaped}%`} or lower like ${`%${escaped}`} or xid = ${typed} limit ${mostOfAKind}`)
  return rows.map(({ id, intent, amount, currency, status }) => ({
    id,
    label: intent,
    hint: moneyText(amount, currency) || null,
    status,
  }))
}

/** Transactions of the open account, by any of their texts. */
async function findTransactionsOfAccount({ environment, q, cardAccountId }: Query): Promise<Hit[]> {
  if (cardAccountId === undefined || q.length < shortestText) return []
  const { searchText, amount } = indexedTransactions
  const exact = parseAmount(q)
  return findNewestTransactions(
    environment,
    and(
      eq(indexedTransactions.cardAccountId, cardAccountId),
      or(sql`${searchText} like ${`%${escapeLike(q.toLowerCase())}%`}`, exact === null ? undefined : eq(amount, exact)),
    ),
  )
}

/** A merchant with more transactions than this has further ones in the list. */
const mostMerchants = 3

/** The newest of the merchants whose names are closest. */
async function findTransactionsOfMerchants({ environment, text }: Query): Promise<Hit[]> {
  const { name, terms } = indexedMerchants
  const merchants = await findClosest(text, async (query) => {
    const rows = await indexDatabase()
      .select({ name, terms: termsArray(terms) })
      .from(indexedMerchants)
      .where(and(eq(indexedMerchants.environment, environment), hasTerms(terms, query)))
      .limit(mostCompared)
    return rows.map((row) => ({ ...row, id: row.name, at: null }))
  })
  const found = await Promise.all(
    merchants
      .slice(0, mostMerchants)
      .map((merchant) =>
        findNewestTransactions(environment, sql`lower(${indexedTransactions.merchantName}) = ${merchant.name}`),
      ),
  )
  return found.flat()
}

async function findTransactionsByAmount({ environment, q }: Query): Promise<Hit[]> {
  const exact = parseAmount(q)
  if (exact === null || q.length < shortestText) return []
  const currencies = await readCurrencies(environment)
  if (currencies.length === 0) return []
  const { amount, currency } = indexedTransactions
  return findNewestTransactions(environment, and(inArray(currency, currencies), eq(amount, exact)))
}

/** A shorter text matches too much. */
const shortestText = 2

/** `1,234.50` as the index has it, `1234.5`; null for text that is not an amount. */
function parseAmount(q: string): string | null {
  const read = readAmount(q, null)
  return 'amount' in read ? read.amount : null
}
