import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { isBuiltIn } from '#lib/environments/control-plane.ts'
import { requireService } from '#lib/environments/environments.ts'
import { readHealth } from '#lib/environments/health.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import { sameId } from '#lib/shared/ids.ts'
import { logFailure } from '#lib/shared/log.ts'
import { outsideRequestContext } from '#lib/shared/request-context.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { dayMs, hourMs, isoTime, minuteMs, secondMs, toMs } from '#lib/shared/time.ts'
import { operations } from '#lib/tables/operations.ts'
import { watchedWebhooks, webhookPolls, webhookSamples, webhookTransitions } from '#lib/tables/webhooks.ts'
import { isOwnInbox } from '../connection/inbox-url.ts'
import { assessHealth, statisticsUnreadable, unreadableLevel } from './health.ts'
import { pollWebhooks } from './poll.ts'
import type { QueuePoint, WatchedTransition, WebhookAlert, WebhookHealth, WebhookOverview } from './types.ts'
import { isReplaced } from './watched.ts'

export type WebhookAlerts = { alerts: WebhookAlert[]; serviceNowMs: number }

const chartMs = dayMs
const chartPoints = 144
/** A reading that is older than this does not show what there was an hour ago. */
const hourSlackMs = 10 * minuteMs
/** While a page is open the console polls this often. */
const watchedEveryMs = 4 * secondMs
const timeoutMs = 2 * secondMs
/** How long the banner shows a loss. */
const lossShownMs = 7 * dayMs

/** Every webhook with all that is known of its health, after a fresh poll where the service responds soon. */
export async function readWebhooks(environment: Environment): Promise<WebhookOverview> {
  requireService(environment)
  const look = outsideRequestContext(() => pollWebhooks(environment, watchedEveryMs)).catch((error: unknown) => {
    if (!isAppError(error)) logFailure(error, { while: 'polling the webhooks' })
  })
  await Promise.race([look, delay(timeoutMs, undefined, { ref: false })])
  const panel = await readPanel(environment, { withCharts: true })
  return { ...panel, health: await readHealth(environment) }
}

/** The problems of the webhooks, for the banner: from the last poll, without a request. */
export async function readWebhookAlerts(environment: Environment): Promise<WebhookAlerts> {
  const { webhooks, serviceNowMs } = await readPanel(environment, { withCharts: false })
  const alerts = webhooks
    .filter((webhook) => isReported(webhook, serviceNowMs))
    .map(({ id, name, url, level, queuedMessages, suspension, since, unreadable, lastReading }) => ({
      id,
      name,
      url,
      level,
      queuedMessages,
      suspension,
      since,
      unreadable,
      lastReading,
    }))
  return { alerts, serviceNowMs }
}

/** A loss is shown for a week, unless it was acknowledged or another webhook gets the events. */
function isReported({ level, isAcknowledged, isReplaced, since }: WebhookHealth, nowMs: number): boolean {
  if (level === null) return false
  if (level !== 'deleted') return true
  return !isAcknowledged && !isReplaced && nowMs - (since?.latestMs ?? nowMs) < lossShownMs
}

/** A scenario breaks the webhook of its own run on purpose: no alert, no notice. */
const scenarioName = /^Scenario [0-9a-f]{8}$/

/** Reads the panel without a check of the permission. */
export async function readPanel(
  environment: Environment,
  { withCharts }: { withCharts: boolean },
): Promise<Omit<WebhookOverview, 'health'>> {
  const db = database()
  const [look] = await db.select().from(webhookPolls).where(eq(webhookPolls.environment, environment))
  const serviceNowMs = look ? look.serviceAt.getTime() + (Date.now() - look.polledAt.getTime()) : Date.now()
  const [rows, transitions, removed, added, queues] = await Promise.all([
    db
      .select()
      .from(watchedWebhooks)
      .where(eq(watchedWebhooks.environment, environment))
      .orderBy(asc(watchedWebhooks.firstSeenAt)),
    db
      .select()
      .from(webhookTransitions)
      .where(eq(webhookTransitions.environment, environment))
      .orderBy(asc(webhookTransitions.number)),
    db
      .select({ id: operations.targetId })
      .from(operations)
      .where(
        and(
          eq(operations.environment, environment),
          eq(operations.kind, 'webhook.remove'),
          eq(operations.state, 'done'),
        ),
      ),
    db
      .select({ id: operations.resultId })
      .from(operations)
      .where(
        and(
          eq(operations.environment, environment),
          inArray(operations.kind, ['webhook.create', 'webhook.recreate']),
          gt(operations.createdAt, new Date(Date.now() - dayMs)),
        ),
      ),
    withCharts ? readQueues(environment, serviceNowMs) : new Map<string, QueuePoint[]>(),
  ])
  const beside = {
    serviceNowMs,
    removedHere: new Set(removed.map(({ id }) => id.toLowerCase())),
    addedHere: new Set(added.map(({ id }) => id?.toLowerCase())),
  }
  const webhooks = rows
    .filter(({ statsStatus, url }) => statsStatus !== 'deleted' || url !== null)
    .map((row) => {
      const own = transitions.filter(({ webhookId }) => sameId(webhookId, row.id)).map(toTransition)
      return toHealth(row, own, queues.get(row.id) ?? [], { ...beside, isReplaced: isReplaced(row, rows) })
    })
  return {
    webhooks,
    serviceNowMs,
    clockSource: look?.clockSource ?? 'responses',
    polledAt: isoTime(look?.polledAt),
    listedBy: look?.listedBy ?? 'service',
    isTestOffered: isBuiltIn(environment),
  }
}

