import 'server-only'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { cardActionRow, cardTransition } from '#lib/contract/card-actions.ts'
import { database } from '#lib/db/connection.ts'
import { requireService } from '#lib/environments/environments.ts'
import { freshenForReader } from '#lib/index/freshness.ts'
import { staffAction } from '#lib/operations/act.ts'
import { type BulkItemEntry, isStarted, maximumBulkItems, startBulkJob } from '#lib/operations/bulk/start.ts'
import { type BulkCardAction, bulkCardActions } from '#lib/operations/bulk/types.ts'
import { reasonIssues } from '#lib/operations/kinds.ts'
import { ActionInput, Id } from '#lib/operations/spec.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { uniqueIds } from '#lib/shared/ids.ts'
import { EnvironmentName, ServiceId } from '#lib/shared/parse.ts'
import { reasonLine } from '#lib/shared/reasons.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { directoryAccounts as account, directoryCards as card } from '#lib/tables/directory.ts'
import { readLeftOver } from '../bulk/left-over.ts'
import { cardCondition, parseCardSearch } from './list-program-cards.ts'
import type { CardJobPreview } from './types.ts'

const action = z.enum(bulkCardActions, `must be one of ${bulkCardActions.join(', ')}`)
const cardIds = z
  .array(ServiceId, 'must be card ids')
  .min(1, 'must name at least one card')
  .max(maximumBulkItems, `must name at most ${maximumBulkItems.toLocaleString('en-HK')} cards`)
  .transform(uniqueIds)

const Chosen = z.object({
  environment: EnvironmentName,
  action,
  /** Null: all that the filter matches, or what `leftOverOf` left. */
  cardIds: cardIds.nullable(),
  /** The filter of the list that they were chosen in. */
  filters: z.record(z.string(), z.unknown()),
  /** The job whose rows that were refused or never began are meant. */
  leftOverOf: Id.optional(),
})
const Start = ActionInput.extend({ action, cardIds })

type CardJobPreviewResult = { kind: 'read'; preview: CardJobPreview } | NotStarted
export type StartCardJobInput = z.input<typeof Start>
type StartCardJobResult = { kind: 'started'; jobId: string } | NotStarted

/** Which of the chosen cards the action is possible for, by the status that the index has. Changes nothing. */
export function previewCardJob(input: z.input<typeof Chosen>): Promise<CardJobPreviewResult> {
  return staffAction(attemptOf(input), Chosen, input, async (chosen): Promise<CardJobPreviewResult> => {
    const { environment, leftOverOf } = chosen
    requireService(environment)
    await freshenForReader(environment)
    const left = leftOverOf === undefined ? null : await readLeftOver(environment, leftOverOf, `card.${chosen.action}`)
    const ids = leftOverOf === undefined ? chosen.cardIds : (left?.rows ?? []).map(({ targetId }) => targetId)
    const found = await findCards(environment, ids, chosen.filters)
    const cards = found.slice(0, maximumBulkItems)
    const possible = cards.filter(({ status }) => isPossible(status, chosen.action))
    const others = Map.groupBy(
      cards.filter(({ status }) => !isPossible(status, chosen.action)),
      ({ status }) => status,
    )
    const preview: CardJobPreview = {
      cardIds: possible.map(({ id }) => id),
      accounts: new Set(possible.map(({ cardAccountId }) => cardAccountId)).size,
      leftOut: [...others].map(([status, own]) => ({ status, cards: own.length })),
      unknown: ids === null ? 0 : ids.length - cards.length,
      isCut: found.length > cards.length,
    }
    return { kind: 'read', preview }
  })
}

/**
 * Starts the job that does the action to one card after the other; the operation's id is the job's. Where it is no longer possible
 * for one of the cards nothing starts, and the field `cardIds` says so.
 */
export function startCardJob(input: StartCardJobInput): Promise<StartCardJobResult> {
  return staffAction(attemptOf(input), Start, input, async (given, staff): Promise<StartCardJobResult> => {
    const { environment, operationId: id, reason, comment, action: chosen } = given
    const kind = `card.${chosen}` as const
    const issues = reasonIssues(kind, given, true)
    if (!reason || Object.keys(issues).length > 0) return { kind: 'invalid', fields: issues }
    const started = { kind: 'started', jobId: id } as const
    if (await isStarted(id, staff.id)) return started
    requireService(environment)
    const cards = await findCards(environment, given.cardIds, {})
    if (cards.length < given.cardIds.length || !cards.every(({ status }) => isPossible(status, chosen))) {
      // Its own first rows may be done already: a second click leads to the job that the first one made.
      if (await isStarted(id, staff.id)) return started
      return { kind: 'invalid', fields: { cardIds: 'are not all in a status that allows it any more' } }
    }
    const [verb] = cardActionRow(chosen).label.split(' ')
    await startBulkJob({
      id,
      environment,
      kind,
      title: cards.length === 1 ? `${verb} 1 card` : `${verb} ${cards.length.toLocaleString('en-HK')} cards`,
      reason: reasonLine(reason, comment ?? null),
      by: staff,
      items: cards.map((one) => itemOf(one, chosen)),
    })
    return started
  })
}

/** What a person attempts. Without a known action it is refused as the first of them, and then named as wrong. */
function attemptOf(input: { action?: unknown } | null) {
  const chosen = bulkCardActions.find((one) => one === input?.action) ?? 'suspend'
  return { kind: `card.${chosen}`, permission: `cards.${chosen}` } as const
}

type FoundCard = Awaited<ReturnType<typeof findCards>>[number]

/** These cards of the index, or all that a filter matches, newest first; one more than a job takes shows that there are more. */
async function findCards(environment: Environment, ids: readonly string[] | null, filters: Record<string, unknown>) {
  if (ids?.length === 0) return []
  return database()
    .select({
      id: card.id,
      cardAccountId: card.cardAccountId,
      status: card.status,
      last4: card.last4,
      embossedName: card.embossedName,
      accountName: account.name,
      xid: account.xid,
    })
    .from(card)
    .leftJoin(account, and(eq(account.environment, card.environment), eq(account.id, card.cardAccountId)))
    .where(
      and(
        cardCondition(environment, ids === null ? parseCardSearch(filters) : {}),
        ids === null ? undefined : inArray(card.id, [...ids]),
      ),
    )
    .orderBy(desc(card.issuedAt), desc(card.id))
    .limit(maximumBulkItems + 1)
}

function isPossible(status: string | null, chosen: BulkCardAction): boolean {
  const transition = status === null ? undefined : cardTransition(status, chosen)
  return transition !== undefined && 'to' in transition
}

function itemOf(
  { id, cardAccountId, status, last4, embossedName, accountName, xid }: FoundCard,
  chosen: BulkCardAction,
) {
  const name = [last4 && `•${last4}`, embossedName].filter(Boolean).join(' ') || null
  const item: BulkItemEntry = {
    target: { type: 'card', id, parentId: cardAccountId, label: name },
    endpoint: cardActionRow(chosen).endpoint,
    body: { cardAccountId, cardId: id },
    facts: { account: accountName, xid, card: name, statusBefore: status },
  }
  return item
}
