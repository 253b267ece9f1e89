import { parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import {
  parseAsChecked,
  parseAsDay,
  parseAsServiceId,
  parseAsUuid,
  refuseCardNumber,
} from '#components/filters/filter-values.ts'
import { defineListParams, type FilterNames } from '#components/filters/list-params.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

/** `open` is the number of the entry whose details are shown. */
export const auditList = defineListParams(
  {
    by: parseAsUuid,
    act: parseAsString,
    outcome: parseAsStringLiteral(['done', 'partial', 'refused', 'unknown'] as const),
    targetId: parseAsServiceId,
    object: parseAsChecked(refuseCardNumber),
    operationId: parseAsUuid,
    requestId: parseAsChecked(refuseCardNumber),
    own: parseAsStringLiteral(['true'] as const),
    dateRangeFrom: parseAsDay,
    dateRangeTo: parseAsDay,
  } satisfies FilterNames<ReadSearch<'listAudit'>>,
  { open: parseAsInteger },
)