type WatchedRow = typeof watchedWebhooks.$inferSelect

/** A webhook as its page shows it. `transitions` are its own, oldest first; the sets hold ids in lower case. */
function toHealth(
  row: WatchedRow,
  transitions: readonly WatchedTransition[],
  queue: QueuePoint[],
  beside: {
    serviceNowMs: number
    removedHere: ReadonlySet<string>
    addedHere: ReadonlySet<string | undefined>
    isReplaced: boolean
  },
): WebhookHealth {
  const { serviceNowMs } = beside
  const { queuedMessages } = row
  const lastSuccessAtMs = toMs(row.lastSuccessAt)
  const lastFailureAtMs = toMs(row.lastFailureAt)
  const watched = { status: row.statsStatus, queuedMessages, lastSuccessAtMs, lastFailureAtMs, transitions }
  const assessed = assessHealth(watched, serviceNowMs)
  const unreadable = toUnreadable(row)
  const level = unreadable ? unreadableLevel(assessed.level) : assessed.level
  const isRemovedHere = beside.removedHere.has(row.id.toLowerCase())
  const isOfScenario = row.environment === 'sandbox' && scenarioName.test(row.name ?? '')
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.events,
    state: unreadable ? statisticsUnreadable : (row.statsStatus ?? statisticsUnreadable),
    unreadable,
    lastReading: toLastReading(row),
    status: row.status,
    otherFields: row.otherFields ?? {},
    queuedMessages,
    queuedHourAgo: queuedHourAgo(queue, serviceNowMs),
    lastSuccessAtMs,
    lastFailureAtMs,
    suspension: assessed.suspension,
    since: unreadable ? null : assessed.since,
    level: (isRemovedHere && level === 'deleted') || isOfScenario ? null : level,
    isRemovedHere,
    isReplaced: beside.isReplaced,
    isNew: beside.addedHere.has(row.id.toLowerCase()),
    isAcknowledged: row.acknowledgedAt !== null,
    isOwnInbox: isOwnInbox(row.url, row.environment),
    transitions: transitions.slice(-20),
    queue,
  }
}

/** Null where no reading shows what there was an hour ago. */
function queuedHourAgo(queue: readonly QueuePoint[], nowMs: number): number | null {
  const point = queue.findLast(({ fromMs }) => fromMs <= nowMs - hourMs)
  return point && point.toMs > nowMs - hourMs - hourSlackMs ? point.queued : null
}

function toUnreadable({ statsProblem, unreadableSince, seenAt }: WatchedRow): WebhookHealth['unreadable'] {
  return statsProblem === null ? null : { reason: statsProblem, sinceMs: (unreadableSince ?? seenAt).getTime() }
}

function toLastReading({ statsStatus, statsAt }: WatchedRow): WebhookHealth['lastReading'] {
  return statsStatus === null || statsAt === null ? null : { state: statsStatus, atMs: statsAt.getTime() }
}

async function readQueues(environment: Environment, nowMs: number): Promise<Map<string, QueuePoint[]>> {
  const span = sql.raw(String(Math.ceil(chartMs / chartPoints / secondMs)))
  const { webhookId, serviceAt, statsStatus, queuedMessages, number } = webhookSamples
  // Polls in a row have as many other states before them as each other.
  const samples = database()
    .$with('samples')
    .as(
      database()
        .select({
          webhookId,
          serviceAt,
          statsStatus,
          queuedMessages,
          number,
          others: sql<number>`row_number() over (partition by ${webhookId} order by ${number})
          - row_number() over (partition by ${webhookId}, ${statsStatus} order by ${number})`.as('others'),
        })
        .from(webhookSamples)
        .where(eq(webhookSamples.environment, environment)),
    )
  const rows = await database()
    .with(samples)
    .select({
      webhookId: samples.webhookId,
      from: sql<Date>`min(${samples.serviceAt})`.mapWith(serviceAt),
      to: sql<Date>`max(${samples.serviceAt})`.mapWith(serviceAt),
      queued: sql<number>`max(${samples.queuedMessages})::int`,
      status: samples.statsStatus,
    })
    .from(samples)
    .groupBy(
      samples.webhookId,
      sql`floor(extract(epoch from ${samples.serviceAt}) / ${span})`,
      samples.statsStatus,
      samples.others,
    )
    .orderBy(sql`min(${samples.serviceAt})`, sql`max(${samples.number})`)
  const queues = new Map<string, QueuePoint[]>()
  for (const { webhookId, from, to, queued, status } of rows) {
    const points = queues.get(webhookId) ?? []
    points.push({ fromMs: from.getTime(), toMs: to.getTime(), queued, status })
    queues.set(webhookId, points)
  }
  // The last point before the span says where its line begins.
  for (const [webhookId, points] of queues) {
    const first = points.findLastIndex(({ fromMs }) => fromMs < nowMs - chartMs)
    if (first > 0) queues.set(webhookId, points.slice(first))
  }
  return queues
}

function toTransition(row: typeof webhookTransitions.$inferSelect): WatchedTransition {
  return {
    statusBefore: row.statusBefore,
    statusAfter: row.statusAfter,
    readAtMs: row.seenAt.getTime(),
    notBeforeMs: toMs(row.notBefore),
    lastFailureAtMs: toMs(row.lastFailureAt),
    queuedMessages: row.queuedMessages,
  }
}
