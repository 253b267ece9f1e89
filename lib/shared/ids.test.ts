import { expect, test } from 'vitest'
import { findById, uniqueIds } from './ids.ts'

const uuid = '0b7c0f64-2f0e-4c3a-9d57-3f1f6a1f9e11'

test('a UUID in another case is the same one, an id of another form is not', () => {
  expect(uniqueIds([uuid, uuid.toUpperCase(), 'CA_x', 'ca_x', 'CA_x'])).toEqual([uuid, 'CA_x', 'ca_x'])
})

test('a record is found by its id as it is before one whose id differs in case', () => {
  const records = [{ id: 'CARD_a' }, { id: 'card_a' }]
  expect(findById(records, 'card_a')).toBe(records[1])
  expect(findById(records, 'Card_A')).toBe(records[0])
  expect(findById(records, 'card_b')).toBeUndefined()
})
