import type { Tone } from '#components/ui/tone.ts'
import type { TimelineEntry } from '#lib/console/transactions/shapes.ts'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import {
  declineReason,
  disputeStatusEntry,
  intentLabel,
  transactionStatusEntry,
  transactionStatusInSentence,
} from './transaction-labels.ts'
import { approvalText } from './transaction-meanings.ts'

/** How the console knows of a step, as the label beside it. */
export const knowledgeLabels: Record<TimelineEntry['known'], { label: string; meaning: string }> = {
  record: { label: 'record', meaning: 'the transaction’s own record says so' },
  event: { label: 'event', meaning: 'reported by an event' },
  journal: { label: 'this console', meaning: 'it was done here; the time is the console’s own' },
  inferred: { label: 'inferred', meaning: 'no event was received' },
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
  declined: (_, transaction) => ({
    title: 'Declined',
    tone: 'bad',
    detail: `${declineReason(transaction) ?? 'no reason given'}. The balance did not change.`,
  }),
  posted: (_, { intent }) =>
    intent === 'charge'
      ? { title: 'Captured', tone: 'good', detail: 'Posted: the charge is final.' }
      : { title: 'Posted', tone: 'good', detail: 'Final.' },
  void: ({ by, at }) => ({
    title: 'Void',
    tone: 'neutral',
    detail: [
      by && `The fee was waived by ${by.name}.`,
      'It no longer counts in the balance.',
      at === null && 'Time unknown.',
    ]
      .filter(Boolean)
      .join(' '),
  }),
  status: ({ status, at }) => ({
    title: `Became ${status === null ? 'another status' : transactionStatusInSentence(status)}`,
    tone: status === null ? 'neutral' : transactionStatusEntry(status).tone,
    detail: at === null ? 'Time unknown.' : null,
  }),
  refunded: ({ known }) => ({
    title: 'Refunded',
    tone: 'neutral',
    detail:
      known === 'inferred'
        ? 'An entry with the same amount, card and description; the service does not say that it is the refund of this one.'
        : 'By the entry with the same reference.',
  }),
  disputed: ({ status, at }) => ({
    title: status === null ? 'Not disputed any more' : disputeStatusEntry(status).label,
    tone: status === null ? 'neutral' : disputeStatusEntry(status).tone,
    detail: [status !== null && disputeStatusEntry(status).meaning, at === null && 'Time unknown.']
      .filter(Boolean)
      .join(' '),
  }),
}

/** One step as text. An unknown status is shown as the service sent it. */
export function timelineLabels(entry: TimelineEntry, transaction: CardAccountTransaction): Labels {
  const { detail, ...labels } = describe[entry.kind](entry, transaction)
  const sentences = [detail, entry.isAtLatest && 'It was so at this time, and may have been so before.']
  return { ...labels, detail: sentences.filter(Boolean).join(' ') || null }
}
