import type { Database } from '#lib/db/connection.ts'
import { perDatabase } from '#lib/db/per-database.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { ApiError } from '../api-error.ts'
import { offsetAt } from '../clock.ts'
import { type Modes, usualModes } from '../modes.ts'
import type { StoredResponse } from './replay.ts'

type AdmissionRequest = {
  accessKey: string
  endpoint: string
  idempotencyKey: string | null
  isCounted: boolean
}

/** The result of looking up an authenticated request in the database. */
export type Admission = {
  /** The sandbox clock. */
  now: Date
  /** Requests of this key to this endpoint in this minute of real time, this one included; 0 where it is not counted. */
  requests: number
  resetMs: number
  hasFaults: boolean
  modes: Modes
  /** The response that is stored under the request's idempotency key. */
  stored: StoredResponse | null
}

type Waiting = AdmissionRequest & { resolve: (admission: Admission) => void; reject: (error: unknown) => void }
type Queue = { waiting: Waiting[]; isBusy: boolean }

const admissionQueue = perDatabase((_db: Database): Queue => ({ waiting: [], isBusy: false }))

/**
 * Counts a request, reads the clock, looks for a stored response and for armed faults. Requests that arrive while a
 * statement is running share the next one, so a busy process needs fewer statements, and each of them begins after its
 * requests came.
 */
export function admit(db: Database, request: AdmissionRequest): Promise<Admission> {
  const queue = admissionQueue(db)
  return new Promise((resolve, reject) => {
    queue.waiting.push({ ...request, resolve, reject })
    if (!queue.isBusy) void serve(db, queue)
  })
}

async function serve(db: Database, queue: Queue): Promise<void> {
  queue.isBusy = true
  while (queue.waiting.length > 0) {
    const batch = queue.waiting.splice(0)
    try {
      const admissions = await admitAll(db, batch)
      batch.forEach(({ resolve, reject }, at) => {
        const admission = admissions[at]
        if (admission) resolve(admission)
        else reject(new Error('a request was not admitted'))
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  queue.isBusy = false
}

type Row = {
  realMs: string
  offsetMs: string
  hasFaults: boolean
  modes: Partial<Modes> | null
  counts: { key: string; endpoint: string; requests: number }[] | null
  stored: (StoredResponse & { accessKey: string; key: string })[] | null
}

// Rows are locked in one order, so that processes that count the same keys do not lock each other out.
const statement = {
  name: 'service_admit',
  text: `
    with instant as (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms),
    position as (select ms, ${offsetAt('ms')} as offset_ms from instant),
    counted as (
      insert into service.rate_counts (access_key, endpoint, minute, requests)
      select access_key, endpoint, ms / ${minuteMs}, requests
      from instant, unnest($1::uuid[], $2::text[], $3::int[]) as given (access_key, endpoint, requests)
      order by access_key, endpoint
      on conflict (access_key, endpoint, minute) do update set requests = rate_counts.requests + excluded.requests
      returning access_key as key, endpoint, requests
    ),
    stored as (
      select stored.access_key as "accessKey", stored.key, path, body_sha256 as "bodySha256", status, answer
      from position, unnest($4::uuid[], $5::text[]) as given (access_key, key)
      join service.idempotency stored on stored.access_key = given.access_key and stored.key = given.key
      where stored.created_at > to_timestamp((ms + offset_ms) / 1000.0) - interval '24 hours'
    )
    select position.ms as "realMs", position.offset_ms as "offsetMs",
      exists (select from service.faults) as "hasFaults",
      (select changes from service.modes) as modes,
      (select json_agg(counted) from counted) as counts,
      (select json_agg(stored) from stored) as stored
    from position`,
}

async function admitAll(db: Database, batch: readonly AdmissionRequest[]): Promise<Admission[]> {
  const counted = new Map<string, { accessKey: string; endpoint: string; requests: number }>()
  // Rank of each request among those of its key and endpoint in this batch, from 1.
  const countKey = ({ accessKey, endpoint }: AdmissionRequest) => `${accessKey} ${endpoint}`
  const positions = batch.map((request) => {
    if (!request.isCounted) return 0
    const { accessKey, endpoint } = request
    const count = counted.get(countKey(request)) ?? { accessKey, endpoint, requests: 0 }
    count.requests += 1
    counted.set(countKey(request), count)
    return count.requests
  })
  const groups = [...counted.values()]
  const keyed = batch.filter(({ idempotencyKey }) => idempotencyKey !== null)
  const { rows } = await db.$client.query<Row>({
    ...statement,
    values: [
      groups.map(({ accessKey }) => accessKey),
      groups.map(({ endpoint }) => endpoint),
      groups.map(({ requests }) => requests),
      keyed.map(({ accessKey }) => accessKey),
      keyed.map(({ idempotencyKey }) => idempotencyKey),
    ],
  })
  const [row] = rows
  if (!row) throw new Error('the admission of requests returned nothing')
  const realMs = Number(row.realMs)
  const totals = new Map(row.counts?.map(({ key, endpoint, requests }) => [`${key} ${endpoint}`, requests]))
  const stored = new Map(row.stored?.map(({ accessKey, key, ...response }) => [`${accessKey} ${key}`, response]))
  return batch.map((request, at) => ({
    now: new Date(realMs + Number(row.offsetMs)),
    requests: request.isCounted
      ? (totals.get(countKey(request)) ?? 0) - (counted.get(countKey(request))?.requests ?? 0) + (positions[at] ?? 0)
      : 0,
    resetMs: minuteMs - (realMs % minuteMs),
    hasFaults: row.hasFaults,
    modes: { ...usualModes, ...row.modes },
    stored: stored.get(`${request.accessKey} ${request.idempotencyKey}`) ?? null,
  }))
}

/** The three headers of every authenticated response; none where there is no limit. */
export function rateLimitHeaders(limit: number, { requests, resetMs }: Admission): Record<string, string> {
  if (limit === 0) return {}
  return {
    'X-Ratelimit-Limit': String(limit),
    'X-Ratelimit-Remaining': String(Math.max(0, limit - requests)),
    'X-Ratelimit-Reset': String(resetMs),
  }
}

/** Throws `RATE_LIMITED` beyond the limit of the minute. */
export function requireWithinLimit(limit: number, { requests, resetMs }: Admission): void {
  if (limit === 0 || requests <= limit) return
  throw new ApiError('RATE_LIMITED', `at most ${limit} requests a minute are allowed here`, {
    'Retry-After': String(Math.ceil(resetMs / secondMs)),
  })
}
