import { parseAsInteger, parseAsStringLiteral } from 'nuqs/server'
import { parseAsChecked, parseAsUuid, refuseCardNumber } from '#components/filters/filter-values.ts'
import { defineListParams, type FilterNames } from '#components/filters/list-params.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

/** `open` is the request whose bodies are shown. */
export const requestList = defineListParams(
  {
    requestId: parseAsChecked(refuseCardNumber),
    operationId: parseAsUuid,
    method: parseAsStringLiteral(['GET', 'POST'] as const),
    failed: parseAsStringLiteral(['true'] as const),
    background: parseAsStringLiteral(['true'] as const),
  } satisfies FilterNames<ReadSearch<'listRequests'>>,
  { open: parseAsInteger },
)
