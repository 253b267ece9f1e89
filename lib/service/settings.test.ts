import { expect, test } from 'vitest'
import { readServiceSettings } from './settings.ts'

test.each([undefined, '', 'hunter2', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64')])(
  'refuses the card number key "%s"',
  (CARD_NUMBER_KEY) => {
    expect(() => readServiceSettings({ CARD_NUMBER_KEY })).toThrow(/^CARD_NUMBER_KEY must be /)
  },
)
