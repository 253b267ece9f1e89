/** Digits in groups of four, as they are printed on a card. */
export function groupedDigits(digits: string): string {
  return digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}

/** The position of the caret in grouped digits with so many digits before it. */
export function caretAfter(digitsBefore: number): number {
  return digitsBefore + (digitsBefore === 0 ? 0 : Math.floor((digitsBefore - 1) / 4))
}

/** The last four digits of an account number, or as many as it has: what is typed to confirm. */
export function lastDigits(accountNumber: string): string {
  return accountNumber.replaceAll(/\D/g, '').slice(-4)
}
