import 'server-only'
import { sql } from 'drizzle-orm'
import { withoutPage } from '#lib/api/search.ts'
import { indexDatabase } from '#lib/db/connection.ts'
import { requireService } from '#lib/environments/environments.ts'
import { readHealth } from '#lib/environments/health.ts'
import type { Sort } from '#lib/index/keyset.ts'
import { pageRecords } from '#lib/index/record-page.ts'
import { cachedByCost } from '#lib/shared/cache.ts'
import { parseSearch } from '#lib/shared/parse.ts'
import { having, lacking } from '#lib/shared/provided.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedPayouts as payout } from '#lib/tables/payouts.ts'
import { readFundingAccountNames } from '../funding-accounts.ts'
import { payoutFreshness, payoutIndex } from './index-payouts.ts'
import { type ParsedPayoutFilters, PayoutFilters, payoutCondition } from './payout-filters.ts'
import { parseStoredPayout } from './payout-record.ts'
import type { OfferedPayoutFilters, PayoutList, PayoutTotal } from './types.ts'

/** One page of payouts with the totals of all that match. Throws an `AppError`. */
export async function listPayouts(environment: Environment, search: PayoutFilters): Promise<PayoutList> {
  const filters = parseSearch(PayoutFilters, search)
  requireService(environment)
  await payoutFreshness.forReader(environment)
  const [page, source, destination, offered, coverage, health] = await Promise.all([
    readPage(environment, filters),
    readTotals(environment, filters, 'source'),
    readTotals(environment, filters, 'destination'),
    readOfferedFilters(environment),
    payoutIndex.coverage(environment),
    readHealth(environment),
  ])
  const matching = source.totals.reduce((count, { payouts }) => count + payouts, source.excluded)
  return {
    ...page,
    matching: Math.max(matching, page.last),
    totals: { source: source.totals, destination: destination.totals },
    totalsExcluded: { source: source.excluded, destination: destination.excluded },
    offered,
    coverage,
    health,
  }
}

/** Dates have an index with the id; amounts are sorted within one currency. */
const sorts: Record<NonNullable<ParsedPayoutFilters['sort']>, Sort> = {
  created: { by: sql`created_at`, type: sql`timestamptz` },
  updated: { by: sql`updated_at`, type: sql`timestamptz` },
  sourceAmount: { by: sql`source_amount`, type: sql`numeric` },
  destinationAmount: { by: sql`destination_amount`, type: sql`numeric` },
}

async function readPage(environment: Environment, filters: ParsedPayoutFilters) {
  const request = { list: 'payouts', environment, search: filters }
  const sort = sorts[filters.sort ?? 'created']
  const { rows, ...page } = await pageRecords(payout, sort, request, payoutCondition(environment, filters))
  return { ...page, payouts: rows.map(({ record }) => parseStoredPayout(record)) }
}

const summed = {
  source: { currency: sql`source_currency`, amount: sql`source_amount` },
  destination: { currency: sql`destination_currency`, amount: sql`destination_amount` },
}

/** How many match, and their sums per currency and status: the one with most payouts first. */
async function readTotals(
  environment: Environment,
  filters: ParsedPayoutFilters,
  side: keyof typeof summed,
): Promise<{ totals: PayoutTotal[]; excluded: number }> {
  const matching = withoutPage(filters)
  const { currency, amount } = summed[side]
  return cachedByCost(`payout totals ${side} ${environment} ${JSON.stringify(matching)}`, async () => {
    const { rows } = await indexDatabase().execute<Omit<PayoutTotal, 'currency'> & { currency: string | null }>(sql`
      select currency, sum(payouts)::int as payouts, sum(excluded)::int as excluded,
        jsonb_agg(jsonb_build_object('status', status, 'amount', amount) order by status) as statuses
      from (
        select ${currency} as currency, status, count(*) as payouts,
          trim_scale(sum(${amount}))::text as amount, count(*) filter (where ${amount} is null) as excluded
        from ${payout} where ${payoutCondition(environment, matching)} group by 1, 2) by_status
      group by 1 order by 2 desc, 1`)
    return {
      totals: having(rows, 'currency'),
      excluded: lacking(rows, 'currency')[0]?.payouts ?? 0,
    }
  })
}

type Combination = Record<'status' | 'method' | 'sourceCurrency' | 'destinationCurrency' | 'accountId', string | null>

async function readOfferedFilters(environment: Environment): Promise<OfferedPayoutFilters> {
  const [combinations, findName] = await Promise.all([
    cachedByCost(`payout filters ${environment}`, async () => {
      const { rows } = await indexDatabase().execute<Combination>(sql`
        select distinct status, method, source_currency as "sourceCurrency",
          destination_currency as "destinationCurrency", account_id as "accountId"
        from ${payout} where environment = ${environment} limit 5000`)
      return rows
    }),
    readFundingAccountNames(environment),
  ])
  const distinctValues = (field: keyof Combination) =>
    [...new Set(combinations.flatMap((row) => row[field] ?? []))].toSorted()
  return {
    statuses: distinctValues('status'),
    methods: distinctValues('method'),
    sourceCurrencies: distinctValues('sourceCurrency'),
    destinationCurrencies: distinctValues('destinationCurrency'),
    accounts: distinctValues('accountId').map((id) => ({
      id,
      name: findName(id),
      currency: combinations.find((row) => row.accountId === id)?.sourceCurrency ?? null,
    })),
  }
}
