import 'server-only'
import { desc, eq, sql } from 'drizzle-orm'
import type { Deviation } from '#lib/client/client-options.ts'
import { database } from '#lib/db/connection.ts'
import { backgroundWriter, takeAll } from '#lib/shared/background-writer.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { deviations } from '#lib/tables/connection.ts'

type Row = typeof deviations.$inferInsert
const waiting = globalSingleton('carddeskDeviations', () => {
  const rows = new Map<string, Row>()
  const onFailure = (error: unknown) => logFailure(error, { while: 'recording deviations' })
  return { rows, ...backgroundWriter(writeEveryMs, () => takeAll(rows), write, onFailure) }
})

const writeEveryMs = 3 * secondMs
/** Rows of an environment; the ones that were found longest ago are deleted. */
export const maximumDeviations = 500
/** Rows in memory between two writes, so that a service that differs everywhere costs no more than this. */
const maximumWaiting = 1000

/**
 * Counts where a response differs from the contract. The rows are collected in memory and written every few seconds, so a
 * request neither waits for the database nor fails with it.
 */
export function noteDeviation(
  environment: Environment,
  { name: endpoint, requestId: lastRequestId, differences, unknownFields }: Deviation,
): void {
  const now = new Date()
  const { rows, start } = waiting()
  const add = (kind: Row['kind'], path: string, expected: string, found: string) => {
    const row = {
      environment,
      endpoint,
      kind,
      path: pathText(path),
      expected: bounded(expected),
      found: bounded(found),
    }
    const key = JSON.stringify(row)
    const counted = rows.get(key)
    if (!counted && rows.size >= maximumWaiting) return
    const firstAt = counted?.firstAt ?? now
    rows.set(key, { ...row, count: (counted?.count ?? 0) + 1, firstAt, lastAt: now, lastRequestId })
  }
  for (const { path, expected, found } of differences) add('difference', path, expected, found)
  for (const path of unknownFields) add('unknown-field', path, 'no such field', 'a field')
  start()
}

/** Writes what this process has collected, without the pause, and waits for it. */
export const deviationsWritten = (): Promise<void> => waiting().written()

async function write(rows: Row[]): Promise<void> {
  const { environment, endpoint, kind, path, expected, found } = deviations
  await database()
    .insert(deviations)
    .values(rows)
    .onConflictDoUpdate({
      target: [environment, endpoint, kind, path, expected, found],
      set: {
        count: sql`least(2000000000, ${deviations.count}::bigint + excluded.count)::int`,
        lastAt: sql`greatest(${deviations.lastAt}, excluded.last_at)`,
        lastRequestId: sql`coalesce(excluded.last_request_id, ${deviations.lastRequestId})`,
      },
    })
  for (const changed of new Set(rows.map((row) => row.environment))) {
    await deleteOldest(changed)
  }
}

async function deleteOldest(environment: Environment): Promise<void> {
  const newest = database()
    .select({ ctid: sql`ctid` })
    .from(deviations)
    .where(eq(deviations.environment, environment))
    .orderBy(desc(deviations.lastAt))
    .limit(maximumDeviations)
  await database()
    .delete(deviations)
    .where(sql`${deviations.environment} = ${environment} and ctid not in ${newest}`)
}

/** A path whose keys may be data (an id, a phone or card number in an object that is keyed by it) shows them as `*`. */
function pathText(path: string): string {
  return path
    .split('.')
    .map((segment) => (/\d{5,}|[0-9a-f]{8}-/i.test(segment) ? '*' : segment))
    .join('.')
    .slice(0, 300)
}

/** Kinds of values and codes, never a number of five digits or more. */
function bounded(text: string): string {
  return text.replaceAll(/\d{5,}/g, '…').slice(0, 400)
}
