'use client'

import { clsx } from 'clsx'
import { parseAsString, useQueryState } from 'nuqs'
import type { ReactNode } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { OtherFields } from '#components/references/other-fields.tsx'
import { Badge, StatusBadge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { countText } from '#components/ui/count.ts'
import { IdText } from '#components/ui/id-text.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { durationText } from '#components/ui/time-format.ts'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import { runAction } from '#lib/actions/run-action.ts'
import type { WebhookHealth } from '#lib/console/webhooks/types.ts'
import { mayBeDeletedNow } from '#lib/contract/webhook-deletion.ts'
import { webhookTitle } from '#lib/contract/webhook-title.ts'
import { routes } from '#lib/shared/routes.ts'
import { dayMs } from '#lib/shared/time.ts'
import { CountdownRing } from './countdown-ring.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { eventsText } from './events-text.ts'
import { healthLabels } from './health-labels.tsx'
import { HistoryTable } from './history-table.tsx'
import { QueueChart } from './queue-chart.tsx'
import { queuedText } from './queued-text.ts'
import { ServiceTicking } from './service-now.tsx'
import { type PanelActions, WebhookActions } from './webhook-actions.tsx'
import { Ago, WebhookFigures } from './webhook-figures.tsx'
import { type SentLabels, useWebhookSend } from './webhook-send.ts'

/** One webhook: its state in a word, what that means and what to do, its figures, its queue. A healthy one is a few lines until it is opened. */
export function WebhookPanel({
  webhook,
  nowMs,
  actions,
}: {
  webhook: WebhookHealth
  nowMs: number
  actions: PanelActions
}) {
  const environment = useEnvironment()
  const { pendingId, labels: testResult, send } = useWebhookSend('testWebhook', 'A test')
  const test = {
    isPending: pendingId !== null,
    send: () =>
      void send(webhook.id, () => runAction('testWebhook', { environment, webhookId: webhook.id }), webhook.state),
  }
  const health = healthLabels(webhook)
  const { suspension } = webhook
  const isAnyTime = mayBeDeletedNow(suspension, nowMs)
  const title = webhookTitle(webhook)
  const [openedId, setOpenedId] = useQueryState('webhook', parseAsString)
  const isWell = webhook.state === 'healthy' && webhook.status !== 'created' && webhook.unreadable === null
  const isCalm = isWell && webhook.level === null
  const isCompact = isCalm && openedId !== webhook.id
  return (
    <section
      id={`webhook-${webhook.id}`}
      aria-labelledby={`webhook-${webhook.id}-title`}
      className={clsx(
        '@container min-w-0 scroll-mt-20 rounded-panel border bg-surface',
        health.tone === 'bad' && 'border-bad/40',
        health.tone === 'warn' && 'border-warn/40',
        '2xl:only:col-span-2',
        webhook.level && '2xl:col-span-2',
      )}
    >
      <div
        className={clsx(
          'grid grid-cols-1 gap-x-6 gap-y-4 p-4 @2xl:p-5',
          suspension ? '@2xl:grid-cols-[minmax(0,1fr)_10.5rem]' : '@lg:grid-cols-[minmax(0,1fr)_auto]',
        )}
      >
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 id={`webhook-${webhook.id}-title`} className="text-md font-semibold wrap-anywhere">
              {title}
            </h2>
            <StatusBadge tone={health.tone} label={health.label} icon={health.icon} />
            {webhook.isOwnInbox && <Badge>Carddesk inbox</Badge>}
            <IdText id={webhook.id} label="webhook ID" />
          </div>
          {webhook.url && <p className="mt-0.5 font-mono text-xs wrap-anywhere text-soft">{webhook.url}</p>}
          {webhook.events && (
            <p className="mt-0.5 text-xs wrap-anywhere text-soft">Events: {eventsText(webhook.events)}</p>
          )}
          {!isWell && (
            <p className="mt-2 max-w-prose text-pretty">
              {health.meaning}{' '}
              <span className="text-soft">
                {health.todo} {webhook.state === 'deleted' && missedText(actions.isTestOffered)}
              </span>
            </p>
          )}
          {isCompact && <Summary webhook={webhook} />}
        </div>
        {suspension ? (
          <Deletion suspension={suspension} queued={queuedText(webhook.queuedMessages)} isAnyTime={isAnyTime}>
            <WebhookActions webhook={webhook} actions={actions} test={test} isStacked />
          </Deletion>
        ) : (
          <div className="@lg:justify-self-end">
            <WebhookActions webhook={webhook} actions={actions} test={test} />
          </div>
        )}
        <div className={clsx('grid min-w-0 grid-cols-1 content-start gap-4', !suspension && '@lg:col-span-2')}>
          <TestResult result={testResult} />
          {!isCompact && (
            <>
              <LastReading webhook={webhook} />
              <WebhookFigures webhook={webhook} isAnyTime={isAnyTime} />
              {webhook.state !== 'deleted' && (
                <QueueChart webhook={toChartData(webhook)} nowMs={nowMs} tone={health.tone} name={title} />
              )}
              <HistoryTable webhook={webhook} />
              <OtherFields fields={webhook.otherFields} />
            </>
          )}
          <DeliveryLog webhook={webhook} unavailable={actions.unavailable}>
            {isCalm && (
              <Button
                size="small"
                aria-expanded={!isCompact}
                onClick={() => void setOpenedId(isCompact ? webhook.id : null)}
              >
                Details
              </Button>
            )}
            {webhook.isOwnInbox && (
              <TextLink href={routes.inbox(environment)} className="text-xs">
                View received deliveries
              </TextLink>
            )}
          </DeliveryLog>
        </div>
      </div>
    </section>
  )
}

/** When a suspended webhook is deleted, above what can be done. */
function Deletion({
  suspension,
  queued,
  isAnyTime,
  children,
}: {
  suspension: NonNullable<WebhookHealth['suspension']>
  queued: string
  isAnyTime: boolean
  children: ReactNode
}) {
  return (
    <div className="flex items-center gap-4 @2xl:row-span-2 @2xl:flex-col @2xl:items-stretch @2xl:border-l @2xl:pl-6">
      {!isAnyTime && (
        <CountdownRing
          untilMs={suspension.deletionDueMs}
          wholeMs={dayMs}
          isEstimate={suspension.deletion.basis !== 'service'}
        />
      )}
      <div className="grid min-w-0 flex-1 gap-3 @2xl:flex-none">
        <p className="text-xs text-pretty text-soft @2xl:text-center">
          {isAnyTime
            ? `The webhook and ${queued} may be deleted at any time.`
            : suspension.deletion.basis === 'bounds'
              ? `From zero on, the webhook and ${queued} may be deleted.`
              : `At zero the webhook and ${queued} are deleted.`}
        </p>
        {children}
      </div>
    </div>
  )
}

/** What becomes of events that a deleted webhook missed: a service that sends tests also replays. */
function missedText(isReplayOffered: boolean): string {
  return isReplayOffered
    ? 'Replay what it missed in the delivery log of the new one.'
    : 'Events missed in between aren’t resent.'
}

/** A healthy webhook in a line: its queue and its last deliveries. */
function Summary({ webhook: { queuedMessages, lastSuccessAtMs, lastFailureAtMs } }: { webhook: WebhookHealth }) {
  const facts: [string, ReactNode][] = [
    ['Queue', queuedMessages === 0 ? 'empty' : countText(queuedMessages)],
    ['Last success', <Ago key="success" atMs={lastSuccessAtMs} />],
    ['Last failure', <Ago key="failure" atMs={lastFailureAtMs} />],
  ]
  return (
    <dl className="mt-2 flex flex-wrap gap-x-5 gap-y-0.5">
      {facts.map(
        ([label, value]) =>
          value && (
            <div key={label} className="flex gap-x-1.5">
              <dt className="text-soft">{label}</dt>
              <dd className="tabular-nums">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

function TestResult({ result }: { result: SentLabels | null }) {
  if (result === null) return null
  const { tone, title, body, atMs, requestId } = result
  return (
    <Callout tone={tone} title={title} isAlert>
      {body}{' '}
      <span className="text-xs text-soft">
        Tested <RelativeTime instant={atMs} />.
      </span>
      {requestId && (
        <span className="ml-2 inline-flex items-center gap-1 text-xs">
          Request <IdText id={requestId} label="request ID" />
        </span>
      )}
    </Callout>
  )
}

/** The queue length of an old reading is out of date. */
function toChartData(webhook: WebhookHealth): WebhookHealth {
  return webhook.unreadable === null ? webhook : { ...webhook, queuedMessages: null }
}

/** How old the figures are. */
function LastReading({ webhook: { unreadable, lastReading, state } }: { webhook: WebhookHealth }) {
  if (state === 'deleted') return null
  if (unreadable !== null) {
    return (
      <Callout tone="warn" title="The statistics could not be read.">
        {unreadable.reason}{' '}
        {lastReading ? (
          <>
            The figures below are from <Time instant={lastReading.atMs} format="exact" /> (
            <ServiceTicking read={(nowMs) => `${durationText(nowMs - lastReading.atMs)} ago`} />
            ): {lastReading.state}.
          </>
        ) : (
          'They have not been read before.'
        )}
      </Callout>
    )
  }
  if (!lastReading) return null
  return (
    <p className="text-xs text-soft">
      <ServiceTicking read={(nowMs) => `Read ${durationText(Math.max(0, nowMs - lastReading.atMs))} ago`} />
    </p>
  )
}
