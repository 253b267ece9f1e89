import { parseAsServiceId } from '#components/filters/filter-values.ts'
import { defineListParams } from '#components/filters/list-params.ts'
import { feeSearch } from '#lib/api/fees.ts'

/** `open` is the fee whose details are shown. */
export const feeList = defineListParams(feeSearch, { open: parseAsServiceId })
