import 'server-only'
import { and, lt } from 'drizzle-orm'
import { z } from 'zod'
import { database } from '#lib/db/connection.ts'
import { amount } from '#lib/shared/money.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { hourMs, minuteMs } from '#lib/shared/time.ts'
import { rateSamples } from '../desk/tables/rates.ts'
import { callControlPlane } from '../webhooks/control-plane.ts'
import { builtInControl } from '../webhooks/settings.ts'
import { minuteSamplesRetentionMs, ofBase, otherSamplesRetentionMs } from './sample.ts'

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
      storedUntil: new Date(now - agoMs + retentionMs),
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
