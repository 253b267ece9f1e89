import { sender, type Sender } from '#lib/client/attempts.ts'
import { type Deviation, toClientSettings } from '#lib/client/client-options.ts'
import { prepare } from '#lib/client/prepare.ts'
import { diagnose } from '#lib/client/read-response.ts'
import { contractProfile, type ServiceProfile, type ServiceConnection } from '#lib/client/service-profile.ts'
import { type EndpointName, endpointRow } from '#lib/contract/endpoints.ts'
import { wireDecisions } from '#lib/contract/wire-decisions.ts'
import { present } from '#lib/shared/provided.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { compareResponse, nothingCompared } from './compare-response.ts'
import { decisionChecks, type Observed } from './decision-checks.ts'
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
  events,
}: CheckOptions): Promise<CheckReport> {
  const profile = connection.profile ?? contractProfile
  const settings = toClientSettings({
    ...connection,
    retry: { attempts: 2, attemptTimeoutMs: 8 * secondMs, deadlineMs: 10 * secondMs },
    circuitBreaker: { minimumFailures: 1000 },
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
      diagnosis: connection.privateKey === null ? null : rejectionDiagnosis(calls, service),
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
    const compared = compareResponse(name, last, profile, looksUp(call.input))
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
    ...nothingCompared,
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

/** Whether a request names an object. Without one, a 404 can only be about the path. */
function looksUp({ params, query = {} }: { params?: object; query?: object }): boolean {
  return params !== undefined || Object.keys(query).some((name) => name !== 'pageSize')
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
