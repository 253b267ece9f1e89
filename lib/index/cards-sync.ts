import 'server-only'
import { and, desc, eq, inArray, isNull, lt, or, sql, type SQL } from 'drizzle-orm'
import type { Card } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { withExclusive } from '#lib/db/exclusive.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { fetchPages } from '#lib/environments/paginate.ts'
import { isUnreachable, nullOn } from '#lib/shared/app-error.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { isServiceId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { indexedAccounts as account } from '#lib/tables/card-accounts.ts'
import { inParallel } from './in-parallel.ts'
import { forgetAccount } from './index-accounts.ts'
import { indexCards } from './index-cards.ts'
import { findOwnRecords } from './own-records.ts'
import { requestAllowance } from './request-allowance.ts'

/** Requests for cards that the index may make in a minute, a quarter of the service's usual rate limit. */
const requestsPerMinute = 300
const allowance = requestAllowance('cards', requestsPerMinute)
const readersAtOnce = 4
/** Pages of one account's cards: 10,000 cards. */
const maximumPages = 100

type Store = {
  /** Accounts that may be synced again now, by the pace of the last round. */
  paces: Map<Environment, { turns: number; pacedAt: number }>
  preferred: Map<Environment, Set<string>>
}
const store = globalSingleton<Store>('carddeskCardReading', () => ({ paces: new Map(), preferred: new Map() }))

/** An account whose cards could not be read has its next turn after this time, or at its age where that is sooner. */
const pauseAfterFailureMs = 10 * minuteMs

/** A program whose cards were not synced for long is synced in steps of this length, not all at once. */
const longestStepMs = 5 * secondMs

/** The number of accounts that may be synced in this round; the unused rest of a round is not saved. */
function turnsOfRound(environment: Environment, accountsPerMinute: number): number {
  if (accountsPerMinute === Infinity) return requestsPerMinute
  const { paces } = store()
  const now = Date.now()
  const last = paces.get(environment) ?? { turns: 0, pacedAt: now }
  const stepMs = Math.min(now - last.pacedAt, longestStepMs)
  const turns = (last.turns % 1) + (stepMs / minuteMs) * accountsPerMinute
  paces.set(environment, { turns, pacedAt: now })
  return Math.floor(turns)
}

/** `excluded` counts cards that could not be read; `hasMore`: the list did not end within its bound. */
export type CardsOfAccount = { cards: Card[]; excluded: number; hasMore: boolean }

/** All cards of an account, read from the service and stored. `cardAccountId` is the id as the service sent it. */
export async function readCards(environment: Environment, cardAccountId: string): Promise<Card[]> {
  return (await fetchCards(environment, cardAccountId)).cards
}

/** All cards of an account with what the response left out, read from the service and stored. */
export async function fetchCards(environment: Environment, cardAccountId: string): Promise<CardsOfAccount> {
  const fetchedAt = new Date()
  const cards: Card[] = []
  let [excluded, hasMore] = [0, false]
  for await (const page of fetchPages(environment, 'listCards', { cardAccountId }, { maximumPages })) {
    const own = await findOwnRecords(environment, 'listCards', page.response.cards, cardAccountId)
    const usable = own.filter(({ id }) => isServiceId(id))
    cards.push(...usable)
    excluded += page.excluded + own.length - usable.length
    // Every card of the page names another account, so they are counted as excluded: they may belong to this one all the same.
    if (own.length === 0) excluded += page.response.cards.length
    hasMore = page.hasMore !== 'no'
    if (page.hasMore === 'next') allowance.spend()
  }
  await inTransaction(database(), async (tx) => {
    await indexCards(tx, environment, cardAccountId, cards, { fetchedAt, isWhole: !hasMore, excluded })
    if (!hasMore) return
    await tx
      .update(account)
      .set({ cards: null, cardsExcluded: excluded, cardsReadAt: fetchedAt })
      .where(and(eq(account.environment, environment), eq(account.id, cardAccountId)))
  })
  return { cards, excluded, hasMore }
}

/**
 * Reads cards of accounts, those on an open screen first: of accounts whose cards were never read as far as the allowance of
 * this minute goes, and of those that were not read since `before` `againPerMinute` at most, spread over the minute. An account
 * whose cards cannot be read does not keep the others back. Throws the first error.
 */
export async function readSomeCards(
  environment: Environment,
  { before, againPerMinute }: { before: Date; againPerMinute: number },
): Promise<void> {
  await withExclusive(database(), `index of cards ${environment}`, async () => {
    const due = await listDueAccounts(environment, before, turnsOfRound(environment, againPerMinute))
    const errors: unknown[] = []
    await inParallel(due, readersAtOnce, async (id) => {
      if (errors.some(isUnreachable) || !allowance.take()) return
      await readOrForget(environment, id).catch(async (error: unknown) => {
        errors.push(error)
        if (isUnreachable(error)) return
        await database()
          .update(account)
          .set({ cardsFailedAt: new Date() })
          .where(and(eq(account.environment, environment), eq(account.id, id)))
      })
    })
    if (errors.length > 0) throw errors[0]
  })
}

/** Accounts on an open screen whose card counts are unknown come first. */
export function preferCards(environment: Environment, ids: readonly string[]): void {
  const { preferred } = store()
  const known = preferred.get(environment) ?? new Set()
  for (const id of ids) if (known.size < requestsPerMinute) known.add(id)
  preferred.set(environment, known)
}

/**
 * Accounts whose cards were never read, then `again` others. Half of these are accounts whose figures changed since, on which the
 * available limits of their cards depend, the newest change first; the rest were not read since `before`, the oldest first.
 */
async function listDueAccounts(environment: Environment, before: Date, again: number): Promise<string[]> {
  const { preferred: byEnvironment } = store()
  const preferred = [...(byEnvironment.get(environment) ?? [])]
  byEnvironment.delete(environment)
  const isNew = isNull(account.cardsReadAt)
  const pausedFrom = new Date(Math.max(before.getTime(), Date.now() - pauseAfterFailureMs))
  const isNotPaused = or(isNull(account.cardsFailedAt), lt(account.cardsFailedAt, pausedFrom))
  const first =
    preferred.length === 0
      ? []
      : await database()
          .select({ id: account.id })
          .from(account)
          .where(and(eq(account.environment, environment), inArray(account.id, preferred), isNew))
  const unread = await database()
    .select({ id: account.id })
    .from(account)
    .where(and(eq(account.environment, environment), isNew, isNotPaused))
    .limit(requestsPerMinute)
  const stale = async (most: number, condition: SQL, order: SQL) =>
    most === 0
      ? []
      : await database()
          .select({ id: account.id })
          .from(account)
          .where(and(eq(account.environment, environment), condition, isNotPaused))
          .orderBy(order)
          .limit(most)
  const isChanged = lt(account.cardsReadAt, account.figuresChangedAt)
  const changed = await stale(Math.ceil(again / 2), isChanged, desc(account.figuresChangedAt))
  const old = await stale(again, lt(account.cardsReadAt, before), sql`cards_read_at asc nulls first`)
  const due = idsOf(changed, old).slice(0, again)
  return [...new Set([...idsOf(first, unread), ...due])].slice(0, requestsPerMinute)
}

/** Each id once, in order. */
function idsOf(...lists: readonly { id: string }[][]): string[] {
  return [...new Set(lists.flat().map(({ id }) => id))]
}

async function readOrForget(environment: Environment, id: string): Promise<void> {
  const cards = await nullOn(readCards(environment, id), 'CARD_ACCOUNT_NOT_FOUND')
  if (cards === null) await inTransaction(database(), (tx) => forgetAccount(tx, environment, id))
}
