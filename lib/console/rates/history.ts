import 'server-only'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { rateRanges, type RateRange } from '#lib/api/rates.ts'
import { Currency, oneOf } from '#lib/contract/fields.ts'
import { database } from '#lib/db/connection.ts'
import { requireService } from '#lib/environments/environments.ts'
import { amount } from '#lib/shared/money.ts'
import { parseSearch } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import { rateSamples } from '#lib/tables/rates.ts'
import { sampledBases } from './bases.ts'
import { ofBase } from './sample.ts'
import type { RateHistory, RatePoint, Movement } from './types.ts'

const percentPlaces = 4
/** As many as the service gives of a rate. */
const inverseDigits = 10

/** The movement from one rate to another, decimal texts, in decimal arithmetic. */
export function computeMovement(from: { at: Date; rate: string }, rate: string): Movement {
  const difference = amount(rate).minus(from.rate)
  const percent = difference.times(100).dividedBy(from.rate).toFixed(percentPlaces)
  return {
    direction: difference.isZero() ? 'same' : difference.isNegative() ? 'down' : 'up',
    percent: Number(percent) === 0 ? percent.replace('-', '') : percent,
    against: { at: from.at.toISOString(), rate: from.rate },
  }
}

/** Units of the base per unit of the other currency, to ten significant digits. */
export function invertRate(rate: string): string {
  return amount(1).dividedBy(rate).toSignificantDigits(inverseDigits).toFixed()
}

/** Each range is drawn from at most 181 points. */
export const rangeSpans: Record<RateRange, { spanMs: number; bucketMs: number }> = {
  '1h': { spanMs: hourMs, bucketMs: 20 * secondMs },
  '24h': { spanMs: dayMs, bucketMs: 8 * minuteMs },
  '7d': { spanMs: 7 * dayMs, bucketMs: hourMs },
  '30d': { spanMs: 30 * dayMs, bucketMs: 4 * hourMs },
}

const HistorySearch = z.object({
  base: Currency,
  currency: Currency,
  range: oneOf(rateRanges).default('24h'),
})
type RateHistorySearch = { base: string; currency: string; range?: string | undefined }

/** A sample is due every minute: further apart than this, one is missing. */
export const gapMs = 3 * minuteMs
/** Where a point covers a longer span, this many empty spans make a gap. */
const emptyPoints = 1.25

/** The samples of a pair, in spans of the range. Nothing is requested from the service, and nothing is interpolated. */
export async function readRateHistory(
  environment: Environment,
  search: Partial<RateHistorySearch>,
): Promise<RateHistory> {
  requireService(environment)
  const { base, currency, range } = parseSearch(HistorySearch, search)
  const { spanMs, bucketMs } = rangeSpans[range]
  const toMs = Date.now()
  const fromMs = toMs - spanMs
  const { points, low, high } = await readPoints(environment, { base, currency, fromMs, toMs, bucketMs })
  const [first, last] = [points.at(0), points.at(-1)]
  return {
    baseCurrency: base,
    currency,
    range,
    fromMs,
    toMs,
    points,
    gaps: findGaps(points, fromMs, toMs, Math.max(gapMs, emptyPoints * bucketMs)),
    low,
    high,
    movement: first && last ? computeMovement({ at: new Date(first.fromMs), rate: first.open }, last.close) : null,
    isSampledAlways: sampledBases(environment).includes(base),
  }
}

type Wanted = { base: string; currency: string; fromMs: number; toMs: number; bucketMs: number }
type Row = Record<'fromMs' | 'toMs' | 'open' | 'low' | 'high' | 'close' | 'lowest' | 'highest', string> & {
  samples: number
}

/** Spans begin at whole multiples of their length, so that a point does not change as the range moves on. */
async function readPoints(
  environment: Environment,
  { base, currency, fromMs, toMs, bucketMs }: Wanted,
): Promise<{ points: RatePoint[]; low: string | null; high: string | null }> {
  const { rows } = await database().execute<Row>(sql`
    with sampled as (
      select (extract(epoch from at) * 1000)::bigint as at_ms, (rates ->> ${currency})::numeric as rate
      from ${rateSamples}
      where ${ofBase(rateSamples, environment, base)} and rates ? ${currency}
        and at between ${new Date(fromMs).toISOString()} and ${new Date(toMs).toISOString()}
    ), spans as (
      select min(at_ms) as from_ms, max(at_ms) as to_ms, min(rate) as low, max(rate) as high, count(*)::int as samples,
        (array_agg(rate order by at_ms))[1] as open, (array_agg(rate order by at_ms desc))[1] as close
      from sampled group by at_ms / ${bucketMs}::bigint
    )
    select from_ms as "fromMs", to_ms as "toMs", open::text, low::text, high::text, close::text, samples,
      (min(low) over ())::text as lowest, (max(high) over ())::text as highest
    from spans order by from_ms`)
  return {
    points: rows.map(({ fromMs, toMs, open, low, high, close, samples }) => ({
      fromMs: Number(fromMs),
      toMs: Number(toMs),
      open,
      low,
      high,
      close,
      samples,
    })),
    low: rows[0]?.lowest ?? null,
    high: rows[0]?.highest ?? null,
  }
}

/** Where no sample was taken for longer than `shortestMs`, the ends of the range included. */
export function findGaps(
  points: readonly Pick<RatePoint, 'fromMs' | 'toMs'>[],
  fromMs: number,
  toMs: number,
  shortestMs = gapMs,
): RateHistory['gaps'] {
  const edges = [{ fromMs, toMs: fromMs }, ...points, { fromMs: toMs, toMs }]
  return edges.flatMap((edge, index) => {
    const before = edges[index - 1]
    return before && edge.fromMs - before.toMs > shortestMs ? [{ fromMs: before.toMs, toMs: edge.fromMs }] : []
  })
}
