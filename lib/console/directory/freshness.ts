import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { inBackground } from '../background.ts'
import { healthOf } from '../health-record.ts'
import { logFailure } from '../log.ts'
import { isRefusal } from '../refusal.ts'
import { readSomeCards } from './cards-sync.ts'
import { readState } from './coverage.ts'
import { readAllAccounts } from './sync.ts'

/** Up to here a program is read again whenever somebody looks at it; above, in the background. */
const smallProgram = 500

/** How old the mirror may be when somebody looks at it (`looked`), and when nobody does. */
const ages = {
  small: {
    accounts: { looked: 5 * secondMs, idle: 60 * secondMs },
    cards: { looked: 15 * secondMs, idle: 60 * secondMs },
  },
  large: {
    accounts: { looked: 10 * minuteMs, idle: 10 * minuteMs },
    cards: { looked: 6 * 60 * minuteMs, idle: 6 * 60 * minuteMs },
  },
}

/** How long a person waits for a small program to be read again before seeing what there is. */
const patienceMs = 2 * secondMs

/** Before a list or an overview is answered: reads a small program again where it is old. Never fails, never waits long. */
export async function freshenForReader(environment: Environment): Promise<void> {
  const [state, health] = await Promise.all([readState(environment), healthOf(environment)])
  if (!health.connected) return
  const isSmall = state.accounts <= smallProgram
  const work = freshen(environment, 'looked', state)
  const isLongReading = state.readingSince !== null && Date.now() - state.readingSince.getTime() > patienceMs
  const isWorthWaiting = isSmall && !isLongReading && health.unreachableSince === null
  if (isWorthWaiting) await Promise.race([work, delay(patienceMs, undefined, { ref: false })])
}

/** One round in the background. */
export async function freshenInBackground(environment: Environment): Promise<void> {
  await freshen(environment, 'idle', await readState(environment))
}

type State = Awaited<ReturnType<typeof readState>>

async function freshen(environment: Environment, occasion: 'looked' | 'idle', state: State): Promise<void> {
  const { accounts, cards } = state.accounts <= smallProgram ? ages.small : ages.large
  const now = Date.now()
  if (state.asOf === null || now - state.asOf.getTime() > accounts[occasion]) {
    await once(`accounts ${environment}`, () => readAllAccounts(environment))
  }
  const cardsWork = once(`cards ${environment}`, () => readSomeCards(environment, new Date(now - cards[occasion])))
  const isFirstReading = state.asOf === null
  if (isFirstReading || occasion === 'idle') await cardsWork
}

const globals = globalThis as typeof globalThis & { carddeskReadings?: Map<string, Promise<void>> }
const readings = () => (globals.carddeskReadings ??= new Map())

/** One at a time in this process; a failure is the service's to answer for (its health says so), the mirror stays as it is. */
export function once(name: string, work: () => Promise<unknown>): Promise<void> {
  const running = readings()
  const already = running.get(name)
  if (already) return already
  const promise = inBackground(work)
    .then(() => undefined)
    .catch((error: unknown) => {
      if (!isRefusal(error)) logFailure(error, { while: name })
    })
    .finally(() => running.delete(name))
  running.set(name, promise)
  return promise
}

/** Waits for the readings under way in this process. */
export async function readingsDone(): Promise<void> {
  await Promise.all(readings().values())
}
