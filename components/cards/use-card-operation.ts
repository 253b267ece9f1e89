'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useOperation } from '#components/operations/use-operation.ts'
import type { CardActionInput } from '#lib/console/cards/actions.ts'
import type { CardDetail } from '#lib/console/cards/detail.ts'
import type { Card } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import type { CardActionRow } from './card-action-table.ts'

/** Everything on screen that a card's action may have changed. */
const touched = ['card-accounts', 'overview'] as const

/** One operation on a card; the page shows the card as it was read afterwards. */
export function useCardOperation(row: CardActionRow, target: Omit<CardActionInput, 'reason' | 'comment'>) {
  const { environment, cardAccountId, cardId, operationId } = target
  const client = useQueryClient()
  const operation = useOperation<{ card: Card | null }>(environment, operationId, touched, ({ card }) => {
    if (card === null) return
    client.setQueryData<CardDetail>(readQuery('readCard', environment, cardAccountId, cardId).queryKey, (before) =>
      before === undefined ? before : { ...before, card },
    )
  })
  return {
    ...operation,
    start: (entered: FormData) => operation.start(() => row.run({ ...target, ...reasonOf(entered) }, entered)),
  }
}

function reasonOf(values: FormData): Pick<CardActionInput, 'reason' | 'comment'> {
  const reason = String(values.get('reason') ?? '')
  const comment = String(values.get('comment') ?? '').trim()
  return {
    ...(reason === '' ? {} : { reason: reason as CardActionInput['reason'] }),
    ...(comment === '' ? {} : { comment }),
  }
}
