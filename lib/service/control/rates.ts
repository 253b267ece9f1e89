import { z } from 'zod'
import { toWire } from '#lib/shared/money.ts'
import { parseDurationMs } from '#lib/shared/time.ts'
import { sandboxNow } from '../clock.ts'
import { isRateCurrency, rateAt, rateCurrencies } from '../rates.ts'
import { controlRoute } from './control-route.ts'

const mostSamples = 1000

const duration = z.string('must be an ISO 8601 duration').transform((text, issues) => {
  const durationMs = parseDurationMs(text)
  if (durationMs === null) issues.addIssue('must be a positive ISO 8601 duration of days to seconds, such as PT1H')
  return durationMs ?? 1
})

const PastRates = z
  .strictObject({
    baseCurrency: z.string('must be given').refine(isRateCurrency, 'must be a currency that has rates'),
    span: duration,
    every: duration,
  })
  .refine(({ span, every }) => span <= every * mostSamples, {
    path: ['every'],
    message: `must be at least a ${mostSamples}th of the span`,
  })

export const rateRoutes = [
  controlRoute({
    method: 'GET',
    path: '/rates',
    query: PastRates,
    response: async ({ db }, { baseCurrency, span, every }) => {
      const now = await sandboxNow(db)
      const others = rateCurrencies.filter((currency) => currency !== baseCurrency)
      const samples = Array.from({ length: Math.floor(span / every) }, (_, index) => {
        const agoMs = (index + 1) * every
        const at = new Date(now.getTime() - agoMs)
        const rates = others.map((currency) => [currency, toWire(rateAt(at, baseCurrency, currency))] as const)
        return { agoMs, rates: Object.fromEntries(rates) }
      })
      return { baseCurrency, samples }
    },
  }),
]
