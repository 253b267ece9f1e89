'use client'

import { useQuery } from '@tanstack/react-query'
import { Amount } from '#components/ui/amount.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import { partialSum } from '#lib/shared/exact-sum.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** How many charges of a card are authorized and not captured, and how much: stopping the card does not stop them. */
export function PendingCharges({
  environment,
  cardAccountId,
  cardId,
  currency,
}: {
  environment: Environment
  cardAccountId: string
  cardId: string
  currency: string | null
}) {
  const { data, error } = useQuery({
    ...readQuery('listTransactions', environment, cardAccountId, {
      cardId,
      status: 'pending',
      intent: ['charge'],
      pageSize: 100,
    }),
    placeholderData: undefined,
  })
  if (error) return <span className="text-warn">could not be read; they would still be captured</span>
  if (!data) return <span className="text-faint">counting…</span>
  // A service may ignore the filter by status.
  const charges = data.transactions.filter(({ status }) => status === 'pending' || status === null)
  if (charges.length === 0) return 'none'
  const { sum, missing } = partialSum(charges.map(({ amount }) => amount))
  return (
    <>
      {data.nextPageToken ? `${charges.length} or more` : charges.length} · <Amount amount={sum} currency={currency} />{' '}
      will still be captured
      {missing > 0 && (
        <span className="block text-xs text-warn">
          Excludes {missing === 1 ? '1 charge' : `${missing} charges`} without an amount
        </span>
      )}
    </>
  )
}
