import { expect, test } from 'vitest'
import { having, lacking, present, unknownLast } from './provided.ts'

test('what is not there is told from 0 and from an empty text', () => {
  expect(present([0, null, '', undefined, false])).toEqual([0, '', false])
  const rows = [{ amount: 0 }, { amount: null }, { amount: undefined }]
  expect(having(rows, 'amount')).toEqual([{ amount: 0 }])
  expect(lacking(rows, 'amount')).toHaveLength(2)
})

test('what is not known comes last', () => {
  expect([null, 3, 1, null, 2].toSorted(unknownLast((one, other) => one - other))).toEqual([1, 2, 3, null, null])
})
