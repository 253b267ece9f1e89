import { randomUUID } from 'node:crypto'
import { and, asc, eq, gt, gte, max, sql } from 'drizzle-orm'
import { z } from 'zod'
import { cardPeriods } from '#lib/contract/charge-rule.ts'
import { isEventName } from '#lib/contract/events.ts'
import { JsonValue, text, Uuid, whenObject } from '#lib/contract/fields.ts'
import { type EventName, eventNames, rejectionReasons } from '#lib/contract/terms.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { perDatabase } from '#lib/db/per-database.ts'
import { signWebhook } from '#lib/signing/webhook-signature.ts'
import { ApiError } from '../api-error.ts'
import { selectCardAccounts, toCardAccount } from '../card-account-record.ts'
import { selectCards, toCard } from '../card-record.ts'
import { selectClientIdentities } from '../client-identity-record.ts'
import { type ServiceWrite, readSandboxNow } from '../clock.ts'
import { recordAnyEvent } from '../events.ts'
import { toAccountTransaction } from '../payouts/account-ledger.ts'
import { toPayout } from '../payouts/payout-record.ts'
import type { Service } from '../service.ts'
import { cardAccounts } from '../tables/card-accounts.ts'
import { cards } from '../tables/cards.ts'
import { accountTransactions, payouts } from '../tables/payouts.ts'
import { cardAccountTransactions } from '../tables/transactions.ts'
import { events, webhookAttempts } from '../tables/webhooks.ts'
import { toCardAccountTransaction } from '../transaction-record.ts'
import { attemptsLogged } from '../webhooks/attempt-log.ts'
import { deliveryBody } from '../webhooks/message.ts'
import { readWebhookPrivateKey } from '../webhooks/signer.ts'
import { changeRoute, controlRoute, rowLimit, Instant, rowId } from './control-route.ts'

/** The fields of a call that name what an event is about, and the code of an unknown record. */
const notFound = {
  cardAccountId: 'CARD_ACCOUNT_NOT_FOUND',
  cardId: 'CARD_NOT_FOUND',
  transactionId: 'TRANSACTION_NOT_FOUND',
  payoutId: 'PAYOUT_NOT_FOUND',
  accountTransactionId: 'TRANSACTION_NOT_FOUND',
} as const
type Subject = keyof typeof notFound

/** Reads the data of an event: one record, none where the id is unknown. */
type ReadData = (change: ServiceWrite, id: string) => Promise<object[]>

const readCardAccount: ReadData = async ({ db }, id) =>
  (await selectCardAccounts(db).where(eq(cardAccounts.id, id))).map(toCardAccount)
const readTransaction: ReadData = async ({ db }, id) => {
  const rows = await db.select().from(cardAccountTransactions).where(eq(cardAccountTransactions.id, id))
  return rows.map(toCardAccountTransaction)
}
const selectCard = perDatabase((db) =>
  selectCards(db)
    .where(eq(cards.id, sql.placeholder('cardId')))
    .prepare('service_card_of_event'),
)
const readCard: ReadData = async ({ db, now }, id) =>
  (await selectCard(db).execute({ cardId: id, ...cardPeriods(now) })).map(toCard)
const readPayout: ReadData = async ({ db }, id) =>
  (await db.select().from(payouts).where(eq(payouts.id, id))).map(toPayout)
const readAccountTransaction: ReadData = async ({ db }, id) =>
  (await db.select().from(accountTransactions).where(eq(accountTransactions.id, id))).map(toAccountTransaction)
const readApproval: ReadData = async ({ db }, id) =>
  (await selectClientIdentities(db).where(eq(cardAccounts.id, id))).map(({ xid }) => ({ cardAccountId: id, xid }))
const readRejection: ReadData = async ({ db }, id) =>
  (await selectClientIdentities(db).where(eq(cardAccounts.id, id))).map(
    ({ xid, rejectedReason, rejectionAdditionalInfo }) => ({
      cardAccountId: id,
      xid,
      rejectedReason: rejectedReason ?? rejectionReasons[0],
      rejectionAdditionalInfo: rejectionAdditionalInfo ?? '',
    }),
  )

/** The record of each event and how its data is read; null for an event without a record. */
const sources: Record<EventName, { subject: Subject; read: ReadData } | null> = {
  'cardaccount.client-identity.approved': { subject: 'cardAccountId', read: readApproval },
  'cardaccount.client-identity.rejected': { subject: 'cardAccountId', read: readRejection },
  'cardaccount.transaction.updated': { subject: 'transactionId', read: readTransaction },
  'cardaccount.transaction.verification-code-delivered': null,
  'cardaccount.created': { subject: 'cardAccountId', read: readCardAccount },
  'cardaccount.balance': { subject: 'cardAccountId', read: readCardAccount },
  'cardaccount.transaction.created': { subject: 'transactionId', read: readTransaction },
  'cardaccount.transaction.declined': { subject: 'transactionId', read: readTransaction },
  'account.transaction.created': { subject: 'accountTransactionId', read: readAccountTransaction },
  'card.updated': { subject: 'cardId', read: readCard },
  'payout.created': { subject: 'payoutId', read: readPayout },
  'payout.updated': { subject: 'payoutId', read: readPayout },
  ping: null,
}

