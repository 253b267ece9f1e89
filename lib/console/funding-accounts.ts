import 'server-only'
import { z } from 'zod'
import { accountTransactionIntents, accountTransactionStatuses } from '#lib/contract/accounts.ts'
import type { Account, AccountTransaction } from '#lib/contract/records.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { askService } from './environments.ts'
import { healthOf } from './health-record.ts'
import { pageSize, parseSearch, plainText } from './parse.ts'
import type { Seen } from './service-health.ts'
import { requirePermission } from './session.ts'

export type FundingAccounts = { accounts: Account[]; seen: Seen }

/** The accounts that fund payouts, straight from the service. */
export async function listFundingAccounts(environment: Environment): Promise<FundingAccounts> {
  await requirePermission('payouts.read', environment)
  const { answer, askedAt } = await askService(environment, 'listAccounts', {})
  return { accounts: answer.accounts, seen: await seenAt(environment, askedAt) }
}

/** One page of the account ledger, newest first, straight from the service. */
export type LedgerPage = {
  transactions: AccountTransaction[]
  prevPageToken: string | null
  nextPageToken: string | null
  seen: Seen
}

const LedgerFilters = z
  .object({
    accountId: z.uuid('must be a UUID'),
    intent: z.enum(accountTransactionIntents, `must be one of ${accountTransactionIntents.join(', ')}`),
    status: z.enum(accountTransactionStatuses, `must be one of ${accountTransactionStatuses.join(', ')}`),
    /** ISO 8601 with a zone; both ends included. */
    dateRangeFrom: z.iso.datetime({ offset: true, error: 'must be a date-time with a time zone' }),
    dateRangeTo: z.iso.datetime({ offset: true, error: 'must be a date-time with a time zone' }),
    pageSize,
    pageToken: plainText(4000),
  })
  .partial()

/** What an address may hold; values that the interface does not know are refused. */
export type LedgerFilters = Omit<z.input<typeof LedgerFilters>, 'intent' | 'status'> & {
  intent?: string | undefined
  status?: string | undefined
}

/** What moved the balances of funding accounts. Throws `ACCOUNT_NOT_FOUND` and `INVALID_PARAMETERS`. */
export async function listLedger(environment: Environment, search: LedgerFilters): Promise<LedgerPage> {
  await requirePermission('payouts.read', environment)
  const { pageSize, ...filters } = parseSearch(LedgerFilters, search)
  const { answer, askedAt } = await askService(environment, 'listAccountTransactions', {
    query: { ...filters, ...(pageSize === undefined ? {} : { pageSize: String(pageSize) }) },
  })
  const { transactions, prevPageToken, nextPageToken } = answer
  return { transactions, prevPageToken, nextPageToken, seen: await seenAt(environment, askedAt) }
}

async function seenAt(environment: Environment, askedAt: Date): Promise<Seen> {
  return { asOf: askedAt.toISOString(), source: 'service', health: await healthOf(environment) }
}
