import { createLoader } from 'nuqs/server'
import { bulkItemParams, bulkListParams } from '#components/bulk/bulk-params.ts'

export const loadBulkListParams = createLoader(bulkListParams)
export const loadBulkItemParams = createLoader(bulkItemParams)
