import 'server-only'
import { eq, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { directoryAccounts, directoryState } from '../tables/directory.ts'
import { cachedByCost } from './cost.ts'

/** How complete and how old the directory is. Times are ISO 8601. */
export type DirectoryCoverage = {
  /** Accounts in the directory. */
  accounts: number
  /** Accounts whose cards were read too; the rest have unknown card counts. */
  accountsWithCards: number
  /** Every account of the service was read at least once, and the last full reading reached the end of the list. */
  isComplete: boolean
  /** A full reading is under way now. */
  isReading: boolean
  /** The whole directory is at least as new as this; null before the first full reading. */
  asOf: string | null
  /** Accounts that the last full reading could not read: they have no usable id. */
  excluded: number
}

export async function readState(environment: Environment) {
  const [state] = await database().select().from(directoryState).where(eq(directoryState.environment, environment))
  return (
    state ?? { environment, reading: 0, readingSince: null, asOf: null, accounts: 0, excluded: 0, stoppedBecause: null }
  )
}

export async function directoryCoverage(environment: Environment): Promise<DirectoryCoverage> {
  const [state, counts] = await Promise.all([
    readState(environment),
    cachedByCost(`coverage ${environment}`, async () => {
      const { rows } = await database().execute<{ accounts: number; with_cards: number }>(sql`
        select count(*)::int as accounts, count(cards)::int as with_cards
        from ${directoryAccounts} where environment = ${environment}`)
      return rows[0]
    }),
  ])
  return {
    accounts: counts?.accounts ?? 0,
    accountsWithCards: counts?.with_cards ?? 0,
    isComplete: state.asOf !== null && state.stoppedBecause === null,
    isReading: state.readingSince !== null,
    asOf: state.asOf?.toISOString() ?? null,
    excluded: state.excluded,
  }
}
