'use client'

import type { ReactNode } from 'react'
import { ServiceDays } from '#components/environment/service-days.tsx'
import type { ListOf } from '#components/environment/use-list.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterMenu } from '#components/filters/filter-menu.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import type { Card } from '#lib/contract/records.ts'
import { shortId } from '#lib/shared/ids.ts'
import { intentLabels, transactionIntents, transactionStatuses, transactionStatusTable } from './transaction-labels.ts'
import type { transactionList } from './transaction-params.ts'

const statusOptions = transactionStatuses.map((value) => ({ value, label: transactionStatusTable[value].label }))
const intentOptions = transactionIntents.map((value) => ({ value, label: intentLabels[value] }))

function cardOption({ id, last4, embossedName }: Pick<Card, 'id' | 'last4' | 'embossedName'>): string {
  return [last4 ? `•${last4}` : shortId(id), embossedName].filter(Boolean).join(' ')
}

export function TransactionFilterBar({
  list,
  cards,
  find,
}: {
  list: ListOf<typeof transactionList>
  cards: readonly Card[] | undefined
  /** A field that finds one of them, where the page offers it. */
  find?: ReactNode
}) {
  const { params, change } = list
  return (
    <FilterBar list={list} search={find}>
      <FilterSelect
        label="Status"
        value={params.status}
        options={statusOptions}
        onChange={(status) => change({ status })}
      />
      <FilterMenu
        label="Intent"
        values={params.intent}
        options={intentOptions}
        onChange={(intent) => change({ intent })}
      />
      {cards !== undefined && cards.length > 1 && (
        <FilterSelect
          label="Card"
          value={params.cardId}
          options={cards.map(({ id, last4, embossedName }) => ({
            value: id,
            label: cardOption({ last4, embossedName, id }),
          }))}
          onChange={(cardId) => change({ cardId })}
        />
      )}
      <ServiceDays params={params} onChange={change} />
    </FilterBar>
  )
}
