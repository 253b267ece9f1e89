import { toWire } from '#lib/shared/money.ts'
import type { Handlers } from '../handler.ts'
import { isRateCurrency, rateAt, rateCurrencies } from '../rates.ts'
import { ServiceRefusal } from '../refusal.ts'

export const rateHandlers = {
  getRates: async ({ query }, { now }) => {
    const { baseCurrency } = query
    const currencies = query.currencies ?? rateCurrencies.filter((currency) => currency !== baseCurrency)
    refuseUnknown([...unknown('baseCurrency', [baseCurrency]), ...unknown('currencies', currencies)])
    const rates = currencies.map((currency) => [currency, toWire(rateAt(now, baseCurrency, currency))] as const)
    return { baseCurrency, rates: Object.fromEntries(rates) }
  },
} satisfies Handlers<'getRates'>

function unknown(field: string, currencies: readonly string[]): string[] {
  return currencies
    .filter((currency) => !isRateCurrency(currency))
    .map((currency) => `${field}: there are no rates of ${currency}`)
}

function refuseUnknown(problems: readonly string[]): void {
  if (problems.length > 0) throw new ServiceRefusal('INVALID_PARAMETERS', [...new Set(problems)].join('; '))
}
