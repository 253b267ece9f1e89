import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { Queryable } from '#lib/db/connection.ts'
import { backgroundLog } from '../background-log.ts'
import { webhookAttempts } from '../tables/webhooks.ts'

/** Attempts held in memory between two writes. Above this number the oldest are not logged. */
const mostWaiting = 2000
/** The approximate number of rows in the log. */
const mostRows = 20_000
/** Rows of one statement. */
const mostAtOnce = 500

type MadeAttempt = Omit<typeof webhookAttempts.$inferInsert, 'id'>

const log = backgroundLog<MadeAttempt>('log of deliveries', mostWaiting, async (db, attempts) => {
  for (let at = 0; at < attempts.length; at += mostAtOnce) {
    await db.insert(webhookAttempts).values(attempts.slice(at, at + mostAtOnce))
  }
  await db
    .delete(webhookAttempts)
    .where(sql`${webhookAttempts.id} <= (select max(id) from ${webhookAttempts}) - ${mostRows}`)
})

export const logAttempt = log.add
/** Writes what this process holds, without the pause, and waits for it. */
export const attemptsLogged = log.written

/** The name of the event in the bytes of a delivery. */
export function eventIn(body: string): string {
  return /"event":"([^"]*)"/.exec(body)?.[1] ?? ''
}

export type LoggedAttempt = Omit<typeof webhookAttempts.$inferSelect, 'id' | 'webhookId' | 'at' | 'nextAt'> & {
  id: string
  at: string
  nextAt: string | null
}

/** A page of the attempts at a webhook, newest first. `before` is the `nextCursor` of the page before. */
export async function listAttempts(
  db: Queryable,
  webhookId: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<{ attempts: LoggedAttempt[]; nextCursor: string | null }> {
  const isAfter = before === undefined ? undefined : lt(webhookAttempts.id, before)
  const rows = await db
    .select()
    .from(webhookAttempts)
    .where(and(eq(webhookAttempts.webhookId, webhookId), isAfter))
    .orderBy(desc(webhookAttempts.id))
    .limit(limit + 1)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    attempts: rows.slice(0, limit).map(({ id, webhookId: _of, at, nextAt, ...attempt }) => ({
      ...attempt,
      id: String(id),
      at: at.toISOString(),
      nextAt: nextAt?.toISOString() ?? null,
    })),
    nextCursor: last ? String(last.id) : null,
  }
}
