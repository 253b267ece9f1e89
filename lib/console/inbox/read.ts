import 'server-only'
import { and, desc, eq, gte, lte, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn, AnyPgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { inboxSearch } from '#lib/api/inbox.ts'
import { eventNames } from '#lib/contract/terms.ts'
import { database } from '#lib/db/connection.ts'
import { distinctValues } from '#lib/index/distinct-values.ts'
import { pageByNumber } from '#lib/index/keyset.ts'
import { filterSchemas } from '#lib/index/search-schema.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { isServiceId } from '#lib/shared/ids.ts'
import { dateTime, parseSearch, listPage } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime, dayMs } from '#lib/shared/time.ts'
import { indexedAccounts, indexedCards } from '#lib/tables/card-accounts.ts'
import { inboxCounts, inboxEvents } from '#lib/tables/inbox.ts'
import { indexedPayouts } from '#lib/tables/payouts.ts'
import { maskDelivery } from './delivery.ts'
import type { InboxEvent, InboxEventDetail, InboxFigures } from './types.ts'

type InboxPage = {
  events: InboxEvent[]
  prevPageToken: string | null
  nextPageToken: string | null
  figures: InboxFigures
  /** Every event name that may be filtered by: those of the interface and those that came. */
  names: string[]
}

const InboxFilters = z
  .object({
    ...filterSchemas(inboxSearch.filters),
    /** The start of the reader's day, for today's count only. UTC without it. */
    today: dateTime,
    ...listPage,
  })
  .partial()
type InboxFilters = z.input<typeof InboxFilters>

const kinds = {
  unknown: eq(inboxEvents.isKnown, false),
  waiting: sql`${inboxEvents.appliedAt} is null`,
  duplicated: sql`${inboxEvents.duplicates} > 0`,
}

/** Events in the order of their arrival, newest first, with what came beside them. */
export async function listInbox(environment: Environment, search: InboxFilters): Promise<InboxPage> {
  const { pageSize: size = 50, pageToken: token, today, ...filters } = parseSearch(InboxFilters, search)
  const { position, receivedAt } = inboxEvents
  const { rows, ...tokens } = await pageByNumber(
    position,
    'desc',
    { scope: ['inbox', environment, filters], token, size },
    ({ event }: Awaited<ReturnType<typeof selectEvents>>[number]) => event.position,
    ({ condition, order, limit }) =>
      selectEvents()
        .where(
          and(
            eq(inboxEvents.environment, environment),
            filters.event ? eq(inboxEvents.event, filters.event) : undefined,
            filters.cardAccountId ? isId(inboxEvents.cardAccountId, filters.cardAccountId) : undefined,
            filters.cardId ? isId(inboxEvents.cardId, filters.cardId) : undefined,
            filters.kind ? kinds[filters.kind] : undefined,
            filters.dateRangeFrom ? gte(receivedAt, filters.dateRangeFrom) : undefined,
            filters.dateRangeTo ? lte(receivedAt, filters.dateRangeTo) : undefined,
            condition,
          ),
        )
        .orderBy(...order)
        .limit(limit),
  )
  const dayFrom = today ?? new Date(Math.floor(Date.now() / dayMs) * dayMs)
  const [figures, names] = await Promise.all([readFigures(environment, dayFrom), readEventNames(environment)])
  return {
    events: rows.map(toInboxEvent),
    ...tokens,
    figures,
    names,
  }
}

function isId(column: AnyPgColumn, id: string): SQL {
  return sql`lower(${column}) = ${id.toLowerCase()}`
}

/** Card numbers are masked again, for events that were stored before the inbox did so. Throws `EVENT_NOT_FOUND`. */
export async function readInboxEvent(environment: Environment, id: string): Promise<InboxEventDetail> {
  const byId = and(eq(inboxEvents.environment, environment), eq(inboxEvents.id, id))
  const [row] = isServiceId(id) ? await selectEvents().where(byId) : []
  if (!row) throw new AppError('EVENT_NOT_FOUND', 'There is no such event in the inbox of this environment.')
  return { ...toInboxEvent(row), body: maskDelivery(row.event.body) }
}

/**
 * Events with the names of what they are about, as the index has them; an event may spell an id in another case. Every role
 * that reads events reads those, too.
 */
