import 'server-only'
import { and, lt } from 'drizzle-orm'
import { z } from 'zod'
import { database } from '#lib/db/connection.ts'
import { inBackground } from '#lib/environments/background.ts'
import { builtInControl, callControlPlane } from '#lib/environments/control-plane.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { logFailure } from '#lib/shared/log.ts'
import { amount } from '#lib/shared/money.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { hourMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import { rateSamples } from '#lib/tables/rates.ts'
import { findBases } from './bases.ts'
import { minuteSamplesRetentionMs, ofBase, otherSamplesRetentionMs, sampleRates } from './sample.ts'

/** So dense that each range of the history is drawn without gaps. */
const densities = [
  { span: 'P30D', every: 'PT1H', retentionMs: minuteSamplesRetentionMs },
  { span: 'PT25H', every: 'PT6M', retentionMs: otherSamplesRetentionMs },
  { span: 'PT1H', every: 'PT1M', retentionMs: otherSamplesRetentionMs },
]

const PastRates = z.object({
  samples: z.array(z.object({ agoMs: z.number().positive(), rates: z.record(z.string(), z.number().positive()) })),
})

/**
 * Stores what the built-in service's rates of a base were in the last 30 days, unless there are samples older than an hour:
 * a fresh demo has a history. A real service has no control plane, and its history begins with the first sample.
 */
export async function storePastRates(environment: Environment, baseCurrency: string): Promise<void> {
  const control = builtInControl(environment)
  if (!control || (await hasPast(environment, baseCurrency))) return
  for (const { span, every, retentionMs } of densities) {
    const path = `/rates?${new URLSearchParams({ baseCurrency, span, every })}` as const
    const { samples } = PastRates.parse(await callControlPlane(control, { path }))
    const now = Date.now()
    const rows = samples.map(({ agoMs, rates }) => ({
      environment,
      baseCurrency,
      at: new Date(now - agoMs),
      rates: Object.fromEntries(Object.entries(rates).map(([currency, rate]) => [currency, amount(rate).toFixed()])),
      keptUntil: new Date(now - agoMs + retentionMs),
    }))
    await database().insert(rateSamples).values(rows).onConflictDoNothing()
  }
}

async function hasPast(environment: Environment, baseCurrency: string): Promise<boolean> {
  const before = new Date(Date.now() - hourMs - minuteMs)
  const [found] = await database()
    .select({ at: rateSamples.at })
    .from(rateSamples)
    .where(and(ofBase(rateSamples, environment, baseCurrency), lt(rateSamples.at, before)))
    .limit(1)
  return found !== undefined
}

/** A little less than a minute: rounds are a few seconds apart. */
const sampleEveryMs = minuteMs - 3 * secondMs

const filled = globalSingleton<Set<string>>('carddeskPastRates', () => new Set())

/** Once for each base in the life of a process; the history is an extra that nothing waits for. */
async function fillPast(environment: Environment, base: string): Promise<void> {
  const name = `${environment} ${base}`
  if (filled().has(name)) return
  filled().add(name)
  await storePastRates(environment, base).catch((error: unknown) => logFailure(error, { while: 'reading past rates' }))
}

/** One round in the background: samples each base that matters, once a minute among all processes. */
export function watchRates(environment: Environment): Promise<void> {
  return inBackground(async () => {
    for (const base of await findBases(environment)) {
      await fillPast(environment, base)
      await sampleRates(environment, base, sampleEveryMs).catch((error: unknown) => {
        // The service does not respond, or has no such rates: its health or the page reports it.
        if (!isAppError(error)) throw error
      })
    }
  })
}
