import { expect, test } from 'vitest'
import { makePath, routes } from './routes.ts'

test('encodes every segment and leaves empty parameters out', () => {
  expect(makePath(['a b', 'c/d'], { q: '陳', none: null, empty: '', many: ['x', 'y'] })).toBe(
    '/a%20b/c%2Fd?q=%E9%99%B3&many=x&many=y',
  )
})

test('refuses an empty segment', () => {
  expect(() => makePath(['sandbox', ''])).toThrow(TypeError)
})

test.each(['.', '..', '\uD800'])('a record whose id is %j has an address below that of its list', (segment) => {
  const { pathname } = new URL(makePath(['sandbox', 'payouts', segment]), 'http://localhost')
  expect(pathname).toMatch(/^\/sandbox\/payouts\/[^/]+$/)
  expect(() => decodeURIComponent(pathname)).not.toThrow()
})

test('a pasted link names its environment', () => {
  expect(routes.card('production', 'a1', 'c1')).toBe('/production/card-accounts/a1/cards/c1')
})
