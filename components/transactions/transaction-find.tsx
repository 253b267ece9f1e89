'use client'

import { useListParams } from '#components/environment/use-list.tsx'
import { FilterText } from '#components/filters/filter-text.tsx'
import { refuseCardNumber } from '#components/filters/refuse-card-number.ts'
import { transactionList } from './transaction-params.ts'

/** Finds one transaction of an account by its id or external id. */
export function TransactionFind() {
  const { params, change } = useListParams(transactionList)
  return (
    <FilterText
      label="Find"
      placeholder="id or external id"
      maxLength={300}
      value={params.find}
      problem={findProblem}
      onChange={(find) => change({ find })}
    />
  )
}

/** The issue of a search text, found before any request; null where it is valid. */
export function findProblem(text: string): string | undefined {
  return refuseCardNumber(text) ?? (text.length > 256 ? 'An external id has at most 256 characters.' : undefined)
}
