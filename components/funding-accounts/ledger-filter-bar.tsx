'use client'

import { ColumnChooser } from '#components/data-table/column-chooser.tsx'
import { ClearFilters } from '#components/filters/clear-filters.tsx'
import { FilterDay } from '#components/filters/filter-day.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import type { Account } from '#lib/contract/accounts.ts'
import type { ledgerColumns } from './ledger-columns.tsx'
import type { LedgerParams } from './ledger-params.ts'
import { ledgerIntents, ledgerIntentWords, ledgerStatuses, ledgerStatusTable } from './ledger-words.ts'

type Change = Partial<Pick<LedgerParams, 'account' | 'intent' | 'status' | 'since' | 'until'>>

const intentOptions = ledgerIntents.map((value) => ({ value, label: ledgerIntentWords[value] }))
const statusOptions = ledgerStatuses.map((value) => ({ value, label: ledgerStatusTable[value].word }))

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
  const zone = usePageZone()
  return (
    <div className="flex items-start gap-2">
      <fieldset className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
        <legend className="sr-only">Filters</legend>
        <FilterSelect
          label="Account"
          value={params.account}
          options={accounts.map(({ id, name, currency }) => ({ value: id, label: `${name} (${currency})` }))}
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
        <FilterDay label="From" value={params.since} onChange={(since) => onChange({ since })} />
        <FilterDay label="to" zone={zone.label} value={params.until} onChange={(until) => onChange({ until })} />
        <ClearFilters isShown={isFiltered} onClear={onClear} />
      </fieldset>
      <ColumnChooser tableId="account-ledger" columns={columns} />
    </div>
  )
}
