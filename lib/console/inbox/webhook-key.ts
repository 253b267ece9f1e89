import 'server-only'
import type { KeyObject } from 'node:crypto'
import { builtInControl } from '#lib/environments/control-plane.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { createCache } from '#lib/shared/cache.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { logFailure } from '#lib/shared/log.ts'
import { type Environment, environments } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { readPublicKey } from '#lib/signing/keys.ts'
import { verifyWebhook } from '#lib/signing/webhook-signature.ts'

/** Another key of the service is known after this time, and a failed request is made again after a second. */
const freshMs = 30 * secondMs
const timeoutMs = 3 * secondMs

const keys = globalSingleton('carddeskWebhookKeys', () => createCache(environments.length))

/** Whether a delivery's signature is that of its raw body; `no-key` where none is set and none could be had. */
export async function verifySignature(
  environment: Environment,
  body: Uint8Array,
  signature: string | null,
): Promise<'holds' | 'wrong' | 'no-key'> {
  const key = configuredKey(environment) ?? (await builtInKey(environment))
  if (!key) return 'no-key'
  return verifyWebhook(body, signature, key) ? 'holds' : 'wrong'
}

const configuredKeys = new Map<string, KeyObject>()

function configuredKey(environment: Environment): KeyObject | null {
  const pem = consoleSettings().webhookKeys[environment]
  if (!pem) return null
  const key = configuredKeys.get(pem) ?? readPublicKey(pem)
  configuredKeys.set(pem, key)
  return key
}

/**
 * The built-in service's public key, requested over HTTP as its other callers do. Null where it is not there or does not respond: a
 * delivery is then sent again.
 */
function builtInKey(environment: Environment): Promise<KeyObject | null> {
  const control = builtInControl(environment)
  if (!control) return Promise.resolve(null)
  const fetchOrNull = () =>
    fetchKey(`${control.url}/webhook-key`).catch((error: unknown) => {
      logFailure(error, { while: 'fetching the key of deliveries' })
      return null
    })
  return keys().fetch(environment, fetchOrNull, (key) => (key ? freshMs : secondMs))
}

async function fetchKey(url: string): Promise<KeyObject> {
  const response = await fetch(url, {
    redirect: 'error',
    cache: 'no-store',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw new Error(`the service returned ${response.status}`)
  return readPublicKey(await response.text())
}
