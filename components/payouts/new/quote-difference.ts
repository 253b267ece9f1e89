import { splitRate } from '#components/rates/rate-text.tsx'
import type { Quote } from '#lib/console/payouts/shapes.ts'
import { formatAmount } from '#lib/shared/currency.ts'

const decimals = 15

/** `after` − `before` of plain decimal text, exact to fifteen decimals. */
export function exactDifference(before: string, after: string): string {
  const difference = scaled(after) - scaled(before)
  const digits = (difference < 0n ? -difference : difference).toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${difference < 0n ? '-' : ''}${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
}

/**
 * How far `after` is from `before`, without a sign, rounded half up to hundredths of a per cent: `0.12 %`. What differs by
 * less than can be shown is `less than 0.01 %`, never nothing. Null where `before` is 0.
 */
export function percentBetween(before: string, after: string): string | null {
  const from = scaled(before.replace('-', ''))
  const difference = scaled(exactDifference(before, after).replace('-', ''))
  if (from === 0n) return null
  const hundredths = (2n * difference * 10_000n + from) / (2n * from)
  if (hundredths === 0n && difference > 0n) return 'less than 0.01 %'
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')} %`
}

function scaled(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const value = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return text.startsWith('-') ? -value : value
}

/** The differences from the previous quote, in sentences; none where the two cannot be compared. */
export function differenceSentences(before: Quote, after: Quote): string[] {
  const isSamePair =
    before.sourceCurrency === after.sourceCurrency && before.destinationCurrency === after.destinationCurrency
  if (!isSamePair) return []
  const sentences = [
    rateSentence(before, after),
    amountSentence('You send', before.sourceAmount, after.sourceAmount, after.sourceCurrency),
    amountSentence('They receive', before.destinationAmount, after.destinationAmount, after.destinationCurrency),
  ].filter((sentence) => sentence !== null)
  return sentences.length > 0 ? sentences : ['Rate and amounts are the same as in the quote before.']
}

function rateSentence(before: Quote, after: Quote): string | null {
  const difference = exactDifference(before.rate, after.rate)
  if (difference === '0') return null
  const size = difference.replace('-', '')
  const label = difference.startsWith('-') ? 'down' : 'up'
  return `The rate went ${label} by ${grouped(size)}${share(before.rate, after.rate)}, from ${grouped(before.rate)} to ${grouped(after.rate)}.`
}

function amountSentence(who: string, before: string, after: string, currency: string): string | null {
  const difference = exactDifference(before, after)
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
