import { minorUnitDigits } from './currency.ts'

/** Decision: a limit is below a million millions, so that balance + limit is an amount that a JSON number carries. */
const wholeDigits = 12

/**
 * What is wrong with a text as the limit of an account in that currency, or null. A text that is right is plain decimal text
 * of at most 15 digits. Without a currency its decimals are not judged.
 */
export function limitProblem(text: string, currency: string | null): string | null {
  const entered = text.trim()
  if (entered === '') return 'must be given'
  const match = /^(\d+)(?:\.(\d+))?$/.exec(entered)
  if (!match) return 'must be a plain number such as 1234.50: no sign, no separators, a point before the decimals'
  const [, whole = '', decimals = ''] = match
  if (whole.replace(/^0+/, '').length > wholeDigits) return 'must be below 1,000,000,000,000'
  if (currency === null) return null
  const digits = minorUnitDigits(currency)
  if (decimals.replace(/0+$/, '').length <= digits) return null
  return digits === 0
    ? `must be whole: ${currency} has no decimals`
    : `must have at most ${digits} decimals, as ${currency} has`
}
