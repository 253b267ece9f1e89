import { type ParsedResponse, parseResponse } from '#lib/client/parse-response.ts'
import type { AttemptResult } from '#lib/client/read-response.ts'
import { responseNames, type ServiceProfile } from '#lib/client/service-profile.ts'
import { type EndpointName, endpointRow } from '#lib/contract/endpoints.ts'
import { isErrorCode } from '#lib/contract/errors.ts'
import { isMissingEndpoint } from '#lib/environments/missing-endpoint.ts'
import { withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { isFields } from '#lib/shared/json.ts'
import { guessedList } from './guessed-list.ts'
import type { ObservedCall } from './read-calls.ts'

/** What a comparison found, and the parsed response. */
type Compared = Pick<ObservedCall, 'verdict' | 'records' | 'differences' | 'unknownFields' | 'reason' | 'record'>

/** The findings of a response that was not compared. */
export const nothingCompared: Pick<Compared, 'records' | 'differences' | 'unknownFields' | 'record'> = {
  records: 0,
  differences: [],
  unknownFields: [],
  record: null,
}

/** Compares a response with the contract. `isLookUp`: the request names an object, so that a 404 may be about that. */
export function compareResponse(
  name: EndpointName,
  result: AttemptResult,
  profile: ServiceProfile,
  isLookUp: boolean,
): Compared {
  const { status, code, unreadable } = result
  const text = [`HTTP ${status}`, code].filter(Boolean).join(' ')
  if (status === null) return { ...nothingCompared, verdict: 'unreachable', reason: result.message }
  if (status >= 300 && status < 400) {
    return { ...nothingCompared, verdict: 'unreadable', reason: `Redirected (${status}), which isn’t followed.` }
  }
  if (status === 401 || status === 403)
    return { ...nothingCompared, verdict: 'rejected', reason: rejectedText(text, result) }
  if (isMissingEndpoint(name, result) || (status === 404 && !isLookUp)) {
    return { ...nothingCompared, verdict: 'missing', reason: 'The service has no such path (404).' }
  }
  // A code of the interface is about the object; another one may be about the path.
  if (status === 404 && code !== null && isErrorCode(code)) {
    return { ...nothingCompared, verdict: 'no records', reason: `${text}: no record to compare.` }
  }
  if (status === 404) {
    return {
      ...nothingCompared,
      verdict: 'missing',
      reason: `The service has no such path, or no such record (${text}).`,
    }
  }
  if (status === 429) return { ...nothingCompared, verdict: 'unreachable', reason: `${text}: rate limited.` }
  if (status >= 500) return { ...nothingCompared, verdict: 'unreachable', reason: `${text}.` }
  if (status >= 400) {
    const differences = [{ path: '', expected: 'HTTP 200', found: text }]
    return { ...nothingCompared, verdict: 'differs', differences, reason: `The request was refused: ${text}.` }
  }
  if (result.verdict !== 'accepted') return { ...nothingCompared, verdict: 'unreadable', reason: result.message }
  if (unreadable !== null) {
    const found = { empty: 'An empty body', html: 'An HTML page', text: 'Text' }[unreadable]
    return { ...nothingCompared, verdict: 'unreadable', reason: `${found} instead of JSON.` }
  }
  return compareBody(name, result.body, profile)
}

/** The service's own message says which claim it doesn't accept. */
function rejectedText(text: string, { message }: AttemptResult): string {
  return `${text}: ${withoutCardNumbers(message).slice(0, 300)}`
}

function compareBody(name: EndpointName, body: unknown, profile: ServiceProfile): Compared {
  const { response } = endpointRow(name)
  const parsed = parseResponse(response, body, responseNames(profile, name))
  if (!('unexpected' in parsed)) {
    const { differences, unknownFields } = parsed
    const records = recordsIn(parsed.record)
    const verdict = differences.length > 0 ? 'differs' : records === 0 ? 'no records' : 'matches'
    const reason = records === 0 ? 'An empty list: only its form was compared.' : excludedText(parsed)
    return { verdict, records, differences, unknownFields, reason, record: parsed.record }
  }
  const { expected, found } = parsed.unexpected
  const outer = { path: '', expected, found }
  const list = guessedList(name, body)
  const inner = list === null ? null : parseResponse(response, body, { ...responseNames(profile, name), list })
  if (!inner || 'unexpected' in inner) {
    return {
      ...nothingCompared,
      verdict: 'unexpected form',
      differences: [outer],
      reason: `Expected ${expected}, found ${found}.`,
    }
  }
  return {
    verdict: 'unexpected form',
    records: recordsIn(inner.record),
    differences: [outer, ...inner.differences],
    unknownFields: inner.unknownFields,
    reason: `Expected ${expected}, found ${found}.`,
    record: inner.record,
  }
}

function excludedText({ excluded }: ParsedResponse): string | null {
  if (excluded === 0) return null
  return excluded === 1 ? '1 record can’t be used.' : `${excluded} records can’t be used.`
}

/** The items of a response's list, or the object itself; a map counts by its entries. */
function recordsIn(record: unknown): number {
  if (Array.isArray(record)) return record.length
  if (!isFields(record)) return 0
  const list = Object.values(record).find((value) => Array.isArray(value))
  return Array.isArray(list) ? list.length : 1
}
