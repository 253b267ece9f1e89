import { mostDecimals } from '#lib/shared/currency.ts'
import { markProblem, withoutThousands } from './amount-entry.ts'

/** Decision: a limit is below a million millions, so that balance + limit is an amount that a JSON number carries. */
const wholeDigits = 12

/** A limit as a person or a spreadsheet writes it as plain decimal text; what cannot be one is only trimmed. */
export function plainLimit(text: string): string {
  return withoutThousands(text.trim())
}

/** Whether a text can be the limit of an account in that currency. */
export function isLimit(text: string, currency: string | null): boolean {
  return limitProblem(text, currency) === null
}

/**
 * The issue of a text as the limit of an account in that currency, as the end of a sentence; null where there is none: by `plainLimit`
 * the text is then plain decimal text of at most 15 digits. Without a currency its decimals are not judged.
 */
export function limitProblem(text: string, currency: string | null): string | null {
  const entered = plainLimit(text)
  if (entered === '') return 'must be given'
  const match = /^(\d+)(?:\.(\d+))?$/.exec(entered)
  if (!match) {
    return 'must be a plain number such as 1234.50: no sign, commas only between thousands'
  }
  const [, whole = '', decimals = ''] = match
  if (whole.replace(/^0+/, '').length > wholeDigits) return 'must be below 1,000,000,000,000'
  if (currency === null) return null
  const problem = markProblem(text, currency)
  if (problem !== null) return problem
  const digits = mostDecimals(currency)
  if (decimals.replace(/0+$/, '').length <= digits) return null
  return digits === 0
    ? `must be whole: ${currency} has no decimals`
    : `must have at most ${digits} decimals, as ${currency} has`
}
