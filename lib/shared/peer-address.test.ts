import { expect, test } from 'vitest'
import { callerAddress, toIpv4 } from './peer-address.ts'

test.each([
  ['203.0.113.7', null, 0, '203.0.113.7'],
  ['::1', null, 0, '127.0.0.1'],
  ['::ffff:203.0.113.7', null, 0, '203.0.113.7'],
  ['::FFFF:203.0.113.7', null, 0, '203.0.113.7'],
  ['2001:db8::1', null, 0, null],
  [null, null, 0, null],
  ['10.0.0.1', '203.0.113.7', 0, '10.0.0.1'],
  ['10.0.0.1', '203.0.113.7', 1, '203.0.113.7'],
  ['10.0.0.1', '198.51.100.1, 203.0.113.7', 1, '203.0.113.7'],
  ['10.0.0.1', '198.51.100.1,203.0.113.7,10.0.0.2', 2, '203.0.113.7'],
  ['10.0.0.1', null, 1, null],
  ['10.0.0.1', '203.0.113.7', 2, null],
  ['10.0.0.1', 'unknown', 1, null],
])('peer %s with X-Forwarded-For %s behind %i trusted proxies is %s', (peer, forwardedFor, hops, expected) => {
  expect(toIpv4(callerAddress(peer, forwardedFor, hops))).toBe(expected)
})
