import type { Target } from '#lib/audit/types.ts'
import { feeIntentTitle } from '#lib/contract/fee-intents.ts'
import type { FeeEntry } from '#lib/contract/records.ts'
import { moneyText } from '#lib/shared/currency.ts'
import { type Amount, toAmount } from '#lib/shared/money.ts'

/** The id of the card account that a fee was charged to; null where it was charged to a funding account. */
export function feeCardAccountId({ transaction }: FeeEntry): string | null {
  return transaction && 'cardAccountId' in transaction ? transaction.cardAccountId : null
}

/**
 * The change of the account's balance by a fee: the interface's CREDIT subtracts from a card account, and an entry of
 * the account ledger has its own sign. Null where the service sends no amount or no direction.
 */
export function balanceChange({ amount: charged, transaction }: FeeEntry): Amount | null {
  const size = toAmount(charged)?.abs()
  if (!size || size.isZero()) return size ?? null
  const isReduced = reducesBalance(transaction)
  if (isReduced === null) return null
  return isReduced ? size.negated() : size
}

/** Null where the direction is not known: a missing or unknown entry type counts neither as CREDIT nor as DEBIT. */
function reducesBalance(transaction: FeeEntry['transaction']): boolean | null {
  if (!transaction) return null
  if ('entryType' in transaction) return directions[transaction.entryType ?? ''] ?? null
  return transaction.amount ? transaction.amount < 0 : null
}

const directions: Partial<Record<string, boolean>> = { CREDIT: true, DEBIT: false }

export function isVoid({ status }: Pick<FeeEntry, 'status'>): boolean {
  return status === 'void'
}

/** A fee as operations and the audit trail name it. */
export function feeTarget(fee: FeeEntry): Target {
  const { id, intent, amount, currency } = fee
  const label = [intent && feeIntentTitle(intent), amount !== null && moneyText(amount, currency)]
    .filter(Boolean)
    .join(' · ')
  return { type: 'fee', id, parentId: feeCardAccountId(fee), label: label || null }
}
