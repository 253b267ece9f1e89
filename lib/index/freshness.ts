import 'server-only'
import { inBackground } from '#lib/environments/background.ts'
import { isAppError } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { hourMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import { accountIndex } from './accounts-sync.ts'
import { readSomeCards } from './cards-sync.ts'
import { isDue, isSmall, type IndexState, type Occasion } from './define-index.ts'
import { indexSomeTransactions } from './transactions-sync.ts'

/** The maximum age of the index's cards when a person opens them (`opened`), and otherwise. */
const cardAges = {
  small: { opened: 15 * secondMs, idle: 2 * minuteMs },
  large: { opened: 6 * hourMs, idle: 6 * hourMs },
}

/** At most this many accounts' cards are synced in a minute, which leaves staff most of the rate limit. */
const cardsAgainPerMinute = { opened: 180, idle: 60 }
const cardsOfLargePerMinute = 300

/**
 * Called before a list or an overview responds: syncs a small program where its index is old. Never fails, never waits
 * long.
 */
export async function freshenForReader(environment: Environment): Promise<void> {
  await accountIndex.freshenForReader(environment, (state) => {
    const work = freshen(environment, 'opened', state)
    return isSmall(state) ? work : null
  })
}

/** One round in the background. */
export async function freshenInBackground(environment: Environment): Promise<void> {
  await freshen(environment, 'idle', await accountIndex.readState(environment))
}

/** One round of the index of transactions. */
export async function indexTransactionsInBackground(environment: Environment): Promise<void> {
  await singleFlight(`transactions ${environment}`, () => indexSomeTransactions(environment))
}

async function freshen(environment: Environment, occasion: Occasion, state: IndexState): Promise<void> {
  if (isDue(state, occasion)) await singleFlight(`accounts ${environment}`, () => accountIndex.readAll(environment))
  const ageMs = cardAges[isSmall(state) ? 'small' : 'large'][occasion]
  const before = new Date(Date.now() - ageMs)
  const due = Math.ceil((state.records / ageMs) * minuteMs)
  const most = isSmall(state) ? cardsAgainPerMinute[occasion] : cardsOfLargePerMinute
  const againPerMinute = Math.min(due, most)
  const cardsWork = singleFlight(`cards ${environment}`, () => readSomeCards(environment, { before, againPerMinute }))
  const isFirstReading = state.asOf === null
  if (isFirstReading || occasion === 'idle') await cardsWork
}

const readings = globalSingleton<Map<string, Promise<void>>>('carddeskReadings', () => new Map())

/**
 * After each failure in a row the pause doubles, up to half a minute. Only a reading that takes long before it fails, at a service
 * that responds, may pause for longer: three times as long as it took, up to five minutes.
 */
const firstPauseMs = 5 * secondMs
const usualPauseMs = 30 * secondMs
const longestPauseMs = 5 * minuteMs
const pausePerWork = 3

type Pause = { failures: number; until: number }
const pauses = globalSingleton<Map<string, Pause>>('carddeskReadingPauses', () => new Map())

/** Whether readings of this name wait after a failure. */
export function isPaused(name: string): boolean {
  return Date.now() < (pauses().get(name)?.until ?? 0)
}

/**
 * Runs one sync of this name at a time in this process, and none during the pause after a failure. Never rejects: a
 * failure leaves the index unchanged.
 */
export function singleFlight(name: string, work: () => Promise<unknown>): Promise<void> {
  const running = readings()
  const already = running.get(name)
  if (already) return already
  if (isPaused(name)) return Promise.resolve()
  const startedAt = Date.now()
  const promise = inBackground(work)
    .then(() => void pauses().delete(name))
    .catch((error: unknown) => {
      const failures = (pauses().get(name)?.failures ?? 0) + 1
      const isUnreachable = isAppError(error) && error.code === 'SERVICE_UNREACHABLE'
      const lostMs = isUnreachable ? 0 : (Date.now() - startedAt) * pausePerWork
      const mostMs = Math.min(Math.max(usualPauseMs, lostMs), longestPauseMs)
      const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 10), mostMs)
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
