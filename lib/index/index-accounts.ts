import 'server-only'
import { and, eq, getTableColumns, lte, notInArray, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn, AnyPgTable } from 'drizzle-orm/pg-core'
import type { Card, CardAccount } from '#lib/contract/records.ts'
import type { Queryable, Transaction } from '#lib/db/connection.ts'
import { takeTurns } from '#lib/db/locks.ts'
import { isServiceId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { cardStatusChanges, indexedAccounts, indexedCards } from '#lib/tables/card-accounts.ts'
import { indexedFees } from '#lib/tables/fees.ts'
import { indexedTransactions, isOpenDispute, transactionProgress } from '#lib/tables/transactions.ts'
import { accountColumns, amounts, columnText, storable, texts } from './account-record.ts'
import { termsOfEmail, termsOfId, termsOfName, termsOfPhone, termsOfXid, toTsvector } from './search-terms.ts'

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
    .values(rows)
    .onConflictDoUpdate({
      target: [account.environment, account.id],
      set: {
        ...replacedColumns,
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

/** The limit that binds the cards of an account's row `a` that have none of their own. */
const limitOfCards = sql`case when a.account_type = 'credit' then a."limit" end`

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

/** Gives cards the time of their newest transaction in the index, where that changed. */
export async function noteUse(db: Queryable, environment: Environment, cardIds: Iterable<string>): Promise<void> {
  const ids = [...new Set(cardIds)]
  if (ids.length === 0) return
  await db.execute(sql`
    update ${card} set last_used_at = used.at from (
      select c.id, (select max(created_at) from ${indexedTransactions} t where t.environment = c.environment and t.card_id = c.id) as at
      from ${card} c where c.environment = ${environment} and c.id = any(${sql.param(ids)}::text[]) order by c.id for update) used
    where index_cards.environment = ${environment} and index_cards.id = used.id and last_used_at is distinct from used.at`)
}

/** Gives an account the age of its oldest open dispute in the index, where that changed. */
export async function noteDisputes(db: Queryable, environment: Environment, cardAccountId: string): Promise<void> {
  await db.execute(sql`
    with oldest as (
      select dispute_opened_at as at, dispute_may_be_older as may_be_older from ${indexedTransactions}
      where environment = ${environment} and card_account_id = ${cardAccountId} and ${isOpenDispute('dispute_status')}
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

/** Whether an id fits the index, and can be sent back in a URL. */
export function hasUsableId({ id }: { id: string }): boolean {
  return isServiceId(id)
}

/**
 * The records that the index stores, in the order of ids, so that two writers of the same ones wait for each other instead of locking
 * up. A list that grew while it was read may hold one twice: the first is used. `excluded` counts those whose id cannot be used.
 */
export function storedRecords<Row extends { id: string }>(rows: readonly Row[]): { stored: Row[]; excluded: number } {
  const usable = rows.filter(hasUsableId)
  const byId = new Map(usable.toReversed().map((row) => [row.id, row]))
  const stored = [...byId.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))
  return { stored, excluded: rows.length - usable.length }
}

const replacedColumns = replaced(account, [
  ...texts,
  ...amounts,
  'createdAt',
  'xmetadata',
  'more',
  'searchText',
  'terms',
  'readAt',
])

/** These columns as a response replaces them. */
export function replaced<Table extends AnyPgTable>(table: Table, columns: readonly (keyof Table['_']['columns'])[]) {
  return Object.fromEntries(columns.map((name) => [name, sql.raw(`excluded."${getTableColumns(table)[name]?.name}"`)]))
}

/** Deletes an account that the service no longer knows, with its cards. */
export async function forgetAccount(tx: Transaction, environment: Environment, id: string): Promise<void> {
  await tx.delete(card).where(and(eq(card.environment, environment), eq(card.cardAccountId, id)))
  for (const table of [indexedTransactions, transactionProgress, indexedFees])
    await tx.delete(table).where(and(eq(table.environment, environment), eq(table.cardAccountId, id)))
  await tx.delete(account).where(and(eq(account.environment, environment), eq(account.id, id)))
}

/**
 * Writes cards as the service provided them, and every change from one known status to another. With `isWhole` the list is
 * all cards of the account that can be read, beside `excluded` others: further cards in the index are deleted, unless one
 * of those may be among the excluded.
 */
export async function indexCards(
  tx: Transaction,
  environment: Environment,
  cardAccountId: string,
  cards: readonly Card[],
  read: { fetchedAt: Date; isWhole: boolean; excluded?: number; operationId?: string | null },
): Promise<void> {
  const { stored, excluded } = storedRecords(cards)
  // Each sync reads the statuses that the one before stored.
  await takeTurns(tx, 'cards of an account', environment + cardAccountId)
  const known = await tx
    .select({ id: card.id, status: card.status, readAt: card.readAt, position: card.position })
    .from(card)
    .where(and(eq(card.environment, environment), eq(card.cardAccountId, cardAccountId)))
  const before = new Map(known.map((row) => [row.id, row]))
  const fresh = stored.filter((record) => (before.get(record.id)?.readAt ?? read.fetchedAt) <= read.fetchedAt)
  if (fresh.length > 0) {
    await tx
      .insert(card)
      .values(
        fresh.map((record) => ({
          environment,
          id: record.id,
          cardAccountId,
          status: columnText(record.status),
          last4: columnText(record.last4),
          record: storable(record) as Record<string, unknown>,
          terms: cardTerms(record),
          accountLimit: sql`(select ${limitOfCards} from ${account} a where a.environment = ${environment} and a.id = ${cardAccountId})`,
          lastUsedAt: sql`(select max(created_at) from ${indexedTransactions} where environment = ${environment} and card_id = ${record.id})`,
          position: read.isWhole ? cards.indexOf(record) : (before.get(record.id)?.position ?? 0),
          firstReadAt: read.fetchedAt,
          readAt: read.fetchedAt,
        })),
      )
      .onConflictDoUpdate({
        target: [card.environment, card.id],
        set: {
          cardAccountId,
          status: sql`excluded.status`,
          last4: sql`excluded.last4`,
          record: sql`excluded.record`,
          terms: sql`excluded.terms`,
          accountLimit: sql`excluded.account_limit`,
          lastUsedAt: sql`greatest(${card.lastUsedAt}, excluded.last_used_at)`,
          position: sql`excluded.position`,
          // The reading from which its status is known.
          firstReadAt: sql`case when ${card.status} is null then excluded.first_read_at else ${card.firstReadAt} end`,
          readAt: sql`excluded.read_at`,
        },
      })
  }
  const changes = fresh.flatMap((record) => {
    const earlier = before.get(record.id)
    const statusAfter = columnText(record.status)
    return earlier && earlier.status !== null && statusAfter !== null && earlier.status !== statusAfter
      ? [
          {
            environment,
            cardId: record.id,
            seenAt: read.fetchedAt,
            notBefore: earlier.readAt,
            statusBefore: earlier.status,
            statusAfter,
            operationId: read.operationId ?? null,
          },
        ]
      : []
  })
  if (changes.length > 0) await tx.insert(cardStatusChanges).values(changes).onConflictDoNothing()
  if (!read.isWhole) return
  await closeWholeReading(tx, environment, cardAccountId, stored, read.fetchedAt, (read.excluded ?? 0) + excluded)
}

/** The name on the card, its ids, and whom it is sent messages. */
export function cardTerms(record: Pick<Card, 'id' | 'xid' | 'embossedName' | 'mobile' | 'cardEmail'>): string {
  return toTsvector([
    ...termsOfName(record.embossedName),
    ...termsOfXid(record.xid),
    ...termsOfId(record.id),
    ...termsOfPhone(record.mobile),
    ...termsOfEmail(record.cardEmail),
  ])
}

async function closeWholeReading(
  tx: Transaction,
  environment: Environment,
  cardAccountId: string,
  cards: readonly Card[],
  fetchedAt: Date,
  excluded: number,
): Promise<void> {
  const ids = cards.map(({ id }) => id)
  const isOlder = and(
    eq(card.environment, environment),
    eq(card.cardAccountId, cardAccountId),
    lte(card.readAt, fetchedAt),
    ids.length > 0 ? notInArray(card.id, ids) : undefined,
  )
  if (excluded === 0) await tx.delete(card).where(isOlder)
  await tx
    .update(account)
    .set({
      // A card without an id is a card of the account, and one that the index has may be the one without an id now.
      cards:
        excluded > 0
          ? cards.length + excluded
          : sql`(select count(*) from ${card} where ${card.environment} = ${environment} and ${card.cardAccountId} = ${cardAccountId})`,
      cardsExcluded: excluded,
      cardsReadAt: fetchedAt,
    })
    .where(and(eq(account.environment, environment), eq(account.id, cardAccountId)))
}
