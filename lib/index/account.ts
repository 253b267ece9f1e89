import 'server-only'
import { and, asc, eq } from 'drizzle-orm'
import type { Card, CardAccount } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { readFreshness, readHealth } from '#lib/environments/health.ts'
import { AppError, isAppError, isUnreachable } from '#lib/shared/app-error.ts'
import { isServiceId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedAccounts, indexedCards } from '#lib/tables/card-accounts.ts'
import { toCardAccount } from './account-record.ts'
import { fetchCards, type CardsOfAccount } from './cards-sync.ts'
import { fetchIndexed, findStoredId } from './define-index.ts'
import { forgetAccount, indexAccounts } from './index-accounts.ts'
import type { AccountWithCards } from './types.ts'

/**
 * An account with its cards as the service has them now, which the index stores; while the service does not respond, as the
 * index has them. The id may differ in case. Throws `CARD_ACCOUNT_NOT_FOUND`.
 */
export async function readAccountWithCards(environment: Environment, id: string): Promise<AccountWithCards> {
  if (!isServiceId(id)) throw accountNotFound()
  const storedId = await storedAccountId(environment, id)
  try {
    const { account, cards, fetchedAt } = await fetchAccountWithCards(environment, id, storedId)
    return {
      account,
      cards: cards.cards,
      cardsExcluded: cards.excluded,
      hasMoreCards: cards.hasMore,
      cardsProblem: cards.problem,
      freshness: await readFreshness(environment, fetchedAt),
    }
  } catch (error) {
    if (!isUnreachable(error) || storedId === null) throw error
    return (await readFromIndex(environment, storedId)) ?? Promise.reject(error)
  }
}

/** Cards are fetched and stored by the id that the service sent, which is known in advance where the index has it. */
async function fetchAccountWithCards(environment: Environment, id: string, storedId: string | null) {
  if (storedId === null) {
    const one = await readOneAccount(environment, id)
    return { ...one, cards: await fetchCardsOrProblem(environment, one.account.id) }
  }
  const [one, cards] = await Promise.all([
    readOneAccount(environment, storedId),
    fetchCardsOrProblem(environment, storedId),
  ])
  return { ...one, cards }
}

/** A list of cards that the service refuses, or sends in another form, must not hide the account. */
async function fetchCardsOrProblem(
  environment: Environment,
  id: string,
): Promise<CardsOfAccount & { problem: string | null }> {
  try {
    return { ...(await fetchCards(environment, id)), problem: null }
  } catch (error) {
    if (!isAppError(error) || error.code !== 'SERVICE_REFUSED') throw error
    return { cards: [], excluded: 0, hasMore: false, problem: error.message }
  }
}

/** The id of an account as the service sent it, found in any case; null where the index does not have the account. */
export function storedAccountId(environment: Environment, id: string): Promise<string | null> {
  return findStoredId(indexedAccounts, environment, id)
}

/** An account, read from the service and stored; the id may differ in case. Throws `CARD_ACCOUNT_NOT_FOUND`, and the index deletes it. */
export async function readOneAccount(
  environment: Environment,
  cardAccountId: string,
): Promise<{ account: CardAccount; fetchedAt: Date }> {
  const { record: account, fetchedAt } = await fetchIndexed(environment, cardAccountId, {
    endpoint: 'listCardAccounts',
    table: indexedAccounts,
    title: 'card account',
    filter: 'cardAccountId',
    list: ({ cardaccounts }) => cardaccounts,
    notFound: accountNotFound,
    forget: (storedId) => inTransaction(database(), (tx) => forgetAccount(tx, environment, storedId)),
  })
  await indexAccounts(database(), environment, [account], fetchedAt)
  return { account, fetchedAt }
}

async function readFromIndex(environment: Environment, id: string): Promise<AccountWithCards | null> {
  const db = database()
  const [row] = await db
    .select()
    .from(indexedAccounts)
    .where(and(eq(indexedAccounts.environment, environment), eq(indexedAccounts.id, id)))
  if (!row) return null
  const cards = await db
    .select({ record: indexedCards.record })
    .from(indexedCards)
    .where(and(eq(indexedCards.environment, environment), eq(indexedCards.cardAccountId, id)))
    .orderBy(asc(indexedCards.position))
  return {
    account: toCardAccount(row),
    cards: cards.map(({ record }) => record as Card),
    cardsExcluded: row.cardsExcluded,
    hasMoreCards: row.cards === null && row.cardsReadAt !== null,
    cardsProblem:
      row.cardsReadAt === null
        ? 'The cards of this account were not read yet, and the card service is not responding.'
        : null,
    freshness: { asOf: row.readAt.toISOString(), source: 'index', health: await readHealth(environment) },
  }
}

export function accountNotFound(): AppError {
  return new AppError('CARD_ACCOUNT_NOT_FOUND', 'There is no such card account in this environment.')
}
