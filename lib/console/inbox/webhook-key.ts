import 'server-only'
import type { KeyObject } from 'node:crypto'
import { processWide } from '#lib/shared/process-wide.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { readPublicKey } from '#lib/signing/keys.ts'
import { verifyWebhook } from '#lib/signing/webhook-signature.ts'
import { logFailure } from '../desk/log.ts'
import { builtInControl, configuredWebhookKey } from '../webhooks/settings.ts'

/** A wrong signature may mean that the service has another key now; it is fetched this often at most. */
const retryAfterMs = 30 * secondMs
const timeoutMs = 3 * secondMs

type Known = { key: KeyObject | null; fetchedAt: number; pending: Promise<KeyObject | null> | null }
const keys = processWide<Map<Environment, Known>>('carddeskWebhookKeys', () => new Map())

/** Drops the cached keys of this process. @internal */
export function forgetWebhookKeys(): void {
  keys().clear()
}

/** Whether a delivery's signature is that of its raw body; `no-key` where none is set and none could be had. */
export async function judgeSignature(
  environment: Environment,
  body: Uint8Array,
  signature: string | null,
): Promise<'holds' | 'wrong' | 'no-key'> {
  const configured = configuredKey(environment)
  if (configured) return verifyWebhook(body, signature, configured) ? 'holds' : 'wrong'
  if (!builtInControl(environment)) return 'no-key'
  const known = keys().get(environment)?.key ?? (await requestKey(environment))
  if (!known) return 'no-key'
  if (verifyWebhook(body, signature, known)) return 'holds'
  const newer = await requestKey(environment)
  return newer && newer !== known && verifyWebhook(body, signature, newer) ? 'holds' : 'wrong'
}

const configuredKeys = new Map<string, KeyObject>()

function configuredKey(environment: Environment): KeyObject | null {
  const pem = configuredWebhookKey(environment)
  if (!pem) return null
  const key = configuredKeys.get(pem) ?? readPublicKey(pem)
  configuredKeys.set(pem, key)
  return key
}

/** The built-in service's public key, over HTTP as any caller gets it; null where it does not respond. */
async function requestKey(environment: Environment): Promise<KeyObject | null> {
  const known = keys().get(environment) ?? { key: null, fetchedAt: 0, pending: null }
  keys().set(environment, known)
  if (known.pending) return known.pending
  const isTooSoon = Date.now() - known.fetchedAt < (known.key ? retryAfterMs : secondMs)
  if (isTooSoon) return known.key
  known.fetchedAt = Date.now()
  known.pending = fetchKey(environment)
    .then((key) => (known.key = key))
    .catch((error: unknown) => {
      logFailure(error, { while: 'fetching the key of deliveries' })
      return known.key
    })
    .finally(() => (known.pending = null))
  return known.pending
}

async function fetchKey(environment: Environment): Promise<KeyObject> {
  const response = await fetch(`${builtInControl(environment)?.url}/webhook-key`, {
    redirect: 'error',
    cache: 'no-store',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw new Error(`the service returned ${response.status}`)
  return readPublicKey(await response.text())
}
