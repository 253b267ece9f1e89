import type { PayoutBank } from '#lib/contract/records.ts'

/** A bank that a payout can name: one with a code. */
export type ChoosableBank = PayoutBank & { code: string }

export function choosableBanks(banks: readonly PayoutBank[]): ChoosableBank[] {
  return banks.filter((bank): bank is ChoosableBank => Boolean(bank.code))
}

/** Banks whose name or code has every word of a search. */
export function findBanks<Bank extends PayoutBank>(banks: readonly Bank[], search: string): Bank[] {
  const labels = search.trim().toLowerCase().split(/\s+/).filter(Boolean)
  return banks.filter(({ name, code }) => {
    const text = `${name ?? ''} ${code ?? ''}`.toLowerCase()
    return labels.every((label) => text.includes(label))
  })
}
