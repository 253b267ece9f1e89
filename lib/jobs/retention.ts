import { and, eq, inArray, isNotNull, lt, lte, notInArray, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { database } from '#lib/db/connection.ts'
import { formatAge, applyRules, oldestPartition, type Partitions, type RetentionRule } from '#lib/db/retention.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { type Environment, environments } from '#lib/shared/routes.ts'
import { dayMs, hourMs, minuteMs } from '#lib/shared/time.ts'
import { changes } from '#lib/tables/changes.ts'
import { inboxEvents, inboxIds } from '#lib/tables/inbox.ts'
import { rateReadings, rateSamples } from '#lib/tables/rates.ts'
import { serviceRequests } from '#lib/tables/requests.ts'
import { logoutTokens, sessions, signInAttempts } from '#lib/tables/staff.ts'
import { stepUps } from '#lib/tables/step-up.ts'
import { webhookSamples } from '#lib/tables/webhooks.ts'

const before = (column: PgColumn, ageMs: number) => (now: Date) => lt(column, new Date(now.getTime() - ageMs))
const passed = (column: PgColumn) => (now: Date) => lt(column, now)

function all(...conditions: (SQL | undefined)[]): SQL {
  return and(...conditions) ?? sql`false`
}

/** The log of API requests: by age, and of each environment the oldest of what is too much. */
export function requestRules(most = { people: 50_000, background: 10_000 }): RetentionRule[] {
  const rule = (isBackground: boolean, ageMs: number, rows: number): Pick<RetentionRule, 'table' | 'expired'> => {
    const beyond = (environment: Environment) => {
      const isOne = and(eq(serviceRequests.environment, environment), eq(serviceRequests.isBackground, isBackground))
      const last = sql`(select id from ${serviceRequests} where ${isOne} order by id desc offset ${rows} limit 1)`
      return and(isOne, lte(serviceRequests.id, last))
    }
    const isOld = (now: Date) =>
      and(eq(serviceRequests.isBackground, isBackground), before(serviceRequests.at, ageMs)(now))
    return { table: serviceRequests, expired: (now) => or(isOld(now), ...environments.map(beyond)) ?? sql`false` }
  }
  return [
    {
      what: 'API requests of people',
      after: '30 days, or 50,000 of an environment',
      ...rule(false, 30 * dayMs, most.people),
    },
    {
      what: 'API requests in background',
      after: '6 hours, or 10,000 of an environment',
      ...rule(true, 6 * hourMs, most.background),
    },
  ]
}

const inbox: Partitions = {
  span: 15,
  days: 30,
  at: (now) => sql`${now.toISOString()}::timestamptz`,
  pending: inboxEvents.appliedAt,
}
const beforeInbox = (column: PgColumn | SQL, now: Date) => sql`${column} < ${oldestPartition(inbox, now)}`

/** The rows that the console deletes by age. A table that is not here is bounded in another way; the test names it. */
export const retentionRules: readonly RetentionRule[] = [
  ...requestRules(),
  {
    table: inboxEvents,
    what: 'applied events of the inbox',
    // Services retry a delivery for a shorter time. A later duplicate would only be read back again.
    after: formatAge(inbox),
    expired: (now) =>
      all(
        // The index by receipt begins with the environment.
        inArray(inboxEvents.environment, [...environments]),
        beforeInbox(inboxEvents.receivedAt, now),
        isNotNull(inboxEvents.appliedAt),
      ),
    partitions: inbox,
  },
  {
    table: inboxIds,
    what: 'ids of events of the inbox',
    after: 'their event',
    expired: (now) =>
      all(
        beforeInbox(inboxIds.receivedAt, now),
        sql`not exists (select from ${inboxEvents} e where e.environment = ${inboxIds.environment} and e.id = ${inboxIds.id}
          and ${beforeInbox(sql`e.received_at`, now)})`,
      ),
    oldestFirst: inboxIds.receivedAt,
  },
  {
    table: changes,
    what: 'live updates',
    after: '15 minutes',
    // The newest stays, so that the position of a browser that received it is still known.
    expired: (now) =>
      all(before(changes.at, 15 * minuteMs)(now), notInArray(changes.id, sql`(select max(id) from ${changes})`)),
  },
  {
    table: rateSamples,
    what: 'samples of rates',
    after: '25 hours; the first of a minute 30 days',
    expired: passed(rateSamples.keptUntil),
  },
  { table: rateReadings, what: 'readings of rates', after: '1 day', expired: before(rateReadings.askedAt, dayMs) },
  {
    table: webhookSamples,
    what: 'samples of webhook queues',
    after: '25 hours',
    expired: before(webhookSamples.takenAt, 25 * hourMs),
  },
  { table: sessions, what: 'sessions', after: 'they expire, 12 hours at most', expired: passed(sessions.expiresAt) },
  { table: stepUps, what: 'confirmations by passkey', after: 'they expire', expired: passed(stepUps.expiresAt) },
  { table: logoutTokens, what: 'used logout tokens', after: 'they expire', expired: passed(logoutTokens.expiresAt) },
  {
    table: signInAttempts,
    what: 'counted sign-in attempts',
    after: '1 hour',
    expired: (now) => lt(signInAttempts.minute, Math.floor((now.getTime() - hourMs) / minuteMs)),
  },
]

const everyMs = minuteMs
const next = globalSingleton<{ atMs: number }>('carddeskRetention', () => ({ atMs: 0 }))

/** Deletes once a minute what the rules let go. */
export async function applyRetention(): Promise<void> {
  if (performance.now() < next().atMs) return
  next().atMs = performance.now() + everyMs
  await applyRules(database('background'), retentionRules)
}
