import { expect, test } from 'vitest'
import { cardActions, cardActionTable, cardTransition } from './card-actions.ts'
import { endpoints } from './endpoints.ts'
import { cardStatuses } from './terms.ts'

test('every error in the table is an error of its endpoint', () => {
  for (const status of cardStatuses) {
    for (const action of cardActions) {
      const transition = cardActionTable[action].transitions[status]
      if ('refused' in transition)
        expect(endpoints[cardActionTable[action].endpoint].errors, `${status} ${action}`).toContain(transition.refused)
    }
  }
})

test('no action leaves the status cancelled', () => {
  for (const action of cardActions) expect(cardActionTable[action].transitions.cancelled).toHaveProperty('refused')
})

test('an unknown status has no transitions', () => {
  expect(cardTransition('frozen-by-regulator', 'lock')).toBeUndefined()
  expect(cardTransition('constructor', 'lock')).toBeUndefined()
})
