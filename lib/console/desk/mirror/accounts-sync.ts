import 'server-only'
import { sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { cachedByCost } from '../cache.ts'
import type { DirectoryCoverage } from '../shapes.ts'
import { directoryAccounts as account, directoryCards as card, directoryState } from '../tables/directory.ts'
import { mirrorAccounts } from './mirror.ts'
import { mirrorList } from './mirrored-list.ts'

export const accountsMirror = mirrorList({
  endpoint: 'listCardAccounts',
  title: 'card accounts',
  state: directoryState,
  table: account,
  store: (environment, { response, fetchedAt }, reading) =>
    mirrorAccounts(database(), environment, response.cardaccounts, fetchedAt, reading),
  deleteOrphans: (tx, environment) =>
    tx.execute(sql`
      delete from ${card} where environment = ${environment}
      and not exists (select 1 from ${account} a where a.environment = ${environment} and a.id = card_account_id)`),
})

export async function directoryCoverage(environment: Environment): Promise<DirectoryCoverage> {
  const [coverage, counts] = await Promise.all([
    accountsMirror.coverage(environment),
    cachedByCost(`coverage ${environment}`, async () => {
      const { rows } = await database().execute<{ accounts: number; with_cards: number }>(sql`
        select count(*)::int as accounts, count(cards)::int as with_cards
        from ${account} where environment = ${environment}`)
      return rows[0]
    }),
  ])
  return { accounts: counts?.accounts ?? 0, accountsWithCards: counts?.with_cards ?? 0, ...coverage }
}
