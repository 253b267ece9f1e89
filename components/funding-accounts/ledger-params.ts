import { parseAsString } from 'nuqs/server'
import { parseAsDay, parseAsServiceId } from '#components/filters/address-parsers.ts'
import { defineListParams, type FilterNames } from '#components/filters/list-params.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'

/** Intents and statuses are open sets. `open` is the entry that is shown whole. */
export const ledgerList = defineListParams(
  {
    accountId: parseAsServiceId,
    intent: parseAsString,
    status: parseAsString,
    dateRangeFrom: parseAsDay,
    dateRangeTo: parseAsDay,
  } satisfies FilterNames<ReadSearch<'listLedger'>>,
  { open: parseAsString },
)
