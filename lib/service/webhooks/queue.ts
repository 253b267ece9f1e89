import { sql, type SQL } from 'drizzle-orm'
import type { WebhookStatus } from '#lib/contract/webhooks.ts'
import type { Database } from '#lib/db/connection.ts'
import { tryJoinClockLock } from '../clock-lock.ts'
import { nowMs } from '../clock.ts'
import { preparedSql } from '../prepared-sql.ts'

/** A webhook that only this process may deliver to until the lease ends; `now` is the sandbox clock when it was taken. */
export type Claim = {
  id: string
  leaseId: string
  url: string
  status: WebhookStatus
  attempts: number
  dueAt: Date | null
  pingId: string | null
  /** The message that failed and holds the queue back. */
  heldBy: number | null
  now: Date
}

/** The first message of a webhook's queue. */
export type Head = { webhookId: string; position: number; eventId: string; body: string }

/** The result of an attempt. Instants are those of the sandbox clock. */
export type Settlement = Pick<Claim, 'id' | 'leaseId' | 'status' | 'attempts' | 'dueAt' | 'pingId' | 'heldBy'> & {
  /** The message that was delivered. */
  delivered: number | null
  succeededAt: Date | null
  failedAt: Date | null
}

/**
 * The state of the queue: whether something is due now, when the next attempt is due, and how many are running in all
 * processes.
 */
type QueueState = { isDue: boolean; nextDueAt: Date | null; underWay: number }

type Row<Type> = { [Key in keyof Type]: Type[Key] extends Date | null ? number | null : Type[Key] }

const isLeased = sql`coalesce(leased_until > clock_timestamp(), false)`
// The least position rather than `exists`: the planner, which sees a queue full one moment and empty the next, then always
// takes the index.
const hasMessages = sql`(
  select min(message.position) from service.webhook_messages message where message.webhook_id = webhook.id) is not null`
const milliseconds = (column: string) => sql.raw(`floor(extract(epoch from ${column}) * 1000)::bigint`)
const toInstant = (ms: number | null) => (ms === null ? null : new Date(Number(ms)))

// Not `claimDue` (lib/db/queue.ts): a webhook's messages go in order, so what is taken is the webhook, and its clock is the sandbox's.
const claim = (joined: SQL, name: string) =>
  preparedSql<Row<Claim>>(
    name,
    sql`
    with clock_lock as materialized (select ${joined} as joined, set_config('synchronous_commit', 'off', true)),
    clock as materialized (select ${nowMs} as now),
    due as (
      select webhook.id from service.webhooks webhook, clock_lock, clock
      where joined and status <> 'removed' and not ${isLeased}
        and case when due_at is null then ${hasMessages} else due_at <= to_timestamp(clock.now / 1000.0) end
      order by due_at, webhook.id
      limit ${sql.placeholder('limit')}::integer
      for no key update of webhook skip locked
    )
    update service.webhooks webhook
    set lease_id = gen_random_uuid(),
      leased_until = clock_timestamp() + ${sql.placeholder('leaseMs')}::integer * interval '1 millisecond'
    from due, clock
    where webhook.id = due.id
    returning webhook.id, lease_id as "leaseId", url, status, attempts, ${milliseconds('due_at')} as "dueAt",
      ping_id as "pingId", held_by as "heldBy", clock.now`,
  )
const claimAlone = claim(sql`true`, 'service_claim_webhooks_alone')
const claimTogether = claim(tryJoinClockLock, 'service_claim_webhooks')

/**
 * Takes the leases of up to `limit` webhooks that have something due, the earliest first. While the clock is being moved,
 * no other process gets any. A lease ends by real time, so that one of a process that died is free again; for the same reason
 * its commit does not wait for the disk.
 */
export async function claimDue(
  db: Database,
  { limit, leaseMs, holdsClockLock }: { limit: number; leaseMs: number; holdsClockLock: boolean },
): Promise<Claim[]> {
  const { rows } = await (holdsClockLock ? claimAlone : claimTogether)(db, { limit, leaseMs })
  return rows.map((row) => ({ ...row, dueAt: toInstant(row.dueAt), now: new Date(Number(row.now)) }))
}

