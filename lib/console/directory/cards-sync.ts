import 'server-only'
import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Card } from '#lib/contract/cards.ts'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { askService } from '../environments.ts'
import { isRefusal } from '../refusal.ts'
import { directoryAccounts as account } from '../tables/directory.ts'
import { forgetAccount, mirrorCards } from './mirror.ts'
import { withExclusive } from './sync.ts'

/** Requests for cards that the mirror may make in a minute, a quarter of the service's usual rate limit. */
const requestsPerMinute = 300
const atOnce = 4

type Store = { allowance: number; refilledAt: number; lookedAt: Map<Environment, Set<string>> }
const globals = globalThis as typeof globalThis & { carddeskCardReading?: Store | undefined }

/** One a process, also where a bundler loads this module twice. */
function store(): Store {
  return (globals.carddeskCardReading ??= {
    allowance: requestsPerMinute,
    refilledAt: Date.now(),
    lookedAt: new Map(),
  })
}

function takeAllowance(wanted: number): number {
  const kept = store()
  const now = Date.now()
  const refill = ((now - kept.refilledAt) / minuteMs) * requestsPerMinute
  kept.allowance = Math.min(requestsPerMinute, kept.allowance + refill)
  kept.refilledAt = now
  const taken = Math.min(wanted, Math.floor(kept.allowance))
  kept.allowance -= taken
  return taken
}

/** All cards of an account, read from the service and mirrored. */
export async function readCardsOf(environment: Environment, cardAccountId: string): Promise<Card[]> {
  const askedAt = new Date()
  const cards: Card[] = []
  let pageToken: string | undefined
  do {
    const { answer } = await askService(environment, 'listCards', {
      query: { cardAccountId, pageSize: '100', ...(pageToken === undefined ? {} : { pageToken }) },
    })
    cards.push(...answer.cards)
    pageToken = answer.cards.length > 0 ? (answer.nextPageToken ?? undefined) : undefined
  } while (pageToken !== undefined && cards.length < 10_000)
  await inTransaction(database(), (tx) =>
    mirrorCards(tx, environment, cardAccountId, cards, { askedAt, isWhole: true }),
  )
  return cards
}

/**
 * Reads cards of accounts whose cards were never read or not since `before`, those that somebody looks at first, as far as
 * the allowance of this minute goes.
 */
export async function readSomeCards(environment: Environment, before: Date, wanted = requestsPerMinute): Promise<void> {
  await withExclusive(database(), `directory cards ${environment}`, async () => {
    const due = await dueAccounts(environment, before, wanted)
    const ids = due.slice(0, takeAllowance(due.length))
    const work = ids.values()
    const worker = async () => {
      for (const id of work) await readOrForget(environment, id)
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
  })
}

/** Accounts on somebody's screen whose card counts are unknown come first. */
export function preferCardsOf(environment: Environment, ids: readonly string[]): void {
  const { lookedAt } = store()
  const preferred = lookedAt.get(environment) ?? new Set()
  for (const id of ids) if (preferred.size < requestsPerMinute) preferred.add(id)
  lookedAt.set(environment, preferred)
}

async function dueAccounts(environment: Environment, before: Date, number: number): Promise<string[]> {
  const { lookedAt } = store()
  const preferred = [...(lookedAt.get(environment) ?? [])].slice(0, number)
  lookedAt.delete(environment)
  const isDue = or(isNull(account.cardsReadAt), lt(account.cardsReadAt, before))
  const first =
    preferred.length === 0
      ? []
      : await database()
          .select({ id: account.id })
          .from(account)
          .where(and(eq(account.environment, environment), inArray(account.id, preferred), isDue))
  const rest = await database()
    .select({ id: account.id })
    .from(account)
    .where(and(eq(account.environment, environment), isDue))
    .orderBy(sql`cards_read_at asc nulls first`)
    .limit(number)
  return [...new Set([...first, ...rest].map(({ id }) => id))].slice(0, number)
}

async function readOrForget(environment: Environment, id: string): Promise<void> {
  try {
    await readCardsOf(environment, id)
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'CARD_ACCOUNT_NOT_FOUND') throw error
    await inTransaction(database(), (tx) => forgetAccount(tx, environment, id))
  }
}
