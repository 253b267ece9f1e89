'use client'

import { CircleDot, CircleX, Gavel, Inbox, UserRound } from 'lucide-react'
import { AuditTrailLink, OperationDetail } from '#components/audit/audit-trail-link.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { pastTitle, pastTones } from '#components/operations/outcome-text.tsx'
import { findEntry } from '#components/ui/code-entry.ts'
import { Panel } from '#components/ui/panel.tsx'
import { Quoted } from '#components/ui/quoted.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import { Timeline, type TimelineLine } from '#components/ui/timeline.tsx'
import type { PayoutEvent, PayoutTimelineEntry, PayoutRecord } from '#lib/console/payouts/types.ts'
import { routes } from '#lib/shared/routes.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { purposeLabel } from '../code-labels.ts'
import { payoutStatusEntry, payoutSubStatusEntry } from '../payout-labels.ts'

const acts: Record<string, string> = { 'payout.submit': 'Submitted', 'reference.set': 'Reference set' }

/** The history of a payout, newest first: who submitted it, each state, and the deliveries that reported them. */
export function PayoutTimelinePanel({
  payout,
  entries,
}: {
  payout: PayoutRecord
  entries: readonly PayoutTimelineEntry[]
}) {
  const areApart = areClocksApart(entries)
  const lines = entries.toReversed().map((entry) => ({
    ...toLine(entry),
    isByService: areApart && isServiceTime(entry),
  }))
  return (
    <Panel title="What happened" actions={<AuditTrailLink targetId={payout.id} />}>
      <Timeline lines={lines} />
    </Panel>
  )
}

function toLine(entry: PayoutTimelineEntry): TimelineLine {
  if (entry.kind === 'operation') return operationLine(entry)
  if (entry.kind === 'approved') return approvedLine(entry)
  if (entry.kind === 'state') return stateLine(entry)
  if (entry.kind === 'event') {
    return {
      key: entry.event.id,
      at: entry.at,
      icon: Inbox,
      tone: 'neutral',
      title: entry.event.event,
      detail: <EventLinks events={[entry.event]} lead="Unknown event:" />,
    }
  }
  return {
    key: 'created',
    at: entry.at,
    icon: CircleDot,
    tone: 'neutral',
    title: 'Created',
    detail: 'Before Carddesk first saw it. Steps between this and the line above are unknown.',
  }
}

function operationLine(entry: Extract<PayoutTimelineEntry, { kind: 'operation' }>): TimelineLine {
  const { outcome, by, reason } = entry
  const label = findEntry(acts, entry.act) ?? entry.act
  const facts = [
    `by ${by.name}`,
    reason && entry.act === 'payout.submit' ? purposeLabel(reason) : reason,
    outcome.state === 'refused' ? outcome.happened : (outcome.remark ?? null),
  ]
  return {
    key: entry.operationId,
    at: entry.at,
    icon: outcome.state === 'refused' ? CircleX : UserRound,
    tone: outcome.remark ? 'warn' : pastTones[outcome.state],
    title: pastTitle(outcome.state, label),
    detail: <OperationDetail operation={entry} facts={facts} />,
  }
}

function approvedLine({
  at,
  by,
  comment,
  operationId,
}: Extract<PayoutTimelineEntry, { kind: 'approved' }>): TimelineLine {
  return {
    key: `approved ${operationId}`,
    at,
    icon: Gavel,
    tone: 'neutral',
    title: 'Approved',
    detail: (
      <>
        by {by}
        {comment && (
          <>
            {' · '}
            <Quoted>{comment}</Quoted>
          </>
        )}{' '}
        <RequestLink approvalId={operationId} />
      </>
    ),
  }
}

/** For those who may read requests. */
function RequestLink({ approvalId }: { approvalId: string }) {
  const environment = useEnvironment()
  const { may } = usePermissions()
  if (!may.has('approvals.read')) return null
  return <TextLink href={routes.approval(environment, approvalId)}>View request</TextLink>
}

function stateLine(entry: Extract<PayoutTimelineEntry, { kind: 'state' }>): TimelineLine {
  const { label, tone, icon } = payoutStatusEntry(entry.status)
  const subStatus = entry.subStatus === null ? null : payoutSubStatusEntry(entry.subStatus)
  const isReadLate = Date.parse(entry.seenAt) - Date.parse(entry.at) > minuteMs
  return {
    key: `${entry.at} ${entry.status} ${entry.subStatus}`,
    at: entry.at,
    icon,
    tone,
    title: (
      <>
        {label}
        {entry.isNow && <span className="font-normal text-faint"> · current</span>}
      </>
    ),
    detail: (
      <>
        {subStatus && <span className={subStatus.isKnown ? undefined : 'font-mono'}>{subStatus.label}. </span>}
        {entry.cancellationReason && <span>Reason: {entry.cancellationReason} </span>}
        {entry.events.length > 0 ? (
          <EventLinks events={entry.events} lead="Event" />
        ) : (
          <span className="text-faint">
            {isReadLate ? (
              <>
                Seen by Carddesk on <Time instant={entry.seenAt} />
              </>
            ) : null}
          </span>
        )}
      </>
    ),
  }
}

function EventLinks({ events, lead }: { events: readonly PayoutEvent[]; lead: string }) {
  const environment = useEnvironment()
  const { may } = usePermissions()
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 text-faint">
      {lead}
      {events.map(({ id, event, receivedAt }) => (
        <span key={id} className="inline-flex items-center gap-x-1">
          {may.has('webhooks.read') ? (
            <TextLink href={routes.inbox(environment, { open: id })} className="inline-flex min-h-6 items-center">
              {event}
            </TextLink>
          ) : (
            event
          )}
          received <Time instant={receivedAt} format="time-seconds" />
        </span>
      ))}
    </span>
  )
}

/** Whether the time of an entry is the service's: what staff do, and when something was received, is by the console's clock. */
function isServiceTime(entry: PayoutTimelineEntry): boolean {
  if (entry.kind === 'event') return entry.at !== entry.event.receivedAt
  return entry.kind === 'state' || entry.kind === 'created'
}

/**
 * Whether a timeline shows that the service's clock is not the console's: a state was read more than a minute before the
 * service says that it happened, or happened that long before staff requested it. The clock of a sandbox can be moved.
 */
export function areClocksApart(entries: readonly PayoutTimelineEntry[]): boolean {
  const submittedAt = entries.find((entry) => entry.kind === 'operation' && entry.act === 'payout.submit')?.at
  return entries.some((entry) => {
    if (!isServiceTime(entry)) return false
    const at = Date.parse(entry.at)
    const isBeforeRequest = submittedAt !== undefined && Date.parse(submittedAt) - at > minuteMs
    return isBeforeRequest || readTimes(entry).some((seenAt) => at - Date.parse(seenAt) > minuteMs)
  })
}

function readTimes(entry: PayoutTimelineEntry): string[] {
  if (entry.kind === 'state') return [entry.seenAt, ...entry.events.map(({ receivedAt }) => receivedAt)]
  return entry.kind === 'event' ? [entry.event.receivedAt] : []
}
