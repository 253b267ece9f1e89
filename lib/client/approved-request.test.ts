import { expect, test } from 'vitest'
import { sha256Hex } from '#lib/signing/digest.ts'
import { fromTerms, NotApprovedError, requestSha256, requireApproved } from './approved-request.ts'
import { prepare } from './prepare.ts'
import { contractProfile } from './service-profile.ts'

const request = prepare('setFixedLimit', { body: { cardAccountId: 'a', limit: 100 } })
const approved = { sha256: requestSha256(request) }

test('the digest is over method, path and body, as a shell computes it', () => {
  // printf 'POST /cards/setFixedLimit\n{"cardAccountId":"a","limit":100}' | sha256sum
  const text = `${request.method} ${request.path}\n{"cardAccountId":"a","limit":100}`
  expect(requestSha256(request)).toBe(sha256Hex(text))
})

test('the approved request is signed, and no other', () => {
  expect(() => requireApproved(request, approved, contractProfile)).not.toThrow()
  const changes = [
    { bytes: Buffer.from('{"cardAccountId":"a","limit":101}') },
    { bytes: Buffer.from('{"limit":100,"cardAccountId":"a"}') },
    { bytes: null },
    { path: '/elsewhere' },
    { method: 'GET' as const },
  ]
  for (const change of changes) {
    expect(() => requireApproved({ ...request, ...change }, approved, contractProfile)).toThrow(NotApprovedError)
  }
  expect(() => requireApproved(request, { sha256: '' }, contractProfile)).toThrow(NotApprovedError)
})

test('a request that follows from approved terms is signed with another quote and no other change', () => {
  const body = { quoteId: 'one', destination: { accountNumber: '1' }, purpose: 'salary', idempotencyKey: 'k' }
  const terms = Buffer.from(JSON.stringify({ endpoint: 'executePayout', body }))
  const derived = fromTerms(terms, 'two', contractProfile)
  expect(Buffer.from(derived.bytes ?? '').toString()).toBe(JSON.stringify({ ...body, quoteId: 'two' }))
  const given = { termsSha256: sha256Hex(terms), terms, quoteId: 'two' }
  expect(() => requireApproved(derived, given, contractProfile)).not.toThrow()
  const other = fromTerms(terms, 'three', contractProfile)
  expect(() => requireApproved(other, given, contractProfile)).toThrow(NotApprovedError)
  const altered = Buffer.from(JSON.stringify({ endpoint: 'executePayout', body: { ...body, purpose: 'gift' } }))
  const fromAltered = fromTerms(altered, 'two', contractProfile)
  expect(() => requireApproved(fromAltered, { ...given, terms: altered }, contractProfile)).toThrow(NotApprovedError)
})
