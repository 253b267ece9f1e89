const decimals = 8

/** An amount as a whole number of 10⁻⁸. Its shortest decimal text is read, not its binary value. */
function scaled(amount: number | string): bigint {
  const shortest = String(amount)
  const text = shortest.includes('e') ? Number(amount).toFixed(decimals) : shortest
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const value = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return text.startsWith('-') ? -value : value
}

/**
 * The exact sum of amounts as decimal text, small enough for the browser: plain decimal text or wire numbers of at most
 * eight decimals. Arithmetic beyond adding and comparing belongs to the server and `money.ts`.
 */
export function exactSum(amounts: Iterable<number | string>): string {
  let total = 0n
  for (const amount of amounts) total += scaled(amount)
  const digits = (total < 0n ? -total : total).toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${total < 0n ? '-' : ''}${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
}

/** The amount with the other sign, as decimal text; zero has none. */
export function negated(amount: number | string): string {
  const text = String(amount)
  if (scaled(text) === 0n) return '0'
  return text.startsWith('-') ? text.slice(1) : `-${text}`
}

/** The exact sum of the amounts that are there and the number that are missing; `sum` is null where all are missing. */
export function partialSum(amounts: Iterable<number | string | null | undefined>): {
  sum: string | null
  missing: number
} {
  const all = [...amounts]
  const present = all.filter((amount) => amount !== null && amount !== undefined)
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

/** How much of `whole` `part` is, 0 to 1, for a drawing: never for arithmetic. 0 where `whole` is not positive. */
export function computeShare(part: number | string, whole: number | string): number {
  const of = Number(whole)
  return of > 0 ? Math.min(1, Math.max(0, Number(part) / of)) : 0
}
