import 'server-only'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Target } from '#lib/audit/types.ts'
import {
  cardActionRow,
  cardActions,
  cardTransition,
  releasingActions,
  type CardAction,
} from '#lib/contract/card-actions.ts'
import { endpointRow } from '#lib/contract/endpoints.ts'
import { holdsDigits, pinInComment } from '#lib/contract/pins.ts'
import type { Card } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { callService } from '#lib/environments/environments.ts'
import type { IdField } from '#lib/gate/action.ts'
import { readCards } from '#lib/index/cards-sync.ts'
import { indexCards } from '#lib/index/index-cards.ts'
import type { PolicyFacts } from '#lib/operations/approvals/policy-rules.ts'
import type { OperationRow } from '#lib/operations/journal.ts'
import {
  type Obstacle,
  OperationInput,
  isRecord,
  doneOrNot,
  unreadable,
  type BulkRow,
  type Checked,
  type Confirmation,
  type EarlierStep,
  type Issues,
  type OperationSpec,
} from '#lib/operations/spec.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { findById, isUuid } from '#lib/shared/ids.ts'
import { firstFields } from '#lib/shared/json.ts'
import { ServiceId } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedCards } from '#lib/tables/card-accounts.ts'
import { findKeptStopped, type KeptStopped } from './kept-stopped.ts'

export const LastFour = z
  .string('must be the last four digits of the card')
  .regex(/^\d{4}$/, 'must be the last four digits of the card')

const CardInput = OperationInput.extend({
  cardAccountId: ServiceId,
  cardId: ServiceId,
  /** Locks the card until its cancellation is approved. */
  lockNow: z.boolean().optional(),
  /** The last four digits of the card, typed by the person. */
  confirmLast4: LastFour.optional(),
})
type ParsedCardInput = z.output<typeof CardInput>

/** The input of any card action: with the digits, expiry or PIN of those that send them. */
type CardActionInput = z.input<typeof CardInput> & {
  last6?: string
  expiryMonth?: number
  expiryYear?: number
  pin?: string
}

type CardOperation = OperationSpec<z.ZodType<ParsedCardInput, CardActionInput>, Card>

/** The operations that set the status of a card. */
const statusKinds = cardActions
  .filter((action) => statusesAfter(action) !== null)
  .map((action) => `card.${action}` as const)

/** An operation for each action of the contract's table. */
export const cardOperations = Object.fromEntries(
  cardActions.map((action) => [`card.${action}`, cardOperation(action)]),
) as Record<`card.${CardAction}`, CardOperation>

function cardOperation(action: CardAction): CardOperation {
  const row = cardActionRow(action)
  const sent = fieldsSent(action)
  const confirmed = row.isConfirmedByLast4 ? { confirmLast4: CardInput.shape.confirmLast4.unwrap() } : {}
  const wantedStatuses = statusesAfter(action)
  return {
    endpoint: row.endpoint,
    input: CardInput.extend({ ...sent, ...confirmed }) as unknown as CardOperation['input'],
    target: cardTargetIn,
    request(input) {
      const { cardAccountId, cardId } = input
      const own = Object.keys(sent).map((field) => [field, (input as Record<string, unknown>)[field]])
      const pin = (input as { pin?: string }).pin ?? ''
      if (holdsDigits(input.comment ?? '', pin)) return { fields: { comment: pinInComment } }
      return {
        target: cardTarget(cardAccountId, cardId, null),
        body: { cardAccountId, cardId, ...Object.fromEntries(own) },
        holdsSecret: row.holdsSecret ?? false,
        ...(action === 'cancel' ? { policy: cancellation('the card') } : {}),
      }
    },
    check: (input) => checkCard(input, action),
    ...(releasingActions.has(action) ? { inJob: { check: findReasonToStayStopped } } : {}),
    ...(action === 'cancel' ? { checkApproved: findEarlierCancellation } : {}),
    // A cancellation is for good: it is wanted whatever came later.
    ...(wantedStatuses ? { outdatedBy: action === 'cancel' ? [] : statusKinds } : {}),
    stepUp: () => action === 'cancel',
    readBack: (journaled) => readBackCard(journaled, wantedStatuses),
    isShownBy: wantedStatuses
      ? (journaled, _sent, { response }) =>
          isRecord(response, journaled.targetId) && wantedStatuses.some((status) => status === response.status)
      : // Nothing shows a PIN. The interface does not say what the response is, but it is no page, no text and no error.
        (_row, _sent, { isReadable, body }) => isReadable && !isErrorBody(body),
    changes: ({ targetId, targetParentId }) =>
      targetParentId ? [{ type: 'card', id: targetId, cardAccountId: targetParentId }] : [],
    fieldsOfError({ code }) {
      const field = row.fieldsByCode?.[code as keyof typeof row.fieldsByCode]
      return field ? { [field]: 'does not match this card' } : {}
    },
  }
}

