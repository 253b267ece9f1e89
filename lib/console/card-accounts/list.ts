import 'server-only'
import { sql } from 'drizzle-orm'
import { groupsWithin } from '#lib/api/card-accounts.ts'
import { withoutPage } from '#lib/api/search.ts'
import { openKeysForReader, requireUnmaskedFilter } from '#lib/auth/masked-reads.ts'
import { reportingCurrency } from '#lib/contract/card-accounts.ts'
import { database } from '#lib/db/connection.ts'
import { readServiceClock } from '#lib/environments/control-plane.ts'
import { callService, requireService } from '#lib/environments/environments.ts'
import { readFreshness, readHealth } from '#lib/environments/health.ts'
import type { ServiceHealth } from '#lib/environments/types.ts'
import { CardAccountFilters, type ParsedAccountFilters } from '#lib/index/account-filter.ts'
import { readAccountWithCards } from '#lib/index/account.ts'
import { readAccountCoverage } from '#lib/index/accounts-sync.ts'
import { preferCards } from '#lib/index/cards-sync.ts'
import { withDisputeAge } from '#lib/index/dispute-age.ts'
import { freshenForReader } from '#lib/index/freshness.ts'
import {
  readCurrencies,
  listIndexedAccounts,
  rejectedIn,
  readSumsOfGroups,
  readTotals,
} from '#lib/index/list-accounts.ts'
import type { CurrencyTotals, AccountCoverage, IndexPage } from '#lib/index/types.ts'
import { findWaiting } from '#lib/operations/approvals/waiting.ts'
import { cachedByCost } from '#lib/shared/cache.ts'
import { parseSearch } from '#lib/shared/parse.ts'
import { lacking } from '#lib/shared/provided.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime } from '#lib/shared/time.ts'
import { indexedAccounts } from '#lib/tables/card-accounts.ts'
import { refreshRejections, readRejectedReason } from '../identity/rejections.ts'
import { readNewestSamples } from '../rates/sample.ts'
import type { AggregateBalances, CardAccountDetail, ListedCardAccount } from './types.ts'

export type CardAccountList = Omit<IndexPage, 'rows'> & {
  rows: ListedCardAccount[]
  /** All accounts that match, on every page. */
  matching: number
  totals: CurrencyTotals[]
  /** Accounts that match and are in no total, because their currency is not provided. */
  totalsExcluded: number
  /** `coverage.excluded` counts accounts that could not be read. */
  coverage: AccountCoverage
  health: ServiceHealth
  /** The service's present time, by which disputes have an age; null where the list is of others, too. */
  serviceAt: string | null
}

/** One page of the index's accounts with the totals of all that match. Throws an `AppError`. */
export async function listCardAccounts(environment: Environment, search: CardAccountFilters): Promise<CardAccountList> {
  const parsed = parseSearch(CardAccountFilters, search)
  await requireUnmaskedFilters(environment, parsed)
  requireService(environment)
  const { filters, serviceAt } = await withClock(environment, parsed)
  await freshenForReader(environment)
  const [page, { totals, excluded }, coverage, health] = await Promise.all([
    listIndexedAccounts(environment, filters, (notAfter) => readReportingRates(environment, notAfter)),
    readTotals(environment, filters),
    readAccountCoverage(environment),
    readHealth(environment),
  ])
  preferCards(
    environment,
    lacking(page.rows, 'cards').map(({ account }) => account.id),
  )
  refreshRejections(environment, rejectedIn(page.rows))
  const waiting = await findWaiting(
    environment,
    'account.set-limit',
    page.rows.map(({ account }) => account.id),
  )
  const rows = page.rows.map((row) => ({
    ...row,
    waitingLimits: waiting.filter(({ targetId }) => targetId === row.account.id),
  }))
  const matching = totals.reduce((count, { accounts }) => count + accounts, excluded)
  return {
    ...page,
    rows,
    matching: Math.max(matching, page.last),
    totals,
    totalsExcluded: excluded,
    coverage,
    health,
    serviceAt: isoTime(serviceAt),
  }
}

/** The service's clock is asked only for a list of disputes. */
export async function withClock(environment: Environment, filters: ParsedAccountFilters) {
  if (!filters.disputed && filters.disputeDays === undefined) return { filters, serviceAt: null }
  const { serviceAt } = await readServiceClock(environment)
  return { filters: withDisputeAge(filters, serviceAt), serviceAt }
}

