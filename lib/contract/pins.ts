/** The problem of a comment beside a PIN: comments are stored. */
export const pinInComment = 'must not hold the PIN'

/** Whether a text holds these digits, also with spaces and hyphens between them or in another script's width. */
export function holdsDigits(text: string, digits: string): boolean {
  if (digits === '') return false
  return text
    .normalize('NFKC')
    .replaceAll(/[\s.,/·-]/g, '')
    .includes(digits)
}

/** Why a PIN is easy to guess, as the end of a sentence; null where it is not known to be. */
export function weakPinReason(pin: string): string | null {
  if (/^(\d{1,3})\1+$/.test(pin)) return 'it repeats the same digits'
  const steps = [...pin].slice(1).map((digit, index) => (Number(digit) - Number(pin[index]) + 10) % 10)
  const isSequence = steps.length > 0 && steps.every((step) => step === steps[0] && (step === 1 || step === 9))
  if (isSequence) return 'its digits are in a row'
  return /^(\d)\1(\d)\2(\d)\3$/.test(pin) ? 'it repeats the same digits' : null
}
