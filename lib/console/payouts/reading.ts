import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { healthOf } from '../desk/connections/health-record.ts'
import { fetchPages, type Page } from '../desk/connections/paginate.ts'
import { publish } from '../desk/live/publish.ts'
import { isPaused, once } from '../desk/mirror/freshness.ts'
import { readFully } from '../desk/mirror/full-reading.ts'
import { withExclusive } from '../desk/mirror/sync.ts'
import { directoryPayouts, payoutReadings } from '../desk/tables/payouts.ts'
import { deleteMissing, mirrorPayouts } from './mirror.ts'
import type { PayoutCoverage } from './shapes.ts'

/** Up to here all payouts are read again when a person opens the list; above, in the background. */
const smallProgram = 500

/** How old the mirror may be when a person opens it (`opened`), and otherwise. */
const ages = {
  small: { opened: 5 * secondMs, idle: 60 * secondMs },
  large: { opened: 10 * minuteMs, idle: 10 * minuteMs },
}

/** How long a person waits for a reading before seeing what there is. */
const timeoutMs = 2 * secondMs

export async function payoutCoverage(environment: Environment): Promise<PayoutCoverage> {
  const { asOf, readingSince, stoppedBecause, excluded } = await readState(environment)
  return {
    isComplete: asOf !== null && stoppedBecause === null,
    isReading: readingSince !== null,
    asOf: asOf?.toISOString() ?? null,
    excluded,
  }
}

/**
 * Before a list responds: reads again what is old, all payouts where they are few, the newest page of many. Never fails,
 * never waits long.
 */
export async function freshenPayoutsForReader(environment: Environment): Promise<void> {
  const [state, health] = await Promise.all([readState(environment), healthOf(environment)])
  if (!health.connected) return
  const name = `payouts ${environment}`
  const work =
    isDue(state, 'opened') && !isPaused(name)
      ? once(name, () => readAllPayouts(environment))
      : freshenNewest(environment, state)
  const isLongReading = state.readingSince !== null && Date.now() - state.readingSince.getTime() > timeoutMs
  if (!work || isLongReading || health.unreachableSince !== null) return
  await Promise.race([work, delay(timeoutMs, undefined, { ref: false })])
}

const globals = globalThis as typeof globalThis & { carddeskNewestPayouts?: Map<Environment, number> }
/** When the newest page was last read: one a process, also where a bundler loads this module twice. */
const newestReadAt = () => (globals.carddeskNewestPayouts ??= new Map())

/** Of many payouts the newest page is read again, where that was not done just now. */
function freshenNewest(environment: Environment, { payouts }: State): Promise<void> | null {
  const age = Date.now() - (newestReadAt().get(environment) ?? 0)
  if (payouts <= smallProgram || age <= ages.small.opened) return null
  newestReadAt().set(environment, Date.now())
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
  return (
    state ?? { environment, reading: 0, readingSince: null, asOf: null, payouts: 0, excluded: 0, stoppedBecause: null }
  )
}

function isDue({ asOf, payouts }: State, occasion: 'opened' | 'idle'): boolean {
  const { [occasion]: oldestMs } = payouts <= smallProgram ? ages.small : ages.large
  return asOf === null || Date.now() - asOf.getTime() > oldestMs
}

const lockName = (environment: Environment) => `payouts ${environment}`

/**
 * Reads every payout of the service into the mirror and deletes those that are gone. One process at a time does this: false
 * when another one does. Throws where the reading fails or stops early; the mirror then holds what was read, and loses
 * nothing.
 */
export async function readAllPayouts(environment: Environment): Promise<boolean> {
  return withExclusive(database(), lockName(environment), () =>
    readFully(environment, 'listPayouts', {
      title: 'payouts',
      state: payoutReadings,
      records: { column: sql`payouts`, table: directoryPayouts },
      store: (page, reading) => storePage(environment, page, reading),
      deleteMissing: (tx, reading, startedAt) => deleteMissing(tx, environment, reading, startedAt),
    }),
  )
}

async function readNewestPayouts(environment: Environment): Promise<void> {
  await withExclusive(database(), lockName(environment), async () => {
    for await (const page of fetchPages(environment, 'listPayouts', {}, { maximumPages: 1 })) {
      await storePage(environment, page, 0)
    }
  })
}

async function storePage(environment: Environment, page: Page<'listPayouts'>, reading: number): Promise<number> {
  const { hasNewState, excluded } = await mirrorPayouts(environment, page.response.payouts, page.fetchedAt, reading)
  if (hasNewState) publish(environment, [{ type: 'payouts' }])
  return excluded
}
