import 'server-only'
import { z } from 'zod'
import { transactionSearch } from '#lib/api/transactions.ts'
import { inputFor } from '#lib/client/prepare.ts'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { callService } from '#lib/environments/environments.ts'
import { readFreshness } from '#lib/environments/health.ts'
import { fetchPages, isOtherCode, isOutside, matchingRecords } from '#lib/environments/paginate.ts'
import type { ServicePage } from '#lib/environments/types.ts'
import { accountNotFound } from '#lib/index/account.ts'
import { findOwnRecords } from '#lib/index/own-records.ts'
import { dateRangeTexts, filterSchemas } from '#lib/index/search-schema.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import { isServiceId, sameId } from '#lib/shared/ids.ts'
import { parseSearch, plainText, ServiceId, servicePage } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** One page, newest first, straight from the service. */
export type TransactionPage = ServicePage & { transactions: CardAccountTransaction[] }

/** An open set: a code that the console does not know is sent to the service as it was typed. */
const TransactionFilters = z
  .object({
    transactionId: ServiceId,
    xid: plainText(256),
    ...filterSchemas(transactionSearch.filters),
    ...dateRangeTexts,
    ...servicePage,
  })
  .partial()

/** Search parameters of the URL. */
export type TransactionFilters = z.input<typeof TransactionFilters>

/** The transactions of an account, or of one of its cards. Throws `CARD_ACCOUNT_NOT_FOUND` and `INVALID_PARAMETERS`. */
export async function listTransactions(
  environment: Environment,
  cardAccountId: string,
  search: TransactionFilters,
): Promise<TransactionPage> {
  if (!isServiceId(cardAccountId)) throw accountNotFound()
  const { find, ...filters } = parseSearch(TransactionFilters, search)
  const list = async (found: { transactionId?: string; xid?: string }) => {
    const listed = await fetchPage(environment, { cardAccountId, ...filters, ...found })
    const { transactions } = listed.response
    const own = await findOwnRecords(environment, 'listCardAccountTransactions', transactions, cardAccountId)
    const isFound = ({ id, xid }: CardAccountTransaction) =>
      find === undefined || (found.transactionId === undefined ? xid === find : sameId(id, find))
    const { matching, unmatched } = matchingTransactions(environment, own.filter(isFound), filters)
    return {
      ...listed,
      unmatched: unmatched + transactions.length - own.length,
      response: { ...listed.response, transactions: matching },
    }
  }
  // The service refuses ids of another form than its own.
  const byId = find === undefined ? null : await nullOn(list({ transactionId: find }), 'INVALID_PARAMETERS')
  const isFound = byId && byId.response.transactions.length > 0
  // Not found by its id: the text may be an external id.
  const { response, excluded, unmatched, fetchedAt } = isFound
    ? byId
    : await list(find === undefined ? {} : { xid: find })
  const { transactions, prevPageToken, nextPageToken } = response
  const freshness = await readFreshness(environment, fetchedAt)
  return { transactions, excluded, unmatched, prevPageToken, nextPageToken, freshness }
}

/** Empty pages that are passed over. */
const emptyPages = 10

/** A service may send empty pages before others: they are passed over, unless one names itself as the next. */
async function fetchPage(environment: Environment, query: Readonly<Record<string, unknown>>) {
  for (let from = query, empty = 0; ; empty += 1) {
    const input = inputFor('listCardAccountTransactions', { query: from })
    const page = await callService(environment, 'listCardAccountTransactions', input)
    const { transactions, nextPageToken } = page.response
    const isEmpty = transactions.length === 0 && page.excluded === 0
    const isPassedOver = isEmpty && nextPageToken !== null && nextPageToken !== from.pageToken
    if (!isPassedOver || empty >= emptyPages) return page
    from = { ...query, pageToken: nextPageToken }
  }
}

/** Pages of a hundred that are read to explain one transaction. */
const maximumPages = 5

/** The transactions of a query. `isWhole`: the list ended within five pages, and none was left out. */
export async function fetchTransactions(
  environment: Environment,
  query: object,
): Promise<{ transactions: CardAccountTransaction[]; isWhole: boolean }> {
  const transactions: CardAccountTransaction[] = []
  let isWhole = true
  const pages = fetchPages(environment, 'listCardAccountTransactions', query, { maximumPages })
  for await (const { response, excluded, hasMore } of pages) {
    transactions.push(...response.transactions)
    isWhole &&= excluded === 0 && (hasMore === 'no' || hasMore === 'next')
  }
  return { transactions, isWhole }
}

function matchingTransactions(
  environment: Environment,
  transactions: readonly CardAccountTransaction[],
  filters: z.output<typeof TransactionFilters>,
) {
  const { transactionId, xid, cardId, status, intent } = filters
  return matchingRecords(environment, 'listCardAccountTransactions', transactions, {
    transactionId: ({ id }) => isOtherCode(id, transactionId),
    xid: (one) => isOtherCode(one.xid, xid),
    cardId: (one) => isOtherCode(one.cardId, cardId),
    status: (one) => isOtherCode(one.status, status),
    intent: (one) => isOtherCode(one.intent, intent),
    dateRange: ({ createdAt, postedAt }) => isOutside([createdAt, postedAt], filters),
  })
}
