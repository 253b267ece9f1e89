'use client'

import type { ReactNode } from 'react'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterDays } from '#components/filters/filter-days.tsx'
import { FilterMenu } from '#components/filters/filter-menu.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import type { Card } from '#lib/contract/records.ts'
import { shortId } from '#lib/shared/ids.ts'
import { intentLabels, transactionIntents, transactionStatuses, transactionStatusTable } from './transaction-labels.ts'
import type { TransactionParams } from './transaction-params.ts'

type Change = Partial<{
  status: string | null
  intent: string[] | null
  card: string | null
  since: string | null
  until: string | null
}>

const statusOptions = transactionStatuses.map((value) => ({ value, label: transactionStatusTable[value].label }))
const intentOptions = transactionIntents.map((value) => ({ value, label: intentLabels[value] }))

function cardOption({ id, last4, embossedName }: Pick<Card, 'id' | 'last4' | 'embossedName'>): string {
  return [last4 ? `•${last4}` : shortId(id), embossedName].filter(Boolean).join(' ')
}

export function TransactionFilterBar({
  params,
  cards,
  isFiltered,
  find,
  onChange,
  onClear,
}: {
  params: TransactionParams
  cards: readonly Card[] | undefined
  isFiltered: boolean
  /** A field that finds one of them, where the page offers it. */
  find?: ReactNode
  onChange: (change: Change) => void
  onClear: () => void
}) {
  return (
    <FilterBar isFiltered={isFiltered} onClear={onClear}>
      {find}
      <FilterSelect
        label="Status"
        value={params.status}
        options={statusOptions}
        onChange={(status) => onChange({ status })}
      />
      <FilterMenu
        label="Intent"
        values={params.intent}
        options={intentOptions}
        onChange={(intent) => onChange({ intent })}
      />
      {cards !== undefined && cards.length > 1 && (
        <FilterSelect
          label="Card"
          value={params.card}
          options={cards.map(({ id, last4, embossedName }) => ({
            value: id,
            label: cardOption({ last4, embossedName, id }),
          }))}
          onChange={(card) => onChange({ card })}
        />
      )}
      <FilterDays since={params.since} until={params.until} onChange={onChange} />
    </FilterBar>
  )
}
