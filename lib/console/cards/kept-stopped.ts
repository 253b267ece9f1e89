import 'server-only'
import { and, desc, eq, inArray, or } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { findWaiting } from '#lib/operations/approvals/waiting.ts'
import type { OperationRow } from '#lib/operations/journal.ts'
import { toOutcomeState } from '#lib/operations/outcome.ts'
import { sameId } from '#lib/shared/ids.ts'
import { isReason } from '#lib/shared/reasons.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedCards } from '#lib/tables/card-accounts.ts'
import { operations } from '#lib/tables/operations.ts'

/** Why a stopped card is not made usable among many: it was reported lost or stolen, has a replacement, or its cancellation waits. */
export type KeptStopped = 'reported-lost' | 'has-replacement' | 'awaits-cancellation'

type CardOperation = Pick<OperationRow, 'kind' | 'reason' | 'state' | 'code'>

/** Whether the last report of a loss came after the last time that somebody made the card usable. The operations are newest first. */
export function isReportedLost(operationsOfCard: readonly CardOperation[]): boolean {
  for (const row of operationsOfCard) {
    const state = toOutcomeState(row)
    if (!happened.has(state)) continue
    if (isReason(row.reason, lost)) return true
    if (makesUsable.includes(row.kind) && state === 'done') return false
  }
  return false
}

const lost = 'lost-or-stolen'

/** States of an operation that may have had its effect, or will have it. */
const happened: ReadonlySet<string> = new Set(['done', 'partial', 'unknown', 'running', 'waiting'])
const makesUsable = ['card.unlock', 'card.activate']

/**
 * Those of the cards that stay stopped, by id, as the console's own operations and approvals show. Cards that a job locked as lost are not
 * among them: a job may take that back.
 */
export async function findKeptStopped(
  environment: Environment,
  cardIds: readonly string[],
): Promise<ReadonlyMap<string, KeptStopped>> {
  if (cardIds.length === 0) return new Map()
  const { targetId, kind, reason, state, code, resultId, supersededAt } = operations
  const [rows, waiting] = await Promise.all([
    database()
      .select({ targetId, kind, reason, state, code, resultId, supersededAt })
      .from(operations)
      .where(
        and(
          eq(operations.environment, environment),
          inArray(targetId, [...cardIds]),
          or(inArray(kind, [...makesUsable, 'card.replace']), eq(reason, lost)),
        ),
      )
      .orderBy(desc(operations.createdAt)),
    findWaiting(environment, 'card.cancel', cardIds),
  ])
  const replacements = rows.flatMap((row) =>
    row.kind === 'card.replace' && row.resultId !== null && row.supersededAt === null
      ? [{ targetId: row.targetId, resultId: row.resultId }]
      : [],
  )
  const replaced = await findReplaced(environment, replacements)
  const kept = new Map<string, KeptStopped>(waiting.map((request) => [request.targetId, 'awaits-cancellation']))
  for (const [id, own] of Map.groupBy(rows, (row) => row.targetId)) {
    if (replaced.has(id)) kept.set(id, 'has-replacement')
    if (isReportedLost(own)) kept.set(id, 'reported-lost')
  }
  return kept
}

/** Those of the cards whose replacement is there. A sandbox that was reset has the seeded cards again, and none that was issued since. */
async function findReplaced(
  environment: Environment,
  replacements: readonly { targetId: string; resultId: string }[],
): Promise<ReadonlySet<string>> {
  const { id } = indexedCards
  const issued = replacements.map(({ resultId }) => resultId)
  const there = await database()
    .select({ id })
    .from(indexedCards)
    .where(and(eq(indexedCards.environment, environment), inArray(id, issued)))
  const isThere = ({ resultId }: { resultId: string }) =>
    environment !== 'sandbox' || there.some((card) => sameId(card.id, resultId))
  return new Set(replacements.filter(isThere).map(({ targetId }) => targetId))
}
