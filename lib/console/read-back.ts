import 'server-only'
import type { Card } from '#lib/contract/cards.ts'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { mirrorCards } from './directory/mirror.ts'
import { askService } from './environments.ts'
import { readBackFee } from './fees/read-back.ts'
import { announce } from './live/announce.ts'
import { changesOfOperation } from './live/operation-changes.ts'
import { logFailure } from './log.ts'
import { writeStatusAfter, type OperationRow } from './operations/journal.ts'
import { isRefusal } from './refusal.ts'

/**
 * The card that an operation was about, as the service has it now; the mirror and the journal learn it too. Null where it
 * could not be read: the outcome stands without it. A fee is read back with its account, and answers with null too.
 */
export async function readBack(row: OperationRow): Promise<Card | null> {
  if (row.targetType === 'fee') await readBackFee(row)
  if (row.targetType !== 'card' || !row.targetParentId) return null
  const { environment, targetId: cardId, targetParentId: cardAccountId } = row
  try {
    const askedAt = new Date()
    const { answer } = await askService(environment, 'listCards', { query: { cardAccountId, cardId } })
    const card = answer.cards.find(({ id }) => id === cardId)
    if (!card) return null
    const db = database()
    const operationId = row.state === 'done' ? row.id : null
    await inTransaction(db, (tx) =>
      mirrorCards(tx, environment, cardAccountId, [card], { askedAt, isWhole: false, operationId }),
    )
    announce(environment, changesOfOperation(row))
    if (row.settledAt && row.statusAfter === null) await writeStatusAfter(db, row.id, card.status)
    return card
  } catch (error) {
    if (!isRefusal(error)) logFailure(error, { while: 'reading a card back', operation: row.id })
    return null
  }
}
