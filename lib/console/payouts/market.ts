import { amount, roundToMinorUnit } from '#lib/shared/money.ts'
import type { MarketComparison } from './shapes.ts'

type QuotedAmounts = {
  sourceAmount: string
  destinationAmount: string
  destinationCurrency: string
  rate: string
}

/** Throws `TypeError` where a figure is no number. */
export function compareWithMarket(quote: QuotedAmounts, marketRate: string | number): MarketComparison {
  const market = amount(marketRate)
  const rate = amount(quote.rate)
  const atMarket = roundToMinorUnit(amount(quote.sourceAmount).times(market), quote.destinationCurrency)
  if (rate.equals(market) || !market.isPositive() || market.isZero()) {
    return {
      rate: market.toString(),
      destinationAmount: quote.destinationAmount,
      difference: '0',
      percent: '0',
      relation: 'same',
    }
  }
  return {
    rate: market.toString(),
    destinationAmount: atMarket.toString(),
    difference: amount(quote.destinationAmount).minus(atMarket).toString(),
    percent: rate.dividedBy(market).minus(1).times(100).toDecimalPlaces(2).toString(),
    relation: rate.greaterThan(market) ? 'better' : 'worse',
  }
}
