'use client'

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
import { Timeline, type TimelineLine } from '#components/ui/timeline.tsx'
import type { Tone } from '#components/ui/tone.ts'
import type { TimelineEntry } from '#lib/console/transactions/types.ts'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { routes } from '#lib/shared/routes.ts'
import {
  disputeStatusEntry,
  intentLabel,
  responseText,
  transactionStatusEntry,
  transactionStatusInSentence,
} from './transaction-labels.ts'

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
  authorized: (_, transaction) => ({ title: 'Authorized', tone: 'neutral', detail: responseText(transaction) }),
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
  refunded: ({ known, status }) => ({
    title: status === 'pending' ? 'Refund pending' : 'Refunded',
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
  const { detail, ...texts } = describe[entry.kind](entry, transaction)
  const sentences = [detail, entry.isAtLatest && 'It was so at this time, and may have been so before.']
  return { ...texts, detail: sentences.filter(Boolean).join(' ') || null }
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
  const lines = entries.toReversed().map((entry, index): TimelineLine => {
    const { detail, ...texts } = timelineLabels(entry, transaction)
    return {
      ...texts,
      // Entries have no ids; only their order distinguishes two of a kind.
      key: `${entry.kind}-${index}`,
      at: entry.at,
      icon: icons[entry.kind],
      isInferred: entry.known === 'inferred',
      detail: (
        <>
          {detail && <div>{detail}</div>}
          <Source {...{ cardAccountId, entry, seesInbox }} title={texts.title} />
        </>
      ),
    }
  })
  return (
    <Panel title="What happened">
      <Timeline lines={lines} />
    </Panel>
  )
}

function Source({
  cardAccountId,
  entry: { known, eventId, relatedId },
  seesInbox,
  title,
}: {
  cardAccountId: string
  entry: TimelineEntry
  seesInbox: boolean
  title: string
}) {
  const environment = useEnvironment()
  return (
    <div className="flex flex-wrap gap-x-3 text-2xs text-faint">
      {sources[known] && <span>{sources[known]}</span>}
      {eventId && seesInbox && (
        <TextLink href={routes.inbox(environment, { cardAccountId, open: eventId })}>
          The event<span className="sr-only"> that reported: {title}</span>
        </TextLink>
      )}
      {relatedId && (
        <TextLink href={routes.transaction(environment, cardAccountId, relatedId)}>
          The entry<span className="sr-only"> of the refund</span>
        </TextLink>
      )}
    </div>
  )
}
