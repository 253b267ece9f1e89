import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { once } from '../directory/freshness.ts'
import { withExclusive } from '../directory/sync.ts'
import { askService } from '../environments.ts'
import { healthOf } from '../health-record.ts'
import { announce } from '../live/announce.ts'
import { directoryPayouts, payoutReadings } from '../tables/payouts.ts'
import { forgetUnseen, mirrorPayouts } from './mirror.ts'

/** Up to here all payouts are read again whenever somebody looks at the list; above, in the background. */
const smallProgram = 500

/** How old the mirror may be when somebody looks at it (`looked`), and when nobody does. */
const ages = {
  small: { looked: 5 * secondMs, idle: 60 * secondMs },
  large: { looked: 10 * minuteMs, idle: 10 * minuteMs },
}

/** How long a person waits for a reading before seeing what there is. */
const patienceMs = 2 * secondMs

/** Pages that go without a pause, and how many go in a second afterwards: staff keep most of the rate limit. */
const [unpacedPages, pagesPerSecond] = [10, 8]

/** How complete and how old the mirror of payouts is. Times are ISO 8601. */
export type PayoutCoverage = {
  /** Every payout of the service was read at least once. */
  isComplete: boolean
  isReading: boolean
  /** Nothing in the mirror is older; null before the first whole reading. */
  asOf: string | null
}

export async function payoutCoverage(environment: Environment): Promise<PayoutCoverage> {
  const { asOf, readingSince } = await readState(environment)
  return { isComplete: asOf !== null, isReading: readingSince !== null, asOf: asOf?.toISOString() ?? null }
}

/**
 * Before a list is answered: reads again what is old, all payouts where they are few, the newest page of many. Never fails,
 * never waits long.
 */
export async function freshenPayoutsForReader(environment: Environment): Promise<void> {
  const [state, health] = await Promise.all([readState(environment), healthOf(environment)])
  if (!health.connected) return
  const work = isDue(state, 'looked')
    ? once(`payouts ${environment}`, () => readAllPayouts(environment))
    : freshenNewest(environment, state)
  const isLongReading = state.readingSince !== null && Date.now() - state.readingSince.getTime() > patienceMs
  if (!work || isLongReading || health.unreachableSince !== null) return
  await Promise.race([work, delay(patienceMs, undefined, { ref: false })])
}

const newestReadAt = new Map<Environment, number>()

/** Of many payouts the newest page is read again, where that was not done just now. */
function freshenNewest(environment: Environment, { payouts }: State): Promise<void> | null {
  const age = Date.now() - (newestReadAt.get(environment) ?? 0)
  if (payouts <= smallProgram || age <= ages.small.looked) return null
  newestReadAt.set(environment, Date.now())
  return once(`newest payouts ${environment}`, () => readNewestPayouts(environment))
}

/** One round in the background. */
export async function freshenPayoutsInBackground(environment: Environment): Promise<void> {
  if (isDue(await readState(environment), 'idle')) {
    await once(`payouts ${environment}`, () => readAllPayouts(environment))
  }
}

type State = typeof payoutReadings.$inferSelect

async function readState(environment: Environment): Promise<State> {
  const [state] = await database().select().from(payoutReadings).where(eq(payoutReadings.environment, environment))
  return state ?? { environment, reading: 0, readingSince: null, asOf: null, payouts: 0 }
}

function isDue({ asOf, payouts }: State, occasion: 'looked' | 'idle'): boolean {
  const { [occasion]: oldestMs } = payouts <= smallProgram ? ages.small : ages.large
  return asOf === null || Date.now() - asOf.getTime() > oldestMs
}

const lockName = (environment: Environment) => `payouts ${environment}`

/**
 * Reads every payout of the service into the mirror; those that are gone are taken away at its end. One process at a time
 * does this: false when another one does. An error leaves the mirror as far as it came.
 */
export async function readAllPayouts(environment: Environment): Promise<boolean> {
  return withExclusive(database(), lockName(environment), async () => {
    const startedAt = new Date()
    const reading = await beginReading(environment, startedAt)
    const seen = new Set<string>()
    try {
      let pageToken: string | undefined
      for (let page = 0; page === 0 || pageToken !== undefined; page += 1) {
        const { next, askedAt } = await readPage(environment, pageToken, reading)
        if (next !== undefined && seen.has(next)) throw new Error('the list of payouts goes in a circle')
        if (next !== undefined) seen.add(next)
        pageToken = next
        if (page >= unpacedPages) await delay(Math.max(0, 1000 / pagesPerSecond - (Date.now() - askedAt.getTime())))
      }
      await endReading(environment, reading, startedAt)
    } catch (error) {
      await database()
        .update(payoutReadings)
        .set({ readingSince: null })
        .where(eq(payoutReadings.environment, environment))
      throw error
    }
  })
}

async function readNewestPayouts(environment: Environment): Promise<void> {
  await withExclusive(database(), lockName(environment), async () => {
    await readPage(environment, undefined, 0)
  })
}

async function readPage(environment: Environment, pageToken: string | undefined, reading: number) {
  const { answer, askedAt } = await askService(environment, 'listPayouts', {
    query: { pageSize: '100', ...(pageToken === undefined ? {} : { pageToken }) },
  })
  const isNews = await mirrorPayouts(environment, answer.payouts, askedAt, reading)
  if (isNews) announce(environment, [{ type: 'payouts' }])
  return { next: answer.nextPageToken ?? undefined, askedAt }
}

async function beginReading(environment: Environment, startedAt: Date): Promise<number> {
  const [state] = await database()
    .insert(payoutReadings)
    .values({ environment, reading: 1, readingSince: startedAt })
    .onConflictDoUpdate({
      target: payoutReadings.environment,
      set: { reading: sql`${payoutReadings.reading} + 1`, readingSince: startedAt },
    })
    .returning({ reading: payoutReadings.reading })
  return state?.reading ?? 1
}

async function endReading(environment: Environment, reading: number, startedAt: Date): Promise<void> {
  await inTransaction(database(), async (tx) => {
    await forgetUnseen(tx, environment, reading, startedAt)
    const payouts = sql`(select count(*) from ${directoryPayouts} where environment = ${environment})`
    await tx
      .update(payoutReadings)
      .set({ readingSince: null, asOf: startedAt, payouts })
      .where(eq(payoutReadings.environment, environment))
  })
}
