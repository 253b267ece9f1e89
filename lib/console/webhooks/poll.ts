import 'server-only'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { database, type Transaction } from '#lib/db/connection.ts'
import { withExclusive } from '#lib/db/exclusive.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import {
  isBuiltIn,
  type ClockReading,
  forgetServiceTime,
  noteServiceTime,
  readServiceClock,
} from '#lib/environments/control-plane.ts'
import { publish } from '#lib/live/publish.ts'
import { sameId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { storable } from '#lib/shared/texts.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import {
  watchedWebhooks,
  webhookNotices,
  webhookPolls,
  webhookSamples,
  webhookTransitions,
} from '#lib/tables/webhooks.ts'
import { type Reading, readAtService, type Statistics } from './readings.ts'

/** How often the console polls while no page is open; a poll is one or two requests. */
const pollEveryMs = 15 * secondMs

type AtService = Awaited<ReturnType<typeof readAtService>>

type WatchedRow = Omit<typeof watchedWebhooks.$inferSelect, 'acknowledgedAt'>

/**
 * Reads the statistics of every webhook and stores the changes. One process at a time does this for an environment;
 * none does within `olderThanMs` of the last poll.
 */
export async function pollWebhooks(environment: Environment, olderThanMs = pollEveryMs - secondMs): Promise<void> {
  await withExclusive(database(), `webhooks ${environment}`, async () => {
    const [last] = await database().select().from(webhookPolls).where(eq(webhookPolls.environment, environment))
    const polledAt = new Date()
    if (last && polledAt.getTime() - last.polledAt.getTime() < olderThanMs) return
    const known = await database().select().from(watchedWebhooks).where(eq(watchedWebhooks.environment, environment))
    const alive = known.filter(({ statsStatus }) => statsStatus !== 'deleted')
    const { readings, listedBy } = storable(await readAtService(environment, alive)) as AtService
    for (const { stats } of readings) {
      noteServiceTime(environment, stats?.lastSuccessAt)
      noteServiceTime(environment, stats?.lastFailureAt)
    }
    const clock = await readServiceClock(environment)
    const hasChanged = await inTransaction(database(), async (tx) => {
      const wentBack = last && clock.serviceAt.getTime() < last.serviceAt.getTime() - minuteMs
      if (wentBack) await forgetAll(tx, environment)
      return keep(tx, environment, { readings, listedBy, polledAt, clock }, wentBack ? undefined : last)
    })
    if (hasChanged) publish(environment, [{ type: 'webhooks' }])
  })
}

type Poll = { readings: readonly Reading[]; listedBy: 'service' | 'settings'; polledAt: Date; clock: ClockReading }

/** Stores what a poll read; returns whether something changed that open pages show. `before` is the last poll of the same contents. */
async function keep(
  tx: Transaction,
  environment: Environment,
  { readings, listedBy, polledAt, clock: { serviceAt, source } }: Poll,
  before: typeof webhookPolls.$inferSelect | undefined,
): Promise<boolean> {
  const poll = { polledAt, serviceAt, clockSource: source, listedBy }
  await tx
    .insert(webhookPolls)
    .values({ environment, ...poll })
    .onConflictDoUpdate({ target: webhookPolls.environment, set: poll })
  const known = await tx.select().from(watchedWebhooks).where(eq(watchedWebhooks.environment, environment))
  const storedById = new Map(known.map((row) => [row.id.toLowerCase(), row]))
  const findEarlier = ({ id }: { id: string }) => storedById.get(id.toLowerCase())
  const gone = known.filter((row) => !readings.some(({ id }) => sameId(id, row.id)) && row.statsStatus !== 'deleted')
  // The built-in service still lists deleted webhooks: one that is missing was removed by a reset.
  if (isBuiltIn(environment) && gone.length > 0)
    await forget(
      tx,
      environment,
      gone.map(({ id }) => id),
    )
  const rows = [
    ...readings.map((one) => toWatchedRow(environment, one, serviceAt, findEarlier(one))),
    ...(isBuiltIn(environment) ? [] : gone.map((row) => deletedRow(row, serviceAt))),
  ]
  // An id that came into the settings may be of a webhook that is old.
  const newSince = listedBy === 'service' ? (before?.serviceAt ?? null) : null
  let hasChanged = gone.length > 0
  for (const row of rows) {
    const earlier = findEarlier(row)
    await keepWatched(tx, row, earlier, newSince)
    hasChanged ||= !earlier || shownFields.some((field) => earlier[field] !== row[field])
  }
  const samples = rows.flatMap(({ id, statsStatus, queuedMessages, statsProblem }) =>
    statsProblem !== null || statsStatus === null || statsStatus === 'deleted' || queuedMessages === null
      ? []
      : [{ environment, webhookId: id, takenAt: polledAt, serviceAt, statsStatus, queuedMessages }],
  )
  if (samples.length > 0) await tx.insert(webhookSamples).values(samples)
  return hasChanged
}

