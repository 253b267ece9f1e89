import { toWire } from '#lib/shared/money.ts'
import type { FieldIssue } from '../api-error.ts'
import type { Handlers, Rule } from '../handler.ts'
import { isRateCurrency, rateAt, rateCurrencies } from '../rates.ts'

export const rateHandlers = {
  getRates: async ({ query }, { now }) => {
    const { baseCurrency } = query
    const currencies = query.currencies ?? rateCurrencies.filter((currency) => currency !== baseCurrency)
    const rates = currencies.map((currency) => [currency, toWire(rateAt(now, baseCurrency, currency))] as const)
    return { baseCurrency, rates: Object.fromEntries(rates) }
  },
} satisfies Partial<Handlers>

/** Every currency that is named has rates. */
export const rateRule: Rule<'getRates'> = ({ query: { baseCurrency, currencies = [] } }) => [
  ...unknown('baseCurrency', baseCurrency === undefined ? [] : [baseCurrency]),
  ...unknown('currencies', currencies),
]

function unknown(path: string, currencies: readonly string[]): FieldIssue[] {
  return currencies
    .filter((currency) => !isRateCurrency(currency))
    .map((currency) => ({ path, message: `there are no rates of ${currency}` }))
}
