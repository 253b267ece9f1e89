import 'server-only'
import { and, eq, ilike, or, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { indexDatabase } from '#lib/db/connection.ts'
import { escapeLike } from '#lib/index/conditions.ts'
import { watchedWebhooks } from '#lib/tables/webhooks.ts'
import { type Hit, mostOfAKind, type Query } from './query.ts'

/** The webhooks by a part of their name, URL or id. */
export async function findWebhooks({ environment, q }: Query): Promise<Hit[]> {
  const { id, name, url, statsStatus, environment: ofWebhook } = watchedWebhooks
  const rows = await indexDatabase()
    .select({ id, name, url, statsStatus })
    .from(watchedWebhooks)
    .where(and(eq(ofWebhook, environment), holdsText([name, url, id], q)))
    .limit(mostOfAKind)
  return rows.map((row) => ({
    id: row.id,
    label: row.name ?? row.url,
    hint: row.name === null ? null : row.url,
    status: row.statsStatus,
  }))
}

/** Whether one of the columns holds the text, in any case. For small tables. */
function holdsText(columns: readonly AnyPgColumn[], text: string): SQL | undefined {
  return or(...columns.map((column) => ilike(column, `%${escapeLike(text)}%`)))
}
