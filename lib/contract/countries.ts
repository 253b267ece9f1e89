import { countryNames } from '#lib/shared/countries.ts'

/** Whether the text is an assigned ISO 3166-1 alpha-2 code, in upper case. */
export function isCountryCode(text: string): boolean {
  return countryNames.has(text)
}
