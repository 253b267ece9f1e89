'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '#components/form/confirm-dialog.tsx'
import { outcomeText } from '#components/operations/outcome-text.tsx'
import { useOperation } from '#components/operations/use-operation.ts'
import { Time } from '#components/ui/time.tsx'
import { performCardAction } from '#lib/actions/cards.ts'
import type { CardDetail } from '#lib/console/cards/detail.ts'
import type { CardHistory } from '#lib/console/cards/history.ts'
import type { CardActionInput } from '#lib/console/cards/operations.ts'
import { type CardAction, cardActionRow } from '#lib/contract/card-actions.ts'
import type { Card } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { CardActionFields, fieldErrors } from './card-action-fields.tsx'
import { cardActionTable } from './card-action-table.ts'
import { cardTitle } from './card-face.tsx'
import { cardStatusEntry, unsuspendConsequence } from './card-status.ts'
import { PendingCharges } from './pending-charges.tsx'
import { RevealHint } from './reveal-card.tsx'

/** Everything on screen that a card's action may have changed. */
const touched = ['card-accounts', 'overview'] as const

export type CardOfAccount = {
  environment: Environment
  card: Card
  /** The account that the card was read with: a card record may come without its account's id. */
  cardAccountId: string
  accountName: string
  currency: string | null
  /** Since when and by whom the card has its status, where it is known. */
  current?: CardHistory['current'] | undefined
  /** What a suspension of the card covers, where it is known. */
  beneath?: CardHistory['beneath'] | undefined
}

/** One action on one card: the consequence, what it needs to know, then the truth. `operationId` is made by its opener. */
export function CardActionDialog({
  action,
  operationId,
  isOpen,
  onClose,
  environment,
  card,
  cardAccountId,
  accountName,
  currency,
  current,
  beneath,
}: CardOfAccount & { action: CardAction; operationId: string; isOpen: boolean; onClose: () => void }) {
  const { id: cardId, last4 } = card
  const row = cardActionTable[action]
  const { label, reasons, isReasonRequired = false } = cardActionRow(action)
  const client = useQueryClient()
  const isUnconfirmable = row.grade === 'high' && !last4
  const operation = useOperation<Card>(environment, operationId, touched, ({ record }) => {
    if (record === null) return
    client.setQueryData<CardDetail>(readQuery('readCard', environment, cardAccountId, cardId).queryKey, (before) =>
      before === undefined ? before : { ...before, card: record },
    )
  })
  const { outcome } = operation
  const [thisYear] = useState(() => new Date().getFullYear())
  const Icon = row.icon
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      grade={row.grade}
      title={`${titleOf(action, card)}${outcome === null ? '?' : ''}`}
      consequence={action === 'unsuspend' ? unsuspendConsequence(beneath) : row.consequence}
      rows={[
        { label: 'Card of', value: <span className="wrap-anywhere">{accountName}</span> },
        { label: 'Status now', value: <StatusNow status={card.status} current={current} /> },
        ...(row.showsPendingCharges
          ? [
              {
                label: 'Pending charges',
                value: <PendingCharges {...{ environment, cardAccountId, cardId, currency }} />,
              },
            ]
          : []),
      ]}
      {...(row.grade === 'high' && last4 ? { typed: { digits: last4 } } : {})}
      {...(isUnconfirmable
        ? { unavailable: 'The service did not provide the last four digits that confirm this action.' }
        : {})}
      confirmLabel={label}
      confirmIcon={<Icon aria-hidden="true" />}
      cancelLabel={row.keepLabel ?? 'Cancel'}
      isPending={operation.isPending}
      outcome={outcome === null ? null : outcomeText(outcome)}
      onRetry={outcome !== null && outcome.state !== 'done' && outcome.isSafeToRetry ? operation.retry : undefined}
      onConfirm={(values) => {
        const errors = fieldErrors(row.fields, isReasonRequired, values)
        if (Object.keys(errors).length > 0) return operation.setErrors(errors)
        const input = {
          environment,
          operationId,
          cardAccountId,
          cardId,
          ...enteredIn(values),
          ...(row.grade === 'high' && last4 ? { confirmLast4: last4 } : {}),
        }
        operation.start(() => performCardAction(action, input))
      }}
    >
      <CardActionFields
        fields={row.fields}
        reasons={reasons}
        isReasonRequired={isReasonRequired}
        errors={operation.errors}
        thisYear={thisYear}
      />
      {action === 'activate' && <RevealHint environment={environment} card={card} cardAccountId={cardAccountId} />}
      {operation.errors[''] && (
        <p role="alert" className="text-bad">
          {operation.errors['']}
        </p>
      )}
    </ConfirmDialog>
  )
}

/** What the fields of the form were filled with, under the names of the action's input. */
function enteredIn(values: FormData): Partial<CardActionInput> {
  const text = (name: string) => String(values.get(name) ?? '').trim()
  const number = (name: string) => (text(name) === '' ? undefined : Number(text(name)))
  const entered = {
    reason: text('reason') as NonNullable<CardActionInput['reason']>,
    comment: text('comment'),
    last6: text('last6'),
    pin: text('pin'),
    expiryMonth: number('expiryMonth'),
    expiryYear: number('expiryYear'),
  }
  return Object.fromEntries(Object.entries(entered).filter(([, value]) => value !== '' && value !== undefined))
}

function titleOf(action: CardAction, card: Card): string {
  const verb = action === 'change-pin' ? 'Change PIN of' : cardActionTable[action].label.replace(/ card$/, '')
  return `${verb} ${cardTitle(card).replace('Card', 'card')}`
}

function StatusNow({ status, current }: { status: string | null; current: CardHistory['current'] | undefined }) {
  const isCurrent = current?.status === status
  return (
    <>
      {cardStatusEntry(status).label}
      {isCurrent && current.since && (
        <>
          {' '}
          since <Time instant={current.since} />
        </>
      )}
      {isCurrent && current.by && `, by ${current.by.name}`}
    </>
  )
}
