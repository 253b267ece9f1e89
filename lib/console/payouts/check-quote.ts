import type { EndpointInput } from '#lib/client/prepare.ts'
import { moneyText } from '#lib/shared/currency.ts'
import { type Amount, amount, minorUnit, roundToMinorUnit } from '#lib/shared/money.ts'

type Quoted = {
  sourceAmount: number
  destinationAmount: number
  sourceCurrency: string | null
  destinationCurrency: string | null
  destinationCountry: string | null
  rate: number | null
}
type Requested = Omit<EndpointInput<'quotePayout'>['body'], 'idempotencyKey'>

/**
 * How a quote contradicts its request or itself, as a sentence; null where it does not. What a service leaves out contradicts nothing.
 * `before` names the request in the sentence: `you asked for 160.00 HKD`.
 */
export function findQuoteProblem(
  quote: Quoted,
  requested: Requested,
  before: (terms: string) => string,
): string | null {
  const { sourceCurrency, destinationCurrency } = requested
  const differs = (given: string, wanted: string) => `The card service quoted ${given}, and ${before(wanted)}.`
  const named = [
    ['a debit in', quote.sourceCurrency, sourceCurrency],
    ['a payout in', quote.destinationCurrency, destinationCurrency],
    ['a payout to', quote.destinationCountry, requested.destinationCountry],
  ] as const
  for (const [lead, given, wanted] of named) {
    if (given !== null && contradictsCode(given, wanted)) return differs(`${lead} ${given}`, wanted)
  }
  const sides = [
    [quote.sourceAmount, requested.sourceAmount, sourceCurrency],
    [quote.destinationAmount, requested.destinationAmount, destinationCurrency],
  ] as const
  for (const [given, wanted, currency] of sides) {
    if (wanted !== undefined && !amount(given).eq(wanted)) {
      return differs(moneyText(given, currency), moneyText(wanted, currency))
    }
    if (amount(given).lte(0)) return `The card service quoted ${moneyText(given, currency)}, which is not above zero.`
  }
  return findRateProblem(quote, sourceCurrency, destinationCurrency)
}

/** Whether the given code is another one of the same length: a service may name a country or a currency in another way. */
export function contradictsCode(given: string, wanted: string): boolean {
  return given.length === wanted.length && given.toUpperCase() !== wanted
}

function findRateProblem(quote: Quoted, sourceCurrency: string, destinationCurrency: string): string | null {
  const { sourceAmount, destinationAmount, rate } = quote
  if (rate === null || sideOfRate({ ...quote, rate, sourceCurrency, destinationCurrency }) !== null) return null
  const exact = amount(rate)
  const converted = roundToMinorUnit(amount(sourceAmount).times(exact), destinationCurrency).toFixed()
  return `The card service’s quote contradicts itself: ${moneyText(sourceAmount, sourceCurrency)} at its rate of ${exact.toFixed()} is ${moneyText(converted, destinationCurrency)}, and it quoted ${moneyText(destinationAmount, destinationCurrency)}.`
}

type Exchange = Record<'sourceAmount' | 'destinationAmount' | 'rate', string | number> &
  Record<'sourceCurrency' | 'destinationCurrency', string>

/**
 * What one unit of the source currency is in the other, as decimal text: the rate of the exchange, or what its amounts make, to eight
 * digits, where the service sent the price of the destination currency.
 */
export function rateOfSource(exchange: Exchange): string {
  const [sent, received] = [amount(exchange.sourceAmount), amount(exchange.destinationAmount)]
  if (sent.lte(0) || received.lte(0) || sideOfRate(exchange) !== 'destination') return amount(exchange.rate).toFixed()
  return received.dividedBy(sent).toSignificantDigits(8).toFixed()
}

/**
 * Of which side the rate is the price, which the interface doesn't say; null where neither amount is the other one at it. It may be off by
 * a minor unit of either side, because a service may round elsewhere, and by the last decimal of an exchange rate, after which a service may cut it off:
 * 0.5 % at most.
 */
function sideOfRate(exchange: Exchange): 'source' | 'destination' | null {
  const { sourceAmount, destinationAmount, sourceCurrency, destinationCurrency, rate } = exchange
  const exact = amount(rate)
  const [sent, received] = [
    { value: amount(sourceAmount), unit: minorUnit(sourceCurrency) },
    { value: amount(destinationAmount), unit: minorUnit(destinationCurrency) },
  ]
  const rounding = sourceCurrency === destinationCurrency ? amount(0) : roundingOf(exact)
  const isPrice = (from: typeof sent, to: typeof sent) => {
    const tolerance = to.unit.plus(exact.times(from.unit)).plus(from.value.times(rounding))
    return to.value.minus(from.value.times(exact)).abs().lte(tolerance)
  }
  if (isPrice(sent, received)) return 'source'
  return isPrice(received, sent) ? 'destination' : null
}

function roundingOf(rate: Amount): Amount {
  const [lastDecimal, most] = [amount(`1e-${rate.decimalPlaces()}`), rate.times('0.005')]
  return lastDecimal.lt(most) ? lastDecimal : most
}
