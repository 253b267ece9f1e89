import { minorUnitDigits } from '#lib/shared/currency.ts'

/** Thousands in correct groups, all of them by the same mark: `1,234`, `25 000.00`, `1'234`. A first group of 0 is none. */
const grouped = /^[1-9]\d{0,2}(?:(?:,\d{3})+|(?:['’]\d{3})+|(?:\s\d{3})+)(?:\.\d*)?$/
const plain = /^\d+(?:\.\d*)?$|^\.\d+$/

/** Decision of the wire: a JSON number carries this many significant digits without loss. */
const maximumDigits = 15
const maximumWholeDigits = 13

/** The amount without what separates its thousands; text that is no such amount stays as it is. */
export function withoutThousands(text: string): string {
  return grouped.test(text) ? text.replaceAll(/[,'’\s]/g, '') : text
}

type EnteredAmount = { amount: string } | { problem: string }

/**
 * The issue of an amount whose mark may be of thousands or of decimals: a lone comma in a currency of three decimals, a point before
 * three digits, the last of them 0, in one of fewer. Null of any other.
 */
export function markProblem(text: string, currency: string | null): string | null {
  if (currency === null) return null
  const digits = minorUnitDigits(currency)
  if (digits === 3 && /^\d+,\d+$/.test(text.trim())) {
    return `may be read in two ways, as ${currency} has three decimals: write 1234 or 1.234`
  }
  if (digits < 3 && /^[1-9]\d{0,2}\.\d\d0$/.test(text.trim())) {
    return 'may be read in two ways: thousands have commas or nothing, decimals a point'
  }
  return null
}

/**
 * An amount as a person types it (`25,000.50`, `25 000`, `25000`) as plain decimal text without redundant zeros, or its
 * issue. It stays text: nothing is computed. `currency` is null where it is not known yet.
 */
export function readAmount(typed: string, currency: string | null): EnteredAmount {
  const text = typed.trim()
  if (text === '') return { problem: 'is required' }
  if (/^[-−]/.test(text)) return { problem: 'must be greater than 0' }
  if (!grouped.test(text) && !plain.test(text)) {
    return { problem: 'must be a number such as 25,000.50: commas between thousands, a point before decimals' }
  }
  const problem = markProblem(text, currency)
  if (problem !== null) return { problem }
  const [whole = '', fraction = ''] = withoutThousands(text).split('.')
  const wholeDigits = whole.replace(/^0+/, '')
  const decimals = fraction.replace(/0+$/, '')
  if (wholeDigits === '' && decimals === '') return { problem: 'must be greater than 0' }
  const digits = wholeDigits === '' ? decimals.replace(/^0+/, '') : wholeDigits + decimals
  if (wholeDigits.length > maximumWholeDigits || digits.length > maximumDigits) {
    return { problem: `must be below 10,000,000,000,000 and have at most ${maximumDigits} digits` }
  }
  return { amount: `${wholeDigits === '' ? '0' : wholeDigits}${decimals === '' ? '' : `.${decimals}`}` }
}
