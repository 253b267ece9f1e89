import { expect, test } from 'vitest'
import { eventsText } from './events-text.ts'

test('a webhook of every event is said to get all, also where others are listed', () => {
  expect(eventsText(['card.updated', 'payout.updated'])).toBe('card.updated, payout.updated')
  expect(eventsText(['card.updated', '*'])).toBe('all')
})
