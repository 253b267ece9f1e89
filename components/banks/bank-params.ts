import { parseAsString } from 'nuqs/server'
import type { PayoutCountry } from '#lib/contract/payout-rules.ts'

/** What the address of the banks keeps: the country with what is looked for among its banks, and the wire code looked up. */
export const bankParams = {
  country: parseAsString.withDefault('HK'),
  q: parseAsString.withDefault(''),
  wireCode: parseAsString,
}

/** The contract's bound: a wire code has 8 or 11 characters, a service may take longer ones. */
export const longestWireCode = 35

const countryNames: Record<PayoutCountry, string> = {
  HK: 'Hong Kong',
  PH: 'Philippines',
  IN: 'India',
  ID: 'Indonesia',
  KR: 'Korea',
  CN: 'China',
}

/** Those that payouts reach, read from the names, since the contract's own list would bring its schemas into the browser. */
export const payoutCountries = Object.keys(countryNames) as PayoutCountry[]

export function countryName(code: string): string | null {
  return Object.hasOwn(countryNames, code) ? countryNames[code as PayoutCountry] : null
}
