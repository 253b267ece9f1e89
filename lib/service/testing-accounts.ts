import { eq, sql } from 'drizzle-orm'
import { plainExamples } from '#lib/contract/test-values.ts'
import { cardAccounts } from './tables/card-accounts.ts'
import { products } from './tables/cards.ts'
import { events } from './tables/webhooks.ts'
import type { TestService } from './testing.ts'

export const newAccount = { ...plainExamples.createCardAccount().body, limit: 1000 }

export async function findProductId(service: TestService, cardType: 'virtual' | 'physical'): Promise<string> {
  const [product] = await service.service.db
    .select({ id: products.id })
    .from(products)
    .where(eq(products.cardType, cardType))
    .limit(1)
  if (!product) throw new Error('the service is not seeded')
  return product.id
}

/** A new account with a card that is active (virtual) or in production (physical). */
export async function openAccount(
  service: TestService,
  account: Record<string, unknown> = {},
  type: 'virtual' | 'physical' = 'virtual',
): Promise<{ cardAccountId: string; cardId: string }> {
  const opened = await service.call('createCardAccount', { body: { ...newAccount, ...account } })
  if (opened.status !== 200) throw new Error(opened.text)
  const productId = await findProductId(service, type)
  const card = { type, cardAccountId: opened.json.id, productId, embossedName: 'LEE KA YAN' }
  return { cardAccountId: opened.json.id, cardId: (await service.call('issueCard', { body: card })).json.id }
}

export async function accountRow(service: TestService, cardAccountId: string) {
  const [row] = await service.service.db.select().from(cardAccounts).where(eq(cardAccounts.id, cardAccountId))
  if (!row) throw new Error('the account is gone')
  return row
}

/** The figures of an account, summed from its entries by the database. */
export async function computeTrueFigures(service: TestService, cardAccountId: string) {
  const { rows } = await service.service.db.execute<{ balance: string; disputed: string }>(sql`
    select a.opening_balance + coalesce(sum(case entry_type when 'DEBIT' then amount else -amount end)
             filter (where status in ('pending', 'posted')), 0) as balance,
           coalesce(sum(amount) filter (where dispute_status in ('requested', 'pending')), 0) as disputed
      from service.card_accounts a left join service.card_account_transactions t on t.card_account_id = a.id
     where a.id = ${cardAccountId} group by a.id`)
  return rows[0]
}

/** The account's record, as the list has it. */
export async function accountRecord(service: TestService, cardAccountId: string) {
  return (await service.call('listCardAccounts', { query: { cardAccountId } })).json.cardaccounts[0]
}

export async function transactionRecord(service: TestService, cardAccountId: string, transactionId: string) {
  const query = { cardAccountId, transactionId }
  return (await service.call('listCardAccountTransactions', { query })).json.transactions[0]
}

/** Names and data of the events since a position, in their order. */
export async function eventsSince(service: TestService, position: number) {
  return service.service.db
    .select({ event: events.event, data: events.data })
    .from(events)
    .where(sql`${events.position} > ${position}`)
    .orderBy(events.position)
}

export async function lastEvent(service: TestService): Promise<number> {
  const [row] = await service.service.db
    .select({ last: sql<number>`coalesce(max(${events.position}), 0)` })
    .from(events)
  return Number(row?.last)
}

export const unknownId = '00000000-0000-4000-8000-000000000000'
