import { splitRate } from '#components/rates/rate-text.tsx'
import type { Quote } from '#lib/console/payouts/quote.ts'
import { formatAmount } from '#lib/shared/currency.ts'

const decimals = 15

/** `after` − `before` of plain decimal text, exact to fifteen decimals. */
export function exactDifference(before: string, after: string): string {
  const difference = scaled(after) - scaled(before)
  const digits = (difference < 0n ? -difference : difference).toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${difference < 0n ? '-' : ''}${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
}

function scaled(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const value = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return text.startsWith('-') ? -value : value
}

/** What is not as in the quote before, in sentences; none where the two cannot be compared. */
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
  const word = difference.startsWith('-') ? 'down' : 'up'
  return `The rate went ${word} by ${grouped(size)}, from ${grouped(before.rate)} to ${grouped(after.rate)}.`
}

function amountSentence(who: string, before: string, after: string, currency: string): string | null {
  const difference = exactDifference(before, after)
  if (difference === '0') return null
  const size = formatAmount(difference.replace('-', ''), currency)
  const was = formatAmount(before, currency)
  return `${who} ${size} ${currency} ${difference.startsWith('-') ? 'less' : 'more'} than before (${was}).`
}

/** A rate with every digit, its thousands grouped. */
function grouped(rate: string): string {
  const { lead, rest } = splitRate(rate)
  return lead + rest
}
