import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { isAppError } from '../app-error.ts'
import { inBackground } from '../background.ts'
import { healthOf } from '../connections/health-record.ts'
import { logFailure } from '../log.ts'
import { readSomeCards } from './cards-sync.ts'
import { readState } from './coverage.ts'
import { readAllAccounts } from './sync.ts'

/** Up to here a program is read again when a person opens it; above, in the background. */
const smallProgram = 500

/** How old the mirror may be when a person opens it (`opened`), and otherwise. */
const ages = {
  small: {
    accounts: { opened: 5 * secondMs, idle: 60 * secondMs },
    cards: { opened: 15 * secondMs, idle: 2 * minuteMs },
  },
  large: {
    accounts: { opened: 10 * minuteMs, idle: 10 * minuteMs },
    cards: { opened: 6 * 60 * minuteMs, idle: 6 * 60 * minuteMs },
  },
}

/** Accounts whose cards are read again in a minute at most: what is spread stays within what is due, and leaves staff most of the rate limit. */
const cardsAgainPerMinute = { opened: 180, idle: 60 }
const cardsOfLargePerMinute = 300

/** How long a person waits for a small program to be read again before seeing what there is. */
const timeoutMs = 2 * secondMs

/** Before a list or an overview responds: reads a small program again where it is old. Never fails, never waits long. */
export async function freshenForReader(environment: Environment): Promise<void> {
  const [state, health] = await Promise.all([readState(environment), healthOf(environment)])
  if (!health.connected) return
  const isSmall = state.accounts <= smallProgram
  const work = freshen(environment, 'opened', state)
  const isLongReading = state.readingSince !== null && Date.now() - state.readingSince.getTime() > timeoutMs
  const isWorthWaiting = isSmall && !isLongReading && health.unreachableSince === null
  if (isWorthWaiting) await Promise.race([work, delay(timeoutMs, undefined, { ref: false })])
}

/** One round in the background. */
export async function freshenInBackground(environment: Environment): Promise<void> {
  await freshen(environment, 'idle', await readState(environment))
}

type State = Awaited<ReturnType<typeof readState>>

async function freshen(environment: Environment, occasion: 'opened' | 'idle', state: State): Promise<void> {
  const isSmall = state.accounts <= smallProgram
  const { accounts, cards } = isSmall ? ages.small : ages.large
  const now = Date.now()
  if (state.asOf === null || now - state.asOf.getTime() > accounts[occasion]) {
    await once(`accounts ${environment}`, () => readAllAccounts(environment))
  }
  const before = new Date(now - cards[occasion])
  const due = Math.ceil((state.accounts / cards[occasion]) * minuteMs)
  const most = isSmall ? cardsAgainPerMinute[occasion] : cardsOfLargePerMinute
  const againPerMinute = Math.min(due, most)
  const cardsWork = once(`cards ${environment}`, () => readSomeCards(environment, { before, againPerMinute }))
  const isFirstReading = state.asOf === null
  if (isFirstReading || occasion === 'idle') await cardsWork
}

const globals = globalThis as typeof globalThis & { carddeskReadings?: Map<string, Promise<void>> }
const readings = () => (globals.carddeskReadings ??= new Map())

/** After each failure in a row the pause doubles, up to half a minute for a service that is down, else five minutes. */
const firstPauseMs = 5 * secondMs
const longestPauseMs = { unreachable: 30 * secondMs, odd: 5 * minuteMs }

type Pause = { failures: number; until: number }
const pausing = globalThis as typeof globalThis & { carddeskReadingPauses?: Map<string, Pause> }
const pauses = () => (pausing.carddeskReadingPauses ??= new Map())

/** Whether readings of this name wait after a failure. */
export function isPaused(name: string): boolean {
  return Date.now() < (pauses().get(name)?.until ?? 0)
}

/**
 * Runs one reading of this name at a time in this process, and none during the pause after a failure. Never rejects: a
 * failure leaves the mirror as it is.
 */
export function once(name: string, work: () => Promise<unknown>): Promise<void> {
  const running = readings()
  const already = running.get(name)
  if (already) return already
  if (isPaused(name)) return Promise.resolve()
  const promise = inBackground(work)
    .then(() => void pauses().delete(name))
    .catch((error: unknown) => {
      const failures = (pauses().get(name)?.failures ?? 0) + 1
      const isUnreachable = isAppError(error) && error.code === 'SERVICE_UNREACHABLE'
      const longestMs = isUnreachable ? longestPauseMs.unreachable : longestPauseMs.odd
      const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 10), longestMs)
      pauses().set(name, { failures, until: Date.now() + pauseMs })
      if (!isAppError(error)) logFailure(error, { while: name })
    })
    .finally(() => running.delete(name))
  running.set(name, promise)
  return promise
}

/** Waits for the readings under way in this process. */
export async function readingsDone(): Promise<void> {
  await Promise.all(readings().values())
}
