import { randomUUID } from 'node:crypto'
import type { Delivery } from '#lib/contract/events.ts'

/** The bytes of a delivery. They are made once a message, so that every attempt at it is the same. */
export function deliveryBody(delivery: { id: string; event: string; data: object; time: Date }): string {
  const { id, event, data, time } = delivery
  return JSON.stringify({ id, event, data, time: time.toISOString() } satisfies Record<keyof Delivery, unknown>)
}

export function pingBody(id: string, time: Date): string {
  return deliveryBody({ id, event: 'ping', data: {}, time })
}

/** The first message of every webhook, whatever it subscribed to: its health check. */
export function initialPing(webhookId: string, now: Date) {
  const eventId = randomUUID()
  return { webhookId, eventId, body: pingBody(eventId, now) }
}
