'use client'

import { useQuery } from '@tanstack/react-query'
import { Amount } from '#components/ui/amount.tsx'
import type { Card } from '#lib/contract/records.ts'
import { transactionsQuery } from '#lib/queries/transactions.ts'
import { exactSum } from '#lib/shared/exact-sum.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** How many charges of a card are authorized and not captured, and how much: stopping the card does not stop them. */
export function PendingCharges({
  environment,
  card,
  currency,
}: {
  environment: Environment
  card: Card
  currency: string
}) {
  const { data, error } = useQuery({
    ...transactionsQuery(environment, card.cardAccountId, {
      cardId: card.id,
      status: 'pending',
      intent: ['charge'],
      pageSize: 100,
    }),
    placeholderData: undefined,
  })
  if (error) return <span className="text-warn">could not be read; they would still be captured</span>
  if (!data) return <span className="text-faint">counting…</span>
  const charges = data.transactions
  if (charges.length === 0) return 'none'
  return (
    <>
      {data.nextPageToken ? `${charges.length} or more` : charges.length} ·{' '}
      <Amount amount={exactSum(charges.map(({ amount }) => amount))} currency={currency} /> will still be captured
    </>
  )
}
