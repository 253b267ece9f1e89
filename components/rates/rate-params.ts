import { createParser, parseAsStringLiteral } from 'nuqs/server'
import { rateRanges, type RateRange } from '#lib/api/rates.ts'

/** Labels of the ranges. */
export const rangeLabels: Record<RateRange, { short: string; long: string }> = {
  '1h': { short: '1 h', long: 'the last hour' },
  '24h': { short: '24 h', long: 'the last 24 hours' },
  '7d': { short: '7 d', long: 'the last 7 days' },
  '30d': { short: '30 d', long: 'the last 30 days' },
}

const parseAsCurrency = createParser({
  parse: (text) => (/^[A-Z]{3}$/.test(text) ? text : null),
  serialize: (currency: string) => currency,
})

/** The URL parameters of the rates: the base, the currency whose history is shown, how far back, and how. */
export const rateParams = {
  base: parseAsCurrency.withDefault('USD'),
  currency: parseAsCurrency,
  range: parseAsStringLiteral(rateRanges).withDefault('1h'),
  view: parseAsStringLiteral(['chart', 'table'] as const).withDefault('chart'),
}

/** The currency whose history is shown where none was chosen. */
export function chosenCurrency({ base, currency }: { base: string; currency: string | null }): string {
  if (currency !== null && currency !== base) return currency
  return base === 'USD' ? 'HKD' : 'USD'
}
