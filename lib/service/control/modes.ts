import { sql } from 'drizzle-orm'
import type { Queryable } from '#lib/db/connection.ts'
import { ModeChanges, usualModes, type Modes } from '../modes.ts'
import { modes } from '../tables/runtime.ts'
import { controlRoute } from './control-route.ts'

export async function currentModes(db: Queryable): Promise<Modes> {
  const [row] = await db.select({ changes: modes.changes }).from(modes)
  return { ...usualModes, ...row?.changes }
}

export const modeRoutes = [
  controlRoute({ method: 'GET', path: '/modes', response: ({ db }) => currentModes(db) }),
  controlRoute({
    method: 'POST',
    path: '/modes',
    body: ModeChanges,
    response: async ({ db }, changes) => {
      await db
        .insert(modes)
        .values({ changes })
        .onConflictDoUpdate({ target: modes.id, set: { changes: sql`${modes.changes} || excluded.changes` } })
      return currentModes(db)
    },
  }),
  controlRoute({
    method: 'DELETE',
    path: '/modes',
    response: async ({ db }) => {
      await db.delete(modes)
      return currentModes(db)
    },
  }),
]
