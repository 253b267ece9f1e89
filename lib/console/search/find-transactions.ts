import 'server-only'
import { and, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { readAmount } from '#lib/contract/amount-entry.ts'
import { indexDatabase } from '#lib/db/connection.ts'
import { escapeLike } from '#lib/index/conditions.ts'
import { readCurrencies } from '#lib/index/list-accounts.ts'
import { parseSearchText, type SearchText } from '#lib/index/search-terms.ts'
import { moneyText } from '#lib/shared/currency.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedFees } from '#lib/tables/fees.ts'
import { indexedMerchants, indexedTransactions } from '#lib/tables/transactions.ts'
import { mostCompared, findClosest, hasTerms, termsArray } from './closest.ts'
import { type Hit, mayBeId, type Query, mostOfAKind, unique } from './query.ts'

/** The transactions by id, merchant and amount, those of the open account by any of their texts. */
export async function findTransactions(query: Query): Promise<Hit[]> {
  const currencies = await readCurrencies(query.environment)
  const typed = parseAmountSearch(query.q, currencies)
  const found = await Promise.all([
    findTransactionsById(query),
    findTransactionsOfAccount(query, typed),
    findTransactionsOfMerchants(query, typed),
    findTransactionsByAmount(query, typed, currencies),
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

/** By the whole id, external id or reference, or an end of the id. */
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
      select id, lower(id) as lower, lower(xid) as xid, string_to_array(${searchText}, E'\\n') as texts
      from ${indexedTransactions}
      where environment = ${environment} and ${searchText} like ${`%${escaped}%`} limit ${mostCompared})
    select id from found where lower like ${`${escaped}%`} or lower like ${`%${escaped}`} or xid = ${typed}
      or (${mayBeId(q)} and ${typed} = any(texts)) limit ${mostOfAKind}`)
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
async function findTransactionsOfAccount(
  { environment, q, cardAccountId }: Query,
  typed: AmountSearch | null,
): Promise<Hit[]> {
  if (cardAccountId === undefined || q.length < shortestText) return []
  const { searchText } = indexedTransactions
  return findNewestTransactions(
    environment,
    and(
      eq(indexedTransactions.cardAccountId, cardAccountId),
      or(
        sql`${searchText} like ${`%${escapeLike(q.toLowerCase())}%`}`,
        typed?.beside === '' ? isOfAmount(typed) : undefined,
      ),
    ),
  )
}

/** A merchant with more transactions than this has further ones in the list. */
const mostMerchants = 3

/** The newest of the merchants whose names are closest; those of the amount that was typed beside a name, too. */
async function findTransactionsOfMerchants({ environment, text }: Query, typed: AmountSearch | null): Promise<Hit[]> {
  const named = await findOfClosestMerchants(environment, text)
  if (!typed || typed.beside === '') return named
  return [...named, ...(await findOfClosestMerchants(environment, parseSearchText(typed.beside), isOfAmount(typed)))]
}

async function findOfClosestMerchants(environment: Environment, text: SearchText, condition?: SQL): Promise<Hit[]> {
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
    merchants.slice(0, mostMerchants).map((merchant) => {
      const isThere = sql`lower(${indexedTransactions.merchantName}) = ${merchant.name}`
      return findNewestTransactions(environment, and(isThere, condition))
    }),
  )
  return found.flat()
}

async function findTransactionsByAmount(
  { environment, q }: Query,
  typed: AmountSearch | null,
  currencies: readonly string[],
): Promise<Hit[]> {
  if (typed?.beside !== '' || q.length < shortestText || currencies.length === 0) return []
  return findNewestTransactions(environment, and(inArray(indexedTransactions.currency, currencies), isOfAmount(typed)))
}

/** A shorter text matches too much. */
const shortestText = 2

/** An amount that was typed, as the index has it: `1234.5`; its currency, null where none was; and what was typed beside them. */
type AmountSearch = { amount: string; currency: string | null; beside: string }

/** A word that is an amount, perhaps with a sign, a currency or its symbol: `1,234.50`, `−250`, `HK$250`, `USD20`, `20eur`. */
const amountWord = /^[-+−]?(?:(?<before>[a-z]{3})|[a-z]{0,3}\p{Sc})?(?<figure>[\d.,'’]+)(?<after>[a-z]{3})?$/iu

/**
 * The amount in a search text, before or behind what else is in it: `250.00 HKD`, `Klook 1,250`. A code beside it is its currency where
 * it is one of the program's. Null where no word is an amount.
 */
export function parseAmountSearch(q: string, currencies: readonly string[]): AmountSearch | null {
  const whole = readAmount(q, null)
  if ('amount' in whole) return { amount: whole.amount, currency: null, beside: '' }
  const words = q.split(/\s+/)
  const toCurrency = (word: string | undefined) => currencies.find((code) => code === word?.toUpperCase()) ?? null
  for (const at of new Set([words.length - 1, words.length - 2, 0, 1])) {
    const { before, figure, after } = amountWord.exec(words[at] ?? '')?.groups ?? {}
    const read = figure === undefined ? null : readAmount(figure, null)
    if (!read || 'problem' in read) continue
    const named = [before, after].find((code) => code !== undefined)
    if (named !== undefined && toCurrency(named) === null) continue
    const besides = [at - 1, at + 1].find((index) => toCurrency(words[index]) !== null)
    const currency = toCurrency(named) ?? toCurrency(words[besides ?? -1])
    const beside = words.filter((_, index) => index !== at && (named !== undefined || index !== besides)).join(' ')
    return { amount: read.amount, currency, beside }
  }
  return null
}

function isOfAmount({ amount, currency }: AmountSearch): SQL | undefined {
  return and(
    eq(indexedTransactions.amount, amount),
    currency === null ? undefined : eq(indexedTransactions.currency, currency),
  )
}
