import type { operations } from '../tables/operations.ts'
import type { Change } from './change.ts'

type Row = Pick<typeof operations.$inferSelect, 'id' | 'kind' | 'targetType' | 'targetId' | 'targetParentId'>

/** What an operation may have changed on somebody's screen. */
export function changesOfOperation({ id, kind, targetType, targetId, targetParentId }: Row): Change[] {
  const operation: Change = { type: 'operation', id }
  if (targetType === 'card' && targetParentId) {
    // Actions on cards move no money; what else is done with a card may.
    const account: Change[] = kind.startsWith('card.') ? [] : [{ type: 'cardaccount', id: targetParentId }]
    return [operation, { type: 'card', id: targetId, cardAccountId: targetParentId }, ...account]
  }
  if (targetType === 'cardaccount') return [operation, { type: 'cardaccount', id: targetId }]
  if (targetType === 'fee') {
    const account: Change[] = targetParentId ? [{ type: 'cardaccount', id: targetParentId }] : []
    return [operation, { type: 'fees' }, ...account]
  }
  if (targetType === 'webhook') return [operation, { type: 'webhooks' }]
  if (targetType === 'payout') return [operation, { type: 'payouts' }, { type: 'accounts' }]
  return [operation]
}
