import 'server-only'
import { and, eq, gt, isNull, lte, or, sql, type SQL } from 'drizzle-orm'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { openDisputeStatuses } from '#lib/contract/terms.ts'
import { selectRows } from '#lib/db/bulk-rows.ts'
import type { Queryable } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime } from '#lib/shared/time.ts'
import { indexedMerchants, indexedTransactions as transaction, isOpenDisputeSql } from '#lib/tables/transactions.ts'
import { amountText, columnText, parseInstant, wireAmount } from './column-values.ts'
import { updateDisputeAge } from './index-accounts.ts'
import { updateLastUse } from './index-cards.ts'
import { termsOfName, toTsvector } from './search-terms.ts'
import { fromExcluded, storedRecords, toSearchText } from './stored-records.ts'
import type { IndexedTransaction } from './types.ts'

type Row = typeof transaction.$inferSelect

/** The columns of a transaction's row, null where the service did not provide the value or it does not fit. */
function transactionColumns(record: CardAccountTransaction) {
  const { authorization, merchant } = record
  const searched = [
    merchant?.name,
    record.description,
    record.cardEmbossedName,
    record.cardLast4,
    record.xid,
    record.refId,
    record.id,
  ]
  return {
    id: record.id,
    cardId: columnText(record.cardId),
    cardLast4: columnText(record.cardLast4),
    cardEmbossedName: columnText(record.cardEmbossedName),
    xid: columnText(record.xid),
    status: columnText(record.status),
    intent: columnText(record.intent),
    entryType: record.entryType,
    currency: columnText(record.currency),
    amount: amountText(record.amount),
    authorizationType: columnText(authorization?.type),
    authorizedCurrency: columnText(authorization?.currency),
    authorizedAmount: amountText(authorization?.amount),
    responseCode: columnText(authorization?.responseCode),
    responseMessage: columnText(authorization?.responseMessage),
    merchantName: columnText(merchant?.name),
    mcc: columnText(merchant?.mcc),
    merchantCategory: columnText(merchant?.category),
    country: columnText(merchant?.country),
    description: columnText(record.description),
    disputeStatus: columnText(record.disputeStatus),
    createdAt: parseInstant(record.createdAt),
    postedAt: parseInstant(record.postedAt),
    searchText: toSearchText(searched),
  }
}

/** A row in the shape of the interface. Amounts are JSON numbers, times ISO 8601. */
export function toIndexedTransaction(row: Row): IndexedTransaction {
  const { id, cardAccountId, cardId, cardLast4, cardEmbossedName, xid, status, intent, entryType, currency } = row
  const authorization = {
    type: row.authorizationType,
    currency: row.authorizedCurrency,
    amount: wireAmount(row.authorizedAmount),
    responseCode: row.responseCode,
    responseMessage: row.responseMessage,
  }
  const merchant = { name: row.merchantName, mcc: row.mcc, category: row.merchantCategory, country: row.country }
  const unlessEmpty = <Part extends object>(part: Part) =>
    Object.values(part).every((value) => value === null) ? null : part
  return {
    id,
    cardAccountId,
    cardId,
    cardLast4,
    cardEmbossedName,
    xid,
    status,
    intent,
    entryType,
    currency,
    amount: wireAmount(row.amount),
    authorization: unlessEmpty(authorization),
    merchant: unlessEmpty(merchant),
    description: row.description,
    disputeStatus: row.disputeStatus,
    disputeOpenedAt: isoTime(row.disputeOpenedAt),
    disputeMayBeOlder: row.disputeMayBeOlder,
    createdAt: isoTime(row.createdAt),
    postedAt: isoTime(row.postedAt),
    asOf: row.readAt.toISOString(),
  }
}

function toRows(
  environment: Environment,
  cardAccountId: string,
  records: readonly CardAccountTransaction[],
  readAt: Date,
  /** When they showed their disputes: the time of the event, or of the reading. */
  seenAt: Date,
) {
  return storedRecords(records).stored.map((record) => {
    const columns = transactionColumns(record)
    const isOpen = openDisputeStatuses.includes(columns.disputeStatus ?? '')
    const dispute = { disputeOpenedAt: isOpen ? seenAt : null, disputeMayBeOlder: isOpen }
    return { ...columns, ...dispute, environment, cardAccountId, readAt }
  })
}

const isOpenNow = isOpenDisputeSql('excluded.dispute_status')
const wasOpen = isOpenDisputeSql('index_transactions.dispute_status')

