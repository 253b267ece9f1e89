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
import type { CardHistory, CardHistoryEntry } from '#lib/console/cards/types.ts'
import { isCardAction } from '#lib/contract/card-actions.ts'
import type { Card, CardAccountTransaction } from '#lib/contract/records.ts'
import { present, unknownLast } from '#lib/shared/provided.ts'
import { statedReason } from '#lib/shared/reasons.ts'
import { minuteMs } from '#lib/shared/time.ts'
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
function isProduced({ from, to }: { from: string; to: string }): boolean {
  return from === 'pending-issue' && to === 'pending-activation'
}

function observedLine(entry: Extract<CardHistoryEntry, { kind: 'observed' }>): TimelineLine {
  // Within a minute, both times read the same.
  const isPrecise = Date.parse(entry.at) - Date.parse(entry.notBefore) < minuteMs
  return {
    key: `observed-${entry.at}-${entry.to}`,
    at: entry.at,
    icon: Eye,
    tone: 'neutral',
    title: isProduced(entry) ? 'Card produced' : `Became ${label(entry.to)}, was ${label(entry.from)}`,
    detail: isProduced(entry) ? (
      'By the card producer'
    ) : (
      <>
        Changed outside Carddesk
        {!isPrecise && (
          <>
            {' '}
            after <Time instant={entry.notBefore} />
          </>
        )}
      </>
    ),
  }
}

function declineLine(transaction: CardAccountTransaction) {
  return {
    isByService: true,
    key: transaction.id,
    at: transaction.createdAt,
    icon: CircleX,
    tone: 'bad' as const,
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

/** Where Carddesk had the card made, with who asked for it and why. */
function createdLine({ product }: Pick<Card, 'product'>, at: string, origin: CardHistory['origin']) {
  const isPhysical = product?.cardType === 'physical'
  return {
    isByService: true,
    key: 'created',
    at,
    icon: CreditCard,
    tone: 'neutral' as const,
    title: `${isPhysical ? 'Card ordered' : 'Card issued'}${origin?.act === 'card.replace' ? ' as a replacement' : ''}`,
    detail: origin && (
      <OperationDetail operation={origin} facts={[origin.by.name, statedReason(origin.reason)?.toLowerCase()]} />
    ),
  }
}

/** Lines without a time come last. */
const newestFirst = unknownLast<string>((one, other) => (one < other ? 1 : -1))

/** Whether the service's clock is not the console's, now or when a record got its time. The clock of a sandbox can be moved. */
export function areClocksApart(
  lines: readonly Pick<TimelineLine, 'at' | 'isByService'>[],
  serviceAt: string,
  asOf: string,
): boolean {
  const now = Date.parse(asOf)
  const isAhead = ({ at, isByService }: (typeof lines)[number]) =>
    isByService === true && at !== null && Date.parse(at) - now > minuteMs
  return Math.abs(Date.parse(serviceAt) - now) > minuteMs || lines.some(isAhead)
}

/** Operations and by whom, changes of status that the console saw, and declined charges: newest first. */
export function WhatHappened({
  card,
  history: { entries, origin },
  declines,
  serviceAt,
  asOf,
}: {
  card: Pick<Card, 'id' | 'createdAt' | 'product'>
  history: Pick<CardHistory, 'entries' | 'origin'>
  declines: readonly CardAccountTransaction[]
  /** The service's time when the card was read, and the console's. ISO 8601. */
  serviceAt: string
  asOf: string
}) {
  const lines: TimelineLine[] = [
    ...entries.map((entry) => (entry.kind === 'operation' ? operationLine(entry) : observedLine(entry))),
    // A service may ignore the filter by status.
    ...declines.filter(({ status }) => status === 'declined').map(declineLine),
    ...present([card.createdAt]).map((at) => createdLine(card, at, origin)),
  ].toSorted((one, other) => newestFirst(one.at, other.at))
  const areApart = areClocksApart(lines, serviceAt, asOf)
  return (
    <Panel title="What happened" actions={<AuditTrailLink targetId={card.id} />}>
      {lines.length === 0 ? (
        <EmptyState title="Nothing yet">Actions on this card and declined charges are listed here.</EmptyState>
      ) : (
        <Timeline lines={lines.map((line) => ({ ...line, isByService: areApart && line.isByService === true }))} />
      )}
    </Panel>
  )
}
