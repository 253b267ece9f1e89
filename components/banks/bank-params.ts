import { parseAsString } from 'nuqs/server'
import { countryLabel } from '#lib/contract/country-names.ts'
import { bankCountries } from '#lib/contract/terms.ts'

/** The URL parameters of the banks page: the country, the text to find among its banks, and the wire code looked up. */
export const bankParams = {
  country: parseAsString.withDefault('HK'),
  q: parseAsString.withDefault(''),
  wireCode: parseAsString,
}

/** The contract's bound: a wire code has 8 or 11 characters, a service may take longer ones. */
export const longestWireCode = 35

export function countryName(code: string): string | null {
  return (bankCountries as readonly string[]).includes(code) ? countryLabel(code) : null
}
