import { defineReads } from './read.ts'

/** A little more than the console's own 5 s, so that each reading finds a new sample. */
const rateMs = 5_200

/** How far back a history goes. */
export const rateRanges = ['1h', '24h', '7d', '30d'] as const
export type RateRange = (typeof rateRanges)[number]

export const rateReads = defineReads({
  readRates: {
    path: 'rates',
    needs: 'payouts.read',
    poll: { every: rateMs, staleAfter: 2_000, backsOff: true },
    staleOn: { rates: true },
    example: '?base=USD',
  },
  readRateHistory: {
    path: 'rates/history',
    needs: 'payouts.read',
    poll: {
      // The last hour grows while it is shown.
      every: { of: (_, search) => ((search as { range?: string }).range === '1h' ? rateMs : 30_000) },
      staleAfter: 2_000,
      keepsRows: true,
      backsOff: true,
    },
    staleOn: { rates: true },
    example: '?base=USD&currency=HKD',
  },
})
