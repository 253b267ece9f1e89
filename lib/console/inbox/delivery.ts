import { contractSpelling } from '#lib/client/service-profile.ts'
import { Delivery, eventTable, isEventName } from '#lib/contract/events.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'

/** What the console keeps of a delivery beside its text. */
export type ReceivedEvent = {
  id: string
  event: string
  isKnown: boolean
  cardAccountId: string | null
  cardId: string | null
  payoutId: string | null
  time: Date | null
}

/** Why a delivery with a right signature is refused all the same. */
export type Malformed = 'not JSON' | 'without an id'

const longestName = 200

/**
 * Parses a delivery. One that is not of the interface's shape is stored as unknown where it has an id. `names` are the event
 * names of this service with the contract's; a name that is in neither is stored as sent.
 */
export function readDelivery(
  body: Uint8Array,
  names: Readonly<Record<string, string>> = {},
): Result<{ received: ReceivedEvent; text: string }, Malformed> {
  const text = textOf(body)
  const value = text === null ? undefined : jsonOf(text)
  if (text === null || value === undefined) return fail('not JSON')
  const fields = recordOf(value)
  const id = idOf(fields?.id)
  if (!fields || id === null) return fail('without an id')
  const parsed = Delivery.safeParse(value)
  const event = contractSpelling(names, nameOf(fields.event))
  const data = recordOf(fields.data) ?? {}
  const isShaped = parsed.success && isEventName(event) && eventTable[event].data.safeParse(data).success
  return ok({
    text,
    received: { id, event, isKnown: isShaped, ...subjectOf(event, data), time: timeOf(fields.time) },
  })
}

/** Events whose data is itself the record of a card or an account. */
const records: Record<string, 'card' | 'cardaccount'> = {
  'card.updated': 'card',
  'cardaccount.created': 'cardaccount',
  'cardaccount.balance': 'cardaccount',
}

type Subject = Pick<ReceivedEvent, 'cardAccountId' | 'cardId' | 'payoutId'>

function subjectOf(event: string, data: Record<string, unknown>): Subject {
  const record = Object.hasOwn(records, event) ? records[event] : undefined
  return {
    cardAccountId: uuidOf(data.cardAccountId) ?? (record === 'cardaccount' ? uuidOf(data.id) : null),
    cardId: uuidOf(data.cardId) ?? (record === 'card' ? uuidOf(data.id) : null),
    payoutId: event.startsWith('payout.') ? (uuidOf(data.id) ?? uuidOf(data.payoutId)) : null,
  }
}

function textOf(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return null
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}

/** PostgreSQL keeps neither NUL nor half a surrogate pair, and an id bears no control characters. */
function idOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > longestName) return null
  if (/[\p{Cc}\p{Cs}]/u.test(value)) return null
  return isUuid(value) ? value.toLowerCase() : value
}

function nameOf(value: unknown): string {
  return typeof value === 'string' && value !== ''
    ? value.replaceAll(/[\p{Cc}\p{Cs}]/gu, '�').slice(0, longestName)
    : '(none)'
}

function uuidOf(value: unknown): string | null {
  return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : null
}

/** Only what PostgreSQL and a Date both hold. */
function timeOf(value: unknown): Date | null {
  const time = new Date(typeof value === 'string' ? value : Number.NaN)
  const year = time.getUTCFullYear()
  return year >= 1970 && year <= 9999 ? time : null
}
