import 'server-only'
import { and, inArray, like } from 'drizzle-orm'
import { parseResponse } from '#lib/client/parse-response.ts'
import { responseNames } from '#lib/client/service-profile.ts'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { CardAccountTransaction as TransactionSchema } from '#lib/contract/transactions.ts'
import { database } from '#lib/db/connection.ts'
import { serviceProfile } from '#lib/environments/environments.ts'
import { differsFromLaterReading, indexTransactionEvent } from '#lib/index/transactions.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import { asFields, parseJson } from '#lib/shared/json.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { inboxEvents } from '#lib/tables/inbox.ts'
import { fetchTransaction } from '../transactions/detail.ts'

/**
 * Writes the transactions that these events of an account hold to the index. It costs no request, but for an event that contradicts a
 * reading that may be later: its transaction is read from the service, and stays as it is where that refuses. Throws where it does not
 * respond.
 */
export async function applyTransactionEvents(
  environment: Environment,
  cardAccountId: string,
  positions: readonly number[],
): Promise<void> {
  const { position, event } = inboxEvents
  const rows = await database()
    .select({ body: inboxEvents.body, time: inboxEvents.time, receivedAt: inboxEvents.receivedAt })
    .from(inboxEvents)
    .where(and(inArray(position, [...positions]), like(event, 'cardaccount.transaction.%')))
    .orderBy(position)
  for (const { body, time, receivedAt } of rows) {
    const record = transactionIn(environment, body)
    if (record) await applyRecord(environment, cardAccountId, record, { time: time ?? receivedAt, receivedAt })
  }
}

async function applyRecord(
  environment: Environment,
  cardAccountId: string,
  record: CardAccountTransaction,
  { time, receivedAt }: { time: Date; receivedAt: Date },
): Promise<void> {
  const write = (given: CardAccountTransaction, knownAt: Date) =>
    indexTransactionEvent(database(), environment, cardAccountId, given, { time, knownAt })
  if (await differsFromLaterReading(database(), environment, record, time)) {
    const reading = fetchTransaction(environment, cardAccountId, record.id)
    const read = await nullOn(reading, 'TRANSACTION_NOT_FOUND', 'SERVICE_REFUSED')
    if (read) await write(read.transaction, read.fetchedAt)
  } else await write(record, time < receivedAt ? time : receivedAt)
}

/** The whole transaction in a delivery's body; null where it holds a part of one, or something else. */
function transactionIn(environment: Environment, body: string): CardAccountTransaction | null {
  const { data } = asFields(parseJson(body))
  const names = responseNames(serviceProfile(environment), 'listCardAccountTransactions')
  const parsed = parseResponse(TransactionSchema, data, { ...names, list: undefined })
  if (!('record' in parsed) || parsed.excluded > 0) return null
  const record = parsed.record as CardAccountTransaction
  return record.id && record.status !== null && record.amount !== null && record.createdAt !== null ? record : null
}
