'use client'

import { useQuery } from '@tanstack/react-query'
import { RateAge } from '#components/rates/rate-age.tsx'
import type { Quote } from '#lib/console/payouts/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { besideLiveRate, marketSentence } from './market-sentence.ts'

/**
 * The quote beside the market: at its own moment, and beside the live rate that the page has now. Without a live rate, or where
 * the quote is not followed any more, only the first.
 */
export function RateComparison({
  environment,
  quote,
  isFollowed,
  className,
}: {
  environment: Environment
  quote: Quote
  isFollowed: boolean
  className: string
}) {
  const { sourceCurrency, destinationCurrency, market } = quote
  const { data, dataUpdatedAt } = useQuery({
    ...readQuery('readRates', environment, { base: sourceCurrency, currencies: [destinationCurrency] }),
    enabled: isFollowed && sourceCurrency !== destinationCurrency,
  })
  const sentence = marketSentence(quote)
  const live = data?.freshness.source === 'service' && isFollowed ? data.rows[0]?.rate : undefined
  if (!data || live === undefined) return sentence && <p className={className}>{sentence}</p>
  const isMarketRate = market?.relation === 'same'
  const lead = isMarketRate || sentence === null ? '' : `${sentence} The rate is `
  const beside = besideLiveRate(quote.rate, live)
  return (
    <p className={className}>
      {lead}
      {lead === '' ? `${beside.charAt(0).toUpperCase()}${beside.slice(1)}` : beside} (
      <RateAge rates={data} readAtMs={dataUpdatedAt} />){isMarketRate && '; no fee is in it'}.
    </p>
  )
}
