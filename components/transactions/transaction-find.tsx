'use client'

import { useQueryStates } from 'nuqs'
import { tableParams } from '#components/data-table/table-params.ts'
import { FilterText } from '#components/filters/filter-text.tsx'
import { findProblem } from './find-problem.ts'
import { transactionParams } from './transaction-params.ts'

/** Finds one transaction of an account by its id or external id. */
export function TransactionFind() {
  const [{ find }, setParams] = useQueryStates(
    { find: transactionParams.find, pageToken: transactionParams.pageToken, from: tableParams.from },
    { history: 'push' },
  )
  return (
    <FilterText
      label="Find"
      placeholder="id or external id"
      maxLength={300}
      value={find}
      problem={findProblem}
      onChange={(text) => void setParams({ find: text, pageToken: null, from: null })}
    />
  )
}
