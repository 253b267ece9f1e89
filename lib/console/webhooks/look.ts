import 'server-only'
import { and, eq, inArray, lt } from 'drizzle-orm'
import type { WebhookStats } from '#lib/contract/webhooks.ts'
import { database, type Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { isUuid } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { hourMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import { withExclusive } from '../directory/sync.ts'
import { askService } from '../environments.ts'
import { announce } from '../live/announce.ts'
import { isRefusal } from '../refusal.ts'
import {
  watchedWebhooks,
  webhookLooks,
  webhookNotices,
  webhookSamples,
  webhookTransitions,
} from '../tables/webhooks.ts'
import { forgetServiceTime, noteServiceTime } from './newest-time.ts'
import { readServiceClock, type ClockReading } from './service-clock.ts'
import { builtInControl, configuredWebhookIds } from './settings.ts'

/** How often the console looks while nobody watches; a look is one or two requests. */
export const lookEveryMs = 15 * secondMs
const samplesKeptMs = 25 * hourMs

/** A webhook as the service tells of it now; null is what it does not tell. */
type Told = {
  id: string
  name: string | null
  url: string | null
  events: string[] | null
  status: string | null
  stats: Pick<WebhookStats, 'status' | 'queuedMessages'> & { lastSuccessAt: Date | null; lastFailureAt: Date | null }
}
type Watched = typeof watchedWebhooks.$inferSelect

/**
 * Reads the statistics of every webhook and keeps what changed. One process at a time does this for an environment; none
 * does within `olderThanMs` of the last look.
 */
export async function lookAtWebhooks(environment: Environment, olderThanMs = lookEveryMs - secondMs): Promise<void> {
  await withExclusive(database(), `webhooks ${environment}`, async () => {
    const [last] = await database().select().from(webhookLooks).where(eq(webhookLooks.environment, environment))
    const lookedAt = new Date()
    if (last && lookedAt.getTime() - last.lookedAt.getTime() < olderThanMs) return
    const { told, listedBy } = await askForWebhooks(environment)
    for (const { stats } of told) {
      noteServiceTime(environment, stats.lastSuccessAt)
      noteServiceTime(environment, stats.lastFailureAt)
    }
    const clock = await readServiceClock(environment)
    const hasChanged = await inTransaction(database(), async (tx) => {
      const wentBack = last && clock.serviceAt.getTime() < last.serviceAt.getTime() - minuteMs
      if (wentBack) await forgetAll(tx, environment)
      return keep(tx, environment, told, lookedAt, clock, listedBy)
    })
    if (hasChanged) announce(environment, [{ type: 'webhooks' }])
  })
}

async function askForWebhooks(environment: Environment): Promise<{ told: Told[]; listedBy: 'service' | 'settings' }> {
  const ids = configuredWebhookIds(environment)
  const listed = await askService(environment, 'listWebhooks', {}).then(
    ({ answer }) => answer.webhooks,
    (error: unknown) => {
      if (isRefusal(error) && error.code === 'SERVICE_REFUSED') return null
      throw error
    },
  )
  const stats = listed
    ? (await askService(environment, 'listWebhookStats', { query: {} })).answer
    : (await Promise.all(ids.map((id) => statsOf(environment, id)))).flat()
  const byId = new Map((listed ?? []).map((webhook) => [webhook.id.toLowerCase(), webhook]))
  const told = stats
    .filter(({ id }) => isUuid(id))
    .map((row): Told => {
      const id = row.id.toLowerCase()
      const webhook = byId.get(id)
      return {
        id,
        name: webhook?.name ?? null,
        url: webhook?.url ?? null,
        events: webhook?.events ?? null,
        status: webhook?.status ?? null,
        stats: {
          status: row.status,
          queuedMessages: row.queuedMessages,
          lastSuccessAt: timeOf(row.lastSuccessfulDeliveryTime),
          lastFailureAt: timeOf(row.lastFailedDeliveryTime),
        },
      }
    })
  return { told, listedBy: listed ? 'service' : 'settings' }
}

async function statsOf(environment: Environment, webhookId: string): Promise<readonly WebhookStats[]> {
  try {
    return (await askService(environment, 'listWebhookStats', { query: { webhookId } })).answer
  } catch (error) {
    // One id that the service does not know keeps nobody from seeing the others.
    if (isRefusal(error) && error.code === 'SERVICE_REFUSED') return []
    throw error
  }
}

async function keep(
  tx: Transaction,
  environment: Environment,
  told: readonly Told[],
  lookedAt: Date,
  { serviceAt, source }: ClockReading,
  listedBy: 'service' | 'settings',
): Promise<boolean> {
  const look = { lookedAt, serviceAt, clockSource: source, listedBy }
  const [before] = await tx.select().from(webhookLooks).where(eq(webhookLooks.environment, environment))
  await tx
    .insert(webhookLooks)
    .values({ environment, ...look })
    .onConflictDoUpdate({ target: webhookLooks.environment, set: look })
  const known = await tx.select().from(watchedWebhooks).where(eq(watchedWebhooks.environment, environment))
  const knownById = new Map(known.map((row) => [row.id, row]))
  const isBuiltIn = builtInControl(environment) !== null
  const gone = known.filter((row) => !told.some(({ id }) => id === row.id) && row.statsStatus !== 'deleted')
  // The built-in service keeps what it deleted: one that is not even there went with a reset.
  if (isBuiltIn && gone.length > 0)
    await forget(
      tx,
      environment,
      gone.map(({ id }) => id),
    )
  const rows = [
    ...told.map((one) => rowOf(environment, one, serviceAt, knownById.get(one.id))),
    ...(isBuiltIn ? [] : gone.map((row) => ({ ...row, statsStatus: 'deleted', seenAt: serviceAt }))),
  ]
  // An id that came into the settings may be of a webhook that is old.
  const newSince = listedBy === 'service' ? (before?.serviceAt ?? null) : null
  let hasChanged = gone.length > 0
  for (const row of rows) {
    const earlier = knownById.get(row.id)
    await tx
      .insert(watchedWebhooks)
      .values(row)
      .onConflictDoUpdate({ target: [watchedWebhooks.environment, watchedWebhooks.id], set: row })
    const isMoved = earlier?.statsStatus !== row.statsStatus
    hasChanged ||= isMoved || earlier.queuedMessages !== row.queuedMessages || earlier.status !== row.status
    if (isMoved) await keepTransition(tx, row, earlier, newSince)
  }
  const alive = rows.filter(({ statsStatus }) => statsStatus !== 'deleted')
  if (alive.length > 0) {
    await tx.insert(webhookSamples).values(
      alive.map(({ id, statsStatus, queuedMessages }) => ({
        environment,
        webhookId: id,
        takenAt: lookedAt,
        serviceAt,
        statsStatus,
        queuedMessages,
      })),
    )
  }
  await tx.delete(webhookSamples).where(lt(webhookSamples.takenAt, new Date(lookedAt.getTime() - samplesKeptMs)))
  return hasChanged
}

function rowOf(environment: Environment, told: Told, serviceAt: Date, earlier: Watched | undefined): Watched {
  const { stats } = told
  return {
    environment,
    id: told.id,
    name: told.name ?? earlier?.name ?? null,
    url: told.url ?? earlier?.url ?? null,
    events: told.events ?? earlier?.events ?? null,
    status: told.status,
    statsStatus: stats.status,
    queuedMessages: stats.status === 'deleted' ? (earlier?.queuedMessages ?? 0) : stats.queuedMessages,
    lastSuccessAt: stats.lastSuccessAt,
    lastFailureAt: stats.lastFailureAt,
    firstSeenAt: earlier?.firstSeenAt ?? serviceAt,
    seenAt: serviceAt,
  }
}

async function keepTransition(
  tx: Transaction,
  row: Watched,
  earlier: Watched | undefined,
  newSince: Date | null,
): Promise<void> {
  await tx.insert(webhookTransitions).values({
    environment: row.environment,
    webhookId: row.id,
    statusBefore: earlier?.statsStatus ?? null,
    statusAfter: row.statsStatus,
    seenAt: row.seenAt,
    // One that is new since the last look had no status before it.
    notBefore: earlier ? earlier.seenAt : newSince,
    lastFailureAt: row.lastFailureAt,
    queuedMessages: row.queuedMessages,
  })
}

async function forgetAll(tx: Transaction, environment: Environment): Promise<void> {
  forgetServiceTime(environment)
  await tx.delete(webhookLooks).where(eq(webhookLooks.environment, environment))
  for (const table of [watchedWebhooks, webhookTransitions, webhookSamples, webhookNotices]) {
    await tx.delete(table).where(eq(table.environment, environment))
  }
}

async function forget(tx: Transaction, environment: Environment, ids: string[]): Promise<void> {
  await tx
    .delete(watchedWebhooks)
    .where(and(eq(watchedWebhooks.environment, environment), inArray(watchedWebhooks.id, ids)))
  for (const table of [webhookTransitions, webhookSamples, webhookNotices]) {
    await tx.delete(table).where(and(eq(table.environment, environment), inArray(table.webhookId, ids)))
  }
}

function timeOf(text: string | null): Date | null {
  const time = new Date(text ?? Number.NaN)
  return Number.isNaN(time.getTime()) ? null : time
}
