import { holdsCardNumber } from '#lib/shared/card-numbers.ts'

const digitRun = /\d(?:[\s-]?\d){11,}/g

/**
 * A message of the service without what may be a card number, and without the number that it was asked about, `sent`: of each
 * the last four digits are left.
 */
export function withoutCardNumbers(message: string, sent = ''): string {
  const bare = sent.replaceAll(/[\s-]/g, '')
  return message.replaceAll(digitRun, (run) => {
    const digits = run.replaceAll(/\D/g, '')
    const isIt = bare.length >= 12 && (digits.includes(bare) || bare.includes(digits))
    return isIt || holdsCardNumber(run) ? `•••• ${digits.slice(-4)}` : run
  })
}
