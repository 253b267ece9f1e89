import { expect, test } from 'vitest'
import { cardActionRow, cardActions } from '#lib/contract/card-actions.ts'
import { operationKinds, reasonIssues } from './actions.ts'

test('where money moves, a card is stopped for good or access widens, a reason is required', () => {
  const required = operationKinds.filter((kind) => 'reason' in reasonIssues(kind, {}))
  expect(required.toSorted()).toEqual(['card.cancel', 'card.change-pin', 'card.suspend', 'card.unsuspend', 'fee.waive'])
  expect(reasonIssues('account.set-limit', {}, true)).toEqual({ reason: 'must be given' })
})

test('a reason is one of the kind, and other says which', () => {
  expect(reasonIssues('fee.waive', { reason: 'lost-or-stolen' })).toEqual({
    reason: 'must be one of the listed reasons',
  })
  expect(reasonIssues('fee.waive', { reason: 'other' })).toEqual({ comment: 'must say what the reason is' })
  expect(reasonIssues('fee.waive', { reason: 'other', comment: 'Outage' })).toEqual({})
  expect(reasonIssues('webhook.create', {})).toEqual({})
})

test('what takes an operation back accepts the reason that Undo sends', () => {
  const undone = cardActions.flatMap((action) => cardActionRow(action).undo ?? [])
  expect(undone.toSorted()).toEqual(['lock', 'suspend', 'unlock', 'unsuspend'])
  for (const action of undone) expect(reasonIssues(`card.${action}`, { reason: 'mistake' }), action).toEqual({})
})
