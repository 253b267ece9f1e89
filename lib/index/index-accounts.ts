import 'server-only'
import { and, eq, lte, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { CardAccount } from '#lib/contract/records.ts'
import { selectRows } from '#lib/db/bulk-rows.ts'
import type { Queryable, Transaction } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedAccounts, indexedCards } from '#lib/tables/card-accounts.ts'
import { indexedFees } from '#lib/tables/fees.ts'
import { indexedTransactions, isOpenDisputeSql, transactionProgress } from '#lib/tables/transactions.ts'
import { accountColumns } from './account-record.ts'
import { limitOfCards } from './index-cards.ts'
import { fromExcluded, storedRecords } from './stored-records.ts'

const account = indexedAccounts
const card = indexedCards

/**
 * Writes accounts as the service provided them. Returns how many were left out because their id cannot be used. `fetchedAt` is
 * when the request left: the response to an earlier request never replaces that to a later one. `reading` is the full
 * reading that this belongs to; null leaves it as it is.
 */
export async function indexAccounts(
  db: Queryable,
  environment: Environment,
  accounts: readonly CardAccount[],
  fetchedAt: Date,
  reading: number | null = null,
): Promise<number> {
  const { stored, excluded } = storedRecords(accounts)
  const rows = stored.map((record) => ({
    ...accountColumns(record),
    environment,
    readAt: fetchedAt,
    figuresChangedAt: fetchedAt,
    reading: reading ?? 0,
  }))
  if (rows.length === 0) return excluded
  await db
    .insert(account)
    .select(selectRows(account, rows))
    .onConflictDoUpdate({
      target: [account.environment, account.id],
      set: {
        ...fromExcluded(account, rows),
        rejectedReason: unlessDecidedAgain(account.rejectedReason),
        identityReadAt: unlessDecidedAgain(account.identityReadAt),
        identity: unlessDecidedAgain(account.identity),
        figuresChangedAt: sql`case when (${account.balance}, ${account.outstanding}, ${account.available}, ${account.disputeAmount})
          is distinct from (excluded.balance, excluded.outstanding, excluded.available, excluded.dispute_amount)
          then excluded.read_at else ${account.figuresChangedAt} end`,
        reading: sql`greatest(${account.reading}, excluded.reading)`,
      },
      setWhere: lte(account.readAt, sql`excluded.read_at`),
    })
  const ids = rows.map(({ id }) => id)
  await bindCards(db, environment, ids)
  await nameFees(db, environment, ids)
  return excluded
}

/** Gives the cards of accounts the limit of their account, where that changed. In the order of ids, as each writer of cards. */
async function bindCards(db: Queryable, environment: Environment, accountIds: readonly string[]): Promise<void> {
  await db.execute(sql`
    update ${card} set account_limit = bound."limit" from (
      select c.id, ${limitOfCards} as "limit" from ${account} a
      join ${card} c on c.environment = a.environment and c.card_account_id = a.id
      where a.environment = ${environment} and a.id = any(${sql.param(accountIds)}::text[])
        and c.account_limit is distinct from ${limitOfCards} order by c.id for update of c) bound
    where index_cards.environment = ${environment} and index_cards.id = bound.id`)
}

/** Gives the fees of accounts the search text of their account, where that changed. In the order of ids, as each writer of fees. */
async function nameFees(db: Queryable, environment: Environment, accountIds: readonly string[]): Promise<void> {
  await db.execute(sql`
    update ${indexedFees} set account_text = named.search_text from (
      select f.id, a.search_text from ${account} a
      join ${indexedFees} f on f.environment = a.environment and f.card_account_id = a.id
      where a.environment = ${environment} and a.id = any(${sql.param(accountIds)}::text[])
        and f.account_text is distinct from a.search_text order by f.id for update of f) named
    where index_fees.environment = ${environment} and index_fees.id = named.id`)
}

/** Gives an account the age of its oldest open dispute in the index, where that changed. */
export async function updateDisputeAge(db: Queryable, environment: Environment, cardAccountId: string): Promise<void> {
  await db.execute(sql`
    with oldest as (
      select dispute_opened_at as at, dispute_may_be_older as may_be_older from ${indexedTransactions}
      where environment = ${environment} and card_account_id = ${cardAccountId} and ${isOpenDisputeSql('dispute_status')}
      order by dispute_opened_at limit 1),
    age as (select (select at from oldest) as since, exists (select from oldest where may_be_older) as may_be_older)
    update ${account} set disputed_since = since, dispute_may_be_older = may_be_older from age
    where environment = ${environment} and id = ${cardAccountId}
      and (disputed_since, dispute_may_be_older) is distinct from (since, may_be_older)`)
}

/** The stored identity is deleted once the account's identity status changes. */
function unlessDecidedAgain(column: AnyPgColumn): SQL {
  const { clientIdentityStatus } = account
  return sql`case when ${clientIdentityStatus} is not distinct from excluded.client_identity_status then ${column} end`
}

/** The index's records of accounts. */
export const tablesOfAccounts = [card, indexedTransactions, transactionProgress, indexedFees] as const

/** Deletes an account that the service no longer knows, with its records. */
export async function forgetAccount(tx: Transaction, environment: Environment, id: string): Promise<void> {
  for (const table of tablesOfAccounts)
    await tx.delete(table).where(and(eq(table.environment, environment), eq(table.cardAccountId, id)))
  await tx.delete(account).where(and(eq(account.environment, environment), eq(account.id, id)))
}