/** A message with a code, or with a status of 400 and above, as the interface's errors have; or a field that holds an error. */
function isErrorBody(body: unknown): boolean {
  const { code, message, statusCode, error } = firstFields(body)
  return (
    Boolean(error) ||
    (typeof message === 'string' && (typeof code === 'string' || (typeof statusCode === 'number' && statusCode >= 400)))
  )
}

/** The fields of the action's request beside the two ids, as the contract has them. */
function fieldsSent(action: CardAction): Record<string, z.ZodType> {
  const body = endpointRow(cardActionRow(action).endpoint).body as z.ZodObject
  const { cardAccountId: _account, cardId: _card, ...own } = body.shape
  return own as Record<string, z.ZodType>
}

/** The statuses that show the action was done; null where the status does not change. */
function statusesAfter(action: CardAction): readonly string[] | null {
  const reached = Object.values(cardActionRow(action).transitions).flatMap((transition) => {
    if (!('to' in transition) || transition.to === 'unchanged') return []
    return transition.to === 'before-suspension' ? ['active', 'locked'] : [transition.to]
  })
  return reached.length > 0 ? reached : null
}

function cancellation(card: string): PolicyFacts {
  return { topic: 'cancellations', effect: `Cancels ${card}. This can’t be undone.`, amounts: [] }
}

async function checkCard(
  { environment, cardAccountId, cardId, confirmLast4, lockNow, reason }: ParsedCardInput,
  action: CardAction,
): Promise<Checked | Issues> {
  const known = await findIndexedCard(environment, cardAccountId, cardId)
  // An id may have any form, and a number that is no card of the account may be that of a card.
  if (!known && !isUuid(cardId) && holdsCardNumber(cardId)) return { fields: { cardId: 'must not hold a card number' } }
  if (confirmLast4 !== undefined && confirmLast4 !== known?.last4) {
    return { fields: { confirmLast4: 'does not match the last four digits of this card' } }
  }
  const target = cardTarget(cardAccountId, cardId, known)
  const statusBefore = known?.status ?? null
  if (reason === undefined && (await needsReason(environment, target, action)))
    return { fields: { reason: 'must be given' } }
  if (action !== 'cancel') return { target, statusBefore }
  const isLocking = lockNow === true && canBeLocked(statusBefore)
  return {
    target,
    statusBefore,
    policy: cancellationFacts(target),
    ...(isLocking ? { earlier: [stepOn('lock', target, statusBefore)] } : {}),
  }
}

/** Whether the action makes a card usable that is kept stopped: who does so says why. */
async function needsReason(environment: Environment, { id }: Target, action: CardAction): Promise<boolean> {
  const isReleased = releasingActions.has(action) && cardActionRow(action).reasons.length > 0
  return isReleased && (await findKeptStopped(environment, [id])).has(id)
}

export function cancellationFacts({ label }: Target): PolicyFacts {
  return cancellation(label ? `the ${label}` : 'the card')
}

