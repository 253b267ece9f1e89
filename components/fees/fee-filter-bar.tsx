'use client'

import { useState } from 'react'
import { ColumnChooser } from '#components/data-table/column-chooser.tsx'
import { ClearFilters } from '#components/filters/clear-filters.tsx'
import { FilterDay } from '#components/filters/filter-day.tsx'
import { FilterText } from '#components/filters/filter-text.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import type { Environment } from '#lib/shared/routes.ts'
import { AccountFilter } from './account-filter.tsx'
import type { feeColumns } from './fee-columns.tsx'
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
  const zone = usePageZone()
  const suggestions = useSeen(intents)
  return (
    <div className="flex items-start gap-2">
      <fieldset className="flex min-w-0 flex-1 flex-wrap items-start gap-2">
        <legend className="sr-only">Filters</legend>
        <AccountFilter
          environment={environment}
          chosen={params.account ?? []}
          onChange={(account) => onChange({ account })}
        />
        <FilterText
          label="Intent"
          value={params.intent}
          maxLength={200}
          suggestions={suggestions}
          problem={filterProblems.intent}
          onChange={(intent) => onChange({ intent })}
        />
        <FilterDay label="From" value={params.since} onChange={(since) => onChange({ since })} />
        <FilterDay label="to" zone={zone.label} value={params.until} onChange={(until) => onChange({ until })} />
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
          maxLength={100}
          isMono
          problem={filterProblems.fee}
          onChange={(fee) => onChange({ fee: fee?.toLowerCase() ?? null })}
        />
        <ClearFilters isShown={isNarrowed(params)} onClear={onClear} />
      </fieldset>
      <ColumnChooser tableId="fees" columns={columns} />
    </div>
  )
}

/** All intents seen so far, so that one filter does not take the others’ suggestions away. */
function useSeen(intents: readonly string[]): string[] {
  const [seen, setSeen] = useState<readonly string[]>([])
  const added = intents.filter((intent) => !seen.includes(intent))
  if (added.length > 0) setSeen([...seen, ...added])
  return seen.toSorted()
}
