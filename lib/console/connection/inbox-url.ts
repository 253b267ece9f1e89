import { consoleSettings } from '#lib/settings/console-settings.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { withoutTrailingSlashes } from '#lib/shared/texts.ts'

/** The URL that a webhook of the service is registered with, so that its deliveries reach this console. */
export function inboxUrl(consoleUrl: string, environment: Environment): string {
  return `${withoutTrailingSlashes(consoleUrl)}/api/webhooks/inbox/${environment}`
}

/** Whether a webhook delivers to this console: by the URL that people open, or by the one that the built-in service uses. */
export function isOwnInbox(url: string | null | undefined, environment: Environment): boolean {
  if (!url || !URL.canParse(url)) return false
  const { consoleUrl } = consoleSettings()
  const bases = [consoleUrl, process.env.BUILT_IN_SERVICE_ORIGIN ?? ''].filter((base) => URL.canParse(base))
  return bases.some((base) => withoutLoopbackName(inboxUrl(base, environment)) === withoutLoopbackName(url))
}

/** A URL with every name of this machine replaced by one. */
function withoutLoopbackName(text: string): string {
  const url = new URL(text)
  if (['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)) url.hostname = '127.0.0.1'
  return url.href
}
