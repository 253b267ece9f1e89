'use client'

import { useQuery } from '@tanstack/react-query'
import { RateAge } from '#components/rates/rate-age.tsx'
import type { Quote } from '#lib/console/payouts/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { exactDifference, percentBetween } from './quote-difference.ts'

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
      <RateAge rates={data} readAtMs={dataUpdatedAt} />){isMarketRate && ', no markup'}.
    </p>
  )
}

/** The quote beside the market rate without any fee, in a sentence. Null where there is no rate to compare with. */
export function marketSentence(quote: Quote): string | null {
  const { market, sourceCurrency, destinationCurrency } = quote
  if (sourceCurrency === destinationCurrency) return 'Same currency: nothing is exchanged.'
  if (market === null) return null
  if (market.relation === 'same') return 'Market rate, no markup.'
  const sent = `${formatAmount(quote.sourceAmount, sourceCurrency)} ${sourceCurrency}`
  const there = `${formatAmount(market.destinationAmount, destinationCurrency)} ${destinationCurrency}`
  const size = formatAmount(market.difference.replace('-', ''), destinationCurrency)
  const percent = market.percent.replace('-', '')
  const share = percent === '0' ? 'less than 0.01 %' : `${percent} %`
  const label = market.difference.startsWith('-') ? 'less' : 'more'
  const gap =
    market.difference === '0' ? 'the same amount' : `${size} ${destinationCurrency} (${share}) ${label} than that`
  return `At the market rate without a fee, ${sent} would be ${there}. This quote gives ${gap}.`
}

/** A quote's rate beside the live one: `0.01 % below the live rate`, `the same as the live rate`. Both are decimal text. */
export function besideLiveRate(rate: string, live: string): string {
  const difference = exactDifference(live, rate)
  const percent = percentBetween(live, rate)
  if (difference === '0' || percent === null) return 'the same as the live rate'
  return `${percent} ${difference.startsWith('-') ? 'below' : 'above'} the live rate`
}
