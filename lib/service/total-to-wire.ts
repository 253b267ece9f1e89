import { Decimal } from 'decimal.js'
import { type Amount, amount, toWire } from '#lib/shared/money.ts'

/** A total for the wire. Beyond 15 digits it is rounded to them: a sum of many accounts may outgrow what one may hold. */
export function totalToWire(value: Amount | string): number {
  return toWire(amount(value).toSignificantDigits(15, Decimal.ROUND_HALF_UP))
}
