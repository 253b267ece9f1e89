'use client'

import { ExportButton } from '#components/export/export-button.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { FilterText } from '#components/filters/filter-text.tsx'
import type { Card } from '#lib/contract/records.ts'
import { shortId } from '#lib/shared/ids.ts'
import { TransactionSection, useTransactionList } from './transaction-list.tsx'

function cardOption({ id, last4, embossedName }: Pick<Card, 'id' | 'last4' | 'embossedName'>): string {
  return [last4 ? `•${last4}` : shortId(id), embossedName].filter(Boolean).join(' ')
}

/** The transactions of an account: found by their ids, of one of its `cards`, in a file. */
export function AccountTransactions({ cardAccountId, cards }: { cardAccountId: string; cards: readonly Card[] }) {
  const list = useTransactionList(cardAccountId)
  const { filter } = list
  return (
    <TransactionSection
      list={list}
      cardAccountId={cardAccountId}
      actions={<ExportButton read="listTransactions" ids={[cardAccountId]} search={list.search} />}
      find={<FilterText label="Find" placeholder="ID or external ID" maxLength={300} {...filter('find')} />}
    >
      {cards.length > 1 && (
        <FilterSelect
          label="Card"
          {...filter('cardId')}
          options={cards.map((card) => ({ value: card.id, label: cardOption(card) }))}
        />
      )}
    </TransactionSection>
  )
}
