import 'server-only'
import { and, desc, eq } from 'drizzle-orm'
import type { CardAccountTransaction, FeeEntry } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { sameId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { dayMs } from '#lib/shared/time.ts'
import { isAppError, orNotFound, AppError } from '../desk/app-error.ts'
import { requireService } from '../desk/connections/environments.ts'
import { healthOf } from '../desk/connections/health-record.ts'
import { fetchPages, findRecord } from '../desk/connections/paginate.ts'
import { readOneAccount } from '../desk/mirror/account.ts'
import { actorOf } from '../desk/operations/journal.ts'
import { ServiceId } from '../desk/parse.ts'
import { requirePermission } from '../desk/session/session.ts'
import { operations } from '../desk/tables/operations.ts'
import { readTransactionEvents } from './events.ts'
import { findRelated } from './related.ts'
import type { TransactionDetail } from './shapes.ts'
import { timelineOf, type Waiver } from './timeline.ts'

/** The truth from the service. Throws `TRANSACTION_NOT_FOUND`. */
export async function readTransaction(
  environment: Environment,
  cardAccountId: string,
  transactionId: string,
): Promise<TransactionDetail> {
  await requirePermission('accounts.read', environment)
  requireService(environment)
  const isId = (text: string) => ServiceId.safeParse(text).success
  if (!isId(cardAccountId) || !isId(transactionId)) throw transactionNotFound()
  const [{ transaction, fetchedAt }, { account }, reported] = await Promise.all([
    fetchTransaction(environment, cardAccountId, transactionId),
    orNotFound(readOneAccount(environment, cardAccountId), transactionNotFound),
    readTransactionEvents(environment, cardAccountId, transactionId),
  ]).catch((error: unknown) => {
    throw isAppError(error) && error.code === 'CARD_ACCOUNT_NOT_FOUND' ? transactionNotFound() : error
  })
  const missing: TransactionDetail['missing'] = []
  const without = <Value>(what: 'fee' | 'related', value: Value) => {
    return (error: unknown) => {
      if (!isAppError(error)) throw error
      missing.push(what)
      return value
    }
  }
  const [fee, related] = await Promise.all([
    findFee(environment, cardAccountId, transaction).catch(without('fee', null)),
    findRelated(environment, cardAccountId, transaction).catch(without('related', { entries: [], isWhole: false })),
  ])
  const waiver = fee && (await waiverOf(environment, fee.id))
  return {
    transaction,
    account: { id: account.id, name: account.name, currency: account.currency },
    fee: fee && { id: fee.id, intent: fee.intent, status: fee.status },
    related,
    timeline: timelineOf(transaction, reported, related.entries, waiver),
    missing,
    freshness: { asOf: fetchedAt.toISOString(), source: 'service', health: await healthOf(environment) },
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

/** The interface finds no fee by its transaction: those of the account around that time are looked through. */
async function findFee(
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
async function waiverOf(environment: Environment, feeId: string): Promise<Waiver | null> {
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
  return row ? { by: actorOf(row), at: (row.settledAt ?? row.createdAt).toISOString() } : null
}

function transactionNotFound(): AppError {
  return new AppError('TRANSACTION_NOT_FOUND', 'There is no such transaction on this card account in this environment.')
}
