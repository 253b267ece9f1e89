import 'server-only'
import { and, eq, gt } from 'drizzle-orm'
import { endpointText } from '#lib/contract/endpoints.ts'
import { database } from '#lib/db/connection.ts'
import { connectionSettings, consoleSettings } from '#lib/settings/console-settings.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { withSanitizedErrors } from '#lib/shared/sanitized-errors.ts'
import { isoTime, hourMs, secondMs } from '#lib/shared/time.ts'
import { endpointProblems, environmentHealth } from '#lib/tables/connection.ts'
import { toServiceState, writeEveryMs } from './health-record.ts'
import { isSlow, ownHealth } from './process-health.ts'
import { isSigned } from './refused-credentials.ts'
import type { EndpointProblem, Freshness, ServiceHealth } from './types.ts'

/** After a success of this process within this time, the row that all processes write need not be read. */
const trustOwnMs = secondMs
/** A problem of an endpoint that was not called for this long is out of date. */
const rememberedMs = hourMs

/** Whether an environment is connected and responds at the console's `now`: for everybody who is signed in, since every page shows it. */
export async function readServiceHealth(environment: Environment): Promise<ServiceHealth & { now: string }> {
  const health = await withSanitizedErrors(() => readHealth(environment))
  return { ...health, now: new Date().toISOString() }
}

/** The freshness of what the service sent at this time. */
export async function readFreshness(environment: Environment, fetchedAt: Date): Promise<Freshness> {
  return { asOf: fetchedAt.toISOString(), source: 'service', health: await readHealth(environment) }
}

/** Whether an environment is connected, how its service responds, and the endpoints with problems. */
export async function readHealth(environment: Environment): Promise<ServiceHealth> {
  if (!consoleSettings().services[environment]) return { connected: false, missing: connectionSettings[environment] }
  const own = ownHealth(environment)
  const now = Date.now()
  const isFresh = !own.isFailing && now - own.respondedAt < trustOwnMs && !isSlow(own)
  if (isFresh && own.read && now - own.read.at < writeEveryMs) {
    const lastResponseAt = new Date(own.respondedAt).toISOString()
    const { endpoints } = own.read
    return {
      connected: true,
      isSigned: isSigned(environment),
      state: 'online',
      since: null,
      lastResponseAt,
      unreachableSince: null,
      lastProblem: null,
      endpoints,
    }
  }
  const [[row], endpoints] = await Promise.all([
    database().select().from(environmentHealth).where(eq(environmentHealth.environment, environment)),
    database()
      .select()
      .from(endpointProblems)
      .where(
        and(eq(endpointProblems.environment, environment), gt(endpointProblems.lastAt, new Date(now - rememberedMs))),
      )
      .orderBy(endpointProblems.endpoint),
  ])
  own.read = { at: now, endpoints: endpoints.map(toEndpointProblem) }
  const [state, since] = row ? toServiceState(row) : (['online', null] as const)
  const respondedAt = Math.max(row?.lastResponseAt?.getTime() ?? 0, own.isFailing ? 0 : own.respondedAt)
  return {
    connected: true,
    isSigned: isSigned(environment),
    state,
    since: isoTime(since),
    lastResponseAt: respondedAt === 0 ? null : new Date(respondedAt).toISOString(),
    unreachableSince: isoTime(row?.unreachableSince),
    lastProblem: state === 'online' || state === 'slow' ? null : (row?.lastProblem ?? null),
    endpoints: own.read.endpoints,
  }
}

function toEndpointProblem({ endpoint, ...row }: typeof endpointProblems.$inferSelect): EndpointProblem {
  const { kind, status, code, requestId, diagnosis } = row
  const [since, lastAt] = [row.since.toISOString(), row.lastAt.toISOString()]
  return { name: endpoint, endpoint: endpointText(endpoint), kind, since, lastAt, status, code, requestId, diagnosis }
}
