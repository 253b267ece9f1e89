import 'server-only'
import { sql } from 'drizzle-orm'
import { listPermissions } from '#lib/auth/permissions.ts'
import { requireCurrentStaff } from '#lib/auth/session.ts'
import { reportingCurrency } from '#lib/contract/card-accounts.ts'
import { indexDatabase } from '#lib/db/connection.ts'
import { readServiceClock } from '#lib/environments/control-plane.ts'
import { requireService } from '#lib/environments/environments.ts'
import { unitsPerReportingUnit } from '#lib/index/list.ts'
import { readTransactionCoverage } from '#lib/index/transactions-sync.ts'
import type { TransactionCoverage } from '#lib/index/types.ts'
import { cachedByCost } from '#lib/shared/cache.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { dayMs } from '#lib/shared/time.ts'
import { inboxEvents } from '#lib/tables/inbox.ts'
import { indexedPayouts } from '#lib/tables/payouts.ts'
import { indexedTransactions } from '#lib/tables/transactions.ts'
import { readNewestSamples } from './rates/sample.ts'

const zone = 'Asia/Hong_Kong'
const trendDays = 30

/**
 * Figures of the last 30 days, one for each of `days`: dates in Hong Kong, today last. Amounts are decimal text in `currency`, at the
 * console's newest rates; `unconverted` transactions or payouts without a rate are in no amount. Null is what the person may not read.
 */
export type Trends = {
  days: string[]
  currency: string
  declines: number[]
  spend: { values: string[]; unconverted: number }
  sent: { values: string[]; unconverted: number } | null
  events: number[] | null
  coverage: TransactionCoverage
}

/** Declines, spend, payouts and events by day. */
export async function readTrends(environment: Environment): Promise<Trends> {
  const { staff } = await requireCurrentStaff()
  requireService(environment)
  const may = listPermissions(staff.role, environment)
  const [{ serviceAt }, [sample], coverage] = await Promise.all([
    readServiceClock(environment),
    readNewestSamples(environment, reportingCurrency),
    readTransactionCoverage(environment),
  ])
  const days = daysUntil(serviceAt)
  const units = unitsPerReportingUnit(sample?.rates ?? {})
  const [transactions, payouts, events] = await Promise.all([
    transactionsByDay(environment, days, units),
    may.includes('payouts.read') ? payoutsByDay(environment, days, units) : null,
    may.includes('webhooks.read') ? eventsByDay(environment, daysUntil(new Date())) : null,
  ])
  return {
    days,
    currency: reportingCurrency,
    declines: alongDays(days, transactions, ({ declines }) => declines, 0),
    spend: toAmounts(days, transactions),
    sent: payouts && toAmounts(days, payouts),
    events,
    coverage,
  }
}

/** The dates of the last days in Hong Kong, the given instant's last. */
function daysUntil(instant: Date): string[] {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
  return Array.from({ length: trendDays }, (_, back) =>
    format.format(instant.getTime() - (trendDays - 1 - back) * dayMs),
  )
}

type AmountOfDay = { day: string; value: string | null; unconverted: number }

function alongDays<Row extends { day: string }, Value>(
  days: readonly string[],
  rows: readonly Row[],
  toValue: (row: Row) => Value,
  none: Value,
): Value[] {
  const byDay = new Map(rows.map((row) => [row.day, toValue(row)]))
  return days.map((day) => byDay.get(day) ?? none)
}

function toAmounts(days: readonly string[], rows: readonly AmountOfDay[]): { values: string[]; unconverted: number } {
  return {
    values: alongDays(days, rows, ({ value }) => value ?? '0', '0'),
    unconverted: rows.reduce((sum, { unconverted }) => sum + unconverted, 0),
  }
}

type Sql = ReturnType<typeof sql>

const localDay = (column: Sql) => sql`to_char(${column} at time zone ${zone}, 'YYYY-MM-DD')`
const isWithin = (column: Sql, days: readonly string[]) =>
  sql`${column} >= (${days[0]}::date)::timestamp at time zone ${zone}
    and ${column} < (${days.at(-1)}::date + 1)::timestamp at time zone ${zone}`

function transactionsByDay(environment: Environment, days: readonly string[], units: Sql) {
  const isSpend = sql`intent = 'charge' and status not in ('declined', 'void')`
  return cachedByCost(`transactions by day ${environment} ${days.at(-1)}`, async () => {
    const { rows } = await indexDatabase().execute<AmountOfDay & { declines: number }>(sql`
      select day, sum(declines)::int as declines, round(sum(spend / ${units}), 2)::text as value,
        coalesce(sum(charges) filter (where ${units} is null), 0)::int as unconverted
      from (
        select ${localDay(sql`created_at`)} as day, currency, count(*) filter (where status = 'declined') as declines,
          count(*) filter (where ${isSpend}) as charges, sum(amount) filter (where ${isSpend}) as spend
        from ${indexedTransactions} where environment = ${environment} and ${isWithin(sql`created_at`, days)}
        group by 1, 2) as sums
      group by 1`)
    return rows
  })
}

/** Amounts that payouts took from the funding accounts, without those that were cancelled or failed. */
function payoutsByDay(environment: Environment, days: readonly string[], units: Sql) {
  return cachedByCost(`payouts by day ${environment} ${days.at(-1)}`, async () => {
    const { rows } = await indexDatabase().execute<AmountOfDay>(sql`
      select day, round(sum(sent / ${units}), 2)::text as value,
        coalesce(sum(payouts) filter (where ${units} is null), 0)::int as unconverted
      from (
        select ${localDay(sql`created_at`)} as day, source_currency as currency, count(*) as payouts, sum(source_amount) as sent
        from ${indexedPayouts} where environment = ${environment} and ${isWithin(sql`created_at`, days)}
          and status not in ('cancelled', 'failed')
        group by 1, 2) as sums
      group by 1`)
    return rows
  })
}

/** By the console's clock: when each event was received. */
function eventsByDay(environment: Environment, days: readonly string[]) {
  return cachedByCost(`events by day ${environment} ${days.at(-1)}`, async () => {
    const { rows } = await indexDatabase().execute<{ day: string; events: number }>(sql`
      select ${localDay(sql`received_at`)} as day, count(*)::int as events
      from ${inboxEvents} where environment = ${environment} and ${isWithin(sql`received_at`, days)} group by 1`)
    return alongDays(days, rows, ({ events }) => events, 0)
  })
}
