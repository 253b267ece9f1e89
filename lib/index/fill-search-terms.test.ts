import { isNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openConsole } from '#lib/console/testing/open-console.ts'
import { indexedAccounts, indexedCards } from '#lib/tables/card-accounts.ts'
import { indexedMerchants } from '#lib/tables/transactions.ts'
import { accountIndex } from './accounts-sync.ts'
import { readCards } from './cards-sync.ts'
import { fillSearchTerms } from './fill-search-terms.ts'
import { indexSomeTransactions } from './transactions-sync.ts'

test('rows without search terms get those that they had', async () => {
  const { db, signIn } = await openConsole({ seeded: 12 })
  await signIn('operations')
  await accountIndex.readAll('sandbox')
  for (const { id } of await db.select({ id: indexedAccounts.id }).from(indexedAccounts)) await readCards('sandbox', id)
  await indexSomeTransactions('sandbox')
  const tables = [indexedAccounts, indexedCards, indexedMerchants]
  const read = () =>
    Promise.all(
      tables.map(async (table) =>
        (await db.select({ terms: table.terms }).from(table)).map(({ terms }) => terms).toSorted(),
      ),
    )
  const before = await read()
  expect(before.flat().length).toBeGreaterThan(30)
  for (const table of tables) await db.update(table).set({ terms: null })
  Reflect.deleteProperty(globalThis, 'carddeskSearchTermsFilled')
  await fillSearchTerms()
  expect(await read()).toEqual(before)
  for (const table of tables) expect(await db.$count(table, isNull(table.terms))).toBe(0)
})