const Event = z
  .strictObject({
    event: text(200),
    data: z.record(z.string(), JsonValue, 'must be an object').optional(),
    cardAccountId: Uuid.optional(),
    cardId: Uuid.optional(),
    transactionId: Uuid.optional(),
    payoutId: Uuid.optional(),
    accountTransactionId: Uuid.optional(),
  })
  .refine(({ event, data }) => isEventName(event) || data !== undefined, {
    path: ['event'],
    message: `must be one of ${eventNames.join(', ')}, or data must be given`,
    when: whenObject,
  })

/** The data of an event: the record that it is about with the given fields in place of its own. */
async function makeEventData(change: ServiceWrite, given: z.output<typeof Event>): Promise<Record<string, unknown>> {
  const { event, data, ...ids } = given
  const source = isEventName(event) ? sources[event] : null
  const id = source && ids[source.subject]
  if (!source || !id) {
    if (source && !data) {
      throw new ApiError('INVALID_PARAMETERS', `${source.subject}: is required for ${event} without data`)
    }
    return { ...ids, ...data }
  }
  const [record] = await source.read(change, id)
  if (!record) throw new ApiError(notFound[source.subject], `${source.subject}: there is no such record`)
  return { ...record, ...data }
}

/** A position of `GET /events`: what came after it is asked for next. */
const Position = rowId('must be a position of another response').optional()

const EventQuery = z.strictObject({
  since: Instant.optional(),
  event: text(200).optional(),
  after: Position,
  resentAfter: Position,
  limit: rowLimit(1000, 100),
})

type Signed = { id: string; event: string; time: string; body: string; signature: string }

/** Events as they are delivered, the oldest first, and those that were sent again by `POST /deliveries/replay`. */
async function listEvents(service: Service, { since, event, after, resentAfter, limit }: z.output<typeof EventQuery>) {
  const { db } = service
  await attemptsLogged(db)
  const stored = await db
    .select()
    .from(events)
    .where(
      and(
        since && gte(events.time, since),
        event === undefined ? undefined : eq(events.event, event),
        after === undefined ? undefined : gt(events.position, after),
      ),
    )
    .orderBy(asc(events.position))
    .limit(limit)
  const resends = await db
    .select({ resend: webhookAttempts.id, stored: events })
    .from(webhookAttempts)
    .innerJoin(events, eq(events.id, webhookAttempts.eventId))
    .where(
      and(
        eq(webhookAttempts.kind, 'replay'),
        event === undefined ? undefined : eq(events.event, event),
        resentAfter === undefined ? sql`false` : gt(webhookAttempts.id, resentAfter),
      ),
    )
    .orderBy(asc(webhookAttempts.id))
    .limit(limit)
  const [[lastEvent], [lastResend]] = await Promise.all([
    readLastPosition(db),
    db.select({ position: max(webhookAttempts.id) }).from(webhookAttempts),
  ])
  return {
    events: await Promise.all(
      stored.map(async (row) => ({ position: row.position, ...(await signDelivery(service, row)) })),
    ),
    resends: await Promise.all(
      resends.map(async ({ resend, stored }) => ({ position: resend, ...(await signDelivery(service, stored)) })),
    ),
    latest: { event: lastEvent?.position ?? 0, resend: lastResend?.position ?? 0 },
  }
}

/** The position of the last event that there ever was: a reset removes events, and a restore brings older ones. */
async function readLastPosition(db: Queryable) {
  const { rows } = await db.execute<{ position: string | null }>(
    sql`select case when is_called then last_value end as position from service.events_position_seq`,
  )
  return rows.map(({ position }) => ({ position: position === null ? null : Number(position) }))
}

/** A delivery with the bytes and the signature that a webhook gets. */
export async function signDelivery(
  service: Service,
  { id, event, data, time }: { id: string; event: string; data: Record<string, unknown>; time: Date },
): Promise<Signed> {
  const body = deliveryBody({ id, event, data, time })
  const signature = await signWebhook(body, await readWebhookPrivateKey(service))
  return { id, event, time: time.toISOString(), body, signature }
}

/** A delivery that belongs to no event: it is signed, but neither stored nor sent to a webhook. */
const Unsent = z.strictObject({
  event: text(200),
  data: z.record(z.string(), JsonValue, 'must be an object'),
  time: Instant.optional(),
})

export const eventRoutes = [
  changeRoute({
    path: '/events',
    body: Event,
    async change(change, given) {
      const data = await makeEventData(change, given)
      const id = await recordAnyEvent(change, given.event, data)
      return { id, event: given.event, data, time: change.now.toISOString() }
    },
  }),
  controlRoute({ method: 'GET', path: '/events', query: EventQuery, response: listEvents }),
  controlRoute({
    method: 'POST',
    path: '/deliveries/sign',
    body: Unsent,
    response: async (service, { event, data, time }) =>
      signDelivery(service, { id: randomUUID(), event, data, time: time ?? (await readSandboxNow(service.db)) }),
  }),
]
