import { parseAsInteger } from 'nuqs/server'
import { defineListParams } from '#components/filters/list-params.ts'
import { requestSearch } from '#lib/api/requests.ts'

/** `open` is the request whose bodies are shown. */
export const requestList = defineListParams(requestSearch, { open: parseAsInteger })
