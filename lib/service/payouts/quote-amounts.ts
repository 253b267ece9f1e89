import { amount, minorUnit, roundToMinorUnit, type Amount } from '#lib/shared/money.ts'

type QuoteAmounts = { sourceAmount: Amount; destinationAmount: Amount }

type QuoteRequest = {
  rate: Amount
  sourceCurrency: string
  destinationCurrency: string
} & ({ sourceAmount: number } | { destinationAmount: number })

/**
 * Both amounts of a quote, rounded half up to the minor units of their currencies: the given one first, then the other,
 * which is converted from that at the rate (units of destination for one unit of source). Whatever is received, at least one
 * minor unit is sent: 5 KRW are worth less than a cent.
 */
export function quoteAmounts(request: QuoteRequest): QuoteAmounts {
  const { rate, sourceCurrency, destinationCurrency } = request
  if ('sourceAmount' in request) {
    const sourceAmount = roundToMinorUnit(amount(request.sourceAmount), sourceCurrency)
    return { sourceAmount, destinationAmount: roundToMinorUnit(sourceAmount.times(rate), destinationCurrency) }
  }
  const destinationAmount = roundToMinorUnit(amount(request.destinationAmount), destinationCurrency)
  const converted = roundToMinorUnit(destinationAmount.dividedBy(rate), sourceCurrency)
  return { sourceAmount: converted.isZero() ? minorUnit(sourceCurrency) : converted, destinationAmount }
}
