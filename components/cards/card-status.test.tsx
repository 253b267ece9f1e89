import { expect, test } from 'vitest'
import { cardStatuses } from '#lib/contract/card-transitions.ts'
import { cardStatusEntry } from './card-status.ts'

test('every status of the contract has a word and a meaning of its own', () => {
  const entries = cardStatuses.map(cardStatusEntry)
  expect(new Set(entries.map(({ word }) => word)).size).toBe(cardStatuses.length)
  expect(new Set(entries.map(({ meaning }) => meaning)).size).toBe(cardStatuses.length)
})

test('a status that nobody knows is shown as it is, whatever it is called', () => {
  for (const status of ['frozen', 'constructor', '__proto__', '']) expect(cardStatusEntry(status).word).toBe(status)
})
