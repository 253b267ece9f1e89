/** The one name of each country that the screens name, by ISO 3166-1 alpha-2 code. */
const names: Record<string, string> = {
  HK: 'Hong Kong',
  PH: 'Philippines',
  IN: 'India',
  ID: 'Indonesia',
  KR: 'South Korea',
  CN: 'Mainland China',
}

/** The name of a country; a code without one as it is. */
export function countryLabel(code: string): string {
  return Object.hasOwn(names, code) ? (names[code] ?? code) : code
}
