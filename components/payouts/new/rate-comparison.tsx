'use client'

import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { RateAge } from '#components/rates/rate-figures.tsx'
import { shortRate, splitRate } from '#components/rates/rate-text.tsx'
import type { Quote } from '#lib/console/payouts/types.ts'
import { exactSum, negated, scaled } from '#lib/contract/exact-sum.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { present } from '#lib/shared/provided.ts'
import { withCapital } from '#lib/shared/texts.ts'

/**
 * The quote beside the market: at its own moment, and beside the live rate that the page has now. Without a live rate, or where
 * the quote is not followed any more, only the first.
 */
export function RateComparison({
  quote,
  isFollowed,
  className,
}: {
  quote: Quote
  isFollowed: boolean
  className: string
}) {
  const environment = useEnvironment()
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
      {lead === '' ? withCapital(beside) : beside} (
      <RateAge rates={data} readAtMs={dataUpdatedAt} />){isMarketRate && ', no markup'}.
    </p>
  )
}

/** What changed since the quote before; nothing where there was none. */
export function QuoteDifference({ previous, quote }: { previous: Quote | null; quote: Quote }) {
  return (
    previous && (
      <ul aria-label="What changed since the quote before" className="grid gap-0.5 rounded-control bg-hover px-3 py-2">
        {differenceSentences(previous, quote).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    )
  )
}

/** The quote beside the market rate without any fee, in a sentence. Null where there is no rate to compare with. */
export function marketSentence(quote: Quote): string | null {
  const { market, sourceCurrency, destinationCurrency } = quote
  if (sourceCurrency === destinationCurrency)
    return Number(quote.rate) === 1
      ? 'Same currency: nothing is exchanged.'
      : `Same currency, at a rate of ${shortRate(quote.rate)}.`
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
  const difference = exactSum([rate, negated(live)])
  const percent = percentBetween(live, rate)
  if (difference === '0' || percent === null) return 'the same as the live rate'
  return `${percent} ${difference.startsWith('-') ? 'below' : 'above'} the live rate`
}

/**
 * How far `after` is from `before`, without a sign, rounded half up to hundredths of a per cent: `0.12 %`. What differs by
 * less than can be shown is `less than 0.01 %`, never nothing. Null where `before` is 0.
 */
export function percentBetween(before: string, after: string): string | null {
  const from = scaled(before.replace('-', ''))
  const difference = scaled(exactSum([after, negated(before)]).replace('-', ''))
  if (from === 0n) return null
  const hundredths = (2n * difference * 10_000n + from) / (2n * from)
  if (hundredths === 0n && difference > 0n) return 'less than 0.01 %'
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')} %`
}

/** The differences from the previous quote, in sentences; none where the two cannot be compared. */
export function differenceSentences(before: Quote, after: Quote): string[] {
  const isSamePair =
    before.sourceCurrency === after.sourceCurrency && before.destinationCurrency === after.destinationCurrency
  if (!isSamePair) return []
  const sentences = present([
    rateSentence(before, after),
    amountSentence('You send', before.sourceAmount, after.sourceAmount, after.sourceCurrency),
    amountSentence('They receive', before.destinationAmount, after.destinationAmount, after.destinationCurrency),
  ])
  return sentences.length > 0 ? sentences : ['Rate and amounts are the same as in the quote before.']
}

function rateSentence(before: Quote, after: Quote): string | null {
  const difference = exactSum([after.rate, negated(before.rate)])
  if (difference === '0') return null
  const size = difference.replace('-', '')
  const label = difference.startsWith('-') ? 'down' : 'up'
  return `The rate went ${label} by ${grouped(size)}${share(before.rate, after.rate)}, from ${grouped(before.rate)} to ${grouped(after.rate)}.`
}

function amountSentence(who: string, before: string, after: string, currency: string): string | null {
  const difference = exactSum([after, negated(before)])
  if (difference === '0') return null
  const size = formatAmount(difference.replace('-', ''), currency)
  const was = formatAmount(before, currency)
  return `${who} ${size} ${currency}${share(before, after)} ${difference.startsWith('-') ? 'less' : 'more'} than before (${was}).`
}

function share(before: string, after: string): string {
  const percent = percentBetween(before, after)
  return percent === null ? '' : ` (${percent})`
}

/** A rate with every digit, its thousands grouped. */
function grouped(rate: string): string {
  const { lead, rest } = splitRate(rate)
  return lead + rest
}
