import 'server-only'
import { and, eq, inArray, lt, lte, sql } from 'drizzle-orm'
import type { ServiceError } from '#lib/client/service-error.ts'
import { type EndpointName, endpointText } from '#lib/contract/endpoints.ts'
import { database } from '#lib/db/connection.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { storable } from '#lib/shared/texts.ts'
import { secondMs } from '#lib/shared/time.ts'
import { endpointProblems, environmentHealth } from '#lib/tables/connection.ts'
import { isMissingEndpoint } from './missing-endpoint.ts'
import { isSlow, ownHealth, type ProcessHealth, recentMs } from './process-health.ts'
import type { EndpointProblemKind, ServiceProblem, ServiceState } from './types.ts'

type Row = typeof environmentHealth.$inferSelect

/** A success is written immediately after a failure, otherwise every few seconds at most. */
export const writeEveryMs = 5 * secondMs
/**
 * Without a success in between, the whole service is `rejected` or `unreadable` after so many endpoints that are; after fewer
 * where nothing succeeded lately. A 401 is about the key, which all endpoints share: each request counts.
 */
const failingEndpoints = 3
const quietEndpoints = 2
/** Without a success in between, so many endpoints that lost a request make the whole service `unreachable`. */
const lostEndpoints = 2

const unreadableCodes: readonly (string | null)[] = ['RESPONSE_UNREADABLE', 'REDIRECTED', 'RESPONSE_TOO_LARGE']

/** No response arrived within the time limit, or none was requested because of such timeouts. */
const timeoutCodes: readonly (string | null)[] = ['TIMED_OUT', 'CIRCUIT_OPEN']

/** `lost`: the service may have had the request. `slow`: it took longer than its time limit. */
type AbsenceKind = 'unreachable' | 'lost' | 'slow'

const recording = { while: 'recording the health of the service' }

/** The state that the row of an environment shows, and since when. */
export function toServiceState(row: Row): [ServiceState, Date | null] {
  if (row.unreachableSince) return ['unreachable', row.unreachableSince]
  const { failing, failingSince, lastAcceptedAt } = row
  if (failing && failingSince) {
    const isQuiet = !lastAcceptedAt || lastAcceptedAt.getTime() < failingSince.getTime() - recentMs
    const isAboutKey = row.lastProblem?.status === 401
    const least = isQuiet ? (isAboutKey ? 1 : quietEndpoints) : failingEndpoints
    if (row.failingRequests >= least) return [failing, failingSince]
  }
  return row.slowSince ? ['slow', row.slowSince] : ['online', null]
}

/** Records a success of an endpoint. A failed health write must not fail the request. */
export async function noteSuccess(environment: Environment, name: EndpointName): Promise<void> {
  await writeSuccess(environment, name).catch((failure: unknown) => logFailure(failure, recording))
}

async function writeSuccess(environment: Environment, name: EndpointName): Promise<void> {
  const own = ownHealth(environment)
  const now = Date.now()
  const isNews = own.isFailing || own.failed.has(name) || now - own.writtenAt >= writeEveryMs
  own.respondedAt = now
  own.isFailing = false
  own.lost.clear()
  own.succeeded.add(name)
  if (!isNews) return
  own.writtenAt = now
  own.failed.delete(name)
  const worked = [...own.succeeded]
  own.succeeded.clear()
  await writeAccepted(environment, now)
  await deleteProblems(environment, worked, now)
}

/** Records that the endpoints worked at that time: earlier problems of them end. */
export async function noteWorking(
  environment: Environment,
  names: readonly EndpointName[],
  atMs: number,
): Promise<void> {
  await deleteProblems(environment, names, atMs).catch((failure: unknown) => logFailure(failure, recording))
}

