import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import type { Quote } from '#lib/console/payouts/types.ts'
import type { Rates } from '#lib/console/rates/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { RateComparison } from './rate-comparison.tsx'

const same = { rate: '2080.401441', destinationAmount: '52010036', difference: '0', percent: '0', relation: 'same' }
const quote = {
  sourceAmount: '25000',
  sourceCurrency: 'HKD',
  destinationAmount: '52010036',
  destinationCurrency: 'IDR',
  rate: '2080.401441',
  market: same,
} as Quote

function textOf(live: { rate: string; source: 'service' | 'index' } | null, of: Quote = quote, isFollowed = true) {
  const client = new QueryClient()
  if (live) {
    const { queryKey } = readQuery('readRates', 'sandbox', { base: 'HKD', currencies: ['IDR'] })
    client.setQueryData(queryKey, {
      baseCurrency: 'HKD',
      rows: [{ currency: 'IDR', rate: live.rate }],
      at: '2026-11-22T01:00:00.000Z',
      now: '2026-11-22T01:00:04.000Z',
      freshness: { source: live.source },
    } as Rates)
  }
  const html = renderToString(
    <QueryClientProvider client={client}>
      <EnvironmentProvider value="sandbox">
        <RateComparison quote={of} isFollowed={isFollowed} className="" />
      </EnvironmentProvider>
    </QueryClientProvider>,
  )
  return html.replaceAll('<!-- -->', '').replaceAll(/<[^>]+>/g, '')
}

test('a quote shows its difference from the live rate, the rate’s age, and whether it includes a fee', () => {
  expect(textOf({ rate: '2080.66053', source: 'service' })).toBe('0.01 % below the live rate (4 s old), no markup.')
  const dearer = { ...same, destinationAmount: '52072500', difference: '-62464', percent: '-0.12', relation: 'worse' }
  expect(textOf({ rate: '2082.9', source: 'service' }, { ...quote, market: dearer } as Quote)).toBe(
    'At the market rate without a fee, 25,000.00 HKD would be 52,072,500 IDR. This quote gives 62,464 IDR (0.12 %) less than that. The rate is 0.12 % below the live rate (4 s old).',
  )
  expect(textOf({ rate: '2080.401441', source: 'service' }, { ...quote, market: null })).toBe(
    'The same as the live rate (4 s old).',
  )
})

test('without a live rate, or once it is outdated, a quote is compared only with the market rate of its own moment', () => {
  const alone = 'Market rate, no markup.'
  expect(textOf(null)).toBe(alone)
  expect(textOf({ rate: '2080.66053', source: 'index' })).toBe(alone)
  expect(textOf({ rate: '2080.66053', source: 'service' }, quote, false)).toBe(alone)
})
