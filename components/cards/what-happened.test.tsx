import { expect, test } from 'vitest'
import { areClocksApart } from './what-happened.tsx'

const now = '2026-11-27T10:00:00Z'
const later = '2026-11-28T10:00:00Z'

test.each([
  ['of one clock', now, { at: now, isByService: true }, false],
  ['the service’s clock is ahead', later, { at: now, isByService: true }, true],
  ['a charge of when it was ahead', now, { at: later, isByService: true }, true],
  ['an entry of the console’s own', now, { at: later }, false],
  ['a charge without a time', now, { at: null, isByService: true }, false],
])('times say whose clock they are by where the clocks differ: %s', (_name, serviceAt, line, areApart) => {
  expect(areClocksApart([line], serviceAt, now)).toBe(areApart)
})
