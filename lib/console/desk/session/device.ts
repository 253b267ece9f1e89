import { connectionOf } from '#lib/shared/connections.ts'
import { callerAddress } from '#lib/shared/peer-address.ts'

/** Where a session is opened: what the person recognises it by. */
export type OpenedFrom = { ipAddress: string | null; userAgent: string | null }

export function openedFrom(headers: Headers, trustedProxyHops: number): OpenedFrom {
  const remoteAddress = connectionOf(headers)?.remoteAddress ?? null
  const address = callerAddress(remoteAddress, headers.get('x-forwarded-for'), trustedProxyHops)
  const text = (value: string | null) => value?.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 300) || null
  return { ipAddress: text(address), userAgent: text(headers.get('user-agent')) }
}

const browsers = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|HeadlessChrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const
const systems = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
] as const

/** A user agent for people: "Chrome on macOS". */
export function deviceOf(userAgent: string | null): string {
  const [browser, system] = [browsers, systems].map(
    (table) => table.find(([, pattern]) => userAgent && pattern.test(userAgent))?.[0],
  )
  if (!browser && !system) return 'Unknown device'
  return [browser ?? 'Unknown browser', ...(system ? [`on ${system}`] : [])].join(' ')
}
