import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { indexDatabase } from '#lib/db/connection.ts'
import { readCards } from '#lib/index/cards-sync.ts'
import { toContactQuery, withoutLast4 } from '#lib/index/search-terms.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import { uniqueIds } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedAccounts, indexedCards } from '#lib/tables/card-accounts.ts'
import { mostCompared, findClosest, hasTerms, termsArray } from './closest.ts'
import { type Hit, type Query, type FoundAccount, mostOfAKind, unique } from './query.ts'

/** The accounts by name, ids and, for who sees them, phone number and e-mail address. */
export async function findAccounts({
  environment,
  text,
  seesContacts,
}: Omit<Query, 'accounts'>): Promise<FoundAccount[]> {
  const { id, name, xid, currency, createdAt, terms } = indexedAccounts
  const columns = { id, name, xid, currency }
  const inEnvironment = eq(indexedAccounts.environment, environment)
  const found = findClosest(text, (query) =>
    indexDatabase()
      .select({ ...columns, terms: termsArray(terms), at: createdAt })
      .from(indexedAccounts)
      .where(and(inEnvironment, hasTerms(terms, query)))
      .limit(mostCompared),
  )
  const contacts = seesContacts ? toContactQuery(text) : null
  const byContact = contacts
    ? await indexDatabase()
        .select(columns)
        .from(indexedAccounts)
        .where(
          and(
            inEnvironment,
            sql`${id} in (
              select id from ${indexedAccounts} where environment = ${environment} and terms @@ ${contacts}::tsquery
              union select card_account_id from ${indexedCards} where environment = ${environment} and terms @@ ${contacts}::tsquery)`,
          ),
        )
        .limit(mostOfAKind)
    : []
  const rows = [...byContact, ...(await found)]
  return [...new Map(rows.map((row) => [row.id, row])).values()].slice(0, mostOfAKind)
}

type FoundCard = { id: string; cardAccountId: string; last4: string | null; status: string | null } & Omit<
  FoundAccount,
  'id' | 'currency'
>

/** A row of a card with its account. */
function selectCards(environment: Environment, condition: SQL | undefined) {
  const { id, cardAccountId, last4, status, position, terms } = indexedCards
  const { name, xid } = indexedAccounts
  return indexDatabase()
    .select({ id, cardAccountId, last4, status, name, xid, terms: termsArray(terms), at: indexedAccounts.createdAt })
    .from(indexedCards)
    .leftJoin(
      indexedAccounts,
      and(eq(indexedAccounts.environment, indexedCards.environment), eq(indexedAccounts.id, cardAccountId)),
    )
    .where(and(eq(indexedCards.environment, environment), condition))
    .orderBy(position, id)
}

/** The cards with these last four digits, of those whom the other words name. */
async function findCardsByLast4({ environment, text }: Query): Promise<FoundCard[]> {
  if (text.last4 === null) return []
  const rest = withoutLast4(text)
  const hasLast4 = eq(indexedCards.last4, text.last4)
  if (rest.terms.length === 0) return selectCards(environment, hasLast4).limit(mostOfAKind)
  return findClosest(rest, (query) =>
    selectCards(
      environment,
      and(hasLast4, or(hasTerms(indexedAccounts.terms, query), hasTerms(indexedCards.terms, query))),
    ).limit(mostCompared),
  )
}

/** The cards by their ids and the name on them, where the account has another one. */
function cardsByTerms({ environment, text, accounts }: Query): Promise<FoundCard[]> {
  const read = (query: string) =>
    selectCards(
      environment,
      and(
        sql`${indexedCards.id} in (
          select id from ${indexedCards} where environment = ${environment} and terms @@ ${query}::tsquery limit ${mostCompared})`,
        sql`not coalesce(${indexedAccounts.terms} @@ ${query}::tsquery, false)`,
      ),
    ).limit(mostCompared)
  return findClosest(text, read, accounts)
}

/** The accounts that were found, as the search shows them. */
export async function findPeople({ accounts }: Query): Promise<Hit[]> {
  return (await accounts).map(({ id, name, xid, currency }) => ({
    id,
    label: name ?? xid,
    hint: [name === null ? null : xid, currency].filter(Boolean).join(' · '),
    status: null,
  }))
}

/** The cards by their last four digits, ids and names, with those of the people who were found where something is to be done to one. */
export async function findCards(query: Query): Promise<Hit[]> {
  const { environment, isWithCards } = query
  const accountIds = isWithCards ? (await query.accounts).map(({ id }) => id) : []
  const [byLast4, byTerms, ofAccounts] = await Promise.all([
    findCardsByLast4(query),
    cardsByTerms(query),
    accountIds.length === 0
      ? []
      : selectCards(environment, inArray(indexedCards.cardAccountId, accountIds)).limit(2 * mostOfAKind),
  ])
  // The closest person's cards first: what is done to the first one is the likeliest to be meant.
  const inOrder = ofAccounts.toSorted(
    (one, other) => accountIds.indexOf(one.cardAccountId) - accountIds.indexOf(other.cardAccountId),
  )
  const rows = [...byLast4, ...byTerms, ...inOrder]
  const statuses = isWithCards ? await readStatusesNow(environment, rows) : new Map<string, string | null>()
  return unique(
    rows.map((row) => ({
      id: row.id,
      parentId: row.cardAccountId,
      label: row.last4,
      hint: row.name ?? row.xid,
      status: statuses.get(row.id) ?? row.status,
    })),
  ).slice(0, isWithCards ? 2 * mostOfAKind : mostOfAKind)
}

/** Longer than this, a person does not wait for a status that the index has, too. */
const freshTimeoutMs = 250

/**
 * The statuses of cards as the service has them now. The palette offers actions by them, and the index learns of a change that no
 * event reports only with its next reading. Without those of a service that does not respond in time.
 */
async function readStatusesNow(environment: Environment, of: readonly FoundCard[]) {
  const accountIds = uniqueIds(of.map(({ cardAccountId }) => cardAccountId)).slice(0, mostOfAKind)
  const cards = await Promise.all(
    accountIds.map((id) =>
      Promise.race([nullOn(readCards(environment, id)), delay(freshTimeoutMs, null, { ref: false })]),
    ),
  )
  return new Map(cards.flatMap((own) => own ?? []).map(({ id, status }) => [id, status]))
}
