import { parseAsInteger } from 'nuqs/server'
import { defineListParams } from '#components/filters/list-params.ts'
import { auditSearch } from '#lib/api/audit.ts'

/** `open` is the number of the entry whose details are shown. */
export const auditList = defineListParams(auditSearch, { open: parseAsInteger })
