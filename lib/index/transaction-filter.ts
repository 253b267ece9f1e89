import 'server-only'
import { and, eq, gte, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { programTransactionSearch } from '#lib/api/transactions.ts'
import { searchTerms } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedAccounts as account } from '#lib/tables/card-accounts.ts'
import {
  chineseCharacter,
  chineseOf,
  hasChineseSql,
  indexedTransactions as transaction,
  isOpenDisputeSql,
} from '#lib/tables/transactions.ts'
import { containsTerm, containsText, escapeLike, hasId } from './conditions.ts'
import { checkSort, filterSchemas, sortedPage } from './search-schema.ts'
import { parseSearchText, toTsquery } from './search-terms.ts'

export const ProgramTransactionSearch = z
  .object({
    ...filterSchemas(programTransactionSearch.filters),
    ...sortedPage(programTransactionSearch.sorts),
  })
  .partial()
  .superRefine(checkSort(programTransactionSearch.sorts))

/** Search parameters of the URL. All optional; empty texts count as absent. */
export type ProgramTransactionSearch = z.input<typeof ProgramTransactionSearch>
export type ParsedProgramTransactionSearch = z.output<typeof ProgramTransactionSearch>

const isOpen = isOpenDisputeSql('index_transactions.dispute_status')

/** The use of cards at a merchant: part of its name, and the period. `declinedThere: 'no'` leaves out cards that were declined there in it. */
export type CardUse = {
  usedAt?: string | undefined
  dateRangeFrom?: Date | undefined
  dateRangeTo?: Date | undefined
  declinedThere?: 'no' | undefined
}

/** The condition of the cards, by their id in `cardId`, that have a transaction of this use; undefined where nothing is asked. */
export function cardUseCondition(environment: Environment, cardId: SQL, use: CardUse): SQL | undefined {
  const { usedAt: merchant, dateRangeFrom, dateRangeTo, declinedThere } = use
  if (!merchant && !dateRangeFrom && !dateRangeTo && !declinedThere) return undefined
  const cardsWith = (more: ParsedProgramTransactionSearch) =>
    sql`select card_id from ${transaction} where card_id is not null
      and ${transactionCondition(environment, { merchant, dateRangeFrom, dateRangeTo, ...more })}`
  const isUsed = sql`${cardId} in (${cardsWith({})})`
  return declinedThere ? sql`${isUsed} and ${cardId} not in (${cardsWith({ status: ['declined'] })})` : isUsed
}

/** A word of a transaction's texts, or, in Chinese, of the name of its account, which no transaction holds. */
function matchesTerm(environment: Environment, term: string): SQL | undefined {
  const isInTexts = containsTerm(transaction.searchText, term)
  const characters = term.match(chineseCharacter)
  if (!characters) return isInTexts
  // Each half by its own index: as one condition with `or`, PostgreSQL reads every row.
  return sql`${transaction.id} in (
    select t.id from ${transaction} t where t.environment = ${environment} and ${hasChineseSql(sql`t.search_text`)}
      and ${chineseOf(sql`t.search_text`)} @> ${sql.param(characters)}::text[] and t.search_text like ${`%${escapeLike(term)}%`}
    union all select t.id from ${account} a join ${transaction} t on t.environment = a.environment and t.card_account_id = a.id
    where a.environment = ${environment} and a.terms @@ ${toTsquery(parseSearchText(term), 'whole')}::tsquery)`
}

/** The rows that match a search. */
export function transactionCondition(
  environment: Environment,
  search: ParsedProgramTransactionSearch & { disputeOpenedTo?: Date | undefined },
): SQL {
  const { q, status, intent, responseCode, responseMessage, merchant, mcc, currency, dispute } = search
  const { amountFrom, amountTo, cardAccountId, cardId, cardLast4, dateRangeFrom, dateRangeTo } = search
  const conditions = [
    eq(transaction.environment, environment),
    ...(q ? searchTerms(q).map((term) => matchesTerm(environment, term)) : []),
    status && inArray(transaction.status, status),
    intent && inArray(transaction.intent, intent),
    responseCode && inArray(transaction.responseCode, responseCode),
    responseMessage ? eq(transaction.responseMessage, responseMessage) : undefined,
    // The text of a search has an index, and holds the merchant's name.
    merchant &&
      and(
        containsText(transaction.searchText, merchant.toLowerCase()),
        sql`position(${merchant.toLowerCase()} in lower(${transaction.merchantName})) > 0`,
      ),
    mcc && inArray(transaction.mcc, mcc),
    currency ? eq(transaction.currency, currency) : undefined,
    amountFrom ? gte(transaction.amount, amountFrom) : undefined,
    amountTo ? lte(transaction.amount, amountTo) : undefined,
    cardAccountId ? hasId(transaction.cardAccountId, [cardAccountId]) : undefined,
    cardId ? hasId(transaction.cardId, [cardId]) : undefined,
    // The text of a search has an index, and holds the last four.
    cardLast4 ? and(containsText(transaction.searchText, cardLast4), eq(transaction.cardLast4, cardLast4)) : undefined,
    dispute === 'open' ? isOpen : dispute ? eq(transaction.disputeStatus, dispute) : undefined,
    search.disputeOpenedTo ? and(isOpen, lte(transaction.disputeOpenedAt, search.disputeOpenedTo)) : undefined,
    dateRangeFrom ? gte(transaction.createdAt, dateRangeFrom) : undefined,
    dateRangeTo ? lte(transaction.createdAt, dateRangeTo) : undefined,
  ]
  return and(...conditions.filter((condition) => condition !== undefined && condition !== '')) ?? sql`true`
}
