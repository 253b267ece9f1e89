const uuids = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi

/**
 * Whether a text holds what may be a card number: 13 to 19 digits in one run, spaces and hyphens between them allowed, with
 * a right check digit (Luhn); a UUID is none, whatever its digits. Such a text is never searched for, kept, logged or put in
 * an address.
 */
export function holdsCardNumber(text: string): boolean {
  const runs = text.replace(uuids, 'id').match(/\d(?:[\s-]*\d)*/g) ?? []
  return runs.some((run) => {
    const digits = run.replace(/\D/g, '')
    return digits.length >= 13 && digits.length <= 19 && isLuhnValid(digits)
  })
}

function isLuhnValid(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place])
    const weighted = place % 2 === 1 ? digit * 2 : digit
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}
