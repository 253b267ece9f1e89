import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { text } from '#lib/contract/fields.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { dayMs } from '#lib/shared/time.ts'
import { withCalendar } from '../calendar.ts'
import { sandboxNow } from '../clock.ts'
import { ModeChanges, type Modes, usualModes } from '../modes.ts'
import { advanceClock, performers } from '../perform-due-work.ts'
import { resetService } from '../seed/seed.ts'
import { deleteSnapshot, listSnapshots, restoreSnapshot, takeSnapshot } from '../snapshots.ts'
import { modes } from '../tables/runtime.ts'
import { deliveriesOf } from '../webhooks/deliveries.ts'
import { controlRoute, durationLike } from './control-route.ts'
import { armedFaults } from './faults.ts'

/** A hundred years: dates beyond those that everybody can write help no test. */
const longestAdvanceMs = 36_525 * dayMs

const Advance = z.object({
  advance: durationLike('PT24H').refine((durationMs) => durationMs <= longestAdvanceMs, 'must be at most P36525D'),
})

const SnapshotId = z.strictObject({
  id: z.string('must be a string').regex(/^[0-9a-f]{16}$/, 'must be the id of a snapshot'),
})

/** The state of the whole sandbox: clock, modes, snapshots, contents. */
export const sandboxRoutes = [
  controlRoute({
    method: 'GET',
    path: '/state',
    response: async ({ db }) => {
      const [now, faults, modes] = await Promise.all([sandboxNow(db), armedFaults(db), currentModes(db)])
      return { now: now.toISOString(), ...faults, modes }
    },
  }),
  controlRoute({
    method: 'GET',
    path: '/clock',
    response: async ({ db }) => ({ now: (await sandboxNow(db)).toISOString() }),
  }),
  controlRoute({
    method: 'POST',
    path: '/clock',
    body: Advance,
    response: async (service, { advance }) => {
      const { now, performed } = await advanceClock(service.db, advance, performers, deliveriesOf(service))
      return { now: now.toISOString(), performed }
    },
  }),
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
  controlRoute({
    method: 'GET',
    path: '/snapshots',
    response: async ({ db }) => ({ snapshots: await listSnapshots(db) }),
  }),
  controlRoute({
    method: 'POST',
    path: '/snapshots',
    body: z.strictObject({ name: text(100) }),
    response: ({ db }, { name }) => takeSnapshot(db, name),
  }),
  controlRoute({
    method: 'DELETE',
    path: '/snapshots',
    query: SnapshotId,
    response: async ({ db }, { id }) => {
      await deleteSnapshot(db, id)
      return { snapshots: await listSnapshots(db) }
    },
  }),
  controlRoute({
    method: 'POST',
    path: '/snapshots/restore',
    body: SnapshotId,
    response: ({ db }, { id }) => restoreSnapshot(db, id),
  }),
  controlRoute({
    method: 'GET',
    path: '/contents',
    response: async ({ db, settings }) => ({
      ...(await countContents(db)),
      seededCardAccounts: settings.seededCardAccounts,
    }),
  }),
  controlRoute({
    method: 'POST',
    path: '/reset',
    response: async ({ db, settings }) => {
      const now = new Date()
      await withCalendar(db, () => resetService(db, { ...settings, cardAccounts: settings.seededCardAccounts, now }))
      return { now: now.toISOString() }
    },
  }),
]

async function currentModes(db: Queryable): Promise<Modes> {
  const [row] = await db.select({ changes: modes.changes }).from(modes)
  return { ...usualModes, ...row?.changes }
}

/** Tables whose rows a reset removes, as `GET /contents` names them. */
const contents = {
  cardAccounts: 'card_accounts',
  cards: 'cards',
  transactions: 'card_account_transactions',
  fees: 'fees',
  payouts: 'payouts',
  webhooks: 'webhooks',
  events: 'events',
  dueWork: 'due_work',
  faults: 'faults',
}

async function countContents(db: Queryable): Promise<Record<string, number>> {
  const counts = Object.entries(contents).map(
    ([name, table]) => sql`${sql.raw(`'${name}'`)}, (select count(*) from ${sql.raw(`service.${table}`)})`,
  )
  const { rows } = await db.execute<{ counts: Record<string, number> }>(
    sql`select json_build_object(${sql.join(counts, sql`, `)}) as counts`,
  )
  return rows[0]?.counts ?? {}
}
