'use client'

import { clsx } from 'clsx'
import {
  Ban,
  CircleCheck,
  CircleX,
  FileText,
  type LucideIcon,
  RefreshCw,
  Scale,
  ShieldCheck,
  Undo2,
} from 'lucide-react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { Panel } from '#components/ui/panel.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import { toneText, type Tone } from '#components/ui/tone.ts'
import type { TimelineEntry } from '#lib/console/transactions/types.ts'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { routes } from '#lib/shared/routes.ts'
import {
  disputeStatusEntry,
  intentLabel,
  transactionStatusEntry,
  transactionStatusInSentence,
} from './transaction-labels.ts'
import { approvalText } from './transaction-meanings.ts'

/** The source of a step; null where it is the transaction's own record. */
const sources: Record<TimelineEntry['known'], string | null> = {
  record: null,
  event: 'Reported by an event',
  journal: 'Done in Carddesk',
  inferred: 'Inferred (no event received)',
}

type Labels = { title: string; tone: Tone; detail: string | null }

type Describe = (entry: TimelineEntry, transaction: CardAccountTransaction) => Labels

const describe: Record<TimelineEntry['kind'], Describe> = {
  recorded: (_, { intent, refId }) => ({
    title: 'Recorded',
    tone: 'neutral',
    detail: [intent && intentLabel(intent), refId && `reference ${refId}`].filter(Boolean).join(', '),
  }),
  authorized: (_, transaction) => ({ title: 'Authorized', tone: 'neutral', detail: approvalText(transaction) }),
  declined: () => ({ title: 'Declined', tone: 'bad', detail: null }),
  posted: (_, { intent }) =>
    intent === 'charge'
      ? { title: 'Captured', tone: 'good', detail: 'Posted: the charge is final.' }
      : { title: 'Posted', tone: 'good', detail: 'Final.' },
  void: ({ by }) => ({
    title: 'Void',
    tone: 'neutral',
    detail: [by && `The fee was waived by ${by.name}.`, 'It no longer counts in the balance.']
      .filter(Boolean)
      .join(' '),
  }),
  status: ({ status }) => ({
    title: `Became ${status === null ? 'another status' : transactionStatusInSentence(status)}`,
    tone: transactionStatusEntry(status).tone,
    detail: null,
  }),
  refunded: ({ known }) => ({
    title: 'Refunded',
    tone: 'neutral',
    detail:
      known === 'inferred'
        ? 'An entry with the same amount, card and description. It may be another refund.'
        : 'By the entry with the same reference.',
  }),
  disputed: ({ status }) => {
    if (status === null) return { title: 'Not disputed any more', tone: 'neutral', detail: null }
    const { label, tone, meaning } = disputeStatusEntry(status)
    return { title: label, tone, detail: meaning }
  },
}

/** One step as text. An unknown status is shown as the service sent it. */
export function timelineLabels(entry: TimelineEntry, transaction: CardAccountTransaction): Labels {
  const { detail, ...labels } = describe[entry.kind](entry, transaction)
  const sentences = [detail, entry.isAtLatest && 'It was so at this time, and may have been so before.']
  return { ...labels, detail: sentences.filter(Boolean).join(' ') || null }
}

const icons: Record<TimelineEntry['kind'], LucideIcon> = {
  recorded: FileText,
  authorized: ShieldCheck,
  declined: CircleX,
  posted: CircleCheck,
  status: RefreshCw,
  void: Ban,
  refunded: Undo2,
  disputed: Scale,
}

/** Timeline of a transaction, newest first, with the source of each step. */
export function TransactionTimeline({
  cardAccountId,
  transaction,
  entries,
  seesInbox,
}: {
  /** The account that the transaction was read with: its record may come without its account's id. */
  cardAccountId: string
  transaction: CardAccountTransaction
  entries: readonly TimelineEntry[]
  /** Whether the person may open the delivery that reported a step. */
  seesInbox: boolean
}) {
  return (
    <Panel title="What happened">
      <ol className="grid">
        {entries.toReversed().map((entry, index) => (
          <Step
            // Entries have no ids; only their order distinguishes two of a kind.
            // oxlint-disable-next-line react/no-array-index-key
            key={`${entry.kind}-${index}`}
            {...{ cardAccountId, transaction, entry, seesInbox }}
            isLast={index === entries.length - 1}
          />
        ))}
      </ol>
    </Panel>
  )
}

function Step({
  cardAccountId,
  transaction,
  entry,
  seesInbox,
  isLast,
}: {
  cardAccountId: string
  transaction: CardAccountTransaction
  entry: TimelineEntry
  seesInbox: boolean
  isLast: boolean
}) {
  const environment = useEnvironment()
  const { title, tone, detail } = timelineLabels(entry, transaction)
  const isInferred = entry.known === 'inferred'
  const Icon = icons[entry.kind]
  return (
    <li className="relative flex gap-3 pb-4 last:pb-0">
      {!isLast && <span aria-hidden="true" className="absolute top-8 bottom-1 left-3 border-l" />}
      <span
        className={clsx(
          'mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-full border bg-surface',
          isInferred && 'border-dashed border-edge',
          tone === 'neutral' ? 'text-soft' : toneText[tone],
        )}
      >
        <Icon aria-hidden="true" className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="font-medium wrap-anywhere">{title}</span>
          <Time instant={entry.at} format="date-time" className="text-xs text-soft" missing="Time unknown" />
        </div>
        {detail && <div className="text-xs wrap-anywhere text-soft">{detail}</div>}
        <div className="flex flex-wrap gap-x-3 text-2xs text-faint">
          {sources[entry.known] && <span>{sources[entry.known]}</span>}
          {entry.eventId && seesInbox && (
            <TextLink href={routes.inbox(environment, { cardAccountId, open: entry.eventId })}>
              The event<span className="sr-only"> that reported: {title}</span>
            </TextLink>
          )}
          {entry.relatedId && (
            <TextLink href={routes.transaction(environment, cardAccountId, entry.relatedId)}>
              The entry<span className="sr-only"> of the refund</span>
            </TextLink>
          )}
        </div>
      </div>
    </li>
  )
}
