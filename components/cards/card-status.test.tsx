import { expect, test } from 'vitest'
import { cardStatuses } from '#lib/contract/terms.ts'
import { cardStatusEntry, statusInSentence, unsuspendedNote } from './card-status.ts'

test('every status of the contract has its own label and meaning', () => {
  const entries = cardStatuses.map(cardStatusEntry)
  expect(new Set(entries.map(({ label }) => label)).size).toBe(cardStatuses.length)
  expect(new Set(entries.map(({ meaning }) => meaning)).size).toBe(cardStatuses.length)
})

test('a card that is locked once its suspension is lifted is said to be', () => {
  expect(unsuspendedNote('locked')).toContain('declined until it’s unlocked')
  for (const status of ['active', null, undefined]) expect(unsuspendedNote(status)).toBeNull()
})

test('an unknown status is shown as sent', () => {
  for (const status of ['frozen', 'constructor', '__proto__']) {
    expect(cardStatusEntry(status)).toMatchObject({ label: status, tone: 'neutral' })
  }
  expect(statusInSentence('FROZEN')).toBe('FROZEN')
  expect(statusInSentence('pending-issue')).toBe('pending issue')
})

test('a status that the service did not provide is shown as not provided', () => {
  for (const status of ['', null]) expect(cardStatusEntry(status).label).toBe('Not provided')
})
