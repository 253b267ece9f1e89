import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { CardStatus } from '#lib/contract/terms.ts'
import { prepareRequest } from '#lib/environments/environments.ts'
import type { OperationRow } from '#lib/operations/journal.ts'
import { performOperation } from '#lib/operations/perform.ts'
import { cards } from '#lib/service/tables/cards.ts'
import '../operation-table.ts'
import type { TestConsole } from './open-console.ts'

/** A card of the built-in service in that status, as an action's input names it. */
export async function cardIn({ service }: TestConsole, status: CardStatus) {
  const [card] = await service.service.db.select().from(cards).where(eq(cards.status, status)).limit(1)
  if (!card) throw new Error(`the seed has no ${status} card`)
  const { cardAccountId, id: cardId, last4 } = card
  return { target: { environment: 'sandbox' as const, cardAccountId, cardId }, last4, card }
}

/** What the service itself says the card's status is. */
export async function readCardStatus({ service }: TestConsole, cardId: string): Promise<string | undefined> {
  const [card] = await service.service.db.select().from(cards).where(eq(cards.id, cardId))
  return card?.status
}

export type CardTask = { id: string; kind: 'card.lock' | 'card.unlock'; cardAccountId: string; cardId: string }

export type ReplaceTask = {
  id: string
  kind: 'card.replace'
  cardAccountId: string
  cardId: string
  embossedName: string
  productId: string
  type: 'virtual' | 'physical'
}

/** Replaces a lost card as staff in the sandbox: lock, cancel and issue under the operation `id`. Returns it as stored. */
export async function performReplaceTask({
  id,
  cardAccountId,
  cardId,
  ...issuance
}: ReplaceTask): Promise<OperationRow> {
  const target = { type: 'card', id: cardId, parentId: cardAccountId, label: null }
  const by = { id: '5d1c7a52-0000-4000-8000-000000000003', name: 'Olivia Poon', role: 'operations' as const }
  const common = { environment: 'sandbox' as const, by, target, reason: 'lost-or-stolen', comment: null }
  const { embossedName, productId, type } = issuance
  const { row } = await performOperation({
    ...common,
    id,
    kind: 'card.replace',
    expected: { idsBefore: '' },
    request: prepareRequest('sandbox', 'issueCard', { cardAccountId, embossedName, productId, type }),
    earlier: (['lock', 'cancel'] as const).map((action) => ({
      ...common,
      id: randomUUID(),
      kind: `card.${action}` as const,
      request: prepareRequest('sandbox', `${action}Card`, { cardAccountId, cardId }),
    })),
  })
  return row
}

/** Locks or unlocks a card as staff in the sandbox, under the operation `id`. Returns the operation as stored. */
export async function performCardTask({ id, kind, cardAccountId, cardId }: CardTask): Promise<OperationRow> {
  const endpoint = kind === 'card.lock' ? 'lockCard' : 'unlockCard'
  const { row } = await performOperation({
    id,
    environment: 'sandbox',
    kind,
    by: { id: '5d1c7a52-0000-4000-8000-000000000002', name: 'Samuel Ng', role: 'support' },
    target: { type: 'card', id: cardId, parentId: cardAccountId, label: null },
    reason: null,
    comment: null,
    request: prepareRequest('sandbox', endpoint, { cardAccountId, cardId }),
  })
  return row
}
