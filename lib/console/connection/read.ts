import 'server-only'
import { and, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { deviationSearch } from '#lib/api/connection.ts'
import { isContractProfile } from '#lib/client/service-profile.ts'
import { endpointText } from '#lib/contract/endpoints.ts'
import type { EventName } from '#lib/contract/terms.ts'
import { database } from '#lib/db/connection.ts'
import { isBuiltIn as isBuiltInService } from '#lib/environments/control-plane.ts'
import { deviationsWritten } from '#lib/environments/deviations.ts'
import { requireConnection, serviceHooks, serviceProfile } from '#lib/environments/environments.ts'
import { noteWorking } from '#lib/environments/health-record.ts'
import { readHealth } from '#lib/environments/health.ts'
import { action } from '#lib/gate/action.ts'
import { filterSchemas } from '#lib/index/search-schema.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { consoleSettings, webhookKeySettings } from '#lib/settings/console-settings.ts'
import { createCache } from '#lib/shared/cache.ts'
import { asFields, parseJson } from '#lib/shared/json.ts'
import { EnvironmentName, parseSearch } from '#lib/shared/parse.ts'
import { type Environment, environments } from '#lib/shared/routes.ts'
import { connectionChecks, deviations } from '#lib/tables/connection.ts'
import { inboxEvents } from '#lib/tables/inbox.ts'
import { checkConnection } from './check.ts'
import { inboxUrl } from './inbox-url.ts'
import type { IdentityEvent } from './release.ts'
import { toSigningKey } from './signing-key.ts'
import type { CheckReport, Connection, RecordedDeviation, Verdict } from './types.ts'

export async function readConnection(environment: Environment): Promise<Connection> {
  const { baseUrl, accessKey, privateKey } = requireConnection(environment)
  const { webhookKeys, consoleUrl } = consoleSettings()
  const [health, [checked], [delivery]] = await Promise.all([
    readHealth(environment),
    database().select().from(connectionChecks).where(eq(connectionChecks.environment, environment)),
    database()
      .select({ event: inboxEvents.event, receivedAt: inboxEvents.receivedAt })
      .from(inboxEvents)
      .where(eq(inboxEvents.environment, environment))
      .orderBy(desc(inboxEvents.position))
      .limit(1),
  ])
  const isBuiltIn = isBuiltInService(environment)
  return {
    baseUrl,
    accessKey,
    signingKey: privateKey === null ? null : toSigningKey(privateKey, isBuiltIn),
    isBuiltIn,
    hasOwnNames: !isContractProfile(serviceProfile(environment)),
    health,
    webhooks: {
      key: webhookKeys[environment] ? 'set' : isBuiltIn ? 'built-in' : 'missing',
      keySetting: webhookKeySettings[environment],
      inboxUrl: inboxUrl(consoleUrl, environment),
      lastDelivery: delivery ? { event: delivery.event, receivedAt: delivery.receivedAt.toISOString() } : null,
    },
    // A report of an earlier Carddesk names no release: it counts as none, so that the page checks again.
    check: checked && 'release' in checked.report ? { report: checked.report, by: checked.checkedBy } : null,
  }
}

const Run = z.object({ environment: EnvironmentName })
type RunCheckResult = { kind: 'checked'; report: CheckReport } | NotStarted

const checks = createCache(environments.length)

/** Checks the connection with GET requests and stores the report. Two requests at the same time share one check. */
export const runConnectionCheck = action('runConnectionCheck', {
  input: Run,
  run: async ({ environment }, { staff: { name } }): Promise<RunCheckResult> => {
    const report = await checks.fetch(
      environment,
      () => check(environment, name),
      () => 0,
    )
    return { kind: 'checked', report }
  },
})

async function check(environment: Environment, checkedBy: string): Promise<CheckReport> {
  const connection = requireConnection(environment)
  const { onDeviation } = serviceHooks(environment)
  const events = await findNewestIdentityEvent(environment)
  const report = await checkConnection({ environment, connection, onDeviation, events })
  await deviationsWritten()
  const working: readonly Verdict[] = ['matches', 'no records', 'differs']
  const called = report.endpoints.filter(({ verdict }) => working.includes(verdict))
  const names = called.filter(({ status }) => status === 200).map(({ name }) => name)
  await noteWorking(environment, names, Date.parse(report.checkedAt))
  const values = { checkedAt: new Date(report.checkedAt), checkedBy, report }
  await database()
    .insert(connectionChecks)
    .values({ environment, ...values })
    .onConflictDoUpdate({ target: connectionChecks.environment, set: values })
  return report
}

/** The newest client identity event, alone: those before it may be of an earlier release. */
async function findNewestIdentityEvent(environment: Environment): Promise<IdentityEvent[]> {
  const names: EventName[] = ['cardaccount.client-identity.approved', 'cardaccount.client-identity.rejected']
  const rows = await database()
    .select({ event: inboxEvents.event, body: inboxEvents.body })
    .from(inboxEvents)
    .where(and(eq(inboxEvents.environment, environment), inArray(inboxEvents.event, names)))
    .orderBy(desc(inboxEvents.position))
    .limit(1)
  return rows.map(({ event, body }) => ({ event, data: asFields(parseJson(body)).data }))
}

export type DeviationList = {
  deviations: RecordedDeviation[]
  /** Rows that match the filter; more of them than are listed, where there are many. */
  total: number
  /** The endpoints that may be filtered by, as names and as method and path. */
  endpoints: { name: string; endpoint: string }[]
}

const DeviationFilters = z.object(filterSchemas(deviationSearch.filters)).partial()
export type DeviationFilters = z.input<typeof DeviationFilters>

const listed = 100

/** The recorded deviations, the last ones first. */
export async function listDeviations(environment: Environment, search: DeviationFilters): Promise<DeviationList> {
  const { endpoint, kind } = parseSearch(DeviationFilters, search)
  const isHere = eq(deviations.environment, environment)
  const matches = and(
    isHere,
    endpoint ? sql`${deviations.endpoint} = ${endpoint}` : undefined,
    kind ? eq(deviations.kind, kind) : undefined,
  )
  const [rows, [counted], names] = await Promise.all([
    database().select().from(deviations).where(matches).orderBy(desc(deviations.lastAt), deviations.path).limit(listed),
    database().select({ total: count() }).from(deviations).where(matches),
    database().selectDistinct({ name: deviations.endpoint }).from(deviations).where(isHere),
  ])
  return {
    deviations: rows.map(({ environment: _environment, ...row }) => ({
      ...row,
      id: [row.endpoint, row.kind, row.path, row.expected, row.found].join('|'),
      endpoint: endpointText(row.endpoint),
      firstAt: row.firstAt.toISOString(),
      lastAt: row.lastAt.toISOString(),
    })),
    total: counted?.total ?? 0,
    endpoints: names
      .map(({ name }) => ({ name, endpoint: endpointText(name) }))
      .toSorted((one, other) => one.endpoint.localeCompare(other.endpoint)),
  }
}
