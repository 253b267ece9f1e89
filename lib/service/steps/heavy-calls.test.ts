import { expect, test } from 'vitest'
import { ApiError } from '../api-error.ts'
import { enterHeavyCall } from './execute.ts'

const long = Array.from({ length: 51 }, () => ({}))

test('two calls with long arrays of one key, and four of all keys, run at once', () => {
  const leaves = [enterHeavyCall('a', long), enterHeavyCall('a', { cardAccountIds: long })]
  expect(() => enterHeavyCall('a', long)).toThrow(ApiError)
  leaves.push(enterHeavyCall('b', long), enterHeavyCall('b', long))
  expect(() => enterHeavyCall('c', long)).toThrow(ApiError)
  for (const leave of leaves) leave()
  enterHeavyCall('c', long)()
})

test('beyond that a call is refused with 429 and Retry-After', () => {
  const leaves = [enterHeavyCall('a', long), enterHeavyCall('a', long)]
  try {
    enterHeavyCall('a', long)
    expect.unreachable()
  } catch (error) {
    expect(error).toMatchObject({ code: 'RATE_LIMITED', headers: { 'Retry-After': '2' } })
  }
  for (const leave of leaves) leave()
})

test('calls with short arrays are never refused', () => {
  const leaves = Array.from({ length: 20 }, () => enterHeavyCall('a', { ids: long.slice(1) }))
  for (const body of [null, undefined, 'text', 7]) enterHeavyCall('a', body)()
  for (const leave of leaves) leave()
})
