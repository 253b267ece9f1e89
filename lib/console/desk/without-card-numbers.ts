import { maskCardNumbers } from '#lib/shared/card-numbers.ts'

const digitRun = /\d(?:[\s-]*\d){11,}/g

/**
 * A message of the service without what may be a card number, and without the number that was sent, `sent`: of each
 * the last four digits are left.
 */
export function withoutCardNumbers(message: string, sent = ''): string {
  const bare = sent.replaceAll(/[\s-]/g, '')
  if (bare.length < 12) return maskCardNumbers(message)
  const withoutSent = message.replaceAll(digitRun, (run) => {
    const digits = run.replaceAll(/\D/g, '')
    return digits.includes(bare) || bare.includes(digits) ? `•••• ${digits.slice(-4)}` : run
  })
  return maskCardNumbers(withoutSent)
}
