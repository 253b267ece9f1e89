import { amount, roundToMinorUnit } from '#lib/shared/money.ts'

/**
 * A quote beside the market: what the same source amount would be at the service's plain rate. Figures are decimal text;
 * `difference` is what the quote gives more (or, negative, less) than that, in the destination currency.
 */
export type MarketComparison = {
  rate: string
  destinationAmount: string
  difference: string
  /** Of the rates, to two decimals; `0` where they are the same. */
  percent: string
  relation: 'same' | 'better' | 'worse'
}

export type QuotedAmounts = {
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
