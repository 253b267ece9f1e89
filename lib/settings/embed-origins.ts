type Variables = Readonly<Record<string, string | undefined>>

/** An https origin, or an http one of this machine, without wildcards: it is written into policies and compared exactly. */
export function isHostOrigin(text: string): boolean {
  const { origin, protocol, hostname } = URL.parse(text) ?? {}
  if (origin !== text || !/^https?:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?$/.test(text)) return false
  return protocol === 'https:' || isLoopback(hostname ?? '')
}

/** Whether a host name or an address is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/i.test(hostname)
}

/** Where a demo serves a help desk with embedded views, on an origin of its own; null where people sign in with OIDC. */
export function demoHelpDeskOrigin(variables: Variables): string | null {
  const consoleUrl = URL.parse(variables.NEXTAUTH_URL ?? '')
  if (variables.OIDC_ISSUER?.trim() || consoleUrl?.protocol !== 'http:') return null
  return `http://${demoHelpDeskName}${consoleUrl.port && `:${consoleUrl.port}`}`
}

export const demoHelpDeskName = 'embed.localhost'
