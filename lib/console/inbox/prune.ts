import 'server-only'
import { sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { dayMs } from '#lib/shared/time.ts'
import { inboxEvents } from '../desk/tables/inbox.ts'

/** Far longer than any service goes on delivering an event: a duplicate that came later would only be read back again. */
const retentionMs = 30 * dayMs
const atOnce = 5000

/** Takes events away that were applied long ago, some at a time. */
export async function pruneInbox(): Promise<void> {
  await database().execute(sql`
    delete from ${inboxEvents} where position in (
      select position from ${inboxEvents}
      where applied_at is not null and received_at < ${new Date(Date.now() - retentionMs).toISOString()}
      order by position limit ${atOnce})`)
}
