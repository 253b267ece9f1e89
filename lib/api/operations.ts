import type { Operation } from '#lib/operations/types.ts'
import { defineActions } from './action.ts'
import { defineReads, every, list } from './read.ts'
import { choice, defineSearch, text } from './search.ts'

/** Operations whose outcome is not known. */
export const unsettledSearch = defineSearch({
  kind: text(100),
  /** `me`, or everybody's. */
  by: choice('me'),
  /** The object, or the account that it belongs to. */
  about: text(200),
})

/** Outcomes that may still become another one. */
const openStates = new Set(['unknown', 'running', 'waiting'])

/** A look at an open outcome: every 2 s at first, every 15 s after some minutes. */
function lookMs({ outcome, createdAt }: Operation): number | false {
  if (!openStates.has(outcome.state)) return false
  if (outcome.state === 'waiting') return 5_000
  return Math.min(15_000, Math.max(2_000, (Date.now() - Date.parse(createdAt)) / 20))
}

export const operationReads = defineReads({
  listUnsettled: { path: 'operations', needs: 'accounts.read', poll: list, staleOn: { operation: true } },
  // Reading an operation looks its record up.
  readOperation: {
    path: 'operations/[operationId]',
    needs: 'accounts.read',
    poll: { every: every(lookMs), staleAfter: 10_000 },
    staleOn: { operation: ({ id }) => [id] },
  },
  readOperationRecord: {
    path: 'operations/[operationId]/record',
    needs: 'accounts.read',
    poll: { every: every<{ operation: Operation }>(({ operation }) => lookMs(operation)), staleAfter: 1_000 },
    staleOn: { operation: ({ id }) => [id] },
  },
})

export const operationActions = defineActions({
  // Its body asks for the permission that started the operation.
  resolveOperation: {
    needs: 'accounts.read',
    act: 'operation.resolve',
    label: 'Resolve operation',
    changes: ['operations', 'payouts', 'my-work', 'overview'],
  },
})