export async function requireUnmaskedFilters(environment: Environment, filters: ParsedAccountFilters): Promise<void> {
  await requireUnmaskedFilter(environment, filters)
  for (const [groupKey, group] of groupsWithin(filters)) await requireUnmaskedFilter(environment, { groupKey, group })
}

/** The rates by which amounts of several currencies are compared; without any rate where none was read yet. */
async function readReportingRates(environment: Environment, notAfter?: Date) {
  const [sample] = await readNewestSamples(environment, reportingCurrency, notAfter && { notAfter })
  return { rates: sample?.rates ?? {}, at: sample?.at ?? null }
}

/**
 * Balance, outstanding and available of each group, of the accounts that the filter leaves: a chosen group of the same key does not
 * narrow them, so that another can be chosen. Unfiltered, balances and their values are the service's own sums; the rest is of the
 * index, at the console's rates.
 */
export async function readAggregateBalances(
  environment: Environment,
  search: CardAccountFilters,
): Promise<AggregateBalances> {
  const parsed = parseSearch(CardAccountFilters, search)
  await requireUnmaskedFilters(environment, parsed)
  requireService(environment)
  const { filters } = await withClock(environment, parsed)
  const { groupKey, group: _, ungrouped: __, ...matching } = withoutPage(filters)
  const isFiltered = Object.keys(matching).length > 0
  await freshenForReader(environment)
  const [{ rates, at }, received] = await Promise.all([
    readReportingRates(environment),
    isFiltered ? null : callService(environment, 'aggregateBalance', { query: groupKey ? { groupKey } : {} }),
  ])
  const [sums, currencies] = await Promise.all([
    readSumsOfGroups(environment, groupKey, matching, rates),
    readCurrencies(environment),
  ])
  const common = { groupKey: groupKey ?? null, reportingCurrency, ratesAt: isoTime(at), currencies }
  if (!received) {
    const { asOf, excluded } = await readAccountCoverage(environment)
    return {
      ...common,
      isFiltered,
      balances: sums,
      excluded,
      freshness: { ...(await readFreshness(environment, new Date(asOf ?? Date.now()))), source: 'index' },
    }
  }
  const sumsByGroup = new Map(sums.map((sum) => [JSON.stringify([sum.group, sum.currency]), sum]))
  return {
    ...common,
    isFiltered,
    balances: received.response.cardaccounts.map((given) => {
      const indexed = sumsByGroup.get(JSON.stringify([given.group ?? '', given.currency]))
      const { outstanding = null, outstandingValue = null, available = null, availableValue = null } = indexed ?? {}
      const { group, currency, balance, value } = given
      const lacking = indexed?.lacking ?? 0
      return { group, currency, balance, value, outstanding, outstandingValue, available, availableValue, lacking }
    }),
    excluded: received.excluded,
    freshness: await readFreshness(environment, received.fetchedAt),
  }
}

/** Keys of metadata that accounts of this environment have, the most frequent first. */
export type MetadataKeys = { keys: { key: string; accounts: number; values: number }[]; coverage: AccountCoverage }

const maximumKeys = 50

export async function listMetadataKeys(environment: Environment): Promise<MetadataKeys> {
  requireService(environment)
  await freshenForReader(environment)
  const keys = await cachedByCost(`metadata keys ${environment}`, async () => {
    const { rows } = await database().execute<{ key: string; accounts: number; values: number }>(sql`
      select key, count(*)::int as accounts, count(distinct value)::int as values
      from ${indexedAccounts}, lateral jsonb_each(case when jsonb_typeof(xmetadata) = 'object' then xmetadata else '{}' end)
      where environment = ${environment} group by key order by count(*) desc, key limit ${maximumKeys}`)
    return rows
  })
  const open = await openKeysForReader(environment)
  return {
    keys: keys.filter(({ key }) => open?.includes(key) ?? true),
    coverage: await readAccountCoverage(environment),
  }
}

/** An account from the service; while that does not respond, from the index. Throws `CARD_ACCOUNT_NOT_FOUND`. */
export async function readCardAccount(environment: Environment, cardAccountId: string): Promise<CardAccountDetail> {
  requireService(environment)
  const detail = await readAccountWithCards(environment, cardAccountId)
  const { id, clientIdentityStatus } = detail.account
  const rejectedReason = clientIdentityStatus === 'rejected' ? await readRejectedReason(environment, id) : null
  const cardIds = detail.cards.map((card) => card.id)
  const [waiting, waitingLimits] = await Promise.all([
    findWaiting(environment, 'card.cancel', cardIds),
    findWaiting(environment, 'account.set-limit', [id]),
  ])
  return { ...detail, rejectedReason, waiting, waitingLimits }
}
