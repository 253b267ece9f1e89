import { z } from 'zod'
import { recordName } from '#lib/client/contract-names.ts'
import { parseResponse } from '#lib/client/parse-response.ts'
import { contractProfile, contractSpelling, responseNames, type ServiceProfile } from '#lib/client/service-profile.ts'
import { eventTable, isEventName } from '#lib/contract/events.ts'
import { Timestamp } from '#lib/contract/fields.ts'
import type { EventName } from '#lib/contract/terms.ts'
import { maskCardNumbers, maskCardNumbersInJson } from '#lib/shared/card-numbers.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { asFields, isFields, parseJson } from '#lib/shared/json.ts'
import { ServiceId } from '#lib/shared/parse.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import { toDate } from '#lib/shared/time.ts'

/** The stored fields of a delivery beside its text. */
export type ReceivedEvent = {
  id: string
  event: string
  isKnown: boolean
  cardAccountId: string | null
  cardId: string | null
  payoutId: string | null
  transactionId: string | null
  time: Date | null
}

/** Why a delivery with a valid signature is refused. */
export type Malformed = 'not JSON' | 'without an id'

const longestName = 200

/**
 * Parses a delivery; `text` is what is stored of it: see `maskDelivery`. One that
 * is not of the interface's shape is stored as unknown where it has an id. Events and fields may have the names of the
 * service's profile; the name of an event that is neither there nor in the contract is stored as sent.
 */
export function readDelivery(
  body: Uint8Array,
  { events, fields }: Pick<ServiceProfile, 'events' | 'fields'> = contractProfile,
): Result<{ received: ReceivedEvent; text: string }, Malformed> {
  const raw = decodeUtf8(body)
  const sent = parseJson(raw ?? '')
  if (!raw || sent === undefined) return fail('not JSON')
  const id = parseEventId(asFields(sent).id)
  if (!isFields(sent) || id === null) return fail('without an id')
  const event = contractSpelling(events, parseEventName(sent.event))
  const data = isFields(sent.data) ? underContractNames(event, sent.data, fields) : null
  const time = parseEventTime(sent.time)
  return ok({
    text: maskDelivery(raw),
    received: {
      id,
      event,
      isKnown: isEventName(event) && time !== null && data !== null && namesItsRecord(event, data),
      ...findSubject(event, data ?? {}),
      time,
    },
  })
}

/** A delivery with the last four digits of each card number. Ids are those of the service's records, also where they look like one. */
export function maskDelivery(text: string): string {
  return maskCardNumbersInJson(text, /^x?id$|Id$/)
}

/** The data of an event with the contract's names beside those that the service has for fields of its record. */
function underContractNames(
  event: string,
  data: Record<string, unknown>,
  fields: ServiceProfile['fields'],
): Record<string, unknown> {
  const renamed = isEventName(event) ? fields[recordName(eventTable[event].data, '')] : undefined
  const named = Object.entries(renamed ?? {}).filter(([, sent]) => Object.hasOwn(data, sent))
  return { ...data, ...Object.fromEntries(named.map(([name, sent]) => [name, data[sent]])) }
}

/** Whether the data of an event has the id of its record or account, where the contract gives it one. */
function namesItsRecord(event: EventName, data: Record<string, unknown>): boolean {
  const schema: z.ZodType = eventTable[event].data
  const names = schema instanceof z.ZodObject ? ['id', 'cardAccountId'].filter((name) => name in schema.shape) : []
  return names.length === 0 || names.some((name) => parseServiceId(data[name]) !== null)
}

/** Events whose data is itself the record of a card or an account. */
const records: Record<string, 'card' | 'cardaccount'> = {
  'card.updated': 'card',
  'cardaccount.created': 'cardaccount',
  'cardaccount.balance': 'cardaccount',
}

type Subject = Pick<ReceivedEvent, 'cardAccountId' | 'cardId' | 'payoutId' | 'transactionId'>

function findSubject(event: string, data: Record<string, unknown>): Subject {
  const record = Object.hasOwn(records, event) ? records[event] : undefined
  return {
    cardAccountId: parseServiceId(data.cardAccountId) ?? (record === 'cardaccount' ? parseServiceId(data.id) : null),
    cardId: parseServiceId(data.cardId) ?? (record === 'card' ? parseServiceId(data.id) : null),
    payoutId: event.startsWith('payout.') ? (parseServiceId(data.id) ?? parseServiceId(data.payoutId)) : null,
    transactionId: /^cardaccount\.transaction\.(?:created|updated|declined)$/.test(event)
      ? parseServiceId(data.id)
      : null,
  }
}

function decodeUtf8(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return null
  }
}

/** PostgreSQL stores neither NUL nor unpaired surrogates, and an id has no control characters. */
function parseEventId(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > longestName) return null
  if (/[\p{Cc}\p{Cs}]/u.test(value)) return null
  return isUuid(value) ? value.toLowerCase() : value
}

function parseEventName(value: unknown): string {
  return typeof value === 'string' && value !== ''
    ? maskCardNumbers(value)
        .replaceAll(/[\p{Cc}\p{Cs}]/gu, '�')
        .slice(0, longestName)
    : '(none)'
}

/** An id of the service as it was sent; a number is its digits. */
function parseServiceId(value: unknown): string | null {
  const id = ServiceId.safeParse(Number.isSafeInteger(value) ? String(value) : value)
  return id.success ? id.data : null
}

const DeliveryTime = z.object({ time: Timestamp })

/** ISO 8601 or seconds or milliseconds since 1970, as in responses. */
function parseEventTime(value: unknown): Date | null {
  const parsed = parseResponse(DeliveryTime, { time: value }, responseNames(contractProfile, 'listWebhooks'))
  const time = 'record' in parsed ? (parsed.record as { time: string | null }).time : null
  return toDate(time)
}
