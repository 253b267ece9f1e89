'use client'

import { useState } from 'react'
import { ColumnChooser } from '#components/data-table/column-chooser.tsx'
import { SavedViews } from '#components/environment/saved-views.tsx'
import { ServiceDays } from '#components/environment/service-days.tsx'
import type { ListOf } from '#components/environment/use-list.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterMenu } from '#components/filters/filter-menu.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { FilterText } from '#components/filters/filter-text.tsx'
import { SearchField } from '#components/filters/search-field.tsx'
import { transactionStatusEntry } from '#components/transactions/transaction-labels.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { AccountFilter } from './account-filter.tsx'
import type { feeColumns } from './fee-columns.tsx'
import { intentLabels } from './fee-labels.ts'
import { type feeList, filterProblems } from './fee-params.ts'

/** The statuses of the interface; the menu adds others that the URL has. */
const statusOptions = ['pending', 'posted', 'void'].map((value) => ({
  value,
  label: transactionStatusEntry(value).label,
}))

/** Every filter of the interface, a status and a text. */
export function FeeFilterBar({
  environment,
  list,
  intents,
  columns,
}: {
  environment: Environment
  list: ListOf<typeof feeList>
  /** The intents that the fees of the filter have; an open set. */
  intents: readonly string[]
  columns: ReturnType<typeof feeColumns>
}) {
  const { params, change } = list
  const options = useKnownIntents(intents).map((intent) => ({ value: intent, label: intentLabels(intent) }))
  return (
    <FilterBar
      list={list}
      columnChooser={
        <>
          <SavedViews environment={environment} list="fees" />
          <ColumnChooser tableId="fees" columns={columns} />
        </>
      }
      isGrowing
      search={
        <SearchField
          label="Search fees"
          placeholder="Account, description, id"
          value={params.q}
          instead="Search for the account’s name instead."
          onSearch={(q) => change({ q })}
        />
      }
    >
      <FilterMenu
        label="Status"
        values={params.status}
        options={statusOptions}
        onChange={(status) => change({ status })}
      />
      <AccountFilter
        environment={environment}
        chosen={params.accountId ?? []}
        onChange={(accountId) => change({ accountId })}
      />
      <FilterSelect
        label="Intent"
        allLabel="any"
        value={params.intent}
        options={options}
        onChange={(intent) => change({ intent })}
      />
      <ServiceDays params={params} onChange={change} />
      <FilterText
        label="xid"
        value={params.xid}
        maxLength={300}
        problem={filterProblems.xid}
        onChange={(xid) => change({ xid })}
      />
      <FilterText
        label="Fee id"
        value={params.feeId}
        maxLength={300}
        isMono
        problem={filterProblems.feeId}
        onChange={(feeId) => change({ feeId })}
      />
    </FilterBar>
  )
}

/** All intents loaded so far, so that one filter does not take the others’ choices away. */
function useKnownIntents(intents: readonly string[]): string[] {
  const [known, setKnown] = useState<readonly string[]>([])
  const added = intents.filter((intent) => !known.includes(intent))
  if (added.length > 0) setKnown([...known, ...added])
  return known.toSorted()
}
