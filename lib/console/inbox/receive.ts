import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import { noteServiceTime } from '#lib/environments/control-plane.ts'
import { serviceProfile } from '#lib/environments/environments.ts'
import { webhookKeySettings } from '#lib/settings/console-settings.ts'
import { logFailure } from '#lib/shared/log.ts'
import { readBounded } from '#lib/shared/read-bounded.ts'
import { type Environment, isEnvironment } from '#lib/shared/routes.ts'
import { isoTime } from '#lib/shared/time.ts'
import { indexedCards } from '#lib/tables/card-accounts.ts'
import { inboxEvents, inboxIds } from '#lib/tables/inbox.ts'
import { applySoon } from './apply.ts'
import { countInbox } from './counts.ts'
import { readDelivery, type ReceivedEvent } from './delivery.ts'
import { verifySignature } from './webhook-key.ts'

const longestBodyBytes = 1024 * 1024

/**
 * A delivery of the service: its signature is checked on the raw bytes before anything is parsed, then the event is stored
 * once by its id and acknowledged with 200; it is applied afterwards. Only 200 means that the console has it.
 */
export async function receiveDelivery(request: Request, environment: string): Promise<Response> {
  const requestId = randomUUID()
  const response = (status: number, code: string, message: string) =>
    Response.json(status === 200 ? { message } : { code, message, requestId }, {
      status,
      headers: { 'x-request-id': requestId, 'cache-control': 'no-store' },
    })
  if (!isEnvironment(environment)) return response(404, 'ENVIRONMENT_NOT_FOUND', 'There is no such environment.')
  try {
    const profile = serviceProfile(environment)
    const { headers } = profile
    const signature = request.headers.get(headers.webhookSignature)
    if (!isOfSignatureForm(signature)) {
      countInbox(environment, 'signature')
      return response(401, 'INVALID_SIGNATURE', `The header ${headers.webhookSignature} holds no signature.`)
    }
    const isTooLarge = Number(request.headers.get('content-length') ?? 0) > longestBodyBytes
    const body = isTooLarge ? null : await readBounded(request, longestBodyBytes).catch(() => undefined)
    if (body === undefined) return response(400, 'INVALID_DELIVERY', 'The delivery was not sent to its end.')
    if (!body) return response(413, 'PAYLOAD_TOO_LARGE', 'A delivery has at most 1 MiB.')
    const verdict = await verifySignature(environment, body, signature)
    if (verdict === 'no-key') {
      const setting = webhookKeySettings[environment]
      return response(503, 'NO_WEBHOOK_KEY', `The console has no key to verify deliveries with. Set ${setting}.`)
    }
    if (verdict === 'wrong') {
      countInbox(environment, 'signature')
      return response(401, 'INVALID_SIGNATURE', `The signature in ${headers.webhookSignature} is not that of the body.`)
    }
    const read = readDelivery(body, profile)
    if (!read.ok) {
      countInbox(environment, 'malformed')
      return response(400, 'INVALID_DELIVERY', `The delivery is ${read.error}.`)
    }
    const isNew = await store(environment, read.value.received, read.value.text)
    if (!isNew) return response(200, 'OK', 'known')
    applySoon(environment)
    return response(200, 'OK', 'stored')
  } catch (error) {
    logFailure(error, { requestId, while: 'receiving a delivery' })
    return response(500, 'UNEXPECTED', 'The delivery could not be stored. Send it again.')
  }
}

/** Base64 or hexadecimal of at most an 8192-bit key: whatever is no signature at all is refused before the body is read. */
function isOfSignatureForm(text: string | null): text is string {
  return text !== null && /^[A-Za-z0-9+/]{64,2048}={0,2}$/.test(text)
}

/** Stored before anything else happens; false where the id is known. A card whose account is not named has that of the index. */
async function store(environment: Environment, received: ReceivedEvent, text: string): Promise<boolean> {
  const db = database()
  const { id, event, isKnown, cardAccountId, cardId, payoutId, transactionId, time } = received
  const receivedAt = new Date().toISOString()
  const { rowCount } = await db.execute(sql`
    with stored as (
      insert into ${inboxIds} (environment, id, received_at) values (${environment}, ${id}, ${receivedAt})
      on conflict do nothing returning received_at
    )
    insert into ${inboxEvents} (environment, id, event, body, is_known, card_account_id, card_id, payout_id, transaction_id, time,
      received_at, next_attempt_at)
    select ${environment}, ${id}, ${event}, ${text}, ${isKnown}, ${cardAccountId ?? accountOfCard(environment, cardId)}, ${cardId}, ${payoutId}, ${transactionId},
      ${isoTime(time)}::timestamptz, received_at, received_at from stored`)
  if (rowCount === 1) {
    noteServiceTime(environment, received.time)
    return true
  }
  await db
    .update(inboxEvents)
    .set({ duplicates: sql`${inboxEvents.duplicates} + 1` })
    .where(and(eq(inboxEvents.environment, environment), eq(inboxEvents.id, id)))
  countInbox(environment, 'duplicate')
  return false
}

function accountOfCard(environment: Environment, cardId: string | null) {
  if (cardId === null) return null
  const isCard = sql`${indexedCards.environment} = ${environment} and lower(${indexedCards.id}) = ${cardId.toLowerCase()}`
  return sql`(select ${indexedCards.cardAccountId} from ${indexedCards} where ${isCard} limit 1)`
}
