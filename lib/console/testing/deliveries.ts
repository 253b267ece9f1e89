import { randomUUID, type KeyObject } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { webhookSignatureHeader } from '#lib/contract/events.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { readPrivateKey } from '#lib/signing/keys.ts'
import { testKeyPair } from '#lib/signing/testing.ts'
import { signWebhook } from '#lib/signing/webhook-signature.ts'
import { inboxCounts, inboxEvents } from '#lib/tables/inbox.ts'
import { inboxCountsWritten } from '../inbox/counts.ts'
import { receiveDelivery } from '../inbox/receive.ts'
import type { TestConsole } from './open-console.ts'

/** A key that signs deliveries, as the settings of the sandbox have it until the test ends. */
export async function signingKey(): Promise<KeyObject> {
  setWebhookKey(testKeyPair.publicKey)
  return readPrivateKey(testKeyPair.privateKey)
}

/** The key of the sandbox's deliveries in the settings, until another console is opened. */
export function setWebhookKey(sandbox: string | null): void {
  consoleSettings().webhookKeys = { sandbox, production: null }
}

export type Sent = { id: string; event: string; data: Record<string, unknown>; time: string }

export function makeEvent(event: string, data: Record<string, unknown> = {}, id: string = randomUUID()): Sent {
  return { id, event, data, time: new Date().toISOString() }
}

/** Delivers raw bytes under a signature, as the service would. */
export function post(
  body: string | Uint8Array<ArrayBuffer>,
  signature: string | null,
  environment = 'sandbox',
): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(signature && { [webhookSignatureHeader]: signature }) }
  const address = `http://console.test/api/webhooks/inbox/${environment}`
  return receiveDelivery(new Request(address, { method: 'POST', headers, body }), environment)
}

export async function deliver(key: KeyObject, value: unknown): Promise<Response> {
  const body = typeof value === 'string' ? value : JSON.stringify(value)
  return post(body, await signWebhook(body, key))
}

export async function readInboxCounts(desk: TestConsole): Promise<Record<string, number>> {
  await inboxCountsWritten()
  const rows = await desk.db.select().from(inboxCounts)
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
}

export async function readInboxEvents(desk: TestConsole) {
  return desk.db.select().from(inboxEvents).orderBy(inboxEvents.position)
}

/** Ends the leases of the processes that apply events, as if they had been killed. */
export async function endLeases(desk: TestConsole): Promise<void> {
  await desk.db
    .update(inboxEvents)
    .set({ nextAttemptAt: new Date(0) })
    .where(sql`applied_at is null`)
}
