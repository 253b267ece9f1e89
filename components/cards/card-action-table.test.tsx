import { describe, expect, test } from 'vitest'
import { cardActions, cardTransition } from '#lib/contract/card-actions.ts'
import { cardStatuses } from '#lib/contract/terms.ts'
import { cardActionUi, errorByStatus } from './card-action-table.ts'

const cells = cardStatuses.flatMap((status) => cardActions.map((action) => ({ status, action })))

describe('the reason of each cell of the transition table', () => {
  test.each(cells)('$action of a card that is $status', ({ status, action }) => {
    const transition = cardTransition(status, action)
    const isRefused = transition !== undefined && 'refused' in transition
    expect(cardActionUi[action].refused[status] !== undefined).toBe(isRefused)
    expect(errorByStatus(status, action) !== undefined).toBe(isRefused)
  })

  test('a card of unknown or missing status can only be stopped', () => {
    for (const action of ['lock', 'suspend', 'cancel'] as const) {
      expect(errorByStatus('frozen', action), action).toBeUndefined()
      expect(errorByStatus(null, action), action).toBeUndefined()
    }
    for (const action of ['unlock', 'unsuspend', 'activate', 'change-pin'] as const) {
      expect(errorByStatus('frozen', action)).toContain('“frozen”')
      expect(errorByStatus(null, action)).toContain('did not provide')
    }
  })
})
