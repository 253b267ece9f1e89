'use client'

import { useState } from 'react'
import { ColumnChooser } from '#components/data-table/column-chooser.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterDays } from '#components/filters/filter-days.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { FilterText } from '#components/filters/filter-text.tsx'
import type { Environment } from '#lib/shared/routes.ts'
import { AccountFilter } from './account-filter.tsx'
import type { feeColumns } from './fee-columns.tsx'
import { intentLabels } from './fee-labels.ts'
import { filterProblems, isNarrowed, type FeeParams } from './fee-params.ts'

type Change = Partial<Pick<FeeParams, 'fee' | 'intent' | 'xid' | 'account' | 'since' | 'until'>>

/** Every filter of the interface. */
export function FeeFilterBar({
  environment,
  params,
  intents,
  columns,
  onChange,
  onClear,
}: {
  environment: Environment
  params: FeeParams
  /** The intents that the fees of the filter have; an open set. */
  intents: readonly string[]
  columns: ReturnType<typeof feeColumns>
  onChange: (change: Change) => void
  onClear: () => void
}) {
  const options = useKnownIntents(intents).map((intent) => ({ value: intent, label: intentLabels(intent) }))
  return (
    <FilterBar
      isFiltered={isNarrowed(params)}
      onClear={onClear}
      columnChooser={<ColumnChooser tableId="fees" columns={columns} />}
      isGrowing
    >
      <AccountFilter
        environment={environment}
        chosen={params.account ?? []}
        onChange={(account) => onChange({ account })}
      />
      <FilterSelect
        label="Intent"
        allLabel="any"
        value={params.intent}
        options={options}
        onChange={(intent) => onChange({ intent })}
      />
      <FilterDays since={params.since} until={params.until} onChange={onChange} />
      <FilterText
        label="xid"
        value={params.xid}
        maxLength={300}
        problem={filterProblems.xid}
        onChange={(xid) => onChange({ xid })}
      />
      <FilterText
        label="Fee id"
        value={params.fee}
        maxLength={300}
        isMono
        problem={filterProblems.fee}
        onChange={(fee) => onChange({ fee })}
      />
    </FilterBar>
  )
}

/** All intents seen so far, so that one filter does not take the others’ choices away. */
function useKnownIntents(intents: readonly string[]): string[] {
  const [known, setKnown] = useState<readonly string[]>([])
  const added = intents.filter((intent) => !known.includes(intent))
  if (added.length > 0) setKnown([...known, ...added])
  return known.toSorted()
}
