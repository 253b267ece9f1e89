'use client'

import { CircleX, CreditCard, Eye } from 'lucide-react'
import { AuditTrailLink, OperationDetail } from '#components/audit/audit-trail-link.tsx'
import { pastTitle, pastTones } from '#components/operations/outcome-text.tsx'
import { DeclineWhy } from '#components/transactions/decline-why.tsx'
import { declineReason } from '#components/transactions/transaction-labels.ts'
import { amountText } from '#components/ui/amount.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import { Timeline, type TimelineLine } from '#components/ui/timeline.tsx'
import { findOperationDefinition } from '#lib/api/actions.ts'
import type { CardHistoryEntry } from '#lib/console/cards/types.ts'
import { isCardAction } from '#lib/contract/card-actions.ts'
import type { Card, CardAccountTransaction } from '#lib/contract/records.ts'
import { present, unknownLast } from '#lib/shared/provided.ts'
import { statedReason } from '#lib/shared/reasons.ts'
import { cardActionUi } from './card-action-table.ts'
import { statusInSentence } from './card-status.ts'

function label(status: string | null): string {
  return status === null ? 'not known' : statusInSentence(status)
}

function operationLine(entry: Extract<CardHistoryEntry, { kind: 'operation' }>): TimelineLine {
  const { outcome, act, operationId, at, by, reason } = entry
  const row = findOperationDefinition(act)
  const action = act.replace('card.', '')
  const label = row?.label ?? act
  const facts = [by.name, statedReason(reason)?.toLowerCase(), outcome.state === 'refused' ? outcome.happened : null]
  return {
    key: operationId,
    at,
    icon: outcome.state === 'refused' ? CircleX : isCardAction(action) ? cardActionUi[action].icon : CreditCard,
    tone: pastTones[outcome.state],
    title: pastTitle(outcome.state, label, row?.done),
    detail: <OperationDetail operation={entry} facts={facts} />,
  }
}

/** A physical card that was made: nobody at the console does that. */
function isProduced({ from, to }: { from: string | null; to: string | null }): boolean {
  return from === 'pending-issue' && to === 'pending-activation'
}

function observedLine(entry: Extract<CardHistoryEntry, { kind: 'observed' }>): TimelineLine {
  return {
    key: `observed-${entry.at}-${entry.to}`,
    at: entry.at,
    icon: Eye,
    tone: 'neutral',
    title: isProduced(entry)
      ? 'Card produced'
      : entry.from === null
        ? `First read as ${label(entry.to)}`
        : `Became ${label(entry.to)}, was ${label(entry.from)}`,
    detail: isProduced(entry) ? (
      'By the card producer'
    ) : entry.from === null ? (
      'What happened before is unknown.'
    ) : (
      <>
        Changed outside Carddesk
        {entry.notBefore && (
          <>
            {' '}
            after <Time instant={entry.notBefore} />
          </>
        )}
      </>
    ),
  }
}

function declineLine(transaction: CardAccountTransaction): TimelineLine {
  return {
    key: transaction.id,
    at: transaction.createdAt,
    icon: CircleX,
    tone: 'bad',
    title:
      transaction.amount === null
        ? 'Declined charge, amount not provided'
        : `Declined ${amountText(transaction.amount, transaction.currency)}`,
    detail: (
      <>
        {[transaction.merchant?.name, declineReason(transaction)].filter(Boolean).join(' · ')}{' '}
        {transaction.cardAccountId && (
          <DeclineWhy cardAccountId={transaction.cardAccountId} transactionId={transaction.id} />
        )}
      </>
    ),
  }
}

function createdLine({ product }: Pick<Card, 'product'>, at: string): TimelineLine {
  const isPhysical = product?.cardType === 'physical'
  return {
    key: 'created',
    at,
    icon: CreditCard,
    tone: 'neutral',
    title: isPhysical ? 'Card ordered' : 'Card issued',
    detail: null,
  }
}

/** Lines without a time come last. */
const newestFirst = unknownLast<string>((one, other) => (one < other ? 1 : -1))

/** Operations and by whom, changes of status that the console saw, and declined charges: newest first. */
export function WhatHappened({
  card,
  entries,
  declines,
}: {
  card: Pick<Card, 'id' | 'createdAt' | 'product'>
  entries: readonly CardHistoryEntry[]
  declines: readonly CardAccountTransaction[]
}) {
  const lines = [
    ...entries.map((entry) => (entry.kind === 'operation' ? operationLine(entry) : observedLine(entry))),
    // A service may ignore the filter by status.
    ...declines.filter(({ status }) => status === 'declined').map(declineLine),
    ...present([card.createdAt]).map((at) => createdLine(card, at)),
  ].toSorted((one, other) => newestFirst(one.at, other.at))
  return (
    <Panel title="What happened" actions={<AuditTrailLink targetId={card.id} />}>
      {lines.length === 0 ? (
        <EmptyState title="Nothing yet">Actions on this card and declined charges are listed here.</EmptyState>
      ) : (
        <Timeline lines={lines} />
      )}
    </Panel>
  )
}
