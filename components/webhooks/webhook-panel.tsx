import { CopyPlus, Trash2 } from 'lucide-react'
import { clsx } from 'clsx'
import { Button } from '#components/ui/button.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Stat } from '#components/ui/stat.tsx'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import { Time } from '#components/ui/time.tsx'
import type { WebhookHealth } from '#lib/console/webhooks/read.ts'
import { dayMs } from '#lib/shared/time.ts'
import { CountdownRing } from './countdown-ring.tsx'
import { clockText, durationText } from './durations.ts'
import { EstimateText } from './estimate-text.tsx'
import { healthWords } from './health-words.ts'
import { HistoryTable } from './history-table.tsx'
import { QueueChart } from './queue-chart.tsx'
import { ServiceTicking } from './service-now.tsx'

const count = new Intl.NumberFormat('en-HK')

export type PanelActions = {
  /** Why the person may not act; undefined where they may. */
  unavailable: string | undefined
  onRemove: (webhook: WebhookHealth) => void
  onRecreate: (webhook: WebhookHealth) => void
}

/** One webhook: its state in a word, what that means and what to do, its figures, its queue. */
export function WebhookPanel({
  webhook,
  nowMs,
  actions,
}: {
  webhook: WebhookHealth
  nowMs: number
  actions: PanelActions
}) {
  const words = healthWords(webhook)
  const { suspension } = webhook
  const Icon = words.icon
  const title = webhook.name ?? webhook.url ?? webhook.id
  return (
    <section
      id={`webhook-${webhook.id}`}
      aria-labelledby={`webhook-${webhook.id}-title`}
      className={clsx(
        'scroll-mt-20 rounded-panel border bg-surface p-4 lg:p-5',
        words.tone === 'bad' && 'border-bad/40',
        words.tone === 'warn' && 'border-warn/40',
      )}
    >
      <div className="flex flex-wrap items-start gap-x-8 gap-y-4">
        <div className="grid min-w-0 flex-1 basis-[28rem] gap-4 max-sm:basis-full">
          <div>
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <h2 id={`webhook-${webhook.id}-title`} className="text-md font-semibold wrap-anywhere">
                {title}
              </h2>
              <StatusBadge tone={words.tone} word={words.word} icon={<Icon aria-hidden="true" />} />
              <IdText id={webhook.id} label="webhook id" />
              <div className="ml-auto max-sm:ml-0">
                <Actions webhook={webhook} actions={actions} />
              </div>
            </div>
            {webhook.url && <p className="mt-0.5 font-mono text-xs wrap-anywhere text-soft">{webhook.url}</p>}
            <p className="mt-2 max-w-prose text-pretty">
              {words.meaning} <span className="text-soft">{words.todo}</span>
            </p>
          </div>
          <Figures webhook={webhook} />
          {webhook.state !== 'deleted' && (
            <QueueChart
              points={webhook.queue}
              queued={webhook.queuedMessages}
              nowMs={nowMs}
              tone={words.tone}
              name={title}
            />
          )}
          <HistoryTable webhook={webhook} />
        </div>
        {suspension && (
          <div className="grid shrink-0 justify-items-center gap-2 max-sm:w-full sm:w-40 sm:border-l sm:pl-6">
            <CountdownRing
              untilMs={suspension.deletionDueMs}
              wholeMs={dayMs}
              label="to deletion"
              tone="bad"
              isEstimate={suspension.deletion.basis !== 'service'}
            />
            <p className="text-center text-xs text-pretty text-soft">
              At zero the service deletes the webhook and{' '}
              {webhook.queuedMessages === 1
                ? '1 queued event'
                : `${count.format(webhook.queuedMessages)} queued events`}
              .
            </p>
          </div>
        )}
      </div>
    </section>
  )
}

function Actions({ webhook, actions }: { webhook: WebhookHealth; actions: PanelActions }) {
  const blocked =
    actions.unavailable === undefined ? {} : { unavailable: actions.unavailable, reason: 'described' as const }
  if (webhook.state === 'deleted') {
    const isKnown = webhook.url !== null && webhook.events !== null && webhook.events.length > 0
    return (
      <Button
        icon={<CopyPlus />}
        {...(isKnown ? blocked : { unavailable: 'The console never saw its events.', reason: 'beside' as const })}
        onClick={() => actions.onRecreate(webhook)}
      >
        Create again
      </Button>
    )
  }
  return (
    <Button variant="danger-quiet" icon={<Trash2 />} {...blocked} onClick={() => actions.onRemove(webhook)}>
      Remove…
    </Button>
  )
}

function Figures({ webhook }: { webhook: WebhookHealth }) {
  const { suspension, since, queuedMessages, queuedHourAgo, state } = webhook
  return (
    <div className="grid grid-cols-2 gap-x-6 gap-y-4 md:grid-cols-4">
      {state !== 'healthy' && (
        <Stat
          label={state === 'suspended' ? 'Suspended for' : state === 'unhealthy' ? 'Unhealthy for' : 'Since'}
          value={
            since ? (
              <ServiceTicking
                read={(nowMs) =>
                  `${since.basis === 'bounds' ? 'at most ' : ''}${durationText(nowMs - (since.basis === 'bounds' ? since.earliestMs : since.atMs))}`
                }
              />
            ) : (
              'Not known'
            )
          }
          note={<EstimateText estimate={since} />}
        />
      )}
      {suspension && (
        <Stat
          label="Next ping"
          value={
            <ServiceTicking
              read={(nowMs) => {
                const leftMs = suspension.nextPing.atMs - nowMs
                return leftMs <= 0 ? 'due now' : clockText(leftMs).replace(/^00:/, '')
              }}
            />
          }
          note={`${suspension.nextPing.basis === 'service' ? '' : 'about '}ping ${suspension.pingNumber} of 288`}
        />
      )}
      <Stat
        label={state === 'deleted' ? 'Queued when it went' : 'Queued'}
        value={count.format(queuedMessages)}
        note={suspension ? 'lost if it is deleted' : changeText(queuedMessages, queuedHourAgo)}
      />
      {suspension && (
        <Stat
          label="Deleted at"
          value={
            suspension.deletion.basis === 'service' ? (
              <Time instant={suspension.deletion.atMs} />
            ) : (
              <>
                ≈ <Time instant={suspension.deletionDueMs} />
              </>
            )
          }
          note={
            suspension.deletion.basis === 'service'
              ? 'known, unless a ping succeeds'
              : suspension.deletion.basis === 'schedule'
                ? 'estimated from the retry schedule'
                : 'at the earliest; estimated'
          }
        />
      )}
      <Stat
        label="Last success"
        value={<Ago atMs={webhook.lastSuccessAtMs} />}
        note={<Time instant={webhook.lastSuccessAtMs} format="exact" />}
      />
      <Stat
        label="Last failure"
        value={<Ago atMs={webhook.lastFailureAtMs} />}
        note={<Time instant={webhook.lastFailureAtMs} format="exact" />}
      />
    </div>
  )
}

function Ago({ atMs }: { atMs: number | null }) {
  if (atMs === null) return <>Never</>
  return <ServiceTicking read={(nowMs) => (nowMs - atMs < 2000 ? 'just now' : `${durationText(nowMs - atMs)} ago`)} />
}

function changeText(now: number, hourAgo: number | null): string {
  if (hourAgo === null) return 'waiting to be delivered'
  const change = now - hourAgo
  return change === 0 ? 'as an hour ago' : `${change > 0 ? '+' : '−'}${count.format(Math.abs(change))} in the last hour`
}
