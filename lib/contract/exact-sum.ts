/** An amount as decimal text or a wire number; null or undefined where it is not known. */
export type Figure = number | string | null | undefined

const decimals = 15

/** An amount or a rate as a whole number of 10⁻¹⁵. Its shortest decimal text is read, not its binary value. */
export function scaled(amount: number | string): bigint {
  const shortest = String(amount)
  const text = shortest.includes('e') ? Number(amount).toFixed(decimals) : shortest
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const value = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return text.startsWith('-') ? -value : value
}

/**
 * The exact sum of amounts as decimal text, small enough for the browser: plain decimal text or wire numbers of at most
 * fifteen decimals. Null where one of them is not known. Arithmetic beyond adding and comparing belongs to the server and
 * `money.ts`.
 */
export function exactSum(amounts: Iterable<number | string>): string
export function exactSum(amounts: Iterable<Figure>): string | null
export function exactSum(amounts: Iterable<Figure>): string | null {
  let total = 0n
  for (const amount of amounts) {
    if (!isKnown(amount)) return null
    total += scaled(amount)
  }
  const digits = (total < 0n ? -total : total).toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${total < 0n ? '-' : ''}${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
}

function isKnown(amount: Figure): amount is number | string {
  return amount !== null && amount !== undefined
}

/** The amount with the other sign, as decimal text; zero has none. Null where it is not known. */
export function negated(amount: number | string): string
export function negated(amount: Figure): string | null
export function negated(amount: Figure): string | null {
  if (!isKnown(amount)) return null
  const text = String(amount)
  if (scaled(text) === 0n) return '0'
  return text.startsWith('-') ? text.slice(1) : `-${text}`
}

/** The exact sum of the amounts that are there and the number that are missing; `sum` is null where all are missing. */
export function partialSum(amounts: Iterable<Figure>): { sum: string | null; missing: number } {
  const all = [...amounts]
  const present = all.filter(isKnown)
  return {
    sum: present.length === 0 && all.length > 0 ? null : exactSum(present),
    missing: all.length - present.length,
  }
}

/** Negative, zero or positive as `left` is less than, equal to or greater than `right`. */
export function compareAmounts(left: number | string, right: number | string): number {
  const difference = scaled(left) - scaled(right)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** Whether `left` is less than `right`. False where one of them is not known: it is then neither less nor more. */
export function isLess(left: Figure, right: Figure): boolean {
  return isKnown(left) && isKnown(right) && compareAmounts(left, right) < 0
}

/** Whether `left` is more than `right`. False where one of them is not known. */
export function isMore(left: Figure, right: Figure): boolean {
  return isLess(right, left)
}

/** Whether the amounts are equal. False where one of them is not known. */
export function isEqual(left: Figure, right: Figure): boolean {
  return isKnown(left) && isKnown(right) && compareAmounts(left, right) === 0
}

/** Whether one is less than the other. False where one of them is not known: it is then neither equal nor different. */
export function isDifferent(left: Figure, right: Figure): boolean {
  return isLess(left, right) || isMore(left, right)
}
