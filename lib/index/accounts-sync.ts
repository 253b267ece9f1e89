import 'server-only'
import { sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { cachedByCost } from '#lib/shared/cache.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedAccounts as account, accountProgress } from '#lib/tables/card-accounts.ts'
import { defineIndex } from './define-index.ts'
import { indexAccounts, tablesOfAccounts } from './index-accounts.ts'
import type { AccountCoverage } from './types.ts'

export const accountIndex = defineIndex({
  endpoint: 'listCardAccounts',
  title: 'card accounts',
  state: accountProgress,
  table: account,
  store: (environment, { response, fetchedAt }, reading) =>
    indexAccounts(database(), environment, response.cardaccounts, fetchedAt, reading),
  deleteOrphans: async (tx, environment) => {
    for (const table of tablesOfAccounts)
      await tx.execute(sql`
        delete from ${table} where environment = ${environment} and card_account_id is not null
        and not exists (select 1 from ${account} a where a.environment = ${environment} and a.id = card_account_id)`)
  },
})

export async function readAccountCoverage(environment: Environment): Promise<AccountCoverage> {
  const [coverage, counts] = await Promise.all([
    accountIndex.coverage(environment),
    cachedByCost(`coverage ${environment}`, async () => {
      const { rows } = await database().execute<{ accounts: number; with_cards: number }>(sql`
        select count(*)::int as accounts, count(cards)::int as with_cards
        from ${account} where environment = ${environment}`)
      return rows[0]
    }),
  ])
  return { accounts: counts?.accounts ?? 0, accountsWithCards: counts?.with_cards ?? 0, ...coverage }
}
