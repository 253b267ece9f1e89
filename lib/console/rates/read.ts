import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { Currency, queryList } from '#lib/contract/fields.ts'
import { requireService } from '#lib/environments/environments.ts'
import { readHealth } from '#lib/environments/health.ts'
import { isAppError, AppError } from '#lib/shared/app-error.ts'
import { logFailure } from '#lib/shared/log.ts'
import { parseSearch } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import { invertRate, computeMovement } from './history.ts'
import { fetchAndStore, readNewestSamples, sampleRates, type RateSample } from './sample.ts'
import type { Movement, RateRow, Rates } from './types.ts'

const RatesSearch = z.object({ base: Currency, currencies: queryList(Currency).optional() })
type RatesSearch = { base: string; currencies?: string | string[] | undefined }

/** An open page makes the console sample this often. */
const freshMs = 5 * secondMs
/** How long a person waits for a fresh sample where there is an older one. */
const timeoutMs = 2 * secondMs
/** Older than this, a sample is not what the service says now. */
const newsMs = 10 * secondMs

/**
 * The rates of a base with their movement, all or those of some currencies. While the service does not respond, the last
 * sample. Throws `INVALID_PARAMETERS` where the service has a rate of none of the currencies.
 */
export async function readRates(environment: Environment, search: Partial<RatesSearch>): Promise<Rates> {
  requireService(environment)
  const { base, currencies } = parseSearch(RatesSearch, search)
  const [newest, previous] = await readFreshSamples(environment, base)
  const [hour, day] = await Promise.all(
    [hourMs, dayMs].map((spanMs) => sampleBefore(environment, base, newest.at.getTime() - spanMs)),
  )
  const missing = (currencies ?? []).filter((currency) => !Object.hasOwn(newest.rates, currency))
  if (currencies && missing.length === currencies.length) {
    throw new AppError(
      'INVALID_PARAMETERS',
      `currencies: the card service has no rates of ${missing.join(', ')} for ${base}`,
    )
  }
  const rows = (currencies ?? Object.keys(newest.rates).sort()).flatMap((currency): RateRow[] => {
    const rate = newest.rates[currency]
    if (rate === undefined) return []
    const since = (sample: RateSample | undefined): Movement | null => {
      const before = sample?.rates[currency]
      return sample && before !== undefined ? computeMovement({ at: sample.at, rate: before }, rate) : null
    }
    return [{ currency, rate, inverse: invertRate(rate), last: since(previous), hour: since(hour), day: since(day) }]
  })
  const now = new Date()
  return {
    baseCurrency: base,
    rows,
    missing,
    excluded: newest.excluded,
    at: newest.at.toISOString(),
    now: now.toISOString(),
    freshness: {
      asOf: newest.at.toISOString(),
      source: now.getTime() - newest.at.getTime() <= newsMs ? 'service' : 'index',
      health: await readHealth(environment),
    },
  }
}

type Samples = [newest: RateSample, previous?: RateSample]

/** The newest sample and the one before it, after a fresh one where the service responds soon. */
async function readFreshSamples(environment: Environment, base: string): Promise<Samples> {
  const before = await readLastTwo(environment, base)
  if (before && Date.now() - before[0].at.getTime() < freshMs) return before
  const sampling = sampleRates(environment, base, freshMs)
  if (before) {
    const settled = sampling.catch((error: unknown) => {
      if (!isAppError(error)) logFailure(error, { while: 'sampling rates' })
    })
    await Promise.race([settled, delay(timeoutMs, undefined, { ref: false })])
    return (await readLastTwo(environment, base)) ?? before
  }
  await sampling
  const first = await readLastTwo(environment, base)
  if (first) return first
  // Another process is requesting the very first sample, or was refused just now.
  await fetchAndStore(environment, base)
  const own = await readLastTwo(environment, base)
  if (!own) throw new AppError('SERVICE_UNREACHABLE', 'There are no rates yet. Try again in a moment.')
  return own
}

async function readLastTwo(environment: Environment, base: string): Promise<Samples | null> {
  // A sample with a later time was taken before the console's clock was set back.
  const notAfter = new Date(Date.now() + secondMs)
  const [newest, previous] = await readNewestSamples(environment, base, { count: 2, notAfter })
  if (!newest) return null
  return previous ? [newest, previous] : [newest]
}

/** How much older than its target instant a sample may be and still be used. */
const slackMs = 5 * minuteMs

async function sampleBefore(environment: Environment, base: string, atMs: number): Promise<RateSample | undefined> {
  const notAfter = new Date(atMs)
  const [sample] = await readNewestSamples(environment, base, { notAfter, notBefore: new Date(atMs - slackMs) })
  return sample
}
