import 'server-only'
import type { EmbedObject } from '#lib/api/embed-view.ts'
import type { CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { requireService } from '#lib/environments/environments.ts'
import { isOtherCode } from '#lib/environments/paginate.ts'
import { readAccountWithCards, readOneAccount } from '#lib/index/account.ts'
import { AppError, nullOn } from '#lib/shared/app-error.ts'
import { findById } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { readReplacements } from '../cards/replacements.ts'
import { readRejectedReason } from '../identity/rejections.ts'
import { readOnePayout } from '../payouts/index-payouts.ts'
import { readDecline } from '../transactions/decline.ts'
import { fetchTransaction } from '../transactions/detail.ts'
import { listTransactions } from '../transactions/list.ts'
import { readCustomer } from './read-customer.ts'
import type { EmbedCustomer } from './token.ts'
import type { EmbedReading } from './types.ts'

const mostRecent = 5

type Reading = Pick<EmbedReading, 'records' | 'fetchedAt' | 'isStored'>

/** The records of a view, not masked. Throws the not-found code of its type. */
export async function readRecords(
  { environment, type, id, cardAccountId }: EmbedObject,
  customer: EmbedCustomer | undefined,
): Promise<Reading> {
  requireService(environment)
  if (type === 'customer') return readCustomer(environment, customer ?? { cardAccountIds: [id], foundBy: 'id' })
  if (type === 'payout') {
    const { payout, fetchedAt } = await readOnePayout(environment, id)
    return { records: { type, payout }, fetchedAt: fetchedAt.toISOString(), isStored: false }
  }
  const accountId = cardAccountId ?? id
  if (type === 'transaction') {
    const [{ transaction, fetchedAt }, { account }] = await Promise.all([
      fetchTransaction(environment, accountId, id),
      readOneAccount(environment, accountId),
    ])
    if (!isOfAccount(transaction, account)) throw new AppError('TRANSACTION_NOT_FOUND', 'There is no such transaction.')
    const decline = await nullOn(readDecline(environment, transaction, account))
    return { records: { type, transaction, account, decline }, fetchedAt: fetchedAt.toISOString(), isStored: false }
  }
  const [{ account, cards, cardsExcluded, hasMoreCards, cardsProblem, freshness }, transactions] = await Promise.all([
    readAccountWithCards(environment, accountId),
    nullOn(listRecent(environment, accountId, type === 'card' ? id : undefined)),
  ])
  const read = { fetchedAt: freshness.asOf, isStored: freshness.source === 'index' }
  if (type === 'card-account') {
    const isRejected = account.clientIdentityStatus === 'rejected'
    const rejectedReason = isRejected ? await readRejectedReason(environment, account.id) : null
    return { records: { type, account, rejectedReason, cards, transactions }, ...read }
  }
  const card = findById(cards, id)
  if (!card && cardsProblem !== null) throw new AppError('SERVICE_REFUSED', cardsProblem)
  if (!card) throw new AppError('CARD_NOT_FOUND', 'There is no such card on this account.')
  const { replacedBy } = await readReplacements(environment, card, {
    cards,
    excluded: cardsExcluded,
    hasMore: hasMoreCards,
  })
  const shown = { ...card, replacedBy: replacedBy?.id ?? null }
  return { records: { type, card: shown, account, transactions }, ...read }
}

/** Null where the service ignores the filters and sends none of these. */
async function listRecent(environment: Environment, cardAccountId: string, cardId?: string) {
  const search = { ...(cardId === undefined ? {} : { cardId }), pageSize: mostRecent }
  const { transactions, unmatched } = await listTransactions(environment, cardAccountId, search)
  return transactions.length === 0 && unmatched > 0 ? null : transactions
}

/** A service that ignores the filter `cardAccountId` finds the transactions of others. */
function isOfAccount(transaction: CardAccountTransaction, account: CardAccount): boolean {
  return !isOtherCode(transaction.cardAccountId, account.id)
}
