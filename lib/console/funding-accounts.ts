import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { ledgerSearch } from '#lib/api/payouts.ts'
import type { Account, AccountTransaction } from '#lib/contract/records.ts'
import { callService } from '#lib/environments/environments.ts'
import { readFreshness, readHealth } from '#lib/environments/health.ts'
import { fetchPage, isOtherCode, isOutside, matchingRecords } from '#lib/environments/paginate.ts'
import type { Freshness, ServicePage } from '#lib/environments/types.ts'
import { dateRangeTexts, filterSchemas } from '#lib/index/search-schema.ts'
import { singleFlight } from '#lib/index/single-flight.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { parseSearch, servicePage } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'

/** `excluded` counts records that came without an id. */
type FundingAccounts = { accounts: Account[]; excluded: number; freshness: Freshness }

/** The accounts that fund payouts, straight from the service. */
export async function listFundingAccounts(environment: Environment): Promise<FundingAccounts> {
  const { response, excluded, fetchedAt } = await callService(environment, 'listAccounts', {})
  return { accounts: response.accounts, excluded, freshness: await readFreshness(environment, fetchedAt) }
}

/** One page of the account ledger, newest first, straight from the service. */
type LedgerPage = ServicePage & { transactions: AccountTransaction[] }

/** Open sets: a code that the console does not know is sent to the service as it was typed. */
const LedgerFilters = z.object({ ...filterSchemas(ledgerSearch.filters), ...dateRangeTexts, ...servicePage }).partial()

/** Search parameters of the URL. */
export type LedgerFilters = z.input<typeof LedgerFilters>

/** The entries of the funding accounts' ledger. Throws `ACCOUNT_NOT_FOUND` and `INVALID_PARAMETERS`. */
export async function listLedger(environment: Environment, search: LedgerFilters): Promise<LedgerPage> {
  const filters = parseSearch(LedgerFilters, search)
  const page = await fetchPage(environment, 'listAccountTransactions', filters, ({ transactions }) => transactions)
  const { response, excluded, fetchedAt } = page
  const { prevPageToken, nextPageToken } = response
  const { intent, status } = filters
  const { matching, unmatched } = matchingRecords(environment, 'listAccountTransactions', response.transactions, {
    intent: (entry) => isOtherCode(entry.intent, intent),
    status: (entry) => isOtherCode(entry.status, status),
    dateRange: ({ time, createdAt }) => isOutside([time, createdAt], filters),
  })
  const freshness = await readFreshness(environment, fetchedAt)
  return { transactions: matching, excluded, unmatched, prevPageToken, nextPageToken, freshness }
}

type Names = ReadonlyMap<string, string>
type Stored = Map<Environment, { names: Names; readAt: number }>
const stored = globalSingleton<Stored>('carddeskFundingNames', () => new Map())

/** A name is worth this much waiting: without it an account is called by its id. */
const timeoutMs = secondMs

/** The name of a funding account by its id; null where the account or its name is not known. */
type NameOf = (id: string | null) => string | null

/** The names of funding accounts, a minute old at most. */
export async function readFundingAccountNames(environment: Environment): Promise<NameOf> {
  const names = await readFreshNames(environment)
  return (id) => names.get(id?.toLowerCase() ?? '') ?? null
}

async function readFreshNames(environment: Environment): Promise<Names> {
  const cached = stored().get(environment)
  if (cached && Date.now() - cached.readAt < minuteMs) return cached.names
  const health = await readHealth(environment)
  if (health.connected && health.unreachableSince === null) {
    const work = singleFlight(`names of funding accounts ${environment}`, () => readNames(environment))
    await Promise.race([work, delay(timeoutMs, undefined, { ref: false })])
  }
  return stored().get(environment)?.names ?? new Map()
}

async function readNames(environment: Environment): Promise<void> {
  const { response } = await callService(environment, 'listAccounts', {})
  const names = new Map(response.accounts.flatMap(({ id, name }) => (name ? [[id.toLowerCase(), name]] : [])))
  stored().set(environment, { names, readAt: Date.now() })
}
