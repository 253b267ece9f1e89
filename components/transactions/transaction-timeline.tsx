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
import Link from 'next/link'
import { quietLink } from '#components/ui/link-style.ts'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import { toneText } from '#components/ui/tone.ts'
import type { TimelineEntry } from '#lib/console/transactions/shapes.ts'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { knowledgeLabels, timelineLabels } from './timeline-labels.ts'

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

/** What happened to a transaction, oldest first, and how the console knows of each step. */
export function TransactionTimeline({
  environment,
  cardAccountId,
  transaction,
  entries,
  seesInbox,
}: {
  environment: Environment
  /** The account that the transaction was read with: its record may come without its account's id. */
  cardAccountId: string
  transaction: CardAccountTransaction
  entries: readonly TimelineEntry[]
  /** Whether the person may open the delivery that reported a step. */
  seesInbox: boolean
}) {
  const kinds = [...new Set(entries.map(({ known }) => known))]
  return (
    <Panel
      title="Timeline"
      footer={
        <p className="text-xs text-faint">
          {kinds.map((known, index) => (
            <span key={known}>
              {index > 0 && ' · '}
              <span className="font-medium">{knowledgeLabels[known].label}</span>: {knowledgeLabels[known].meaning}
            </span>
          ))}
        </p>
      }
    >
      <ol className="grid">
        {entries.map((entry, index) => (
          <Step
            // Entries have no ids; only their order distinguishes two of a kind.
            // oxlint-disable-next-line react/no-array-index-key
            key={`${entry.kind}-${index}`}
            {...{ environment, cardAccountId, transaction, entry, seesInbox }}
            isLast={index === entries.length - 1}
          />
        ))}
      </ol>
    </Panel>
  )
}

function Step({
  environment,
  cardAccountId,
  transaction,
  entry,
  seesInbox,
  isLast,
}: {
  environment: Environment
  cardAccountId: string
  transaction: CardAccountTransaction
  entry: TimelineEntry
  seesInbox: boolean
  isLast: boolean
}) {
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
          {entry.at === null ? (
            <span className="text-xs text-faint">time unknown</span>
          ) : (
            <Time instant={entry.at} format="exact" className="text-xs text-soft" />
          )}
        </div>
        {detail && <div className="text-xs wrap-anywhere text-soft">{detail}</div>}
        <div className="flex flex-wrap gap-x-3 text-2xs text-faint">
          <span>{knowledgeLabels[entry.known].label}</span>
          {entry.eventId !== null && seesInbox && (
            <Link
              prefetch={false}
              href={routes.inbox(environment, { cardAccountId, open: entry.eventId })}
              className={quietLink}
            >
              The event<span className="sr-only"> that reported: {title}</span>
            </Link>
          )}
          {entry.relatedId !== null && (
            <Link
              prefetch={false}
              href={routes.transaction(environment, cardAccountId, entry.relatedId)}
              className={quietLink}
            >
              The entry<span className="sr-only"> of the refund</span>
            </Link>
          )}
        </div>
      </div>
    </li>
  )
}
