import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import { consoleSettings, pemOf } from '../desk/settings.ts'
import type { ControlPlane } from './control-plane.ts'

const names = { sandbox: 'SERVICE_SANDBOX', production: 'SERVICE_PRODUCTION' } as const satisfies Record<
  Environment,
  string
>

/** The PEM of the key that signs an environment's deliveries, where the settings have it. */
export function configuredWebhookKey(environment: Environment): string | null {
  const setting = process.env[`${names[environment]}_WEBHOOK_PUBLIC_KEY`]?.trim()
  return setting ? pemOf(setting) : null
}

/** The setting to name where there is no key. */
export function webhookKeySetting(environment: Environment): string {
  return `${names[environment]}_WEBHOOK_PUBLIC_KEY`
}

/** Ids of the webhooks to watch where the service cannot list them. */
export function configuredWebhookIds(environment: Environment): string[] {
  return (process.env[`${names[environment]}_WEBHOOK_IDS`] ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
}

/** The control plane of the built-in service; null for a real service, which has none. */
export function builtInControl(environment: Environment): ControlPlane | null {
  const service = consoleSettings().services[environment]
  if (environment !== 'sandbox' || process.env.BUILT_IN_SERVICE !== 'on' || !service) return null
  const { baseUrl, accessKey, privateKey } = service
  return { url: baseUrl.replace(/\/v1$/, '/control'), accessKey, privateKey }
}
