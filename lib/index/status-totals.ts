import 'server-only'
import { getTableName, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { withoutPage } from '#lib/api/search.ts'
import { indexDatabase } from '#lib/db/connection.ts'
import { cachedByCost, cachedByVersion } from '#lib/shared/cache.ts'
import { type Amount, sum } from '#lib/shared/money.ts'
import { lacking, unknownLast } from '#lib/shared/provided.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { indexedFees } from '#lib/tables/fees.ts'
import type { indexedLedger } from '#lib/tables/ledger.ts'
import type { CurrencySums, RecordSum, StatusTotals } from './types.ts'

const usualStatuses = ['pending', 'posted', 'void']
const counting = new Set<string | null>(['pending', 'posted'])

/** The records of one currency and status. `excluded` of them have no known amount, and are not in the sum. */
type StatusSum = {
  currency: string | null
  status: string | null
  records: number
  /** Signed decimal text; null where none has a known amount. */
  amount: string | null
  excluded: number
}

/**
 * How many rows match a search and their sums, per currency and status. `amount` is the column that is added up. `version`, where it is
 * given, changes with every row.
 */
export function readStatusTotals<Search extends object>(
  { table, amount }: { table: typeof indexedFees | typeof indexedLedger; amount: PgColumn },
  environment: Environment,
  search: Search,
  toCondition: (environment: Environment, search: Search) => SQL,
  version?: string,
): Promise<StatusTotals> {
  const filters = withoutPage(search) as Search
  const read = async () => {
    const { rows } = await indexDatabase().execute<StatusSum>(sql`
      select currency, status, count(*)::int as records, trim_scale(sum(${amount}))::text as amount,
        count(*) filter (where ${amount} is null)::int as excluded
      from ${table} where ${toCondition(environment, filters)} group by currency, status`)
    return { matching: rows.reduce((count, { records }) => count + records, 0), currencies: sumByStatus(rows) }
  }
  const key = `totals of ${getTableName(table)} ${environment} ${JSON.stringify(filters)}`
  return version === undefined ? cachedByCost(key, read) : cachedByVersion(key, version, read)
}

/** Exact sums per currency and status; the currency with the most records first. */
export function sumByStatus(rows: readonly StatusSum[]): CurrencySums[] {
  return [...Map.groupBy(rows, ({ currency }) => currency)]
    .map(([currency, own]) => sumCurrency(currency, own))
    .toSorted((one, other) => countRecords(other) - countRecords(one) || compareCodes(one.currency, other.currency))
}

function countRecords({ statuses }: CurrencySums): number {
  return statuses.reduce((count, { records }) => count + records, 0)
}

/** Codes in alphabetical order, missing ones last. */
export const compareCodes = unknownLast<string>((one, other) => one.localeCompare(other, 'en'))

function sumCurrency(currency: string | null, rows: readonly StatusSum[]): CurrencySums {
  const statuses = new Set<string | null>([...usualStatuses, ...rows.map(({ status }) => status)])
  const counted = addUp(
    currency,
    rows.filter(({ status }) => counting.has(status)),
  )
  const isUnknown = counted.records === 0 && rows.some(({ status }) => !usualStatuses.includes(status ?? ''))
  const isAnyStatusUnknown = lacking(rows, 'status').length > 0
  const sumStatus = (wanted: string | null): RecordSum => {
    const sums = addUp(
      currency,
      rows.filter(({ status }) => status === wanted),
    )
    // None is known to have this status, but some record may.
    return sums.records === 0 && isAnyStatusUnknown ? { ...sums, amount: null } : sums
  }
  return {
    currency,
    counted: { ...counted, ...(isUnknown ? { amount: null } : {}) },
    statuses: [...statuses].map((status) => ({ status, ...sumStatus(status) })),
    excluded: addUp(currency, rows).excluded,
  }
}

function addUp(currency: string | null, rows: readonly StatusSum[]): RecordSum {
  const records = rows.reduce((count, row) => count + row.records, 0)
  const amounts = rows.flatMap(({ amount }) => amount ?? [])
  return sumRecords(
    currency,
    records,
    amounts,
    rows.reduce((count, row) => count + row.excluded, 0),
  )
}

/** The sum of records of one currency. Without a currency all are excluded. The amount is null where nothing is left of them. */
export function sumRecords(
  currency: string | null,
  records: number,
  amounts: (Amount | string)[],
  unknown: number,
): RecordSum {
  const excluded = currency === null ? records : unknown
  const isUnknown = currency === null || (records > 0 && excluded === records)
  return { records, amount: isUnknown ? null : sum(amounts).toFixed(), excluded }
}
