/** The digits by which phone numbers are found: a number without its country code ends like the one with it. */
const phoneTailDigits = 7

/**
 * The digits of a phone number, with the country code where it has one: `+852 9123-4567` and `00852 91234567` are the same. The zero
 * of `+44 (0)20 7946 0000` is dialled only without the country code.
 */
function parsePhone(text: string): { digits: string; isInternational: boolean } {
  const isInternational = /^\D*(?:\+|00)/.test(text)
  const digits = (isInternational ? text.replace(/\(\s*0\s*\)/, '') : text).replaceAll(/\D/g, '')
  return { digits: digits.replace(/^0+/, ''), isInternational }
}

/** Whether a text can be a phone number: 7 to 15 digits, with spaces, hyphens, dots and parentheses between them. */
export function isPhoneNumber(text: string): boolean {
  const { digits } = parsePhone(text)
  return /^[+\d\s().-]+$/.test(text) && digits.length >= phoneTailDigits && digits.length <= 15
}

/** The last digits of a phone number, which every spelling of it shares. */
export function phoneTail(text: string): string {
  return parsePhone(text).digits.slice(-phoneTailDigits)
}

/** Whether two texts are one phone number. One without a country code is any number that ends with it. */
export function isSamePhone(one: string, other: string): boolean {
  const [first, second] = [parsePhone(one), parsePhone(other)]
  if (first.isInternational === second.isInternational) return first.digits === second.digits
  const [whole, local] = first.isInternational ? [first, second] : [second, first]
  return local.digits.length >= phoneTailDigits && whole.digits.endsWith(local.digits)
}

/** The digits of a phone number without the zeros before them. */
export function phoneDigits(text: string): string {
  return parsePhone(text).digits
}
