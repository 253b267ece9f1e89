import 'server-only'
import { and, lt, notInArray, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { changes } from '../tables/changes.ts'

/** How long a browser may have been away and still catch up change by change. */
const retentionMs = 15 * minuteMs

/** Takes old changes away; the newest stays, so that the place of a browser that saw it is still known. */
export async function pruneChanges(): Promise<void> {
  await database()
    .delete(changes)
    .where(
      and(
        lt(changes.at, new Date(Date.now() - retentionMs)),
        notInArray(changes.id, sql`(select max(id) from ${changes})`),
      ),
    )
}
