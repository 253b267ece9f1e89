import { sender, type Sender } from '#lib/client/attempts.ts'
import { type Deviation, type ServiceClientOptions, toClientSettings } from '#lib/client/client-options.ts'
import { type ParsedResponse, parseResponse } from '#lib/client/parse-response.ts'
import { prepare } from '#lib/client/prepare.ts'
import { diagnose, type Reading } from '#lib/client/read-response.ts'
import { contractProfile, responseNames, type ServiceProfile } from '#lib/client/service-profile.ts'
import { type EndpointName, endpointRow } from '#lib/contract/endpoints.ts'
import { isErrorCode } from '#lib/contract/errors.ts'
import { wireDecisions } from '#lib/contract/wire-decisions.ts'
import { isMissingEndpoint } from '#lib/environments/missing-endpoint.ts'
import type { ServiceConnection } from '#lib/settings/console-settings.ts'
import { withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { isFields } from '#lib/shared/json.ts'
import { present } from '#lib/shared/provided.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { decisionChecks, type Observed } from './decision-checks.ts'
import { guessedList } from './list-name.ts'
import { proposalsFrom } from './proposals.ts'
import { type Found, noteFound, type ObservedCall, readCalls, readEndpoints } from './read-calls.ts'
import { type IdentityEvent, releaseFinding } from './release.ts'
import { partToFillIn, proposedPart } from './report.ts'
import type { CheckReport, CheckResult, DecisionCheck, EndpointCheck } from './types.ts'
import { explainUnreachable } from './unreachable.ts'

type CheckOptions = {
  environment: Environment
  connection: ServiceConnection
  /** The differences of a response, for the record of deviations. */
  onDeviation?: (deviation: Deviation) => void
  surroundings?: ServiceClientOptions['surroundings']
  /** The newest client identity events of the service, which show a release as its responses do. */
  events?: readonly IdentityEvent[]
}

/** After this many consecutive requests without a response the rest isn't called. */
const unreachableInRow = 2

/**
 * Calls each read endpoint of a service once and compares the responses with the contract. Sends GET requests only,
 * over its own connections, and changes nothing. Never throws for a failure of the service.
 */
export async function checkConnection({
  environment,
  connection,
  onDeviation = () => undefined,
  surroundings,
  events,
}: CheckOptions): Promise<CheckReport> {
  const profile = connection.profile ?? contractProfile
  const settings = toClientSettings({
    ...connection,
    retry: { attempts: 2, attemptTimeoutMs: 8 * secondMs, deadlineMs: 10 * secondMs },
    circuitBreaker: { minimumFailures: 1000 },
    ...(surroundings ? { surroundings } : {}),
  })
  const service = sender(settings)
  const startedAt = new Date()
  const startMs = performance.now()
  try {
    const calls = await callAll(service, connection, onDeviation)
    const observed: Observed = { calls, quota: lastQuota(service, calls) }
    const decisions = wireDecisions.map((decision) => checkDecision(decision, observed))
    const endpoints = calls.map(reported)
    const proposals = proposalsFrom(calls, profile)
    return {
      environment,
      baseUrl: connection.baseUrl,
      accessKey: connection.accessKey,
      checkedAt: startedAt.toISOString(),
      durationMs: Math.round(performance.now() - startMs),
      result: toCheckResult(endpoints, decisions),
      clockOffsetMs: service.clockOffsetMs(),
      diagnosis: rejectionDiagnosis(calls, service),
      rateLimit: observed.quota,
      release: releaseFinding(calls, profile, events),
      endpoints,
      decisions,
      proposals,
      names: proposedPart(environment, proposals),
      namesToFillIn: partToFillIn(environment, proposals),
    }
  } finally {
    await service.close()
  }
}

async function callAll(
  service: Sender,
  { baseUrl, profile = contractProfile }: ServiceConnection,
  onDeviation: (deviation: Deviation) => void,
): Promise<ObservedCall[]> {
  const found: Found = {}
  const calls: ObservedCall[] = []
  let unreachable = 0
  let why: string | null = null
  for (const name of readEndpoints) {
    const call = readCalls[name]?.(found) ?? { reason: 'the check has no input for it' }
    if ('reason' in call || unreachable >= unreachableInRow) {
      calls.push(notCalled(name, profile, 'reason' in call ? call.reason : stoppedReason(calls)))
      continue
    }
    const prepared = prepare(name, call.input, profile)
    const startMs = performance.now()
    const { last } = await service.attempt(prepared, {}, true)
    const durationMs = Math.round(performance.now() - startMs)
    const compared = compare(name, last, profile, looksUp(call.input))
    unreachable = compared.verdict === 'unreachable' ? unreachable + 1 : 0
    if (last.status === null) {
      why ??= await explainUnreachable(last.cause, baseUrl)
      compared.reason = [last.message, why].filter(Boolean).join(' ')
    }
    const { status, code, requestId, headers, body } = last
    calls.push({
      name,
      endpoint: formatEndpoint(name, profile),
      status,
      code,
      durationMs,
      requestId,
      headers,
      body,
      ...compared,
    })
    noteFound(found, name, compared.record)
    const { differences, unknownFields } = compared
    if (differences.length + unknownFields.length > 0) onDeviation({ name, requestId, differences, unknownFields })
  }
  return calls
}

function formatEndpoint(name: EndpointName, profile: ServiceProfile): string {
  const { method, path } = endpointRow(name)
  return `${method} ${profile.paths[name] ?? path}`
}

/** The reason that the remaining endpoints aren’t called: the last response. */
function stoppedReason(calls: readonly ObservedCall[]): string {
  const status = calls.findLast(({ verdict }) => verdict === 'unreachable')?.status ?? null
  if (status === null) return 'the service can’t be reached'
  if (status === 429) return 'the service limits the rate of requests'
  return `the service responds with HTTP ${status}`
}

function notCalled(name: EndpointName, profile: ServiceProfile, reason: string): ObservedCall {
  return {
    name,
    endpoint: formatEndpoint(name, profile),
    ...nothing,
    verdict: 'not called',
    status: null,
    code: null,
    durationMs: null,
    requestId: null,
    headers: {},
    body: undefined,
    reason: `Not called: ${reason}.`,
  }
}

type Compared = Pick<ObservedCall, 'verdict' | 'records' | 'differences' | 'unknownFields' | 'reason' | 'record'>

const nothing: Pick<Compared, 'records' | 'differences' | 'unknownFields' | 'record'> = {
  records: 0,
  differences: [],
  unknownFields: [],
  record: null,
}

/** Whether a request names an object. Without one, a 404 can only be about the path. */
function looksUp({ params, query = {} }: { params?: object; query?: object }): boolean {
  return params !== undefined || Object.keys(query).some((name) => name !== 'pageSize')
}

function compare(name: EndpointName, reading: Reading, profile: ServiceProfile, isLookUp: boolean): Compared {
  const { status, code, unreadable } = reading
  const text = [`HTTP ${status}`, code].filter(Boolean).join(' ')
  if (status === null) return { ...nothing, verdict: 'unreachable', reason: reading.message }
  if (status >= 300 && status < 400) {
    return { ...nothing, verdict: 'unreadable', reason: `Redirected (${status}), which isn’t followed.` }
  }
  if (status === 401 || status === 403) return { ...nothing, verdict: 'rejected', reason: rejectedText(text, reading) }
  if (isMissingEndpoint(name, reading) || (status === 404 && !isLookUp)) {
    return { ...nothing, verdict: 'missing', reason: 'The service has no such path (404).' }
  }
  // A code of the interface is about the object; another one may be about the path.
  if (status === 404 && code !== null && isErrorCode(code)) {
    return { ...nothing, verdict: 'no records', reason: `${text}: no record to compare.` }
  }
  if (status === 404) {
    return { ...nothing, verdict: 'missing', reason: `The service has no such path, or no such record (${text}).` }
  }
  if (status === 429) return { ...nothing, verdict: 'unreachable', reason: `${text}: rate limited.` }
  if (status >= 500) return { ...nothing, verdict: 'unreachable', reason: `${text}.` }
  if (status >= 400) {
    const differences = [{ path: '', expected: 'HTTP 200', found: text }]
    return { ...nothing, verdict: 'differs', differences, reason: `The request was refused: ${text}.` }
  }
  if (reading.verdict !== 'accepted') return { ...nothing, verdict: 'unreadable', reason: reading.message }
  if (unreadable !== null) {
    const found = { empty: 'An empty body', html: 'An HTML page', text: 'Text' }[unreadable]
    return { ...nothing, verdict: 'unreadable', reason: `${found} instead of JSON.` }
  }
  return compareBody(name, reading.body, profile)
}

/** The service's own message says which claim it doesn't accept. */
function rejectedText(text: string, { message }: Reading): string {
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
      ...nothing,
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

function reported({ headers: _headers, body: _body, record: _record, ...check }: ObservedCall): EndpointCheck {
  return check
}

function lastQuota(service: Sender, calls: readonly ObservedCall[]): Observed['quota'] {
  const quota = present(calls.map(({ name }) => service.quota(name))).at(-1)
  return quota ? { limit: quota.limit, remaining: quota.remaining } : null
}

function rejectionDiagnosis(calls: readonly ObservedCall[], service: Sender): string | null {
  const rejected = calls.find(({ verdict }) => verdict === 'rejected')
  if (!rejected) return null
  const { status, code, reason } = rejected
  return diagnose({ status, code, message: reason ?? '' }, service.clockOffsetMs())
}

function checkDecision(decision: (typeof wireDecisions)[number], observed: Observed): DecisionCheck {
  const { id, topic, about, decision: text, mark } = decision
  const finding = decisionChecks[id]?.(observed) ?? { verdict: 'open', note: null }
  return { id, topic, about, decision: text, mark, ...finding }
}

/** An empty list or an unknown object shows no difference, and proves nothing either. */
const comparable: readonly EndpointCheck['verdict'][] = ['matches', 'no records', 'not called']

/** Reference data, which every service has even without a record of the client. */
const referenceData: readonly EndpointName[] = [
  'ping',
  'listOccupations',
  'listPositions',
  'getRates',
  'listPayoutBanks',
  'getBank',
]

function toCheckResult(endpoints: readonly EndpointCheck[], decisions: readonly DecisionCheck[]): CheckResult {
  const records = endpoints
    .filter(({ name }) => !referenceData.includes(name))
    .reduce((sum, { records }) => sum + records, 0)
  if (records === 0) return 'nothing compared'
  const isWhole = endpoints.every(({ verdict }) => comparable.includes(verdict))
  return isWhole && decisions.every(({ verdict }) => verdict !== 'contradicted') ? 'usable' : 'differences'
}
