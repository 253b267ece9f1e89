import 'server-only'
import { z } from 'zod'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { transactionIntents, transactionStatuses } from '#lib/contract/transactions.ts'
import { isUuid } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { askService } from './environments.ts'
import { healthOf } from './health-record.ts'
import { pageSize, parseSearch, plainText } from './parse.ts'
import { Refusal } from './refusal.ts'
import type { Seen } from './service-health.ts'
import { requirePermission } from './session.ts'

/** One page, newest first, straight from the service. */
export type TransactionPage = {
  transactions: CardAccountTransaction[]
  prevPageToken: string | null
  nextPageToken: string | null
  seen: Seen
}

const Intent = z.enum(transactionIntents, `must be one of ${transactionIntents.join(', ')}`)

const TransactionFilters = z
  .object({
    /** A transaction's id, or its external id: one field for people who have either. */
    find: plainText(256),
    transactionId: z.uuid('must be a UUID'),
    xid: plainText(256),
    /** Only those of one card. */
    cardId: z.uuid('must be a UUID'),
    status: z.enum(transactionStatuses, `must be one of ${transactionStatuses.join(', ')}`),
    intent: z.union([Intent, z.array(Intent).max(20)]),
    /** ISO 8601 with a zone; both ends included. */
    dateRangeFrom: z.iso.datetime({ offset: true, error: 'must be a date-time with a time zone' }),
    dateRangeTo: z.iso.datetime({ offset: true, error: 'must be a date-time with a time zone' }),
    pageSize,
    pageToken: plainText(4000),
  })
  .partial()

/** What an address may hold; values that the interface does not know are refused. */
export type TransactionFilters = Omit<z.input<typeof TransactionFilters>, 'status' | 'intent'> & {
  status?: string | undefined
  intent?: string | string[] | undefined
}

/** The transactions of an account, or of one of its cards. Throws `CARD_ACCOUNT_NOT_FOUND` and `INVALID_PARAMETERS`. */
export async function listTransactions(
  environment: Environment,
  cardAccountId: string,
  search: TransactionFilters,
): Promise<TransactionPage> {
  await requirePermission('accounts.read', environment)
  if (!isUuid(cardAccountId)) {
    throw new Refusal('CARD_ACCOUNT_NOT_FOUND', 'There is no such card account in this environment.')
  }
  const { pageSize, find, ...filters } = parseSearch(TransactionFilters, search)
  const ask = (found: { transactionId?: string; xid?: string }) =>
    askService(environment, 'listCardAccountTransactions', {
      query: { cardAccountId, ...filters, ...found, ...(pageSize === undefined ? {} : { pageSize: String(pageSize) }) },
    })
  const byId = find !== undefined && isUuid(find) ? await ask({ transactionId: find }) : null
  const isFound = byId !== null && byId.answer.transactions.length > 0
  // An external id may have the form of a UUID too.
  const { answer, askedAt } = isFound ? byId : await ask(find === undefined ? {} : { xid: find })
  return {
    transactions: answer.transactions,
    prevPageToken: answer.prevPageToken,
    nextPageToken: answer.nextPageToken,
    seen: { asOf: askedAt.toISOString(), source: 'service', health: await healthOf(environment) },
  }
}
