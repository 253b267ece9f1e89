import type { Environment } from '#lib/shared/routes.ts'

/** The URL that a webhook of the service is registered with, so that its deliveries reach this console. */
export function inboxUrl(consoleUrl: string, environment: Environment): string {
  return `${consoleUrl.replace(/\/+$/, '')}/api/webhooks/inbox/${environment}`
}
