import 'server-only'
import { eq, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { DirectoryCoverage } from '../shapes.ts'
import { directoryAccounts, directoryState } from '../tables/directory.ts'
import { cachedByCost } from './cost.ts'

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
