import 'server-only'
import { and, eq } from 'drizzle-orm'
import type { CardAction } from '#lib/contract/card-transitions.ts'
import type { Card } from '#lib/contract/cards.ts'
import { database } from '#lib/db/connection.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { environments, type Environment } from '#lib/shared/routes.ts'
import {
  cardActionTable,
  type ActivateCardInput,
  type CancelCardInput,
  type CardActionInput,
  type ChangePinInput,
  type ParsedCardInput,
} from './card-action-table.ts'
import { readCardsOf } from './directory/cards-sync.ts'
import { bytesOf } from './environments.ts'
import { refusedBeforeSending, type Outcome } from './operations/outcome.ts'
import { auditRefusals, performOperation } from './operations/perform.ts'
import { operationOf, type Operation } from './operations/operation.ts'
import { fieldErrors } from './parse.ts'
import { readBack } from './read-back.ts'
import { isRefusal, Refusal } from './refusal.ts'
import { currentSession, requirePermission } from './session.ts'
import type { Staff } from './staff.ts'
import { directoryCards } from './tables/directory.ts'
import type { Target } from './target.ts'

export type {
  ActivateCardInput,
  CancelCardInput,
  CardActionInput,
  CardReason,
  ChangePinInput,
} from './card-action-table.ts'

/**
 * `settled`: the operation exists, whatever its outcome; `card` is the card as read afterwards, null where it could not
 * be read. `invalid`: nothing was sent, the fields say why. `refused`: nothing was sent (signed out, not permitted, not
 * connected, the id belongs to another operation).
 */
export type CardActionResult =
  | { kind: 'settled'; operation: Operation; card: Card | null }
  | { kind: 'invalid'; fields: Record<string, string> }
  | { kind: 'refused'; outcome: Outcome }

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

/** Permission, input, operation, and the truth afterwards. What arrives is whatever a browser sent, not its type. */
async function act(action: CardAction, input: unknown): Promise<CardActionResult> {
  try {
    const environment = environmentOf(input)
    const staff = await requireActor(action, environment, input)
    const parsed = parse(action, input)
    if ('fields' in parsed) return { kind: 'invalid', fields: parsed.fields }
    return await operate(action, staff, parsed.input)
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { kind: 'refused', outcome: refusedBeforeSending(error.code, error.message) }
  }
}

async function operate(action: CardAction, staff: Staff, input: ParsedCardInput): Promise<CardActionResult> {
  const { kind, endpoint, holdsSecret, sends } = cardActionTable[action]
  const { environment, operationId, cardAccountId, cardId } = input
  const known = await knownCard(environment, cardAccountId, cardId)
  if (input.confirmLast4 !== undefined && input.confirmLast4 !== known?.last4) {
    return { kind: 'invalid', fields: { confirmLast4: 'does not match the last four digits of this card' } }
  }
  const body = { cardAccountId, cardId, ...Object.fromEntries(sends.map((field) => [field, input[field]])) }
  const row = await performOperation({
    id: operationId,
    environment,
    kind,
    by: { id: staff.id, name: staff.name, role: staff.role },
    target: cardTarget(cardAccountId, cardId, known?.last4 ?? null),
    reason: input.reason ?? null,
    comment: input.comment ?? null,
    endpoint,
    ...bytesOf(endpoint, body),
    holdsSecret,
    statusBefore: known?.status ?? null,
  })
  const card = await readBack(row)
  return { kind: 'settled', operation: operationOf(row), card }
}

function environmentOf(input: unknown): Environment {
  const asked = typeof input === 'object' && input !== null && 'environment' in input ? input.environment : null
  const environment = environments.find((name) => name === asked)
  if (!environment) throw new Refusal('ENVIRONMENT_NOT_FOUND', 'There is no such environment.')
  return environment
}

/** Who acts. An attempt without the permission stands in the audit trail. */
async function requireActor(action: CardAction, environment: Environment, input: unknown): Promise<Staff> {
  const { kind, permission } = cardActionTable[action]
  const session = await currentSession()
  if (!session) return requirePermission(permission, environment)
  const { id, name, role } = session.staff
  const asked = input as Partial<Record<string, unknown>>
  const uuidOf = (field: string) => {
    const value = asked[field]
    return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : null
  }
  const cardId = uuidOf('cardId')
  return auditRefusals(
    {
      id: uuidOf('operationId'),
      environment,
      kind,
      by: { id, name, role },
      target: cardId ? cardTarget(uuidOf('cardAccountId'), cardId, null) : null,
      reason: null,
      comment: null,
    },
    () => requirePermission(permission, environment),
  )
}

function parse(action: CardAction, input: unknown): { input: ParsedCardInput } | { fields: Record<string, string> } {
  const { input: schema, needsReason } = cardActionTable[action]
  const parsed = schema.safeParse(input)
  if (!parsed.success) return { fields: fieldErrors(parsed.error) }
  const { reason, comment } = parsed.data
  if (needsReason && !reason) return { fields: { reason: 'must be given for this action' } }
  if (reason === 'other' && !comment) return { fields: { comment: 'must say why, where the reason is other' } }
  return { input: parsed.data }
}

/** The card as it was last read; it is read now where nobody has looked at it yet. */
async function knownCard(
  environment: Environment,
  cardAccountId: string,
  cardId: string,
): Promise<{ last4: string; status: string } | null> {
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
  return cards.find(({ id }) => id === cardId) ?? null
}

function cardTarget(cardAccountId: string | null, cardId: string, last4: string | null): Target {
  return { type: 'card', id: cardId, parentId: cardAccountId, label: last4 && `card ending ${last4}` }
}
