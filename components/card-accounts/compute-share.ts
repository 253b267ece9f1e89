import { type Figure, isMore } from '#lib/contract/exact-sum.ts'

/**
 * How much of `whole` `part` is, 0 to 1, for a drawing: never for arithmetic. Null where one of them is not known, or
 * `whole` is not positive.
 */
export function computeShare(part: Figure, whole: Figure): number | null {
  if (part === null || part === undefined || !isMore(whole, 0)) return null
  return Math.min(1, Math.max(0, Number(part) / Number(whole)))
}
