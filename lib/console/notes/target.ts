import 'server-only'
import { and, eq } from 'drizzle-orm'
import type { NoteTargetType } from '#lib/api/notes.ts'
import type { Target } from '#lib/audit/types.ts'
import { database } from '#lib/db/connection.ts'
import { hasId } from '#lib/index/conditions.ts'
import { accountTarget } from '#lib/operations/spec.ts'
import { AppError } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedAccounts, indexedCards } from '#lib/tables/card-accounts.ts'
import { indexedPayouts } from '#lib/tables/payouts.ts'
import { indexedTransactions } from '#lib/tables/transactions.ts'
import { feeTarget } from '../fees/fee-record.ts'
import { readOneFee } from '../fees/index-fees.ts'
import { parseStoredPayout } from '../payouts/payout-record.ts'
import { referenceReaders } from '../references/detail.ts'

/**
 * The record that a note is on. The index has what a page has shown, except fees; anything else is read from the service. Throws
 * the not-found code of its type.
 */
export async function noteTarget(environment: Environment, type: NoteTargetType, id: string): Promise<Target> {
  return (await indexed[type](environment, id)) ?? (await readTarget(environment, type, id))
}

async function readTarget(environment: Environment, type: NoteTargetType, id: string): Promise<Target> {
  if (type === 'fee') return feeTarget((await readOneFee(environment, id)).fee)
  if (type !== 'transaction') return (await referenceReaders[type](environment, id)).target
  // The interface finds a transaction by its account alone.
  throw new AppError('TRANSACTION_NOT_FOUND', 'The console has not read such a transaction in this environment.')
}

const indexed: Record<NoteTargetType, (environment: Environment, id: string) => Promise<Target | null>> = {
  async cardaccount(environment, id) {
    const [found] = await database()
      .select({ id: indexedAccounts.id, name: indexedAccounts.name, xid: indexedAccounts.xid })
      .from(indexedAccounts)
      .where(and(eq(indexedAccounts.environment, environment), hasId(indexedAccounts.id, [id])))
      .limit(1)
    return found ? accountTarget(found.id, found.name ?? found.xid) : null
  },
  async card(environment, id) {
    const { id: cardId, cardAccountId, last4 } = indexedCards
    const [found] = await database()
      .select({ id: cardId, cardAccountId, last4 })
      .from(indexedCards)
      .where(and(eq(indexedCards.environment, environment), hasId(cardId, [id])))
      .limit(1)
    if (!found) return null
    const label = found.last4 && `Card ending ${found.last4}`
    return { type: 'card', id: found.id, parentId: found.cardAccountId, label }
  },
  async payout(environment, id) {
    const [found] = await database()
      .select({ id: indexedPayouts.id, record: indexedPayouts.record })
      .from(indexedPayouts)
      .where(and(eq(indexedPayouts.environment, environment), hasId(indexedPayouts.id, [id])))
      .limit(1)
    if (!found) return null
    const name = parseStoredPayout(found.record).destination.accountHolderName
    return { type: 'payout', id: found.id, parentId: null, label: name && `Payout to ${name}` }
  },
  async transaction(environment, id) {
    const { id: transactionId, cardAccountId, merchantName, description } = indexedTransactions
    const [found] = await database()
      .select({ id: transactionId, cardAccountId, merchantName, description })
      .from(indexedTransactions)
      .where(and(eq(indexedTransactions.environment, environment), hasId(transactionId, [id])))
      .limit(1)
    if (!found) return null
    const label = found.merchantName ?? found.description
    return { type: 'transaction', id: found.id, parentId: found.cardAccountId, label }
  },
  fee: async () => null,
}