async function deleteProblems(environment: Environment, names: readonly EndpointName[], atMs: number): Promise<void> {
  if (names.length === 0) return
  const { endpoint, lastAt } = endpointProblems
  const deleted = await database()
    .delete(endpointProblems)
    .where(
      and(eq(endpointProblems.environment, environment), inArray(endpoint, [...names]), lt(lastAt, new Date(atMs))),
    )
    .returning({ endpoint })
  if (deleted.length > 0) ownHealth(environment).read = null
}

/**
 * While a service rejects everything, every called endpoint gets a problem. These end with the state: endpoints that
 * are rejected individually are recorded again with their next call.
 */
async function endFailing(environment: Environment, at: Date): Promise<void> {
  const [row] = await database().select().from(environmentHealth).where(eq(environmentHealth.environment, environment))
  const [state] = row ? toServiceState(row) : (['online'] as const)
  if (state !== 'rejected' && state !== 'unreadable') return
  const { kind, lastAt } = endpointProblems
  await database()
    .delete(endpointProblems)
    .where(and(eq(endpointProblems.environment, environment), eq(kind, state), lte(lastAt, at)))
  ownHealth(environment).read = null
}

/** A response that came, and was neither rejected nor unreadable. */
async function writeAccepted(environment: Environment, now: number): Promise<void> {
  const at = new Date(now)
  await endFailing(environment, at)
  const values = {
    lastResponseAt: at,
    lastAcceptedAt: at,
    unreachableSince: null,
    failing: null,
    failingRequests: 0,
    failingSince: null,
    lastProblem: null,
  }
  const isSlowNow = isSlow(ownHealth(environment))
  await database()
    .insert(environmentHealth)
    .values({ environment, ...values, slowSince: isSlowNow ? at : null })
    .onConflictDoUpdate({
      target: environmentHealth.environment,
      set: {
        ...values,
        slowSince: isSlowNow ? sql`coalesce(${environmentHealth.slowSince}, ${at.toISOString()})` : null,
      },
    })
}

/** Records the state of the service that a failed request shows. A failed health write must not fail the request. */
export async function noteError(environment: Environment, name: EndpointName, error: ServiceError): Promise<void> {
  const { code, status, requestId, diagnosis } = error
  const kind = problemKind(name, error)
  const described = kind === 'unexpected' || kind === 'unreadable' ? error.message.slice(0, 500) : diagnosis
  const found = { endpoint: endpointText(name), status, code, requestId, diagnosis: described }
  const problem = storable(found) as ServiceProblem
  const written =
    kind === 'unreachable' || kind === 'lost' || kind === 'slow'
      ? writeAbsence(environment, name, kind, problem)
      : writeResponse(environment, name, kind, problem)
  await written.catch((failure: unknown) => logFailure(failure, recording))
}

/** What a failed request says: of its endpoint, or of the whole service. Null for a business error, which says nothing of either. */
function problemKind(name: EndpointName, error: ServiceError): EndpointProblemKind | AbsenceKind | null {
  const { status, code } = error
  if (status === 401 || status === 403) return 'rejected'
  if (isMissingEndpoint(name, error)) return 'missing'
  if (unreadableCodes.includes(code) && status !== null) return 'unreadable'
  if (code === 'RESPONSE_UNEXPECTED' || code === 'REQUEST_TOO_LONG') return 'unexpected'
  if (timeoutCodes.includes(code) && status === null) return 'slow'
  if (status === 500 || code === 'CONNECTION_LOST') return 'lost'
  return status === null || status >= 500 ? 'unreachable' : null
}

/** A request without a response, or with one that tells of the server alone. */
async function writeAbsence(
  environment: Environment,
  name: EndpointName,
  kind: AbsenceKind,
  problem: ServiceProblem,
): Promise<void> {
  const own = ownHealth(environment)
  const isThere = Date.now() - own.respondedAt < recentMs
  if (kind === 'lost') own.lost.add(name)
  // One change that fails again and again says nothing about the reads beside it.
  if (kind === 'lost' && isThere && own.lost.size < lostEndpoints) return
  // A service that responded a moment ago is up: this request only took longer than its time limit.
  if (kind === 'slow' && isThere) return writeSlow(environment, own)
  own.isFailing = true
  await writeUnreachable(environment, problem)
}

