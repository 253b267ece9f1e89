import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { database } from '#lib/db/connection.ts'
import { listCardAccounts, readCardAccount } from './card-accounts/list.ts'
import { readCard } from './cards/detail.ts'
import { listProgramCards } from './cards/list-program-cards.ts'
import { listPayouts } from './payouts/list-payouts.ts'
import { searchConsole } from './search/search.ts'
import { cardIn } from './testing/cards.ts'
import { openConsole } from './testing/open-console.ts'
import { listProgramTransactions } from './transactions/list-program-transactions.ts'

const lists = {
  accounts: () => listCardAccounts('sandbox', {}),
  cards: () => listProgramCards('sandbox', {}),
  transactions: () => listProgramTransactions('sandbox', {}),
  payouts: () => listPayouts('sandbox', {}),
  search: () => searchConsole('sandbox', { q: 'chan' }),
}

test('lists and search read the replica; a record and the check before an action do not', async () => {
  const desk = await openConsole({ seeded: 3 })
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  await listCardAccounts('sandbox', {})

  vi.stubEnv('DATABASE_REPLICA_URL', 'postgresql://127.0.0.1:1/none')
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const [name, read] of Object.entries(lists)) {
    await expect(read(), name).rejects.toThrow()
  }
  expect((await readCardAccount('sandbox', target.cardAccountId)).account.id).toBe(target.cardAccountId)
  expect((await readCard('sandbox', target.cardAccountId, target.cardId)).card.status).toBe('active')
  const locked = await runAction('card.lock', { ...target, operationId: randomUUID(), reason: 'mistake' })
  expect(locked).toMatchObject({ kind: 'settled', operation: { outcome: { state: 'done' } } })
})

test('a replica serves the lists through a pool of its own', async () => {
  const desk = await openConsole({ seeded: 3 })
  await desk.signIn('operations')
  vi.stubEnv('DATABASE_REPLICA_URL', desk.databaseUrl)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect((await listCardAccounts('sandbox', {})).rows).toHaveLength(3)
  const { rows } = await database().execute(sql`
    select distinct application_name as name from pg_stat_activity
    where application_name = 'carddesk replica' and datname = current_database() and query ~ 'index_accounts'`)
  expect(rows).toEqual([{ name: 'carddesk replica' }])
})
