import 'server-only'
import { and, desc, eq, ilike, like } from 'drizzle-orm'
import type { CardAccountTransaction, FeeEntry } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { readFreshness } from '#lib/environments/health.ts'
import { fetchPages, findRecord } from '#lib/environments/paginate.ts'
import { readOneAccount } from '#lib/index/account.ts'
import { escapeLike, hasId } from '#lib/index/conditions.ts'
import { indexTransactions } from '#lib/index/transactions.ts'
import { isAppError, orNotFound, AppError } from '#lib/shared/app-error.ts'
import { isSameCurrency } from '#lib/shared/currency.ts'
import { isServiceId, sameId } from '#lib/shared/ids.ts'
import { asFields, parseJson } from '#lib/shared/json.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { dayMs } from '#lib/shared/time.ts'
import { inboxEvents } from '#lib/tables/inbox.ts'
import { operations } from '#lib/tables/operations.ts'
import { toActor } from '#lib/tables/schema.ts'
import { readDecline } from './decline.ts'
import { fetchTransactions } from './list.ts'
import { makeTimeline, type Waiver, type TransactionEvent } from './timeline.ts'
import type { TransactionDetail, RelatedEntries, RelatedEntry } from './types.ts'

const mostRelated = 5

/** The refunds of a charge, the charges that a refund may be for; other entries have none that the interface could name. */
async function findRelated(
  environment: Environment,
  cardAccountId: string,
  transaction: CardAccountTransaction,
): Promise<RelatedEntries> {
  const { intent, cardId, createdAt } = transaction
  if (intent !== 'charge' && intent !== 'refund') return { entries: [], isWhole: true }
  const relation = intent === 'charge' ? 'refund' : 'charge'
  const range = relation === 'refund' ? 'dateRangeFrom' : 'dateRangeTo'
  const query = {
    cardAccountId,
    ...(cardId === null ? {} : { cardId }),
    intent: [relation],
    ...(createdAt === null ? {} : { [range]: createdAt }),
  }
  const { transactions, isWhole } = await fetchTransactions(environment, query)
  return { entries: relatedAmong(transaction, relation, transactions), isWhole }
}

/** Entries with the same reference; without any, those that look alike with the same amount; without any, with a part of it. */
function relatedAmong(
  transaction: CardAccountTransaction,
  relation: RelatedEntry['relation'],
  found: readonly CardAccountTransaction[],
): RelatedEntry[] {
  const others = found.filter(({ id, status }) => !sameId(id, transaction.id) && status !== 'declined')
  const basisOf = (other: CardAccountTransaction): RelatedEntry['basis'] | null =>
    other.refId && other.refId === transaction.refId ? 'reference' : basisOfLooks(transaction, other)
  const bases = others.map(basisOf)
  const basis = (['reference', 'amount', 'part'] as const).find((one) => bases.includes(one))
  if (!basis) return []
  return others
    .filter((_, at) => bases[at] === basis)
    .slice(0, mostRelated)
    .map(({ id, createdAt, status, amount, currency, entryType, description, refId }) => ({
      relation,
      basis,
      id,
      createdAt,
      status,
      amount,
      currency,
      entryType,
      description,
      refId,
    }))
}

function basisOfLooks(one: CardAccountTransaction, other: CardAccountTransaction): 'amount' | 'part' | null {
  const [charge, refund] = one.intent === 'charge' ? [one, other] : [other, one]
  if (!refund.amount || !charge.amount || !isSameCurrency(refund.currency, charge.currency)) return null
  if (Math.abs(refund.amount) > Math.abs(charge.amount)) return null
  if (refund.cardId !== charge.cardId && !sameId(refund.cardId, charge.cardId)) return null
  const description = (refund.description ?? '').toLowerCase()
  const isNamed = [charge.description, charge.merchant?.name].some(
    (name) => Boolean(name) && description.includes(name?.toLowerCase() ?? ''),
  )
  if (!isNamed) return null
  return Math.abs(refund.amount) === Math.abs(charge.amount) ? 'amount' : 'part'
}

const most = 200

/** The deliveries about a transaction, the newest first. The caller has checked the permission. */
async function readTransactionEvents(
  environment: Environment,
  cardAccountId: string,
  transactionId: string,
): Promise<TransactionEvent[]> {
  const rows = await database()
    .select()
    .from(inboxEvents)
    .where(
      and(
        eq(inboxEvents.environment, environment),
        hasId(inboxEvents.cardAccountId, [cardAccountId]),
        like(inboxEvents.event, 'cardaccount.transaction.%'),
        ilike(inboxEvents.body, `%${likePattern(transactionId)}%`),
      ),
    )
    .orderBy(desc(inboxEvents.position))
    .limit(most)
  return rows.flatMap((row) => toTransactionEvent(row, transactionId) ?? [])
}

/** An id as it is in JSON, with the wildcards of LIKE escaped. */
function likePattern(id: string): string {
  return escapeLike(JSON.stringify(id).slice(1, -1))
}

