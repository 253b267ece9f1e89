import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { isEventName } from '#lib/contract/events.ts'
import { JsonValue, text, Uuid, whenObject } from '#lib/contract/fields.ts'
import { rejectionReasons } from '#lib/contract/individual-rules.ts'
import { type EventName, eventNames } from '#lib/contract/terms.ts'
import type { Transaction } from '#lib/db/connection.ts'
import { perDatabase } from '#lib/db/prepared.ts'
import { ApiError } from '../api-error.ts'
import { selectCardAccounts, toCardAccount } from '../card-account-record.ts'
import { cardPeriods } from '../card-limits.ts'
import { selectCards, toCard } from '../card-record.ts'
import { findClientIdentity } from '../client-identity-record.ts'
import { recordAnyEvent } from '../events.ts'
import { toAccountTransaction } from '../payouts/account-ledger.ts'
import { toPayout } from '../payouts/payout-record.ts'
import { cardAccounts } from '../tables/card-accounts.ts'
import { cards } from '../tables/cards.ts'
import { accountTransactions, payouts } from '../tables/payouts.ts'
import { cardAccountTransactions } from '../tables/transactions.ts'
import { toCardAccountTransaction } from '../transaction-record.ts'
import { changeRoute } from './control-route.ts'

/** The fields of a call that name what an event is about. */
const subjects = ['cardAccountId', 'cardId', 'transactionId', 'payoutId', 'accountTransactionId'] as const
type Subject = (typeof subjects)[number]

/** Reads the data of an event; undefined where there is no such record. */
type ReadData = (tx: Transaction, id: string, now: Date) => Promise<object | undefined>

const readCardAccount: ReadData = async (tx, id) => {
  const [row] = await selectCardAccounts(tx).where(eq(cardAccounts.id, id))
  return row && toCardAccount(row)
}
const readTransaction: ReadData = async (tx, id) => {
  const [row] = await tx.select().from(cardAccountTransactions).where(eq(cardAccountTransactions.id, id))
  return row && toCardAccountTransaction(row)
}
const selectCard = perDatabase((db) =>
  selectCards(db)
    .where(eq(cards.id, sql.placeholder('cardId')))
    .prepare('service_card_of_event'),
)
const readCard: ReadData = async (tx, id, now) => {
  const [row] = await selectCard(tx).execute({ cardId: id, ...cardPeriods(now) })
  return row && toCard(row)
}
const readPayout: ReadData = async (tx, id) => {
  const [row] = await tx.select().from(payouts).where(eq(payouts.id, id))
  return row && toPayout(row)
}
const readAccountTransaction: ReadData = async (tx, id) => {
  const [row] = await tx.select().from(accountTransactions).where(eq(accountTransactions.id, id))
  return row && toAccountTransaction(row)
}
const readApproval: ReadData = async (tx, id) => {
  const row = await findClientIdentity(tx, id)
  return row && { cardAccountId: row.id, xid: row.xid }
}
const readRejection: ReadData = async (tx, id) => {
  const row = await findClientIdentity(tx, id)
  return (
    row && {
      cardAccountId: row.id,
      xid: row.xid,
      rejectedReason: row.rejectedReason ?? rejectionReasons[0],
      rejectionAdditionalInfo: row.rejectionAdditionalInfo ?? '',
    }
  )
}

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

const notFound = {
  cardAccountId: 'CARD_ACCOUNT_NOT_FOUND',
  cardId: 'CARD_NOT_FOUND',
  transactionId: 'TRANSACTION_NOT_FOUND',
  payoutId: 'PAYOUT_NOT_FOUND',
  accountTransactionId: 'TRANSACTION_NOT_FOUND',
} as const satisfies Record<Subject, string>

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
async function dataOf(tx: Transaction, now: Date, given: z.output<typeof Event>): Promise<Record<string, unknown>> {
  const { event, data, ...ids } = given
  const source = isEventName(event) ? sources[event] : null
  const id = source && ids[source.subject]
  if (!source || !id) {
    if (source && !data) {
      throw new ApiError('INVALID_PARAMETERS', `${source.subject}: is required for ${event} without data`)
    }
    return { ...ids, ...data }
  }
  const record = await source.read(tx, id, now)
  if (!record) throw new ApiError(notFound[source.subject], `${source.subject}: there is no such record`)
  return { ...record, ...data }
}

export const eventRoutes = [
  changeRoute({
    path: '/events',
    body: Event,
    async change(tx, now, given) {
      const data = await dataOf(tx, now, given)
      const id = await recordAnyEvent(tx, now, given.event, data)
      return { id, event: given.event, data, time: now.toISOString() }
    },
  }),
]