function selectEvents() {
  const indexed = (table: AnyPgTable, value: SQL, id: SQL) => sql<string | null>`(
    select ${value} from ${table} m where m.environment = inbox_events.environment and lower(m.id) = lower(inbox_events.${id})
    order by m.id limit 1)`
  return database()
    .select({
      event: inboxEvents,
      accountName: indexed(indexedAccounts, sql`m.name`, sql`card_account_id`).as('account_name'),
      cardLast4: indexed(indexedCards, sql`m.last4`, sql`card_id`).as('card_last4'),
      payoutTo: indexed(
        indexedPayouts,
        sql`nullif(m.record -> 'destination' ->> 'accountHolderName', '')`,
        sql`payout_id`,
      ).as('payout_to'),
    })
    .from(inboxEvents)
}

async function readFigures(environment: Environment, dayFrom: Date): Promise<InboxFigures> {
  const db = database()
  const [[newest], [sums], counts, lag] = await Promise.all([
    db
      .select({ receivedAt: inboxEvents.receivedAt, event: inboxEvents.event })
      .from(inboxEvents)
      .where(eq(inboxEvents.environment, environment))
      .orderBy(desc(inboxEvents.position))
      .limit(1),
    db
      .select({
        received: sql<number>`count(*)::int`,
        today: sql<number>`(count(*) filter (where ${inboxEvents.receivedAt} >= ${dayFrom.toISOString()}))::int`,
        waiting: sql<number>`(count(*) filter (where ${inboxEvents.appliedAt} is null))::int`,
      })
      .from(inboxEvents)
      .where(eq(inboxEvents.environment, environment)),
    db
      .select({
        kind: inboxCounts.kind,
        count: sql<number>`sum(${inboxCounts.count})::int`,
        lastAt: sql<Date>`max(${inboxCounts.lastAt})`.mapWith(inboxCounts.lastAt),
      })
      .from(inboxCounts)
      .where(eq(inboxCounts.environment, environment))
      .groupBy(inboxCounts.kind),
    db.execute<{ p50: number; p99: number; events: number }>(sql`
      select percentile_disc(0.5) within group (order by lag) as p50, percentile_disc(0.99) within group (order by lag) as p99,
        count(*)::int as events
      from (select greatest(0, round(extract(epoch from applied_at - received_at) * 1000))::float8 as lag from ${inboxEvents}
        where environment = ${environment} and applied_at is not null order by position desc limit 1000) recent
      having count(*) > 0`),
  ])
  const findCount = (kind: string) => counts.find((row) => row.kind === kind)
  const [percentiles] = lag.rows
  return {
    newest: newest ? { receivedAt: newest.receivedAt.toISOString(), event: newest.event } : null,
    receivedToday: sums?.today ?? 0,
    received: sums?.received ?? 0,
    waiting: sums?.waiting ?? 0,
    signatures: { count: findCount('signature')?.count ?? 0, lastAt: isoTime(findCount('signature')?.lastAt) },
    malformed: findCount('malformed')?.count ?? 0,
    duplicates: findCount('duplicate')?.count ?? 0,
    lagMs: percentiles ?? null,
  }
}

/** The names of the interface, and those that came, of which there may be any number. */
async function readEventNames(environment: Environment): Promise<string[]> {
  const { rows } = await database().execute<{ names: string[] }>(
    sql`select ${distinctValues(inboxEvents, environment, 'event')} as names`,
  )
  return [...new Set([...eventNames, ...(rows[0]?.names.slice(0, 200) ?? [])])].toSorted()
}

function toInboxEvent({
  event: row,
  ...names
}: Pick<InboxEvent, 'accountName' | 'cardLast4' | 'payoutTo'> & {
  event: typeof inboxEvents.$inferSelect
}): InboxEvent {
  return {
    ...names,
    id: row.id,
    event: row.event,
    isKnown: row.isKnown,
    cardAccountId: row.cardAccountId,
    cardId: row.cardId,
    payoutId: row.payoutId,
    time: isoTime(row.time),
    receivedAt: row.receivedAt.toISOString(),
    appliedAt: isoTime(row.appliedAt),
    problem: row.problem,
    duplicates: row.duplicates,
  }
}
