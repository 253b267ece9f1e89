import 'server-only'
import { and, asc, eq } from 'drizzle-orm'
import type { CardAccount } from '#lib/contract/card-accounts.ts'
import type { Card } from '#lib/contract/cards.ts'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { askService } from '../environments.ts'
import { healthOf } from '../health-record.ts'
import { isRefusal, Refusal } from '../refusal.ts'
import type { Seen } from '../service-health.ts'
import { directoryAccounts, directoryCards } from '../tables/directory.ts'
import { accountOf } from './account-record.ts'
import { readCardsOf } from './cards-sync.ts'
import { forgetAccount, mirrorAccounts } from './mirror.ts'

/** An account with all its cards, newest first. */
export type CardAccountDetail = { account: CardAccount; cards: Card[]; seen: Seen }

/**
 * The truth from the service, which the mirror learns; while that does not answer, what the mirror has. Throws
 * `CARD_ACCOUNT_NOT_FOUND`.
 */
export async function readAccountWithCards(environment: Environment, id: string): Promise<CardAccountDetail> {
  try {
    const [{ account, askedAt }, cards] = await Promise.all([
      readOneAccount(environment, id),
      readCardsOf(environment, id),
    ])
    const health = await healthOf(environment)
    return { account, cards, seen: { asOf: askedAt.toISOString(), source: 'service', health } }
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'SERVICE_UNREACHABLE') throw error
    return (await fromDirectory(environment, id)) ?? Promise.reject(error)
  }
}

/** An account, read from the service and mirrored. Throws `CARD_ACCOUNT_NOT_FOUND`, and the mirror forgets it. */
export async function readOneAccount(
  environment: Environment,
  cardAccountId: string,
): Promise<{ account: CardAccount; askedAt: Date }> {
  const { answer, askedAt } = await askService(environment, 'listCardAccounts', { query: { cardAccountId } })
  const account = answer.cardaccounts.find(({ id }) => id === cardAccountId)
  const db = database()
  if (!account) {
    await inTransaction(db, (tx) => forgetAccount(tx, environment, cardAccountId))
    throw accountNotFound()
  }
  await mirrorAccounts(db, environment, [account], askedAt)
  return { account, askedAt }
}

async function fromDirectory(environment: Environment, id: string): Promise<CardAccountDetail | null> {
  const db = database()
  const [row] = await db
    .select()
    .from(directoryAccounts)
    .where(and(eq(directoryAccounts.environment, environment), eq(directoryAccounts.id, id)))
  if (!row) return null
  const cards = await db
    .select({ record: directoryCards.record })
    .from(directoryCards)
    .where(and(eq(directoryCards.environment, environment), eq(directoryCards.cardAccountId, id)))
    .orderBy(asc(directoryCards.position))
  return {
    account: accountOf(row),
    cards: cards.map(({ record }) => record as Card),
    seen: { asOf: row.readAt.toISOString(), source: 'directory', health: await healthOf(environment) },
  }
}

export function accountNotFound(): Refusal {
  return new Refusal('CARD_ACCOUNT_NOT_FOUND', 'There is no such card account in this environment.')
}
