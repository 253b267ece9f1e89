import 'server-only'
import { lt, max } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { secondMs } from '#lib/shared/time.ts'
import { withBareFailures } from '../bare-failure.ts'
import { changes } from '../tables/changes.ts'

/** The parts of a page are read side by side; none is read earlier than this before another. */
const marginMs = 3 * secondMs

/**
 * Where the stream of a page that is being rendered begins: the id of a change that everything read for the page shows, 0
 * where there is none. What changes while the page is on its way to the browser comes after it.
 */
export function placeOfPage(): Promise<number> {
  return withBareFailures(newestSafeChange)
}

async function newestSafeChange(): Promise<number> {
  const [row] = await database()
    .select({ id: max(changes.id) })
    .from(changes)
    .where(lt(changes.at, new Date(Date.now() - marginMs)))
  return row?.id ?? 0
}
