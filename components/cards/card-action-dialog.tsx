'use client'

import { useState } from 'react'
import { ConfirmDialog } from '#components/form/confirm-dialog.tsx'
import { outcomeText } from '#components/operations/outcome-text.tsx'
import { Time } from '#components/ui/time.tsx'
import type { CardHistory } from '#lib/console/cards/history.ts'
import type { Card } from '#lib/contract/records.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { CardActionFields, fieldErrors } from './card-action-fields.tsx'
import type { CardActionRow } from './card-action-table.ts'
import { cardTitle } from './card-face.tsx'
import { cardStatusEntry } from './card-status.ts'
import { PendingCharges } from './pending-charges.tsx'
import { useCardOperation } from './use-card-operation.ts'

export type CardOfAccount = {
  environment: Environment
  card: Card
  /** The account that the card was read with: a card record may come without its account's id. */
  cardAccountId: string
  accountName: string
  currency: string | null
  /** Since when and by whom the card has its status, where it is known. */
  current?: CardHistory['current'] | undefined
}

/** One action on one card: the consequence, what it needs to know, then the truth. `operationId` is made by its opener. */
export function CardActionDialog({
  row,
  operationId,
  isOpen,
  onClose,
  environment,
  card,
  cardAccountId,
  accountName,
  currency,
  current,
}: CardOfAccount & { row: CardActionRow; operationId: string; isOpen: boolean; onClose: () => void }) {
  const { id: cardId, last4 } = card
  const isUnconfirmable = row.grade === 'high' && !last4
  const operation = useCardOperation(row, { environment, operationId, cardAccountId, cardId })
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
      title={`${titleOf(row, card)}${outcome === null ? '?' : ''}`}
      consequence={row.consequence}
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
      confirmLabel={row.confirmLabel}
      confirmIcon={<Icon aria-hidden="true" />}
      cancelLabel={row.keepLabel}
      isPending={operation.isPending}
      outcome={outcome === null ? null : outcomeText(outcome)}
      onRetry={outcome !== null && outcome.state !== 'done' && outcome.isSafeToRetry ? operation.retry : undefined}
      onConfirm={(values) => {
        const errors = fieldErrors(row.fields, values)
        if (Object.keys(errors).length > 0) return operation.setErrors(errors)
        if (row.grade === 'high' && last4) values.set('confirmLast4', last4)
        operation.start(values)
      }}
    >
      <CardActionFields fields={row.fields} errors={operation.errors} thisYear={thisYear} />
      {operation.errors[''] && (
        <p role="alert" className="text-bad">
          {operation.errors['']}
        </p>
      )}
    </ConfirmDialog>
  )
}

function titleOf(row: CardActionRow, card: Card): string {
  const verb = row.id === 'change-pin' ? 'Change PIN of' : row.label.replace(/ card$/, '')
  return `${verb} ${cardTitle(card).replace('Card', 'card')}`
}

function StatusNow({ status, current }: { status: string | null; current: CardHistory['current'] | undefined }) {
  const isCurrent = current?.status === status
  return (
    <>
      {cardStatusEntry(status).word}
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
