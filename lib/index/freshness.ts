import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import { hourMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import { accountIndex } from './accounts-sync.ts'
import { readSomeCards } from './cards-sync.ts'
import { isDue, isSmall, type IndexState, type Occasion } from './define-index.ts'
import { singleFlight } from './single-flight.ts'
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
