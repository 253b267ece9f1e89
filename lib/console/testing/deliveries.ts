import { randomUUID, type KeyObject } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { webhookSignatureHeader } from '#lib/contract/events.ts'
import { generateKeyPair, readPrivateKey } from '#lib/signing/keys.ts'
import { signWebhook } from '#lib/signing/webhook-signature.ts'
import { receiveDelivery } from '../inbox/receive.ts'

let pair: Promise<{ privateKey: KeyObject; publicKey: string }> | null = null

/** A key that signs deliveries, as the settings of the sandbox have it until the test ends. */
export async function signingKey(): Promise<KeyObject> {
  pair ??= generateKeyPair().then((made) => ({ ...made, privateKey: readPrivateKey(made.privateKey) }))
  const { privateKey, publicKey } = await pair
  process.env.SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY = publicKey
  onTestFinished(() => void delete process.env.SERVICE_SANDBOX_WEBHOOK_PUBLIC_KEY)
  return privateKey
}

export type Sent = { id: string; event: string; data: Record<string, unknown>; time: string }

export function eventOf(event: string, data: Record<string, unknown> = {}, id: string = randomUUID()): Sent {
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
