import { defineListParams } from '#components/filters/list-params.ts'
import { payoutSearch } from '#lib/api/payouts.ts'

export const payoutList = defineListParams(payoutSearch)
