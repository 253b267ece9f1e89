import { sql } from 'drizzle-orm'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { noticeAttempts } from '#lib/audit/notify.ts'
import type { CallRecord } from '#lib/client/client-options.ts'
import type { ServiceClient } from '#lib/client/service-client.ts'
import { database, type Database } from '#lib/db/connection.ts'
import { auditSettings } from '#lib/settings/audit-settings.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Metrics = ReturnType<typeof createMetrics>
/** Other modules' values by their names: `npm start` serves the metrics, and could not load modules that need Next. */
const store = globalThis as typeof globalThis & {
  carddeskMetrics?: Metrics
  carddeskServices?: Map<Environment, ServiceClient>
  carddeskDatabases?: Map<string, Database>
  carddeskAuditWatch?: { break: object | null; verifiedAt: Date | null; unsignedSinceMs: number | null }
}

/** The metrics of this process: one registry, also where a bundler loads this module twice. */
export function metrics(): Metrics {
  return (store.carddeskMetrics ??= createMetrics())
}

/** The metrics as Prometheus reads them, with the queues as they are now. */
export async function readMetricsText(): Promise<string> {
  const { registry, queued, lag, entriesLag, isUp } = metrics()
  try {
    const query = auditSettings()?.entriesUrl ? sql`${depths} union all ${unsentEntries}` : depths
    const { rows } = await database('background').execute<{ queue: string; depth: number; seconds: number }>(query)
    for (const { queue, depth, seconds } of rows) {
      queued.set({ queue }, depth)
      if (queue === 'inbox_events') lag.set(seconds)
      if (queue === 'audit_entries') entriesLag.set(seconds)
    }
    isUp.set(1)
  } catch (error) {
    logFailure(error, { while: 'counting queues for the metrics' })
    queued.reset()
    lag.set(Number.NaN)
    entriesLag.remove()
    isUp.set(0)
  }
  return registry.metrics()
}

/** Counts a call of the service with its attempts. */
export function measureServiceCall(environment: Environment, call: CallRecord): void {
  if (!store.carddeskMetrics) return
  const { duration, retries, errors } = store.carddeskMetrics
  const labels = { environment, endpoint: call.name }
  duration.observe({ ...labels, status: statusClass(call.status) }, call.durationMs / 1000)
  if (call.attempts > 1) retries.inc(labels, call.attempts - 1)
  if (call.status === null || call.status >= 400) errors.inc({ ...labels, status: statusClass(call.status) })
}

/** What a request to this process is for. */
export type RequestKind =
  | 'page'
  | 'action'
  | 'api'
  | 'live'
  | 'sign-in'
  | 'embed'
  | 'webhook'
  | 'service'
  | 'asset'
  | 'health'

/** Counts a request to this process. `status` is null where its sender went before the response was complete. */
export function measureRequest(kind: RequestKind, status: number | null, durationMs: number): void {
  store.carddeskMetrics?.requests.observe({ kind, status: statusClass(status) }, durationMs / 1000)
}

function statusClass(status: number | null): string {
  return status === null ? 'none' : `${Math.floor(status / 100)}xx`
}

/** No label holds an id or a path, so that their number is bounded by the contract. */
function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const upstream = ['environment', 'endpoint', 'status']
  const duration = new Histogram({
    name: 'carddesk_upstream_request_duration_seconds',
    help: 'Calls of the service with all attempts and the pauses between them.',
    labelNames: upstream,
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers,
  })
  const retries = new Counter({
    name: 'carddesk_upstream_retries_total',
    help: 'Attempts beyond the first of a call.',
    labelNames: ['environment', 'endpoint'],
    registers,
  })
  const errors = new Counter({
    name: 'carddesk_upstream_errors_total',
    help: 'Calls of the service that ended with an error status, or without a response (none).',
    labelNames: upstream,
    registers,
  })
  const requests = new Histogram({
    name: 'carddesk_http_request_duration_seconds',
    help: 'Requests to this process by what they are for, with refused ones; none: the sender went first.',
    labelNames: ['kind', 'status'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const circuit = new Gauge({
    name: 'carddesk_upstream_circuit_open',
    help: '1 while requests to the service are held back, 0.5 while one tries again.',
    labelNames: ['environment'],
    registers,
    collect() {
      const values = { closed: 0, 'half-open': 0.5, open: 1 }
      for (const [environment, client] of store.carddeskServices ?? [])
        this.set({ environment }, values[client.circuit()])
    },
  })
  const connections = new Gauge({
    name: 'carddesk_database_connections',
    help: 'Connections of each pool by state; waiting are requests for one.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { $client }] of store.carddeskDatabases ?? []) {
        this.set({ pool, state: 'used' }, $client.totalCount - $client.idleCount)
        this.set({ pool, state: 'idle' }, $client.idleCount)
        this.set({ pool, state: 'waiting' }, $client.waitingCount)
      }
    },
  })
  const auditLog = new Gauge({
    name: 'carddesk_audit_log_intact',
    help: '1 if the audit log held at the last verification, 0 if it was changed.',
    registers,
    collect() {
      const watch = store.carddeskAuditWatch
      if (watch?.verifiedAt) this.set(watch.break ? 0 : 1)
      else this.remove()
    },
  })
  const unsigned = new Gauge({
    name: 'carddesk_audit_unsigned_seconds',
    help: 'For how long new entries of the audit log could not be signed; 0 while they can.',
    registers,
    collect() {
      const since = store.carddeskAuditWatch?.unsignedSinceMs ?? null
      this.set(since === null ? 0 : (performance.now() - since) / 1000)
    },
  })
  const queued = new Gauge({
    name: 'carddesk_queue_depth',
    help: 'What waits: operations without an outcome, bulk jobs, events of the inbox, notices, audit entries to send.',
    labelNames: ['queue'],
    registers,
  })
  const lag = new Gauge({
    name: 'carddesk_event_lag_seconds',
    help: 'How long the oldest event of the inbox has been waiting to be applied.',
    registers,
  })
  const entriesLag = new Gauge({
    name: 'carddesk_audit_entries_lag_seconds',
    help: 'How long the oldest audit entry that AUDIT_ENTRIES_URL lacks has been waiting; nothing where it is not set.',
    registers,
  })
  entriesLag.remove()
  const isUp = new Gauge({
    name: 'carddesk_database_up',
    help: '1 if the database responded to this scrape.',
    registers,
  })
  return {
    registry,
    circuit,
    connections,
    auditLog,
    unsigned,
    requests,
    duration,
    retries,
    errors,
    queued,
    lag,
    entriesLag,
    isUp,
  }
}

/** All but the notices, which are few, have an index over what is open. */
const depths = sql`
  select 'operations' as queue, count(*)::int as depth, 0 as seconds from console.operations where settled_at is null
  union all select 'bulk_jobs', count(*)::int, 0 from console.bulk_jobs where finished_at is null
  union all select 'inbox_events', count(*)::int,
    coalesce(extract(epoch from clock_timestamp() - min(received_at)), 0)::float8
    from console.inbox_events where applied_at is null
  union all select 'notices', count(*)::int, 0 from console.webhook_notices
    where sent_at is null and attempts < ${noticeAttempts}`

const unsentEntries = sql`
  select 'audit_entries', (select coalesce(max(number), 0) - sent_number from console.audit_entries)::int, coalesce((
    select extract(epoch from clock_timestamp() - greatest(at, started_at)) from console.audit_entries
    where number > sent_number order by number limit 1), 0)::float8
  from console.audit_entry_sinks`