/** A response that is a problem of its endpoint; null: a business error. */
async function writeResponse(
  environment: Environment,
  name: EndpointName,
  kind: EndpointProblemKind | null,
  problem: ServiceProblem,
): Promise<void> {
  const own = ownHealth(environment)
  own.respondedAt = Date.now()
  if (kind === null) {
    // A business error is a response of a service that works; it says nothing about the endpoint's other responses.
    if (!own.isFailing) return
    own.isFailing = false
    return writeAccepted(environment, own.respondedAt)
  }
  own.failed.add(name)
  own.succeeded.delete(name)
  own.read = null
  const at = new Date(own.respondedAt)
  await writeEndpoint(environment, name, kind, problem, at)
  if (kind === 'rejected' || kind === 'unreadable') {
    own.isFailing = true
    return writeFailing(environment, kind, problem, at)
  }
  // A missing path or another form of JSON is a response, too.
  if (own.isFailing && kind === 'unexpected') return writeAccepted(environment, own.respondedAt)
}

async function writeEndpoint(
  environment: Environment,
  endpoint: EndpointName,
  kind: EndpointProblemKind,
  { status, code, requestId, diagnosis }: ServiceProblem,
  at: Date,
): Promise<void> {
  const values = { kind, lastAt: at, status, code, requestId, diagnosis }
  await database()
    .insert(endpointProblems)
    .values({ environment, endpoint, since: at, ...values })
    .onConflictDoUpdate({
      target: [endpointProblems.environment, endpointProblems.endpoint],
      set: {
        ...values,
        since: sql`case when ${endpointProblems.kind} = excluded.kind then ${endpointProblems.since} else excluded.since end`,
      },
    })
}

async function writeFailing(
  environment: Environment,
  failing: 'rejected' | 'unreadable',
  lastProblem: ServiceProblem,
  at: Date,
): Promise<void> {
  const values = { lastResponseAt: at, unreachableSince: null, failing, lastProblem }
  const isSame = sql`${environmentHealth.failing} is not distinct from excluded.failing`
  const { environment: problemEnvironment, kind, lastAt } = endpointProblems
  const endpoints = sql`(select count(*)::int from ${endpointProblems} where ${problemEnvironment} = ${environment}
    and ${kind} = ${failing} and ${lastAt} >= ${environmentHealth.failingSince})`
  const requests = sql`least(${environmentHealth.failingRequests}, 1000000) + 1`
  const counted = lastProblem.status === 401 ? requests : endpoints
  await database()
    .insert(environmentHealth)
    .values({ environment, ...values, failingRequests: 1, failingSince: at })
    .onConflictDoUpdate({
      target: environmentHealth.environment,
      set: {
        ...values,
        failingRequests: sql`case when ${isSame} then ${counted} else 1 end`,
        failingSince: sql`case when ${isSame} then ${environmentHealth.failingSince} else excluded.failing_since end`,
      },
    })
}

/** Ends with the next response, unless the median says that the service is slow. */
async function writeSlow(environment: Environment, own: ProcessHealth): Promise<void> {
  own.isFailing = true
  const slowSince = new Date()
  await database()
    .insert(environmentHealth)
    .values({ environment, slowSince })
    .onConflictDoUpdate({
      target: environmentHealth.environment,
      set: { slowSince: sql`coalesce(${environmentHealth.slowSince}, excluded.slow_since)` },
    })
}

/** The time of the first such failure stays. */
async function writeUnreachable(environment: Environment, lastProblem: ServiceProblem): Promise<void> {
  await database()
    .insert(environmentHealth)
    .values({ environment, unreachableSince: new Date(), lastProblem })
    .onConflictDoUpdate({
      target: environmentHealth.environment,
      set: {
        unreachableSince: sql`coalesce(${environmentHealth.unreachableSince}, excluded.unreachable_since)`,
        lastProblem,
      },
    })
}
