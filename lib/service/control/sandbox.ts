import { asc, sql } from 'drizzle-orm'
import { z } from 'zod'
import { text } from '#lib/contract/fields.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { dayMs } from '#lib/shared/time.ts'
import { withClockLock } from '../clock-lock.ts'
import { readClock } from '../clock.ts'
import { ModeChanges, type Modes, usualModes } from '../modes.ts'
import { advanceClock } from '../perform-due-work.ts'
import { resetService } from '../seed/seed.ts'
import { deleteSnapshot, listSnapshots, restoreSnapshot, takeSnapshot } from '../snapshots.ts'
import { products } from '../tables/cards.ts'
import { modes } from '../tables/runtime.ts'
import { makeDeliveries } from '../webhooks/deliveries.ts'
import { controlRoute, durationLike, Instant } from './control-route.ts'
import { listArmedFaults } from './faults.ts'

/** A hundred years: dates beyond those that everybody can write help no test. */
const longestAdvanceMs = 36_525 * dayMs

const MovedClock = z
  .strictObject({
    advance: durationLike('PT24H')
      .refine((durationMs) => durationMs <= longestAdvanceMs, 'must be at most P36525D')
      .optional(),
    to: Instant.optional(),
    freeze: z.boolean('must be true or false').optional(),
  })
  .superRefine(({ advance, to, freeze }, issues) => {
    if (advance === undefined && to === undefined && freeze === undefined)
      issues.addIssue({ code: 'custom', path: ['advance'], message: 'is required, or to, or freeze' })
    if (advance !== undefined && to !== undefined)
      issues.addIssue({ code: 'custom', path: ['to'], message: 'must be left out where advance is given' })
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
      const [clock, faults, modes, contentsId] = await Promise.all([
        readClock(db),
        listArmedFaults(db),
        readModes(db),
        readContentsId(db),
      ])
      return { ...clock, ...faults, modes, contentsId }
    },
  }),
  controlRoute({
    method: 'GET',
    path: '/clock',
    response: ({ db }) => readClock(db),
  }),
  controlRoute({
    method: 'POST',
    path: '/clock',
    body: MovedClock,
    response: async (service, { advance, to, freeze }) => {
      const { db } = service
      const moved = await advanceClock(db, { byMs: advance, to, freeze }, { deliveries: makeDeliveries(service) })
      return { ...(await readClock(db)), performed: moved.performed }
    },
  }),
  controlRoute({ method: 'GET', path: '/modes', response: ({ db }) => readModes(db) }),
  controlRoute({
    method: 'POST',
    path: '/modes',
    body: ModeChanges,
    response: async ({ db }, changes) => {
      await db
        .insert(modes)
        .values({ changes })
        .onConflictDoUpdate({ target: modes.id, set: { changes: sql`${modes.changes} || excluded.changes` } })
      return readModes(db)
    },
  }),
  controlRoute({
    method: 'DELETE',
    path: '/modes',
    response: async ({ db }) => {
      await db.delete(modes)
      return readModes(db)
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
    method: 'GET',
    path: '/products',
    response: async ({ db }) => ({
      products: await db
        .select({ id: products.id, name: products.name, cardType: products.cardType })
        .from(products)
        .orderBy(asc(products.cardType), asc(products.name)),
    }),
  }),
  controlRoute({
    method: 'POST',
    path: '/reset',
    response: async ({ db, settings }) => {
      const now = settings.startsAt ?? new Date()
      await withClockLock(db, () => resetService(db, { ...settings, cardAccounts: settings.seededCardAccounts, now }))
      return { now: now.toISOString() }
    },
  }),
]

/** Another after each reset and each restored snapshot: both truncate the tables, which gives them other files. */
async function readContentsId(db: Queryable): Promise<string> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select pg_relation_filenode('service.card_accounts')::text as id`,
  )
  return rows[0]?.id ?? ''
}

async function readModes(db: Queryable): Promise<Modes> {
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
