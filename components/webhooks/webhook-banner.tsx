'use client'

import { clsx } from 'clsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { useAction } from '#components/operations/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { formatCount } from '#components/ui/count.ts'
import { Link } from '#components/ui/link.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { durationText } from '#components/ui/time-format.ts'
import type { AlertLevel, WebhookAlert } from '#lib/console/webhooks/types.ts'
import { mayBeDeletedNow } from '#lib/contract/webhook-deletion.ts'
import { webhookTitle } from '#lib/contract/webhook-title.ts'
import { having } from '#lib/shared/provided.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { withCapital } from '#lib/shared/texts.ts'
import { byUrgency } from './alert-order.ts'
import { queuedText } from './queued-text.ts'
import { ServiceNow, ServiceTicking } from './service-now.tsx'

/** `isUrgent`: read immediately by a screen reader. */
const levels: Record<AlertLevel, { tone: 'warn' | 'bad'; isUrgent: boolean; lead: string }> = {
  'one-hour': { tone: 'bad', isUrgent: true, lead: 'will be deleted within the hour.' },
  'six-hours': { tone: 'bad', isUrgent: true, lead: 'will be deleted within six hours.' },
  suspended: { tone: 'bad', isUrgent: true, lead: 'is suspended.' },
  deleted: { tone: 'bad', isUrgent: false, lead: 'was deleted.' },
  unhealthy: { tone: 'warn', isUrgent: false, lead: 'is unhealthy.' },
  unreadable: { tone: 'warn', isUrgent: false, lead: 'has unreadable statistics.' },
}

const linkTexts: Partial<Record<string, string>> = { deleted: 'Create it again', unreadable: 'See why' }

/** How many alerts are shown, the most pressing first: on a telephone they would fill the screen. */
const most = { narrow: 1, wide: 3 }

/** Whether a page shows the banner: in production each, in the sandbox, where webhooks are tested, only Home and Webhooks. */
export function showsWebhookBanner(environment: Environment, pathname: string): boolean {
  return environment === 'production' || [routes.overview(environment), routes.webhooks(environment)].includes(pathname)
}

/** The webhooks that are not healthy, for people who may manage them. A screen reader reads it once a level, not at each second. */
export function WebhookBanner() {
  const environment = useEnvironment()
  const { data, dataUpdatedAt } = useRead('readWebhookAlerts')
  if (!data || data.alerts.length === 0) return null
  const alerts = having(data.alerts, 'level')
    .toSorted(byUrgency)
    .map((alert) => ({ alert, entry: levels[alert.level] }))
  const urgent = alerts
    .filter(({ entry }) => entry.isUrgent)
    .map(({ alert, entry }) => `Webhook ${webhookTitle(alert)} ${formatLead(alert, entry.lead, data.serviceNowMs)}`)
    .join(' ')
  return (
    <ServiceNow serviceNowMs={data.serviceNowMs} readAtMs={dataUpdatedAt}>
      <div className="grid gap-2">
        {alerts.slice(0, most.wide).map(({ alert, entry }, place) => (
          <Callout
            key={alert.id}
            className={clsx(place >= most.narrow && 'max-sm:hidden')}
            tone={entry.tone}
            title={`${webhookTitle(alert)} ${formatLead(alert, entry.lead, data.serviceNowMs)}`}
            actions={
              <>
                <Link
                  href={`${routes.webhooks(environment)}#webhook-${alert.id}`}
                  className="font-medium underline underline-offset-2"
                >
                  {linkTexts[alert.level ?? ''] ?? 'Fix it'}
                  <span className="sr-only">: {webhookTitle(alert)}</span>
                </Link>
                {alert.level === 'deleted' && <Dismiss alert={alert} />}
              </>
            }
          >
            <Consequence alert={alert} nowMs={data.serviceNowMs} />
          </Callout>
        ))}
        <Others count={alerts.length - most.narrow} className="sm:hidden" />
        <Others count={alerts.length - most.wide} className="max-sm:hidden" />
        {urgent !== '' && (
          <p role="alert" className="sr-only">
            {urgent}
          </p>
        )}
      </div>
    </ServiceNow>
  )
}

/** How many alerts are not shown, and where they are; nothing where all are. */
function Others({ count, className }: { count: number; className: string }) {
  const environment = useEnvironment()
  if (count <= 0) return null
  return (
    <p className={className}>
      <TextLink href={routes.webhooks(environment)}>{formatCount(count, 'more webhook')}</TextLink>
    </p>
  )
}

/** Where only the bounds of its deletion are known, nothing says that it will be deleted by then. */
function formatLead({ suspension }: WebhookAlert, lead: string, nowMs: number): string {
  if (suspension?.deletion.basis !== 'bounds') return lead
  return mayBeDeletedNow(suspension, nowMs)
    ? 'could be deleted at any time.'
    : lead.replace('will be deleted', 'could be deleted')
}

/** Takes the alert off the banner; who did so is in the audit log. */
function Dismiss({ alert }: { alert: WebhookAlert }) {
  const { isPending, problem, run } = useAction()
  return (
    <>
      {problem && (
        <span role="alert" className="text-xs">
          Couldn’t dismiss it. Try again.
        </span>
      )}
      <Button
        size="small"
        isPending={isPending}
        onClick={() => void run('acknowledgeWebhook', { webhookId: alert.id })}
      >
        Dismiss<span className="sr-only">: {webhookTitle(alert)}</span>
      </Button>
    </>
  )
}

function Consequence({ alert, nowMs }: { alert: WebhookAlert; nowMs: number }) {
  const { suspension, queuedMessages, level, unreadable, lastReading } = alert
  const isOne = queuedMessages === 1
  const queued = queuedText(queuedMessages)
  if (level === 'unreadable') {
    return (
      <>
        {unreadable?.reason}{' '}
        {lastReading && (
          <>
            Last read <ServiceTicking read={(nowMs) => durationText(nowMs - lastReading.atMs)} /> ago:{' '}
            {lastReading.state}.
          </>
        )}
      </>
    )
  }
  if (level === 'deleted')
    return (
      <>
        Either its endpoint returned 200 for no ping in 24 hours, or somebody deleted it outside Carddesk.{' '}
        {withCapital(queued)} went with it.
      </>
    )
  if (!suspension)
    return (
      <>
        A delivery failed and is being retried; {queued} {isOne ? 'waits' : 'wait'}.
      </>
    )
  const { deletionDueMs, deletion } = suspension
  if (mayBeDeletedNow(suspension, nowMs)) {
    return (
      <>
        A suspended webhook is deleted after 24 hours, and when this one was suspended isn’t known.{' '}
        {withCapital(queued)} {isOne ? 'goes' : 'go'} with it.
      </>
    )
  }
  const isOpen = deletion.basis === 'bounds'
  return (
    <>
      It {isOpen ? 'could' : 'will'} be deleted in {deletion.basis === 'service' ? '' : 'about '}
      <ServiceTicking read={(now) => durationText(deletionDueMs - now)} />
      {isOpen && ' at the earliest'}, with {queued}.
    </>
  )
}