/** A dispute that stays open keeps its age; one that opens begins now, and the row shows that it was not open before. */
const disputeAge = {
  disputeOpenedAt: sql`case when ${isOpenNow} then
    case when ${wasOpen} then ${transaction.disputeOpenedAt} else excluded.dispute_opened_at end end`,
  disputeMayBeOlder: sql`coalesce(${isOpenNow} and ${wasOpen} and ${transaction.disputeMayBeOlder}, false)`,
}

/** The fee of a transaction whose status or amount changed is read again. */
const feeReadAt = sql`case when (${transaction.status}, ${transaction.amount}) is not distinct from (excluded.status, excluded.amount)
  then ${transaction.feeReadAt} end`

/**
 * Writes the transactions of an account as the service provided them. `fetchedAt` is when the request left: the response to an
 * earlier request never replaces that to a later one.
 */
export async function indexTransactions(
  db: Queryable,
  environment: Environment,
  cardAccountId: string,
  records: readonly CardAccountTransaction[],
  fetchedAt: Date,
): Promise<void> {
  const rows = toRows(environment, cardAccountId, records, fetchedAt, fetchedAt)
  await writeRows(db, environment, cardAccountId, rows, lte(transaction.readAt, sql`excluded.read_at`))
}

/** An event that holds a transaction, by the service's clock, and when its record is known to be true, by the console's. */
type TransactionEvent = { time: Date; knownAt: Date }

/**
 * Writes the transaction that an event holds, without a request. Events may come twice, late and in another order: a row changes
 * only by an event that is later than the last one, and one that was captured, voided or declined is never pending again.
 */
export async function indexTransactionEvent(
  db: Queryable,
  environment: Environment,
  cardAccountId: string,
  record: CardAccountTransaction,
  { time, knownAt }: TransactionEvent,
): Promise<void> {
  const rows = toRows(environment, cardAccountId, [record], knownAt, time).map((row) => ({ ...row, eventTime: time }))
  const isLater = sql`${mayFollow(record, time)} and ${transaction.readAt} <= excluded.read_at`
  await writeRows(db, environment, cardAccountId, rows, isLater)
}

/** Whether the row has the state of no later event, and of none that an event's record cannot follow. */
function mayFollow({ status }: CardAccountTransaction, time: Date): SQL {
  const isNewest = or(isNull(transaction.eventTime), lte(transaction.eventTime, time))
  return sql`${isNewest} and not (${columnText(status) === 'pending'} and ${transaction.status} <> 'pending')`
}

/**
 * Whether the row was read after an event's time, and then was not as the event has it. The times are of two clocks: only the service
 * can tell which of the two is newer.
 */
export async function differsFromLaterReading(
  db: Queryable,
  environment: Environment,
  record: CardAccountTransaction,
  time: Date,
): Promise<boolean> {
  const { id, status, disputeStatus, amount, postedAt } = transactionColumns(record)
  const isOther = or(
    sql`${transaction.status} is distinct from ${status}`,
    sql`${transaction.disputeStatus} is distinct from ${disputeStatus}`,
    sql`${transaction.amount} is distinct from ${amount}`,
    sql`${transaction.postedAt} is distinct from ${postedAt}`,
  )
  const isRow = and(eq(transaction.environment, environment), eq(transaction.id, id))
  return (await db.$count(transaction, and(isRow, gt(transaction.readAt, time), mayFollow(record, time), isOther))) > 0
}

/** Adds rows of an account, or replaces those that are there where `isLater`. */
async function writeRows(
  db: Queryable,
  environment: Environment,
  cardAccountId: string,
  rows: ReturnType<typeof toRows>,
  isLater: SQL,
): Promise<void> {
  if (rows.length === 0) return
  await indexMerchants(db, environment, rows)
  await db
    .insert(transaction)
    .select(selectRows(transaction, rows))
    .onConflictDoUpdate({
      target: [transaction.environment, transaction.id],
      set: { ...fromExcluded(transaction, rows), ...disputeAge, feeReadAt },
      setWhere: isLater,
    })
  await updateLastUse(db, environment, rows)
  await updateDisputeAge(db, environment, cardAccountId)
}

/** Writes the names of the merchants that the index did not have. Sorted, so that two writers cannot deadlock. */
async function indexMerchants(
  db: Queryable,
  environment: Environment,
  rows: readonly { merchantName: string | null }[],
): Promise<void> {
  const names = new Set(rows.flatMap(({ merchantName }) => merchantName?.toLowerCase() || []))
  if (names.size === 0) return
  await db
    .insert(indexedMerchants)
    .select(
      selectRows(
        indexedMerchants,
        [...names].toSorted().map((name) => ({ environment, name, terms: toTsvector(termsOfName(name)) })),
      ),
    )
    .onConflictDoNothing()
}
