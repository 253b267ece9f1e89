'use client'

import { ColumnChooser } from '#components/data-table/column-chooser.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterDays } from '#components/filters/filter-days.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import type { Account } from '#lib/contract/records.ts'
import { shortId } from '#lib/shared/ids.ts'
import type { ledgerColumns } from './ledger-columns.tsx'
import { ledgerIntents, ledgerIntentLabels, ledgerStatuses, ledgerStatusTable } from './ledger-labels.ts'
import type { LedgerParams } from './ledger-params.ts'

type Change = Partial<Pick<LedgerParams, 'account' | 'intent' | 'status' | 'since' | 'until'>>

const intentOptions = ledgerIntents.map((value) => ({ value, label: ledgerIntentLabels[value] }))
const statusOptions = ledgerStatuses.map((value) => ({ value, label: ledgerStatusTable[value].label }))

export function LedgerFilterBar({
  params,
  accounts,
  columns,
  isFiltered,
  onChange,
  onClear,
}: {
  params: LedgerParams
  accounts: readonly Account[]
  columns: ReturnType<typeof ledgerColumns>
  isFiltered: boolean
  onChange: (change: Change) => void
  onClear: () => void
}) {
  return (
    <FilterBar
      isFiltered={isFiltered}
      onClear={onClear}
      columnChooser={<ColumnChooser tableId="account-ledger" columns={columns} />}
    >
      <FilterSelect
        label="Account"
        value={params.account}
        options={accounts.map(({ id, name, currency }) => ({
          value: id,
          label: [name || shortId(id), currency && `(${currency})`].filter(Boolean).join(' '),
        }))}
        onChange={(account) => onChange({ account })}
      />
      <FilterSelect
        label="Intent"
        value={params.intent}
        options={intentOptions}
        onChange={(intent) => onChange({ intent })}
      />
      <FilterSelect
        label="Status"
        value={params.status}
        options={statusOptions}
        onChange={(status) => onChange({ status })}
      />
      <FilterDays since={params.since} until={params.until} onChange={onChange} />
    </FilterBar>
  )
}
