import 'server-only'
import { and, eq, lte, notInArray, sql } from 'drizzle-orm'
import { chargeLimits } from '#lib/contract/charge-rule.ts'
import type { Card } from '#lib/contract/records.ts'
import { selectRows } from '#lib/db/bulk-rows.ts'
import { indexDatabase, type Queryable, type Transaction } from '#lib/db/connection.ts'
import { lockByName } from '#lib/db/locks.ts'
import { cachedByCost } from '#lib/shared/cache.ts'
import { asFields } from '#lib/shared/json.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { storable } from '#lib/shared/texts.ts'
import { cardStatusChanges, indexedAccounts as account, indexedCards as card } from '#lib/tables/card-accounts.ts'
import { indexedTransactions } from '#lib/tables/transactions.ts'
import { amountText, columnText } from './column-values.ts'
import { termsOfEmail, termsOfId, termsOfName, termsOfPhone, termsOfXid, toTsvector } from './search-terms.ts'
import { storedRecords } from './stored-records.ts'

/** The limit that binds the cards of an account's row `a` that have none of their own. */
export const limitOfCards = sql`case when a.account_type = 'credit' then a."limit" end`

/** Columns of an indexed card that its record doesn't have. */
const knownOfCard = {
  accountLimit: sql`(select ${limitOfCards} from ${account} a
    where a.environment = given.environment and a.id = given.card_account_id)`,
  lastUsedAt: sql`(select max(t.created_at) from ${indexedTransactions} t
    where t.environment = given.environment and t.card_id = given.id)`,
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
  await lockByName(tx, 'cards of an account', environment + cardAccountId)
  const known = await tx
    .select({ id: card.id, status: card.status, readAt: card.readAt, position: card.position })
    .from(card)
    .where(and(eq(card.environment, environment), eq(card.cardAccountId, cardAccountId)))
  const before = new Map(known.map((row) => [row.id, row]))
  const fresh = stored.filter((record) => (before.get(record.id)?.readAt ?? read.fetchedAt) <= read.fetchedAt)
  if (fresh.length > 0) {
    await tx
      .insert(card)
      .select(
        selectRows(
          card,
          fresh.map((record) => ({
            environment,
            id: record.id,
            cardAccountId,
            status: columnText(record.status),
            last4: columnText(record.last4),
            record: storableCard(record),
            terms: cardTerms(record),
            position: read.isWhole ? cards.indexOf(record) : (before.get(record.id)?.position ?? 0),
            firstReadAt: read.fetchedAt,
            readAt: read.fetchedAt,
          })),
          knownOfCard,
        ),
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

const limitFields = ['availableLimit', ...chargeLimits.map(({ name }) => name)]

/** The record without values that the columns made of it cannot hold, which would fail the reading of all cards of the account. */
function storableCard(record: Card): Record<string, unknown> {
  const stored = storable(record) as Record<string, unknown>
  const product = asFields(stored['product'])
  return {
    ...stored,
    ...Object.fromEntries(limitFields.filter((name) => amountText(stored[name]) === null).map((name) => [name, null])),
    ...Object.fromEntries(['embossedName', 'createdAt'].map((name) => [name, columnText(stored[name])])),
    ...(isYear(stored['expiryYear']) ? {} : { expiryYear: null, expiryMonth: null }),
    ...(stored['product'] ? { product: { ...product, name: columnText(product['name']) } } : {}),
  }
}

function isYear(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 9999
}

/** Cards that could not be read, by the newest readings of their accounts, and are in no list. */
export function countUnreadCards(environment: Environment): Promise<number> {
  return cachedByCost(`unread cards ${environment}`, async () => {
    const { rows } = await indexDatabase().execute<{ cards: number }>(
      sql`select coalesce(sum(cards_excluded), 0)::int as cards from ${account} where environment = ${environment}`,
    )
    return rows[0]?.cards ?? 0
  })
}

/** The search terms of a card: the name on it, its ids, and whom it is sent messages. */
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

/** Gives the cards of transactions the time of their newest one in the index, where that changed. */
export async function updateLastUse(
  db: Queryable,
  environment: Environment,
  transactions: readonly { cardId: string | null }[],
): Promise<void> {
  const ids = [...new Set(transactions.flatMap(({ cardId }) => cardId ?? []))]
  if (ids.length === 0) return
  await db.execute(sql`
    update ${card} set last_used_at = used.at from (
      select c.id, (select max(created_at) from ${indexedTransactions} t where t.environment = c.environment and t.card_id = c.id) as at
      from ${card} c where c.environment = ${environment} and c.id = any(${sql.param(ids)}::text[]) order by c.id for update) used
    where index_cards.environment = ${environment} and index_cards.id = used.id and last_used_at is distinct from used.at`)
}