type Row = Pick<typeof inboxEvents.$inferSelect, 'id' | 'event' | 'body' | 'time' | 'receivedAt'>

/** Null where the delivery is about another transaction and only names this one, or cannot be read. */
function toTransactionEvent(
  { id, event, body, time, receivedAt }: Row,
  transactionId: string,
): TransactionEvent | null {
  const data = asFields(asFields(parseJson(body)).data)
  const about = [data.id, data.transactionId].find((value) => typeof value === 'string')
  if (typeof about !== 'string' || !sameId(about, transactionId)) return null
  const { status, disputeStatus, postedAt } = data
  return {
    eventId: id,
    event,
    at: (time ?? receivedAt).toISOString(),
    status: typeof status === 'string' ? status : undefined,
    disputeStatus: typeof disputeStatus === 'string' || disputeStatus === null ? disputeStatus : undefined,
    postedAt: typeof postedAt === 'string' && !Number.isNaN(Date.parse(postedAt)) ? postedAt : undefined,
  }
}

/** Reads the transaction from the service. Throws `TRANSACTION_NOT_FOUND`. */
export async function readTransaction(
  environment: Environment,
  cardAccountId: string,
  transactionId: string,
): Promise<TransactionDetail> {
  if (!isServiceId(cardAccountId) || !isServiceId(transactionId)) throw transactionNotFound()
  const reading = Promise.all([
    fetchTransaction(environment, cardAccountId, transactionId),
    readOneAccount(environment, cardAccountId),
    readTransactionEvents(environment, cardAccountId, transactionId),
  ])
  const [{ transaction, fetchedAt }, { account }, reported] = await orNotFound(
    reading,
    transactionNotFound,
    'CARD_ACCOUNT_NOT_FOUND',
  )
  // A page that was shown is in the index: its notes are found by the transaction's id alone.
  await indexTransactions(database(), environment, account.id, [transaction], fetchedAt)
  const missing: TransactionDetail['missing'] = []
  const without = <Value>(what: TransactionDetail['missing'][number], value: Value) => {
    return (error: unknown) => {
      if (!isAppError(error)) throw error
      missing.push(what)
      return value
    }
  }
  const [fee, related, decline] = await Promise.all([
    findFee(environment, cardAccountId, transaction).catch(without('fee', null)),
    findRelated(environment, cardAccountId, transaction).catch(without('related', { entries: [], isWhole: false })),
    readDecline(environment, transaction, account).catch(without('decline', null)),
  ])
  const waiver = fee && (await readWaiver(environment, fee.id))
  return {
    transaction,
    account: { id: account.id, name: account.name, currency: account.currency },
    fee: fee && { id: fee.id, intent: fee.intent, status: fee.status },
    related,
    timeline: makeTimeline(transaction, reported, related.entries, waiver),
    decline,
    missing,
    freshness: await readFreshness(environment, fetchedAt),
  }
}

/** A transaction as the service has it now. Throws `TRANSACTION_NOT_FOUND`. */
export async function fetchTransaction(environment: Environment, cardAccountId: string, transactionId: string) {
  const query = { cardAccountId, transactionId }
  const finding = findRecord(environment, 'listCardAccountTransactions', query, {
    list: ({ transactions }) => transactions,
    isWanted: ({ id }) => sameId(id, transactionId),
  })
  const { record: transaction, fetchedAt } = await orNotFound(finding, transactionNotFound)
  if (!transaction) throw transactionNotFound()
  return { transaction, fetchedAt }
}

const feePages = 5

/** The interface cannot find a fee by its transaction: the account's fees around that time are searched. */
export async function findFee(
  environment: Environment,
  cardAccountId: string,
  { id, intent, createdAt }: CardAccountTransaction,
): Promise<FeeEntry | null> {
  if (intent !== 'fee' || createdAt === null) return null
  const at = Date.parse(createdAt)
  const query = {
    accountId: [cardAccountId],
    dateRangeFrom: new Date(at - dayMs).toISOString(),
    dateRangeTo: new Date(at + dayMs).toISOString(),
  }
  for await (const { response } of fetchPages(environment, 'listFees', query, { maximumPages: feePages })) {
    const fee = response.fees.find(({ transaction }) => sameId(transaction?.id, id))
    if (fee) return fee
  }
  return null
}

/** Who waived a fee with this console. */
async function readWaiver(environment: Environment, feeId: string): Promise<Waiver | null> {
  const [row] = await database()
    .select()
    .from(operations)
    .where(
      and(
        eq(operations.environment, environment),
        eq(operations.targetId, feeId),
        eq(operations.kind, 'fee.waive'),
        eq(operations.state, 'done'),
      ),
    )
    .orderBy(desc(operations.createdAt))
    .limit(1)
  return row ? { by: toActor(row), at: (row.settledAt ?? row.createdAt).toISOString() } : null
}

function transactionNotFound(): AppError {
  return new AppError('TRANSACTION_NOT_FOUND', 'There is no such transaction on this card account in this environment.')
}
