import { amount, roundToMinorUnit, type Amount } from '#lib/shared/money.ts'

export type QuoteAmounts = { sourceAmount: Amount; destinationAmount: Amount }

export type QuoteRequest = {
  rate: Amount
  sourceCurrency: string
  destinationCurrency: string
} & ({ sourceAmount: number } | { destinationAmount: number })

/**
 * Both amounts of a quote. The given one stays as it is; the other is converted at the rate (units of destination for
 * one unit of source) and rounded half up to its currency's minor unit.
 */
export function quoteAmounts(request: QuoteRequest): QuoteAmounts {
  const { rate, sourceCurrency, destinationCurrency } = request
  if ('sourceAmount' in request) {
    const sourceAmount = amount(request.sourceAmount)
    return { sourceAmount, destinationAmount: roundToMinorUnit(sourceAmount.times(rate), destinationCurrency) }
  }
  const destinationAmount = amount(request.destinationAmount)
  return { sourceAmount: roundToMinorUnit(destinationAmount.dividedBy(rate), sourceCurrency), destinationAmount }
}
