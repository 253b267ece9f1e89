import { expect, test } from 'vitest'
import { detailText } from './attention-list.tsx'

test('an amount among the details is written as everywhere', () => {
  expect(detailText('1191629.5 HKD available')).toBe('1,191,629.50 HKD available')
  expect(detailText('-130 HKD')).toBe('−130.00 HKD')
  expect(detailText('EMP-10018')).toBe('EMP-10018')
  expect(detailText('Invalid ID (name check hit)')).toBe('Invalid ID (name check hit)')
})
