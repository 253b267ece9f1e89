import type { FeeEntry } from '#lib/contract/records.ts'
import { amount, type Amount } from '#lib/shared/money.ts'
import type { Target } from '../target.ts'

/** The id of the card account that a fee was charged to; null where it was charged to a funding account. */
export function cardAccountOf({ transaction }: FeeEntry): string | null {
  const id = transaction && 'cardAccountId' in transaction ? transaction.cardAccountId : null
  return typeof id === 'string' ? id : null
}

/**
 * What a fee does to the balance of its account: the interface's CREDIT takes from a card account, and an entry of the
 * account ledger bears its own sign. Null where the service gave no amount that can be read.
 */
export function changeOf({ amount: charged, transaction }: FeeEntry): Amount | null {
  const size = amountOf(charged)?.abs()
  if (!size) return null
  return takes(transaction) ? size.negated() : size
}

function takes(transaction: FeeEntry['transaction'] | null | undefined): boolean {
  if (!transaction) return true
  if ('entryType' in transaction) return transaction.entryType !== 'DEBIT'
  return (amountOf(transaction.amount)?.isNegative() ?? true) === true
}

/** The contract says number; whatever a service sends instead is no amount. */
export function amountOf(value: unknown): Amount | null {
  return typeof value === 'number' && Number.isFinite(value) ? amount(value) : null
}

export function isVoid({ status }: Pick<FeeEntry, 'status'>): boolean {
  return status === 'void'
}

/** A fee as operations and the audit trail name it. */
export function feeTarget(fee: FeeEntry): Target {
  const { id, intent, currency } = fee
  const charged = amountOf(fee.amount)?.toFixed()
  const label = [intent, charged && `${charged} ${currency}`].filter(Boolean).join(' · ')
  return { type: 'fee', id, parentId: cardAccountOf(fee), label: label || null }
}
