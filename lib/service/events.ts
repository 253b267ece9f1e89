import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { EventData } from '#lib/contract/events.ts'
import type { EventName } from '#lib/contract/terms.ts'
import type { Queryable } from '#lib/db/connection.ts'
import type { ServiceWrite } from './clock.ts'
import { preparedSql } from './prepared-sql.ts'
import { deliveryBody } from './webhooks/message.ts'
import { noteEvent } from './webhooks/wake-signal.ts'

const id = sql.placeholder('id')
const event = sql.placeholder('event')

/** One statement: the event, and a message in the queue of each webhook that subscribes to it. */
const record = preparedSql(
  'service_record_event',
  sql`
  with recorded as (
    insert into service.events (id, event, data, time)
    values (${id}::uuid, ${event}::text, ${sql.placeholder('data')}::jsonb, ${sql.placeholder('time')}::timestamptz)
  )
  insert into service.webhook_messages (webhook_id, event_id, body)
  select webhook.id, ${id}::uuid, ${sql.placeholder('body')}::text
  from service.webhooks webhook
  where status <> 'removed' and events ?| array['*', ${event}::text]`,
)

/**
 * Records a domain event in the transaction of its cause and queues its deliveries; `data` is the whole record that it is
 * about, in wire form. The order of a queue is that of recording, which for one account is that of its changes, since they
 * lock its row.
 */
export async function recordEvent<Name extends EventName>(
  change: ServiceWrite,
  name: Name,
  data: EventData<Name>,
): Promise<string> {
  return recordAnyEvent(change, name, data as Record<string, unknown>)
}

/** Records an event of any name with any data. Returns the id of its deliveries. */
export async function recordAnyEvent(
  { db, now }: { db: Queryable; now: Date },
  name: string,
  data: Record<string, unknown>,
): Promise<string> {
  const delivery = { id: randomUUID(), event: name, data, time: now }
  await record(db, {
    id: delivery.id,
    event: name,
    data: JSON.stringify(data),
    time: now.toISOString(),
    body: deliveryBody(delivery),
  })
  noteEvent(db)
  return delivery.id
}
