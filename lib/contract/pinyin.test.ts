import { expect, test } from 'vitest'
import { addressInPinyin } from './pinyin.ts'

test('Chinese characters of an address become pinyin, the rest is unchanged', () => {
  expect(addressInPinyin('上海市浦东新区世纪大道88号 国金中心')).toBe(
    'Shang Hai Shi Pu Dong Xin Qu Shi Ji Da Dao 88 Hao Guo Jin Zhong Xin',
  )
  expect(addressInPinyin('Flat 5, 中环，Hong Kong')).toBe('Flat 5, Zhong Huan, Hong Kong')
  expect(addressInPinyin('1 Queen’s Road, Central')).toBe('1 Queen’s Road, Central')
})

test('no Chinese character of the common range is left over', () => {
  const common = Array.from({ length: 0x9fa5 - 0x4e00 + 1 }, (_, offset) => String.fromCodePoint(0x4e00 + offset))
  const left = addressInPinyin(common.join('')).match(/\p{Script=Han}/gu) ?? []
  expect(left.length).toBeLessThan(common.length / 100)
})