const heads = preparedSql<Head>(
  'service_read_webhook_heads',
  sql`
    select head.webhook_id as "webhookId", head.position, head.event_id as "eventId", head.body
    from jsonb_to_recordset(${sql.placeholder('claims')}::jsonb) as claim(id uuid, "heldBy" bigint)
    cross join lateral (
      select * from service.webhook_messages message
      where message.webhook_id = claim.id and message.position >= coalesce(claim."heldBy", 0)
      order by message.position
      limit 1
    ) head`,
)

/**
 * The first messages of the queues of claimed webhooks. A statement of its own: the one that takes a lease may still see
 * what the holder before has delivered.
 */
export async function readHeads(db: Database, claims: readonly Pick<Claim, 'id' | 'heldBy'>[]): Promise<Head[]> {
  if (claims.length === 0) return []
  const { rows } = await heads(db, { claims: JSON.stringify(claims.map(({ id, heldBy }) => ({ id, heldBy }))) })
  return rows
}

const settling = preparedSql(
  'service_settle_webhooks',
  sql`
    with durability as materialized (
      select set_config('synchronous_commit', case when ${sql.placeholder('isDurable')}::boolean
        then current_setting('synchronous_commit') else 'off' end, true)
    ),
    settlement as (
      select settlement.* from durability, jsonb_to_recordset(${sql.placeholder('settlements')}::jsonb) as settlement(
        id uuid, "leaseId" uuid, status text, attempts integer, "dueAt" timestamptz, "pingId" uuid, "heldBy" bigint,
        delivered bigint, "succeededAt" timestamptz, "failedAt" timestamptz)
    ),
    settled as (
      update service.webhooks webhook
      set status = settlement.status, attempts = settlement.attempts, due_at = settlement."dueAt",
        ping_id = settlement."pingId", held_by = settlement."heldBy", lease_id = null, leased_until = null,
        last_successful_delivery_time = coalesce(settlement."succeededAt", last_successful_delivery_time),
        last_failed_delivery_time = coalesce(settlement."failedAt", last_failed_delivery_time)
      from settlement
      where webhook.id = settlement.id and webhook.lease_id = settlement."leaseId" and webhook.status <> 'removed'
      returning webhook.id, webhook.status, settlement.delivered
    ),
    delivered as (
      delete from service.webhook_messages message using settled where message.position = settled.delivered
    )
    delete from service.webhook_messages message using settled
    where message.webhook_id = settled.id and settled.status = 'removed'`,
)

/**
 * Writes down what attempts have come to and ends their leases. An attempt whose lease has ended, or whose webhook was
 * removed meanwhile, changes nothing. Failures are not waited for until they are on disk: where one is lost, the same
 * attempt is made again.
 */
export async function settle(db: Database, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return
  const isDurable = settlements.some(({ delivered }) => delivered !== null)
  await settling(db, { isDurable, settlements: JSON.stringify(settlements) })
}

/** Ends leases and leaves everything else as it is. */
export async function release(db: Database, claims: readonly Pick<Claim, 'leaseId'>[]): Promise<void> {
  if (claims.length === 0) return
  const leaseIds = sql.join(
    claims.map(({ leaseId }) => sql`${leaseId}::uuid`),
    sql`, `,
  )
  await db.execute(sql`
    update service.webhooks set lease_id = null, leased_until = null where lease_id in (${leaseIds})`)
}

const queueState = preparedSql<Row<QueueState>>(
  'service_look_out_for_webhooks',
  sql`
    select
      coalesce(bool_or(not ${isLeased} and
        case when due_at is null then ${hasMessages} else due_at <= to_timestamp(${nowMs} / 1000.0) end), false) as "isDue",
      ${milliseconds(`min(due_at) filter (where leased_until is null or leased_until <= clock_timestamp())`)} as "nextDueAt",
      (count(*) filter (where ${isLeased}))::integer as "underWay"
    from service.webhooks webhook
    where status <> 'removed'`,
)

export async function readQueueState(db: Database): Promise<QueueState> {
  const [row] = (await queueState(db)).rows
  return {
    isDue: row?.isDue ?? false,
    nextDueAt: toInstant(row?.nextDueAt ?? null),
    underWay: row?.underWay ?? 0,
  }
}
