import 'server-only'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { listPermissions } from '#lib/auth/permissions.ts'
import { requireCurrentStaff } from '#lib/auth/session.ts'
import { reportingCurrency } from '#lib/contract/card-accounts.ts'
import { indexDatabase } from '#lib/db/connection.ts'
import { readServiceClock } from '#lib/environments/control-plane.ts'
import { requireService } from '#lib/environments/environments.ts'
import { unitsPerReportingUnit } from '#lib/index/list-accounts.ts'
import { readTransactionCoverage } from '#lib/index/transactions-sync.ts'
import type { TransactionCoverage } from '#lib/index/types.ts'
import { cachedByCost } from '#lib/shared/cache.ts'
import { parseSearch, plainText } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { dayMs, timeZones } from '#lib/shared/time.ts'
import { inboxEvents } from '#lib/tables/inbox.ts'
import { indexedPayouts } from '#lib/tables/payouts.ts'
import { indexedTransactions } from '#lib/tables/transactions.ts'
import { payoutIndex } from './payouts/index-payouts.ts'
import { readNewestSamples } from './rates/sample.ts'

const trendDays = 30

/** The zone whose days are counted. */
const TrendSearch = z.object({
  timeZone: plainText(64).refine(isTimeZone, 'must be a time zone such as Asia/Hong_Kong').default(timeZones.hkt),
})

/** Whether it is a name of the IANA database. PostgreSQL reads the sign of an offset the other way round. */
function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/**
 * Figures of the last 30 days, one for each of `days`: dates of the time zone, today last. Amounts are decimal text in `currency`, at the
 * console's newest rates; the `unconverted` transactions or payouts of the day, without a rate, are in no amount. `sent` is of the payouts that were
 * read, with `isComplete` of all. Null is what the person may not read.
 */
export type Trends = {
  days: string[]
  currency: string
  declines: number[]
  spend: AmountsOfDays
  sent: (AmountsOfDays & { isComplete: boolean }) | null
  events: number[] | null
  coverage: TransactionCoverage
}

type AmountsOfDays = { values: string[]; unconverted: number[] }

/** Declines, spend, payouts and events by day. */
export async function readTrends(environment: Environment, search: object): Promise<Trends> {
  const { timeZone } = parseSearch(TrendSearch, search)
  const { staff } = await requireCurrentStaff()
  requireService(environment)
  const may = listPermissions(staff.role, environment)
  const [{ serviceAt }, [sample], coverage, payoutCoverage] = await Promise.all([
    readServiceClock(environment),
    readNewestSamples(environment, reportingCurrency),
    readTransactionCoverage(environment),
    payoutIndex.coverage(environment),
  ])
  const days = { zone: timeZone, dates: datesUntil(serviceAt, timeZone) }
  const units = unitsPerReportingUnit(sample?.rates ?? {})
  const [transactions, payouts, events] = await Promise.all([
    transactionsByDay(environment, days, units),
    may.includes('payouts.read') ? payoutsByDay(environment, days, units) : null,
    may.includes('webhooks.read') ? eventsByDay(environment, days) : null,
  ])
  return {
    days: days.dates,
    currency: reportingCurrency,
    declines: alongDays(days, transactions, ({ declines }) => declines, 0),
    spend: toAmounts(days, transactions),
    sent: payouts && { ...toAmounts(days, payouts), isComplete: payoutCoverage.isComplete },
    events,
    coverage,
  }
}

/** Calendar days of a time zone, one after the other. */
type Days = { zone: string; dates: string[] }

/** The last dates of a time zone, the one of the instant last. */
function datesUntil(instant: Date, timeZone: string): string[] {
  const last = Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone }).format(instant))
  return Array.from({ length: trendDays }, (_, at) =>
    new Date(last - (trendDays - 1 - at) * dayMs).toISOString().slice(0, 10),
  )
}

type AmountOfDay = { day: string; value: string | null; unconverted: number }

function alongDays<Row extends { day: string }, Value>(
  { dates }: Days,
  rows: readonly Row[],
  toValue: (row: Row) => Value,
  none: Value,
): Value[] {
  const byDay = new Map(rows.map((row) => [row.day, toValue(row)]))
  return dates.map((date) => byDay.get(date) ?? none)
}

function toAmounts(days: Days, rows: readonly AmountOfDay[]): AmountsOfDays {
  return {
    values: alongDays(days, rows, ({ value }) => value ?? '0', '0'),
    unconverted: alongDays(days, rows, ({ unconverted }) => unconverted, 0),
  }
}

type Sql = ReturnType<typeof sql>

const localDay = (column: Sql, { zone }: Days) => sql`to_char(${column} at time zone ${zone}, 'YYYY-MM-DD')`
const isWithin = (column: Sql, { zone, dates }: Days) =>
  sql`${column} >= (${dates[0]}::date)::timestamp at time zone ${zone}
    and ${column} < (${dates.at(-1)}::date + 1)::timestamp at time zone ${zone}`
/** The name under which the figures of these days are kept for a while. */
const keptAs = (what: string, environment: Environment, { zone, dates }: Days) =>
  `${what} by day ${environment} ${zone} ${dates.at(-1)}`

function transactionsByDay(environment: Environment, days: Days, units: Sql) {
  const isSpend = sql`intent = 'charge' and coalesce(status, '') not in ('declined', 'void')`
  return cachedByCost(keptAs('transactions', environment, days), async () => {
    const { rows } = await indexDatabase().execute<AmountOfDay & { declines: number }>(sql`
      select day, sum(declines)::int as declines, round(sum(spend / ${units}), 2)::text as value,
        coalesce(sum(charges) filter (where ${units} is null), 0)::int as unconverted
      from (
        select ${localDay(sql`created_at`, days)} as day, currency, count(*) filter (where status = 'declined') as declines,
          count(*) filter (where ${isSpend}) as charges, sum(amount) filter (where ${isSpend}) as spend
        from ${indexedTransactions} where environment = ${environment} and ${isWithin(sql`created_at`, days)}
        group by 1, 2) as sums
      group by 1`)
    return rows
  })
}

/** Amounts that payouts took from the funding accounts, without those that were cancelled or failed. */
function payoutsByDay(environment: Environment, days: Days, units: Sql) {
  return cachedByCost(keptAs('payouts', environment, days), async () => {
    const { rows } = await indexDatabase().execute<AmountOfDay>(sql`
      select day, round(sum(sent / ${units}), 2)::text as value,
        coalesce(sum(payouts) filter (where ${units} is null), 0)::int as unconverted
      from (
        select ${localDay(sql`created_at`, days)} as day, source_currency as currency, count(*) as payouts, sum(source_amount) as sent
        from ${indexedPayouts} where environment = ${environment} and ${isWithin(sql`created_at`, days)}
          and coalesce(status, '') not in ('cancelled', 'failed')
        group by 1, 2) as sums
      group by 1`)
    return rows
  })
}

/** Uses the event's own time (service clock). That clock only moves forward, so an event not older by it was not received earlier either. */
function eventsByDay(environment: Environment, days: Days) {
  const time = sql`coalesce(time, received_at)`
  return cachedByCost(keptAs('events', environment, days), async () => {
    const { rows } = await indexDatabase().execute<{ day: string; events: number }>(sql`
      select ${localDay(time, days)} as day, count(*)::int as events from ${inboxEvents}
      where environment = ${environment} and received_at > ${new Date(Date.now() - trendDays * dayMs)} and ${isWithin(time, days)}
      group by 1`)
    return alongDays(days, rows, ({ events }) => events, 0)
  })
}
