import { sql } from 'drizzle-orm'
import type { Queryable } from '#lib/db/connection.ts'
import { retryingGivenUp } from '#lib/db/transaction.ts'
import { withCalendar } from '../calendar.ts'
import { resetService } from '../seed/seed.ts'
import { controlRoute } from './control-route.ts'

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
} as const

async function countContents(db: Queryable): Promise<Record<string, number>> {
  const counts = Object.entries(contents).map(
    ([name, table]) => sql`${sql.raw(`'${name}'`)}, (select count(*) from ${sql.raw(`service.${table}`)})`,
  )
  const { rows } = await db.execute<{ counts: Record<string, number> }>(
    sql`select json_build_object(${sql.join(counts, sql`, `)}) as counts`,
  )
  return rows[0]?.counts ?? {}
}

export const resetRoutes = [
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
      const seed = {
        cardAccounts: settings.seededCardAccounts,
        now,
        cardNumberKey: settings.cardNumberKey,
        consoleInboxUrl: settings.consoleInboxUrl,
      }
      await withCalendar(db, () => retryingGivenUp(() => resetService(db, seed)))
      return { now: now.toISOString() }
    },
  }),
]
