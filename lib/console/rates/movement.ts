import { amount } from '#lib/shared/money.ts'
import type { Movement } from './shapes.ts'

const percentPlaces = 4
/** As many as the service gives of a rate. */
const inverseDigits = 10

/** The movement from one rate to another, decimal texts, in decimal arithmetic. */
export function movementOf(from: { at: Date; rate: string }, rate: string): Movement {
  const difference = amount(rate).minus(from.rate)
  const percent = difference.times(100).dividedBy(from.rate).toFixed(percentPlaces)
  return {
    direction: difference.isZero() ? 'same' : difference.isNegative() ? 'down' : 'up',
    percent: Number(percent) === 0 ? percent.replace('-', '') : percent,
    against: { at: from.at.toISOString(), rate: from.rate },
  }
}

/** Units of the base per unit of the other currency, to ten significant digits. */
export function inverseOf(rate: string): string {
  return amount(1).dividedBy(rate).toSignificantDigits(inverseDigits).toFixed()
}
