import 'server-only'
import type { FeeEntry } from '#lib/contract/records.ts'
import { compareCodes } from '#lib/index/status-totals.ts'
import type { BulkItemEntry } from '#lib/operations/bulk/start.ts'
import { idKey } from '#lib/shared/ids.ts'
import { exactText } from '#lib/shared/money.ts'
import { parseSearch } from '#lib/shared/parse.ts'
import { countLeftOut, jobKind, noSettings, rowsText } from '../bulk/plan.ts'
import { readChosenFees } from './chosen-fees.ts'
import type { AccountNames } from './fee-accounts.ts'
import { FeeFilters } from './fee-filters.ts'
import { balanceChange, feeTarget, isVoid } from './fee-record.ts'
import { findHeldFees } from './held-fees.ts'
import type { WaiverTotal } from './types.ts'
import { readWaiverEffects, refundSum } from './waiver-effects.ts'

/** Waives fees one by one. Reads every chosen fee and its account again; void and unknown fees are left out, and those that another job is to waive. */
export const waiverJob = jobKind({
  settings: noSettings,
  title: (rows) => `Waive ${rowsText(rows, 'fee')}`,
  async plan({ environment, ids, filters, staffId }) {
    const { fees, missing, isTruncated, fetchedAt } = await readChosenFees(
      environment,
      ids,
      parseSearch(FeeFilters, filters),
      staffId,
    )
    const charged = fees.filter((fee) => !isVoid(fee))
    const held = await findHeldFees(
      environment,
      charged.map(({ id }) => id),
    )
    const isHeld = ({ id }: FeeEntry) => held.has(idKey(id))
    const waivable = charged.filter((fee) => !isHeld(fee))
    const { effects, names } = await readWaiverEffects(environment, waivable)
    const reasons = [
      ...fees.filter(isVoid).map(() => 'void'),
      ...charged.filter(isHeld).map(() => 'held'),
      ...missing.map(() => 'unknown'),
    ]
    return {
      items: waivable.map((fee) => toBulkItem(fee, names)),
      leftOut: countLeftOut(reasons),
      isTruncated,
      asOf: fetchedAt,
      effect: { waived: { totals: totalRefunds(waivable), effects } },
    }
  },
})

function totalRefunds(fees: readonly FeeEntry[]): WaiverTotal[] {
  return [...Map.groupBy(fees, ({ currency }) => currency)]
    .map(([currency, own]) => ({ currency, ...refundSum(currency, own) }))
    .toSorted((one, other) => other.records - one.records || compareCodes(one.currency, other.currency))
}

function toBulkItem(fee: FeeEntry, names: AccountNames): BulkItemEntry {
  const target = feeTarget(fee)
  const { transaction } = fee
  const label = transaction && 'accountLabel' in transaction ? transaction.accountLabel : null
  const account = names.get(idKey(target.parentId ?? ''))
  return {
    target,
    endpoint: 'waiveFee',
    body: { id: fee.id },
    facts: {
      account: account?.name ?? label,
      xid: account?.xid ?? null,
      intent: fee.intent,
      amount: exactText(fee.amount),
      change: exactText(balanceChange(fee)),
      entryType: transaction && 'entryType' in transaction ? transaction.entryType : null,
      currency: fee.currency,
    },
  }
}
