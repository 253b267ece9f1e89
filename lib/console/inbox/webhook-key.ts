import 'server-only'
import type { KeyObject } from 'node:crypto'
import { builtInControl } from '#lib/environments/control-plane.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { logFailure } from '#lib/shared/log.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { readPublicKey } from '#lib/signing/keys.ts'
import { verifyWebhook } from '#lib/signing/webhook-signature.ts'

/** A wrong signature may mean that the service has another key now; it is fetched this often at most. */
const retryAfterMs = 30 * secondMs
const timeoutMs = 3 * secondMs

type CachedKey = { key: KeyObject | null; fetchedAt: number; pending: Promise<KeyObject | null> | null }
const keys = globalSingleton<Map<Environment, CachedKey>>('carddeskWebhookKeys', () => new Map())

/** Drops the cached keys of this process. @internal */
export function forgetWebhookKeys(): void {
  keys().clear()
}

/** Whether a delivery's signature is that of its raw body; `no-key` where none is set and none could be had. */
export async function verifySignature(
  environment: Environment,
  body: Uint8Array,
  signature: string | null,
): Promise<'holds' | 'wrong' | 'no-key'> {
  const configured = configuredKey(environment)
  if (configured) return verifyWebhook(body, signature, configured) ? 'holds' : 'wrong'
  if (!builtInControl(environment)) return 'no-key'
  const cached = keys().get(environment)?.key ?? (await requestKey(environment))
  if (!cached) return 'no-key'
  if (verifyWebhook(body, signature, cached)) return 'holds'
  const newer = await requestKey(environment)
  return newer && newer !== cached && verifyWebhook(body, signature, newer) ? 'holds' : 'wrong'
}

const configuredKeys = new Map<string, KeyObject>()

function configuredKey(environment: Environment): KeyObject | null {
  const pem = consoleSettings().webhookKeys[environment]
  if (!pem) return null
  const key = configuredKeys.get(pem) ?? readPublicKey(pem)
  configuredKeys.set(pem, key)
  return key
}

/** The built-in service's public key, over HTTP as any caller gets it; null where it does not respond. */
async function requestKey(environment: Environment): Promise<KeyObject | null> {
  const cached = keys().get(environment) ?? { key: null, fetchedAt: 0, pending: null }
  keys().set(environment, cached)
  if (cached.pending) return cached.pending
  const isTooSoon = Date.now() - cached.fetchedAt < (cached.key ? retryAfterMs : secondMs)
  if (isTooSoon) return cached.key
  cached.fetchedAt = Date.now()
  cached.pending = fetchKey(environment)
    .then((key) => (cached.key = key))
    .catch((error: unknown) => {
      logFailure(error, { while: 'fetching the key of deliveries' })
      return cached.key
    })
    .finally(() => (cached.pending = null))
  return cached.pending
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
