import { timingSafeEqual } from 'node:crypto'
import { keyedDigest } from '../sealing.ts'
import { consoleSettings } from '../settings.ts'

/**
 * A position in a list, as opaque text that cannot be altered and that counts only for the list and the filter it was made for
 * (`scope`).
 */
export function pageToken(scope: string, place: unknown): string {
  const payload = Buffer.from(JSON.stringify(place)).toString('base64url')
  return `${payload}.${markOf(scope, payload)}`
}

/** The place, or null where the token is not one of this scope. */
export function placeOf(scope: string, token: string): unknown {
  const [payload = '', mark = '', ...more] = token.split('.')
  const expected = Buffer.from(markOf(scope, payload))
  const given = Buffer.from(mark)
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

function markOf(scope: string, payload: string): string {
  return Buffer.from(keyedDigest(consoleSettings().sealingKey, ['page', scope, payload]), 'hex')
    .subarray(0, 16)
    .toString('base64url')
}
