import { expect, test } from 'vitest'
import { findOptions } from './combobox-field.tsx'

const options = [
  { value: '014', label: 'Bank Central Asia', note: '014' },
  { value: 'CAR', label: 'Central African Republic', note: 'CF' },
  { value: '008', label: 'Bank Mandiri', note: '008' },
]
const found = (search: string) => findOptions(options, search).map(({ value }) => value)

test('an option is found by parts of its label and note, in any order; what begins with the text comes first', () => {
  expect(found('')).toHaveLength(3)
  expect(found('asia CENTRAL')).toEqual(['014'])
  expect(found('central')).toEqual(['CAR', '014'])
  expect(found('cf')).toEqual(['CAR'])
  expect(found('008')).toEqual(['008'])
  expect(found('nothing')).toEqual([])
})
