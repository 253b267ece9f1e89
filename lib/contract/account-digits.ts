/** The last four digits of an account number, or as many as it has: what a person types to confirm a payout to it. */
export function lastDigits(accountNumber: string): string {
  return accountNumber.replaceAll(/\D/g, '').slice(-4)
}

/** Those at the end of an account number of which a service may mask the rest, or all. */
export function shownLastDigits(accountNumber: string): string {
  const [shown = ''] = accountNumber
    .slice(-40)
    .split(/[^\d\s-]/)
    .slice(-1)
  return lastDigits(shown)
}
