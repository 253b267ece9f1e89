import { defineListParams } from '#components/filters/list-params.ts'
import { unsettledSearch } from '#lib/api/operations.ts'

export const unsettledList = defineListParams(unsettledSearch)

/** Payouts that were sent and are not settled, for the pages that name them. */
export const unsettledPayouts = { kind: 'payout.submit', pageSize: '5' }
