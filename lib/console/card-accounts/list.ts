import 'server-only'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { reportingCurrency } from '#lib/contract/card-accounts.ts'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { cachedByCost } from '../desk/cache.ts'
import { callService, requireService } from '../desk/connections/environments.ts'
import { freshnessOf, healthOf } from '../desk/connections/health.ts'
import { requireUnmaskedFilter } from '../desk/masked-reads.ts'
import { accountNotFound, readAccountWithCards } from '../desk/mirror/account.ts'
import { directoryCoverage } from '../desk/mirror/accounts-sync.ts'
import { preferCardsOf } from '../desk/mirror/cards-sync.ts'
import { parseFilters, type CardAccountFilters } from '../desk/mirror/filter.ts'
import { freshenForReader } from '../desk/mirror/freshness.ts'
import { listDirectory, rejectedIn, totalsOf } from '../desk/mirror/list.ts'
import { parseSearch, plainText, ServiceId } from '../desk/parse.ts'
import { requirePermission } from '../desk/session/session.ts'
import type { CurrencyTotals, DirectoryCoverage, DirectoryPage, ServiceHealth } from '../desk/shapes.ts'
import { directoryAccounts } from '../desk/tables/directory.ts'
import { refreshRejections, rejectedReasonOf } from '../identity/rejections.ts'
import type { AggregateBalances, CardAccountDetail } from './shapes.ts'

export type { CardAccountFilters } from '../desk/mirror/filter.ts'

export type CardAccountList = DirectoryPage & {
  /** All accounts that match, on every page. */
  matching: number
  totals: CurrencyTotals[]
  /** Accounts that match and are in no total, because their currency is not provided. */
  totalsExcluded: number
  /** `coverage.excluded` counts accounts that could not be read. */
  coverage: DirectoryCoverage
  health: ServiceHealth
}

/** One page of the mirror's accounts with the totals of all that match. Throws an `AppError`. */
export async function listCardAccounts(environment: Environment, search: CardAccountFilters): Promise<CardAccountList> {
  await requirePermission('accounts.read', environment)
  const filters = parseFilters(search)
  await requireUnmaskedFilter(environment, filters)
  requireService(environment)
  await freshenForReader(environment)
  const [page, { totals, excluded }, coverage, health] = await Promise.all([
    listDirectory(environment, filters),
    totalsOf(environment, filters),
    directoryCoverage(environment),
    healthOf(environment),
  ])
  preferCardsOf(
    environment,
    page.rows.filter(({ cards }) => cards === null).map(({ account }) => account.id),
  )
  refreshRejections(environment, rejectedIn(page.rows))
  const matching = totals.reduce((count, { accounts }) => count + accounts, excluded)
  return { ...page, matching: Math.max(matching, page.last), totals, totalsExcluded: excluded, coverage, health }
}

const GroupKey = z.object({ groupKey: plainText(256).optional() })

export async function readAggregateBalances(
  environment: Environment,
  search: { groupKey?: string | undefined },
): Promise<AggregateBalances> {
  await requirePermission('accounts.read', environment)
  const { groupKey } = parseSearch(GroupKey, { groupKey: search.groupKey })
  await requireUnmaskedFilter(environment, { groupKey })
  const { response, excluded, fetchedAt } = await callService(environment, 'aggregateBalance', {
    query: groupKey ? { groupKey } : {},
  })
  return {
    groupKey: groupKey ?? null,
    reportingCurrency,
    balances: response.cardaccounts,
    excluded,
    freshness: await freshnessOf(environment, fetchedAt),
  }
}

/** Keys of metadata that accounts of this environment have, the most frequent first. */
export type MetadataKeys = { keys: { key: string; accounts: number; values: number }[]; coverage: DirectoryCoverage }

const maximumKeys = 50

export async function listMetadataKeys(environment: Environment): Promise<MetadataKeys> {
  await requirePermission('accounts.read', environment)
  requireService(environment)
  await freshenForReader(environment)
  const keys = await cachedByCost(`metadata keys ${environment}`, async () => {
    const { rows } = await database().execute<{ key: string; accounts: number; values: number }>(sql`
      select key, count(*)::int as accounts, count(distinct value)::int as values
      from ${directoryAccounts}, lateral jsonb_each(case when jsonb_typeof(xmetadata) = 'object' then xmetadata else '{}' end)
      where environment = ${environment} group by key order by count(*) desc, key limit ${maximumKeys}`)
    return rows
  })
  return { keys, coverage: await directoryCoverage(environment) }
}

/** An account from the service; while that does not respond, from the directory. Throws `CARD_ACCOUNT_NOT_FOUND`. */
export async function readCardAccount(environment: Environment, cardAccountId: string): Promise<CardAccountDetail> {
  await requirePermission('accounts.read', environment)
  requireService(environment)
  if (!ServiceId.safeParse(cardAccountId).success) throw accountNotFound()
  const detail = await readAccountWithCards(environment, cardAccountId)
  const { id, clientIdentityStatus } = detail.account
  const rejectedReason = clientIdentityStatus === 'rejected' ? await rejectedReasonOf(environment, id) : null
  return { ...detail, rejectedReason }
}
