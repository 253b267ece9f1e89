import { count } from '#components/ui/count.ts'
import { Stat } from '#components/ui/stat.tsx'
import { clockText, durationText } from '#components/ui/time-format.ts'
import { Time } from '#components/ui/time.tsx'
import type { Suspension, WebhookHealth } from '#lib/console/webhooks/types.ts'
import { pingEveryMs, pingsBeforeDeletion } from '#lib/contract/webhook-retries.ts'
import { firstPingFigure } from './first-ping.tsx'
import { EstimateText, lengthText } from './health-labels.tsx'
import { ServiceTicking } from './service-now.tsx'

/** The figures of a webhook. `isAnyTime`: a suspended one may be deleted at any time. */
export function WebhookFigures({ webhook, isAnyTime }: { webhook: WebhookHealth; isAnyTime: boolean }) {
  const { suspension, queuedMessages, queuedHourAgo, state } = webhook
  const isDeleted = state === 'deleted'
  const firstPing = firstPingFigure(webhook)
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-6 gap-y-4">
      {isDeleted && <Deleted webhook={webhook} />}
      {state !== 'healthy' && !isDeleted && <InState webhook={webhook} />}
      {suspension && <NextPing suspension={suspension} />}
      <Stat
        label={isDeleted ? 'Queue at deletion' : 'Queued'}
        value={queuedMessages === null ? 'Not provided' : count.format(queuedMessages)}
        note={
          isDeleted ? 'lost with it' : suspension ? 'lost if it is deleted' : changeText(queuedMessages, queuedHourAgo)
        }
      />
      {suspension && <Deletion suspension={suspension} isAnyTime={isAnyTime} />}
      {firstPing && <Stat label="First ping" value={firstPing.value} note={firstPing.note} />}
      <Delivery label="Last success" atMs={webhook.lastSuccessAtMs} />
      <Delivery label="Last failure" atMs={webhook.lastFailureAtMs} />
    </div>
  )
}

/** How long ago it was deleted. */
function Deleted({ webhook: { since, isRemovedHere } }: { webhook: WebhookHealth }) {
  return (
    <Stat
      label={isRemovedHere ? 'Removed' : 'Deleted'}
      value={since ? <ServiceTicking read={(nowMs) => `${lengthText(since, nowMs)} ago`} /> : 'Not known'}
      note={<EstimateText estimate={since} isMoment />}
    />
  )
}

const stateLabels: Record<string, string> = { suspended: 'Suspended for', unhealthy: 'Unhealthy for' }

/** How long it has been in its state, or its statistics could not be read. */
function InState({ webhook: { since, state, unreadable } }: { webhook: WebhookHealth }) {
  if (unreadable) {
    return (
      <Stat
        label="Unreadable for"
        value={<ServiceTicking read={(nowMs) => durationText(nowMs - unreadable.sinceMs)} />}
        note={null}
      />
    )
  }
  return (
    <Stat
      label={stateLabels[state] ?? 'In this state for'}
      value={since ? <ServiceTicking read={(nowMs) => lengthText(since, nowMs)} /> : 'Not known'}
      note={<EstimateText estimate={since} />}
    />
  )
}

function NextPing({ suspension: { nextPing, pingNumber } }: { suspension: Suspension }) {
  return (
    <Stat
      label="Next ping"
      value={
        <ServiceTicking
          read={(nowMs) => {
            const leftMs = nextPing.atMs - nowMs
            return leftMs <= 0 ? 'due now' : clockText(leftMs).replace(/^00:/, '')
          }}
        />
      }
      note={
        pingNumber === null
          ? `every ${durationText(pingEveryMs)}`
          : `${nextPing.basis === 'service' ? '' : 'about '}ping ${pingNumber} of ${pingsBeforeDeletion}`
      }
    />
  )
}

/** When a suspended webhook is deleted: exactly, about, or at any time. */
function Deletion({
  suspension: { deletion, deletionDueMs },
  isAnyTime,
}: {
  suspension: Suspension
  isAnyTime: boolean
}) {
  const isBounded = deletion.basis === 'bounds'
  const about = isAnyTime ? (
    'At any time'
  ) : (
    <>
      ≈ <Time instant={deletionDueMs} />
    </>
  )
  const boundedNote = isAnyTime ? 'when it was suspended isn’t known' : 'at the earliest'
  return (
    <Stat
      label="Deleted at"
      value={
        deletion.basis === 'service' ? (
          <Time instant={deletion.atMs} />
        ) : (
          <span className="whitespace-nowrap">{about}</span>
        )
      }
      note={isBounded ? boundedNote : 'unless a ping succeeds'}
    />
  )
}

function Delivery({ label, atMs }: { label: string; atMs: number | null }) {
  return (
    <Stat
      label={label}
      value={atMs === null ? 'None reported' : <Ago atMs={atMs} />}
      note={atMs && <Time instant={atMs} format="exact" />}
    />
  )
}

/** How long ago an instant of the service's clock was. */
export function Ago({ atMs }: { atMs: number | null }) {
  if (atMs === null) return <>none reported</>
  return <ServiceTicking read={(nowMs) => (nowMs - atMs < 2000 ? 'just now' : `${durationText(nowMs - atMs)} ago`)} />
}

function changeText(now: number | null, hourAgo: number | null): string {
  if (now === null) return ''
  if (hourAgo === null) return now === 0 ? 'queue empty' : 'waiting to be delivered'
  const change = now - hourAgo
  return change === 0 ? 'as an hour ago' : `${change > 0 ? '+' : '−'}${count.format(Math.abs(change))} in the last hour`
}
