import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { parseAsServiceId } from '#components/filters/address-parsers.ts'
import { countriesOf, currenciesOf, type AmountSide } from '#lib/contract/payout-entry.ts'
import { payoutMethods, type PayoutMethod } from '#lib/contract/payout-rules.ts'

/** What the address keeps: choices that say nothing of who receives. */
export const choiceParams = {
  method: parseAsStringLiteral(payoutMethods),
  country: parseAsString,
  currency: parseAsString,
  account: parseAsServiceId,
  fix: parseAsStringLiteral(['source', 'destination'] as const),
}

type ChoiceParams = {
  method: PayoutMethod | null
  country: string | null
  currency: string | null
  account: string | null
  fix: AmountSide | null
}

/** The choices that are made; empty where one is still to make. Only what is possible is ever among them. */
export type Choices = { method: PayoutMethod; country: string; currency: string; side: AmountSide }

/** The choices of an address: what does not go together is left out, and where only one is possible, it is chosen. */
export function choicesOf(params: Omit<ChoiceParams, 'account'>): Choices {
  const method = params.method ?? 'BANK_TRANSFER'
  const country = possible(countriesOf(method), params.country)
  const currency = possible(currenciesOf(method, country), params.currency)
  return { method, country, currency, side: params.fix ?? 'source' }
}

function possible(options: readonly string[], wanted: string | null): string {
  if (wanted !== null && options.includes(wanted)) return wanted
  return options.length === 1 ? (options[0] ?? '') : ''
}
