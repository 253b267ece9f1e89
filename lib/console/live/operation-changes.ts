import type { operations } from '../tables/operations.ts'
import type { Change } from './change.ts'

type Row = Pick<typeof operations.$inferSelect, 'id' | 'targetType' | 'targetId' | 'targetParentId'>

/** What an operation may have changed on somebody's screen. */
export function changesOfOperation({ id, targetType, targetId, targetParentId }: Row): Change[] {
  const operation: Change = { type: 'operation', id }
  if (targetType === 'card' && targetParentId) {
    return [operation, { type: 'card', id: targetId, cardAccountId: targetParentId }]
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
