import { sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#lib/db/connection.ts'
import { preparedSql } from './prepared-sql.ts'

/** A change as it is made: its transaction, and the sandbox clock that it counts for. */
export type ServiceWrite = { db: Transaction; now: Date }

const realMs = sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** SQL: how far the sandbox clock is from the real one, where `real` is the real one in milliseconds. */
export const offsetAt = (real: string) =>
  `coalesce((select coalesce(frozen_ms - ${real}, offset_ms) from service.clock), 0)`

/** The sandbox clock in milliseconds, for use inside another statement. */
export const nowMs = sql`coalesce((select frozen_ms from service.clock), ${realMs} + coalesce((select offset_ms from service.clock), 0))`

const selectNow = preparedSql<{ now: string }>('service_now', sql`select ${nowMs} as now`)

/**
 * The sandbox clock: the database's own, so that all processes agree, and how far the control plane has moved it ahead.
 * Everything that waits reads it; tokens, rate limits and time-outs do not.
 */
export async function readSandboxNow(db: Queryable): Promise<Date> {
  const { rows } = await selectNow(db)
  return new Date(Number(rows[0]?.now))
}

/** The sandbox clock, and whether it stands. */
export async function readClock(db: Queryable): Promise<{ now: string; isFrozen: boolean }> {
  const { rows } = await db.execute<{ now: string; isFrozen: boolean }>(
    sql`select ${nowMs} as now, exists (select from service.clock where frozen_ms is not null) as "isFrozen"`,
  )
  return { now: new Date(Number(rows[0]?.now)).toISOString(), isFrozen: rows[0]?.isFrozen ?? false }
}

/** Stops the clock where it is, or lets it run on from there. */
export async function setFrozen(db: Queryable, isFrozen: boolean): Promise<void> {
  await db.execute(sql`
    with instant as materialized (select ${nowMs} as ms)
    insert into service.clock (id, offset_ms, frozen_ms)
    select 1, ms - ${realMs}, ${isFrozen ? sql`ms` : sql`null`} from instant
    on conflict (id) do update set offset_ms = excluded.offset_ms, frozen_ms = excluded.frozen_ms`)
}

/** Moves the clock to an instant, never back. A clock that a snapshot has put back is behind the real one. */
export async function moveClockTo(db: Queryable, instant: Date): Promise<void> {
  const offsetMs = sql`${instant.getTime()}::bigint - ${realMs}`
  await db.execute(sql`
    insert into service.clock (id, offset_ms) values (1, greatest(0, ${offsetMs}))
    on conflict (id) do update set offset_ms = greatest(service.clock.offset_ms, ${offsetMs}),
      frozen_ms = case when service.clock.frozen_ms is not null
        then greatest(service.clock.frozen_ms, ${instant.getTime()}::bigint) end`)
}

const moveUnlessDue = preparedSql(
  'service_move_clock',
  sql`
    with durability as materialized (select set_config('synchronous_commit', 'off', true)),
    instant as materialized (select ${sql.placeholder('instantMs')}::bigint as ms)
    insert into service.clock (id, offset_ms)
    select 1, greatest(0, instant.ms - ${realMs}) from instant, durability
    where not exists (
      select from service.due_work where due_at <= to_timestamp((select ms from instant) / 1000.0)
    )
    on conflict (id) do update set
      offset_ms = greatest(service.clock.offset_ms, (select ms from instant) - ${realMs}),
      frozen_ms = case when service.clock.frozen_ms is not null
        then greatest(service.clock.frozen_ms, (select ms from instant)) end`,
)

/**
 * Moves the clock to an instant, never back, unless work is due until then; returns whether it did. The commit does not wait
 * for the disk: a later one does.
 */
export async function moveClockUnlessWorkIsDue(db: Queryable, instant: Date): Promise<boolean> {
  const { rowCount } = await moveUnlessDue(db, { instantMs: instant.getTime() })
  return rowCount === 1
}
