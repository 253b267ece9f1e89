import { and, desc, eq, lt } from 'drizzle-orm'
import type { Queryable } from '#lib/db/connection.ts'
import { backgroundLog, cutLogPage } from '../background-log.ts'
import { webhookAttempts } from '../tables/webhooks.ts'

type MadeAttempt = Omit<typeof webhookAttempts.$inferInsert, 'id'>

const log = backgroundLog(
  'log of deliveries',
  { mostWaiting: 2000, mostRows: 20_000, table: webhookAttempts },
  (attempt: MadeAttempt) => attempt,
)

export const logAttempt = log.add
/** Writes what this process holds, without the pause, and waits for it. */
export const attemptsLogged = log.written

/** The name of the event in the bytes of a delivery. */
export function eventIn(body: string): string {
  return /"event":"([^"]*)"/.exec(body)?.[1] ?? ''
}

/** A page of the attempts at a webhook, newest first. `before` is the `nextCursor` of the page before. */
export async function listAttempts(
  db: Queryable,
  webhookId: string,
  { before, limit, event, eventId }: { before: number | undefined; limit: number; event?: string; eventId?: string },
) {
  const filters = [
    eq(webhookAttempts.webhookId, webhookId),
    before === undefined ? undefined : lt(webhookAttempts.id, before),
    event === undefined ? undefined : eq(webhookAttempts.event, event),
    eventId === undefined ? undefined : eq(webhookAttempts.eventId, eventId),
  ]
  const found = await db
    .select()
    .from(webhookAttempts)
    .where(and(...filters))
    .orderBy(desc(webhookAttempts.id))
    .limit(limit + 1)
  const { rows, nextCursor } = cutLogPage(found, limit)
  return {
    attempts: rows.map(({ webhookId: _of, response: _response, ...attempt }) => ({
      ...attempt,
      id: String(attempt.id),
    })),
    nextCursor,
  }
}
