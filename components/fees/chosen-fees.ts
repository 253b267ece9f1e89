import { useChosenRows } from '#components/data-table/use-chosen-rows.ts'
import type { FeeRow } from '#lib/console/fees/types.ts'
import { negated, partialSum } from '#lib/contract/exact-sum.ts'

/** The choice of fees: a void one cannot be chosen. */
export function useChosenFees(page: readonly FeeRow[] | undefined, filter: string) {
  return useChosenRows(page, filter, feeId, isChoosable)
}

function feeId({ fee }: FeeRow): string {
  return fee.id
}

export function isChoosable({ fee }: FeeRow): boolean {
  return fee.status !== 'void'
}

/** Refund per currency if these rows are waived; `missing` counts the fees that `amount` excludes. */
export function refundTotals(
  rows: Iterable<FeeRow>,
): { currency: string | null; amount: string | null; missing: number }[] {
  const byCurrency = Map.groupBy(rows, ({ fee }) => fee.currency)
  return [...byCurrency].map(([currency, own]) => {
    const { sum, missing } = partialSum(own.map(({ change }) => change && negated(change)))
    return { currency, amount: sum, missing }
  })
}
