import { countryNames } from './country-names.ts'

/** Whether the text is an assigned ISO 3166-1 alpha-2 code, in upper case. */
export function isCountryCode(text: string): boolean {
  return countryNames.has(text)
}

/**
 * The ISO 3166-1 alpha-2 code of a numeric code, or null where the number is not assigned. The platform knows both:
 * Unicode's canonical form of a numeric region is its alphabetic code (UTS 35, annex C); a withdrawn number is its
 * successor's.
 */
export function countryOfNumber(number: number): string | null {
  if (!Number.isInteger(number) || number < 1 || number > 999) return null
  const [locale = ''] = Intl.getCanonicalLocales(`und-${String(number).padStart(3, '0')}`)
  const code = locale.slice('und-'.length)
  return isCountryCode(code) ? code : null
}
