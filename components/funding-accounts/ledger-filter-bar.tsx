'use client'

import { ColumnChooser } from '#components/data-table/column-chooser.tsx'
import { SavedViews } from '#components/environment/saved-views.tsx'
import { ServiceDays } from '#components/environment/service-days.tsx'
import type { ListOf } from '#components/environment/use-list.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import type { Account } from '#lib/contract/records.ts'
import { shortId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { ledgerColumns } from './ledger-columns.tsx'
import { ledgerIntents, ledgerIntentLabels, ledgerStatuses, ledgerStatusTable } from './ledger-labels.ts'
import type { ledgerList } from './ledger-params.ts'

const intentOptions = ledgerIntents.map((value) => ({ value, label: ledgerIntentLabels[value] }))
const statusOptions = ledgerStatuses.map((value) => ({ value, label: ledgerStatusTable[value].label }))

export function LedgerFilterBar({
  environment,
  list,
  accounts,
  columns,
}: {
  environment: Environment
  list: ListOf<typeof ledgerList>
  accounts: readonly Account[]
  columns: ReturnType<typeof ledgerColumns>
}) {
  const { params, change } = list
  return (
    <FilterBar
      list={list}
      columnChooser={
        <>
          <SavedViews environment={environment} list="account-ledger" />
          <ColumnChooser tableId="account-ledger" columns={columns} />
        </>
      }
    >
      <FilterSelect
        label="Account"
        value={params.accountId}
        options={accounts.map(({ id, name, currency }) => ({
          value: id,
          label: [name || shortId(id), currency && `(${currency})`].filter(Boolean).join(' '),
        }))}
        onChange={(accountId) => change({ accountId })}
      />
      <FilterSelect
        label="Intent"
        value={params.intent}
        options={intentOptions}
        onChange={(intent) => change({ intent })}
      />
      <FilterSelect
        label="Status"
        value={params.status}
        options={statusOptions}
        onChange={(status) => change({ status })}
      />
      <ServiceDays params={params} onChange={change} />
    </FilterBar>
  )
}
