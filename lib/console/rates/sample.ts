import 'server-only'
import { and, between, desc, eq, gte, lte, not, sql, type SQL } from 'drizzle-orm'
import type { ReceivedResponse } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { callService } from '#lib/environments/environments.ts'
import { shareRunning } from '#lib/index/single-flight.ts'
import { isAppError, AppError } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { amount } from '#lib/shared/money.ts'
import { outsideRequestContext } from '#lib/shared/request-context.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { dayMs, hourMs, minuteMs } from '#lib/shared/time.ts'
import { rateReadings, rateSamples } from '#lib/tables/rates.ts'

/**
 * Units of each currency per unit of the base, as decimal text. `at` is when the request left, by the console's clock;
 * `excluded` counts rates that were left out because they are malformed or not above 0.
 */
export type RateSample = { at: Date; rates: Record<string, string>; excluded: number }

/** One sample a minute is stored for 30 days; the others, taken while a page was open, for 25 hours. */
export const minuteSamplesRetentionMs = 30 * dayMs
export const otherSamplesRetentionMs = 25 * hourMs

const readings = globalSingleton<Map<string, Promise<void>>>('carddeskRateReadings', () => new Map())

/**
 * Fetches the rates of a base and stores them, unless any process did so within `olderThanMs`. Throws an
 * `AppError`; a base that the service has no rates of is INVALID_PARAMETERS.
 */
export function sampleRates(environment: Environment, base: string, olderThanMs: number): Promise<void> {
  return shareRunning(readings(), `${environment} ${base}`, () =>
    outsideRequestContext(async () => {
      if (await takeTurn(environment, base, new Date(), olderThanMs)) await fetchAndStore(environment, base)
    }),
  )
}

/** Waits for the requests of this process. */
export async function rateReadingsDone(): Promise<void> {
  await Promise.allSettled(readings().values())
}

/**
 * One statement, so that only one of several processes sends the request: the one that advances `askedAt`. A later
 * time in it was written by a clock that has since been set back.
 */
async function takeTurn(
  environment: Environment,
  baseCurrency: string,
  now: Date,
  olderThanMs: number,
): Promise<boolean> {
  const [from, to] = [new Date(now.getTime() - olderThanMs), new Date(now.getTime() + olderThanMs)]
  const taken = await database()
    .insert(rateReadings)
    .values({ environment, baseCurrency, askedAt: now })
    .onConflictDoUpdate({
      target: [rateReadings.environment, rateReadings.baseCurrency],
      set: { askedAt: now },
      setWhere: not(between(rateReadings.askedAt, from, to)),
    })
    .returning({ base: rateReadings.baseCurrency })
  return taken.length > 0
}

/** Sends the request without checking whether another process just did. */
export async function fetchAndStore(environment: Environment, base: string): Promise<void> {
  try {
    const { response, excluded, fetchedAt } = await callService(environment, 'getRates', {
      query: { baseCurrency: base },
    })
    const read = readableRates(response, base)
    await keep(environment, base, { at: fetchedAt, rates: read.rates, excluded: excluded + read.excluded })
  } catch (error) {
    if (!isAppError(error) || error.code !== 'INVALID_PARAMETERS') throw error
    await database()
      .delete(rateReadings)
      .where(ofBase(rateReadings, environment, base))
    throw new AppError('INVALID_PARAMETERS', `base: the card service has no rates of ${base}`, error.requestId)
  }
}

/**
 * The rates of a response that can be used, and how many cannot: a rate must be above 0. Throws `SERVICE_REFUSED` for the
 * rates of another base.
 */
function readableRates(
  { baseCurrency, rates: sent }: ReceivedResponse<'getRates'>,
  base: string,
): Pick<RateSample, 'rates' | 'excluded'> {
  if (baseCurrency !== null && baseCurrency !== base) {
    throw new AppError('SERVICE_REFUSED', `GET /rates returned rates of another base currency than ${base}.`)
  }
  const others = Object.entries(sent).filter(([currency]) => currency !== base)
  const usable = others.filter(([, rate]) => rate > 0)
  const rates = Object.fromEntries(usable.map(([currency, rate]) => [currency, amount(rate).toFixed()]))
  return { rates, excluded: others.length - usable.length }
}

async function keep(
  environment: Environment,
  baseCurrency: string,
  { at, rates, excluded }: RateSample,
): Promise<void> {
  const minute = new Date(Math.floor(at.getTime() / minuteMs) * minuteMs)
  const ofThisMinute = and(ofBase(rateSamples, environment, baseCurrency), between(rateSamples.at, minute, at))
  await database()
    .insert(rateSamples)
    .values({
      environment,
      baseCurrency,
      at,
      rates,
      excluded,
      keptUntil: sql`case when exists (select from ${rateSamples} where ${ofThisMinute})
        then ${laterText(at, otherSamplesRetentionMs)}::timestamptz else ${laterText(at, minuteSamplesRetentionMs)}::timestamptz end`,
    })
    .onConflictDoNothing()
}

function laterText(at: Date, byMs: number): string {
  return new Date(at.getTime() + byMs).toISOString()
}

/** The newest samples of a base at or before an instant, the newest first. */
export async function readNewestSamples(
  environment: Environment,
  baseCurrency: string,
  { count = 1, notAfter, notBefore }: { count?: number; notAfter?: Date; notBefore?: Date } = {},
): Promise<RateSample[]> {
  return database()
    .select({ at: rateSamples.at, rates: rateSamples.rates, excluded: rateSamples.excluded })
    .from(rateSamples)
    .where(
      and(
        ofBase(rateSamples, environment, baseCurrency),
        notAfter && lte(rateSamples.at, notAfter),
        notBefore && gte(rateSamples.at, notBefore),
      ),
    )
    .orderBy(desc(rateSamples.at))
    .limit(count)
}

export function ofBase(
  table: typeof rateSamples | typeof rateReadings,
  environment: Environment,
  baseCurrency: string,
): SQL | undefined {
  return and(eq(table.environment, environment), eq(table.baseCurrency, baseCurrency))
}
