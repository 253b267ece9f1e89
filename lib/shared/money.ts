import { Decimal } from 'decimal.js'
import { minorUnitDigits } from './currency.ts'

/**
 * Amounts are decimals from edge to edge: `numeric` text in the database, `Decimal` in arithmetic, a JSON number only
 * on the wire. A wire amount has at most 15 significant digits, which a JSON number carries without loss.
 */
export type Amount = Decimal

const Money = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -30, toExpPos: 30 })

/** An amount from its decimal text, a wire number or another amount. Throws `TypeError` on anything that is no finite number. */
export function amount(value: string | number | Amount): Amount {
  const parsed = new Money(typeof value === 'number' ? String(value) : value)
  if (!parsed.isFinite()) throw new TypeError(`not an amount: ${value}`)
  return parsed
}

/** An amount that may not be known, as `amount` reads it: null stays null, and is not 0. */
export function toAmount(value: string | number | Amount | null | undefined): Amount | null {
  return value === null || value === undefined ? null : amount(value)
}

/** Plain decimal text as exact as the amount is; null where it is not known. */
export function exactText(value: string | number | Amount | null | undefined): string | null {
  return toAmount(value)?.toFixed() ?? null
}

/** Rounds half away from zero to the currency's minor unit (IDR, KRW and JPY: whole units). */
export function roundToMinorUnit(value: Amount, currency: string): Amount {
  return value.toDecimalPlaces(minorUnitDigits(currency), Decimal.ROUND_HALF_UP)
}

/** The smallest amount of a currency: `0.01` of HKD. */
export function minorUnit(currency: string): Amount {
  return amount(`1e-${minorUnitDigits(currency)}`)
}

/** Whether the amount has no more decimals than its currency's minor unit. */
export function fitsMinorUnit(value: Amount, currency: string): boolean {
  return value.decimalPlaces() <= minorUnitDigits(currency)
}

/** Plain decimal text with at least the decimals of its currency: `30000.00`. Never rounded; without a currency as it is. */
export function decimalText(value: Amount | string | number, currency: string | null | undefined): string {
  const exact = amount(value)
  return exact.toFixed(Math.max(exact.decimalPlaces(), currency ? minorUnitDigits(currency) : 0))
}

/** The JSON number of an amount. Throws `TypeError` where a JSON number would lose digits. */
export function toWire(value: Amount | string): number {
  const exact = amount(value)
  if (exact.precision(true) > 15) throw new TypeError('the amount has more digits than a JSON number carries')
  const number = Number(exact.toString())
  return Object.is(number, -0) ? 0 : number
}

/** The exact sum; null where one of the amounts is not known. */
export function sum(values: Iterable<Amount | string | number>): Amount
export function sum(values: Iterable<Amount | string | number | null | undefined>): Amount | null
export function sum(values: Iterable<Amount | string | number | null | undefined>): Amount | null {
  let total = new Money(0)
  for (const value of values) {
    const known = toAmount(value)
    if (!known) return null
    total = total.plus(known)
  }
  return total
}