/** Before a row of a job makes a card usable: somebody may have reported it lost since the job was started. */
async function findReasonToStayStopped({ environment, target: { id } }: BulkRow): Promise<Obstacle | null> {
  const kept = (await findKeptStopped(environment, [id])).get(id)
  return kept ? { text: `${keptStoppedTexts[kept]} It can be made usable on its own page only.` } : null
}

const keptStoppedTexts: Record<KeptStopped, string> = {
  'reported-lost': 'The card was reported lost or stolen.',
  'has-replacement': 'The card is replaced.',
  'awaits-cancellation': 'The cancellation of the card waits for an approval.',
}

/** Before an approved cancellation is sent: somebody may have cancelled the card meanwhile. Where it can't be read, the request is sent. */
async function findEarlierCancellation({
  environment,
  targetId,
  targetParentId,
}: OperationRow): Promise<Obstacle | null> {
  const cards = targetParentId === null ? null : await nullOn(readCards(environment, targetParentId))
  const card = findById(cards ?? [], targetId)
  return card?.status === 'cancelled'
    ? { text: 'The card is cancelled already.', code: 'CARD_ALREADY_CANCELLED' }
    : null
}

/** Whether a lock may stop the card; an unknown status is no reason not to try. */
export function canBeLocked(status: string | null): boolean {
  const transition = cardTransition(status, 'lock')
  return !transition || 'to' in transition
}

/** An action on the card as a step before another operation. */
export function stepOn(action: CardAction, target: Target, statusBefore: string | null): EarlierStep {
  const body = { cardAccountId: target.parentId, cardId: target.id }
  return { kind: `card.${action}`, endpoint: cardActionRow(action).endpoint, body, target, statusBefore }
}

/** The card as last read; it is read now if the index does not have it. */
export async function findIndexedCard(
  environment: Environment,
  cardAccountId: string,
  cardId: string,
): Promise<{ last4: string | null; status: string | null } | null> {
  const [indexed] = await database()
    .select({ last4: indexedCards.last4, status: indexedCards.status })
    .from(indexedCards)
    .where(
      and(
        eq(indexedCards.environment, environment),
        eq(indexedCards.cardAccountId, cardAccountId),
        eq(indexedCards.id, cardId),
      ),
    )
  if (indexed) return indexed
  const cards = await nullOn(readCards(environment, cardAccountId))
  return findById(cards ?? [], cardId) ?? null
}

/**
 * Reads the card, which the index stores with the operation that explains a change of its status. `wantedStatuses` are the
 * statuses that the operation leads to; null where it changes none.
 */
export async function readBackCard(
  { environment, id, targetId: cardId, targetParentId: cardAccountId }: OperationRow,
  wantedStatuses: readonly string[] | null,
): Promise<Confirmation<Card>> {
  if (!cardAccountId) return unreadable(null)
  const fetchedAt = new Date()
  const { response } = await callService(environment, 'listCards', { query: { cardAccountId, cardId } })
  const card = findById(response.cards, cardId)
  if (!card) return unreadable('The card is not in the account’s list.')
  const isDone = wantedStatuses !== null && card.status !== null && wantedStatuses.includes(card.status)
  await inTransaction(database(), (tx) =>
    indexCards(tx, environment, cardAccountId, [card], { fetchedAt, isWhole: false, operationId: isDone ? id : null }),
  )
  if (wantedStatuses === null || card.status === null) return unreadable(null, card, card.status)
  return doneOrNot(isDone, card.status, `The card is ${card.status.replaceAll('-', ' ')}.`, card)
}

/** The target of an action whose input names a card; null where it does not. */
export function cardTargetIn(idIn: IdField): Target | null {
  const cardId = idIn('cardId')
  return cardId ? cardTarget(idIn('cardAccountId'), cardId, null) : null
}

export function cardTarget(cardAccountId: string | null, cardId: string, card: Pick<Card, 'last4'> | null): Target {
  return { type: 'card', id: cardId, parentId: cardAccountId, label: card?.last4 ? `card ending ${card.last4}` : null }
}
