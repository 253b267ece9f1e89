import { expect, test } from 'vitest'
import { cardActions, cardStatuses, cardTransition, cardTransitions } from './card-transitions.ts'
import { endpoints } from './endpoints.ts'

const rowOfAction = {
  lock: endpoints.lockCard,
  unlock: endpoints.unlockCard,
  suspend: endpoints.suspendCard,
  unsuspend: endpoints.unsuspendCard,
  activate: endpoints.activateCard,
  cancel: endpoints.cancelCard,
  'change-pin': endpoints.changeCardPin,
} as const

test('every refusal in the table is an error of its endpoint', () => {
  for (const status of cardStatuses) {
    for (const action of cardActions) {
      const transition = cardTransitions[status][action]
      if ('refused' in transition)
        expect(rowOfAction[action].errors, `${status} ${action}`).toContain(transition.refused)
    }
  }
})

test('nothing leaves cancelled', () => {
  for (const action of cardActions) expect(cardTransitions.cancelled[action]).toHaveProperty('refused')
})

test('a status that nobody knows has no transitions', () => {
  expect(cardTransition('frozen-by-regulator', 'lock')).toBeUndefined()
  expect(cardTransition('constructor', 'lock')).toBeUndefined()
})
