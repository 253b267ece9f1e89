import type { PayoutBank } from '#lib/contract/records.ts'

/** Banks whose name or code has every word of a search. */
export function findBanks(banks: readonly PayoutBank[], search: string): PayoutBank[] {
  const words = search.trim().toLowerCase().split(/\s+/).filter(Boolean)
  return banks.filter(({ name, code }) => {
    const text = `${name} ${code}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
