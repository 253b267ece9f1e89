import { amount, toWire } from '#lib/shared/money.ts'
import { storableText } from '#lib/shared/texts.ts'

/** Longer texts do not fit an index beside an id. */
const longestColumn = 400

/** Text that the column stores without loss. */
export function columnText(value: unknown): string | null {
  return typeof value === 'string' && value.length <= longestColumn && storableText(value) === value ? value : null
}

/** A time of the wire as a column stores it; null where it is none. */
export function parseInstant(value: unknown): Date | null {
  const instant = new Date(typeof value === 'string' ? value : Number.NaN)
  return !Number.isNaN(instant.getTime()) && instant.toJSON() === value ? instant : null
}

/** Exact decimal text of a JSON number that the column holds without loss. */
export function amountText(value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) >= 1e15) return null
  const exact = amount(value)
  return exact.decimalPlaces() <= 8 ? exact.toFixed() : null
}

/** The number of the wire for a column's decimal text. */
export function wireAmount(text: string | null): number | null {
  return text === null ? null : toWire(text)
}
