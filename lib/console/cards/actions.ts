import 'server-only'
import { and, eq } from 'drizzle-orm'
import type { CardAction } from '#lib/contract/card-transitions.ts'
import type { Card } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { isUuid, sameId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { readCardsOf } from '../desk/mirror/cards-sync.ts'
import { act as perform, type ActionRequest, type ActionResult } from '../desk/operations/act.ts'
import { isRefusal } from '../desk/refusal.ts'
import { directoryCards } from '../desk/tables/directory.ts'
import type { Target } from '../desk/target.ts'
import {
  cardActionTable,
  type ActivateCardInput,
  type CancelCardInput,
  type CardActionInput,
  type ChangePinInput,
  type ParsedCardInput,
} from './action-table.ts'

export type { ActivateCardInput, CancelCardInput, CardActionInput, CardReason, ChangePinInput } from './action-table.ts'

/** `card` is the card as read afterwards, null where it could not be read. */
export type CardActionResult = ActionResult<{ card: Card | null }>

export function lockCard(input: CardActionInput): Promise<CardActionResult> {
  return act('lock', input)
}

export function unlockCard(input: CardActionInput): Promise<CardActionResult> {
  return act('unlock', input)
}

export function suspendCard(input: CardActionInput): Promise<CardActionResult> {
  return act('suspend', input)
}

export function unsuspendCard(input: CardActionInput): Promise<CardActionResult> {
  return act('unsuspend', input)
}

export function cancelCard(input: CancelCardInput): Promise<CardActionResult> {
  return act('cancel', input)
}

export function activateCard(input: ActivateCardInput): Promise<CardActionResult> {
  return act('activate', input)
}

export function changePin(input: ChangePinInput): Promise<CardActionResult> {
  return act('change-pin', input)
}

function act(action: CardAction, input: unknown): Promise<CardActionResult> {
  const { kind, permission, input: schema } = cardActionTable[action]
  return perform(
    {
      kind,
      permission,
      input: schema,
      about: (idIn) => {
        const cardId = idIn('cardId')
        return cardId ? cardTarget(idIn('cardAccountId'), cardId, null) : null
      },
      prepare: (parsed) => prepare(action, parsed),
    },
    input,
    (record) => ({ card: record as Card | null }),
  )
}

async function prepare(
  action: CardAction,
  input: ParsedCardInput,
): Promise<ActionRequest | { fields: Record<string, string> }> {
  const { endpoint, holdsSecret, needsReason, sends } = cardActionTable[action]
  const { environment, cardAccountId, cardId, reason, comment } = input
  if (needsReason && !reason) return { fields: { reason: 'must be given for this action' } }
  if (reason === 'other' && !comment) return { fields: { comment: 'must say why, where the reason is other' } }
  const known = await knownCard(environment, cardAccountId, cardId)
  // An id may have any form, and a number that is no card of the account may be that of a card.
  if (!known && !isUuid(cardId) && holdsCardNumber(cardId)) return { fields: { cardId: 'must not hold a card number' } }
  if (input.confirmLast4 !== undefined && input.confirmLast4 !== known?.last4) {
    return { fields: { confirmLast4: 'does not match the last four digits of this card' } }
  }
  return {
    target: cardTarget(cardAccountId, cardId, known?.last4 ?? null),
    endpoint,
    body: { cardAccountId, cardId, ...Object.fromEntries(sends.map((field) => [field, input[field]])) },
    statusBefore: known?.status ?? null,
    reason: reason ?? null,
    comment: comment ?? null,
    holdsSecret,
  }
}

/** The card as it was last read; it is read now where nobody has looked at it yet. */
async function knownCard(
  environment: Environment,
  cardAccountId: string,
  cardId: string,
): Promise<{ last4: string | null; status: string | null } | null> {
  const [mirrored] = await database()
    .select({ last4: directoryCards.last4, status: directoryCards.status })
    .from(directoryCards)
    .where(
      and(
        eq(directoryCards.environment, environment),
        eq(directoryCards.cardAccountId, cardAccountId),
        eq(directoryCards.id, cardId),
      ),
    )
  if (mirrored) return mirrored
  const cards = await readCardsOf(environment, cardAccountId).catch((error: unknown) => {
    if (isRefusal(error)) return []
    throw error
  })
  return cards.find(({ id }) => sameId(id, cardId)) ?? null
}

function cardTarget(cardAccountId: string | null, cardId: string, last4: string | null): Target {
  return { type: 'card', id: cardId, parentId: cardAccountId, label: last4 && `card ending ${last4}` }
}