/** Stores a webhook, and that its status changed. */
async function keepWatched(
  tx: Transaction,
  row: WatchedRow,
  earlier: WatchedRow | undefined,
  newSince: Date | null,
): Promise<void> {
  await tx
    .insert(watchedWebhooks)
    .values(row)
    .onConflictDoUpdate({
      target: [watchedWebhooks.environment, watchedWebhooks.id],
      // A person may acknowledge a deletion at the same time.
      set: { ...row, acknowledgedAt: sql`${watchedWebhooks.acknowledgedAt}` },
    })
  const { statsStatus } = row
  if (statsStatus !== null && statsStatus !== earlier?.statsStatus) {
    await keepTransition(tx, { ...row, statsStatus }, earlier, newSince)
  }
}

/** Fields of a webhook on open pages: a change of them is published. */
const shownFields = ['statsStatus', 'queuedMessages', 'status', 'statsProblem'] as const

function toWatchedRow(
  environment: Environment,
  reading: Reading,
  serviceAt: Date,
  earlier: WatchedRow | undefined,
): WatchedRow {
  const { stats, problem, status, otherFields } = reading
  const before = earlier ?? neverSeen
  return {
    ...before,
    environment,
    id: earlier?.id ?? reading.id,
    name: reading.name ?? before.name,
    url: reading.url ?? before.url,
    events: reading.events ?? before.events,
    status,
    otherFields,
    // Without statistics the figures of the last reading stay.
    ...(stats && { ...toFigures(stats, earlier), statsAt: serviceAt }),
    firstSeenAt: earlier?.firstSeenAt ?? serviceAt,
    seenAt: serviceAt,
    statsProblem: problem,
    unreadableSince: stats ? null : (before.unreadableSince ?? serviceAt),
  }
}

type Figures = Pick<WatchedRow, 'statsStatus' | 'queuedMessages' | 'lastSuccessAt' | 'lastFailureAt'>

function toFigures({ status, queuedMessages, ...times }: Statistics, earlier: WatchedRow | undefined): Figures {
  // A deleted webhook has no queue: its last queue is the number of lost events.
  const queued = status === 'deleted' && earlier ? earlier.queuedMessages : queuedMessages
  return { statsStatus: status, queuedMessages: queued, ...times }
}

/** Values of a webhook before its first reading. */
const neverSeen = {
  name: null,
  url: null,
  events: null,
  statsStatus: null,
  queuedMessages: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  statsAt: null,
  unreadableSince: null,
}

function deletedRow(row: WatchedRow, serviceAt: Date): WatchedRow {
  const read = { seenAt: serviceAt, statsAt: serviceAt, statsProblem: null, unreadableSince: null }
  return { ...row, ...read, statsStatus: 'deleted' }
}

async function keepTransition(
  tx: Transaction,
  row: WatchedRow & { statsStatus: string },
  earlier: WatchedRow | undefined,
  newSince: Date | null,
): Promise<void> {
  await tx.insert(webhookTransitions).values({
    environment: row.environment,
    webhookId: row.id,
    statusBefore: earlier?.statsStatus ?? null,
    statusAfter: row.statsStatus,
    seenAt: row.seenAt,
    // A webhook that is new since the last poll had no status before. A poll that could not read the statistics has
    // none.
    notBefore: earlier ? earlier.statsAt : newSince,
    lastFailureAt: row.lastFailureAt,
    queuedMessages: row.queuedMessages,
  })
}

async function forgetAll(tx: Transaction, environment: Environment): Promise<void> {
  forgetServiceTime(environment)
  await tx.delete(webhookPolls).where(eq(webhookPolls.environment, environment))
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
