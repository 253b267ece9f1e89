import { z } from 'zod'
import { toWire } from '#lib/shared/money.ts'
import { readSandboxNow } from '../clock.ts'
import { isRateCurrency, rateAt, rateCurrencies } from '../rates.ts'
import { controlRoute, durationLike } from './control-route.ts'

const mostSamples = 1000

const PastRates = z
  .strictObject({
    baseCurrency: z.string('must be given').refine(isRateCurrency, 'must be a currency that has rates'),
    span: durationLike('PT1H'),
    every: durationLike('PT1H'),
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
      const now = await readSandboxNow(db)
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
