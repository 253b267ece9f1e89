import { type Figure, isMore } from '#lib/contract/exact-sum.ts'

/**
 * How much of `whole` `part` is, from 0 up: more than 1 where it is more than the whole. To be shown, never for arithmetic. Null where
 * one of them is not known, or `whole` is not positive.
 */
export function computeShare(part: Figure, whole: Figure): number | null {
  if (part === null || part === undefined || !isMore(whole, 0)) return null
  return Math.max(0, Number(part) / Number(whole))
}
