import 'server-only'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { cardActionRow, cardTransition, releasingActions } from '#lib/contract/card-actions.ts'
import { database } from '#lib/db/connection.ts'
import { freshenForReader } from '#lib/index/freshness.ts'
import { type BulkItemEntry, maximumBulkItems } from '#lib/operations/bulk/start.ts'
import type { BulkCardAction } from '#lib/operations/bulk/types.ts'
import { parseSearch } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedAccounts as account, indexedCards as card } from '#lib/tables/card-accounts.ts'
import { countLeftOut, jobKind, noSettings, rowsText, takeRows } from '../bulk/plan.ts'
import { findKeptStopped, type KeptStopped } from './kept-stopped.ts'
import { cardCondition, CardSearch } from './list-program-cards.ts'

/**
 * Does one action to many cards: those whose status, as the index has it, allows it. The others are left out by their status; cards that
 * were lost, are replaced or wait for their cancellation are made usable one at a time.
 */
export function cardJob(action: BulkCardAction) {
  const [verb] = cardActionRow(action).label.split(' ')
  return jobKind({
    settings: noSettings,
    title: (rows) => `${verb} ${rowsText(rows, 'card')}`,
    async plan({ environment, ids, filters }) {
      await freshenForReader(environment)
      const { cards, unknown, isTruncated, asOf } = await findChosenCards(environment, ids, filters)
      const allowed = cards.filter(({ status }) => isPossible(status, action))
      const others = cards.filter(({ status }) => !isPossible(status, action))
      const kept: ReadonlyMap<string, KeptStopped> = releasingActions.has(action)
        ? await findKeptStopped(
            environment,
            allowed.map(({ id }) => id),
          )
        : new Map()
      const possible = allowed.filter(({ id }) => !kept.has(id))
      return {
        items: possible.map((one) => toBulkItem(one, action)),
        leftOut: [...countLeftOut([...kept.values(), ...others.map(({ status }) => status)]), ...unknown],
        isTruncated,
        asOf,
        effect: { accounts: new Set(possible.map(({ cardAccountId }) => cardAccountId)).size },
      }
    },
  })
}

/** These cards of the index, or all that a filter matches, the newest first, as many as a job takes. */
export async function findChosenCards(
  environment: Environment,
  ids: readonly string[] | null,
  filters: Record<string, unknown>,
) {
  const { rows: cards, ...taken } = takeRows(ids?.length === 0 ? [] : await findCards(environment, ids, filters), ids)
  return { cards, ...taken }
}

type FoundCard = Awaited<ReturnType<typeof findCards>>[number]

/** One more than a job takes shows that there are more. */
async function findCards(environment: Environment, ids: readonly string[] | null, filters: Record<string, unknown>) {
  return database()
    .select({
      id: card.id,
      cardAccountId: card.cardAccountId,
      status: card.status,
      last4: card.last4,
      embossedName: card.embossedName,
      record: card.record,
      readAt: card.readAt,
      accountName: account.name,
      xid: account.xid,
    })
    .from(card)
    .leftJoin(account, and(eq(account.environment, card.environment), eq(account.id, card.cardAccountId)))
    .where(
      and(
        cardCondition(environment, ids ? {} : parseSearch(CardSearch, filters)),
        ids ? inArray(card.id, [...ids]) : undefined,
      ),
    )
    .orderBy(desc(card.issuedAt), desc(card.id))
    .limit(maximumBulkItems + 1)
}

/**
 * An unknown status allows nothing in a job, while a card's own page lets people lock, suspend or cancel it (`errorByStatus`): there, one
 * person sees what the service makes of it.
 */
function isPossible(status: string | null, action: BulkCardAction): boolean {
  const transition = cardTransition(status, action)
  return transition !== undefined && 'to' in transition
}

/** A card as a row's target, and the facts that every job shows of it. */
export function cardRow({ id, cardAccountId, last4, embossedName, accountName, xid }: FoundCard) {
  const name = [last4 && `•${last4}`, embossedName].filter(Boolean).join(' ') || null
  return {
    target: { type: 'card', id, parentId: cardAccountId, label: name },
    facts: { account: accountName, xid, card: name },
  }
}

function toBulkItem(found: FoundCard, action: BulkCardAction): BulkItemEntry {
  const { target, facts } = cardRow(found)
  return {
    target,
    endpoint: cardActionRow(action).endpoint,
    body: { cardAccountId: found.cardAccountId, cardId: found.id },
    facts: { ...facts, statusBefore: found.status },
  }
}
