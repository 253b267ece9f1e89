import { readRequestOrigin } from '#lib/audit/request-origin.ts'

/** The device and the IP address of a session, by which the person recognises it. */
export type OpenedFrom = { ipAddress: string | null; userAgent: string | null }

export function openedFrom(headers: Headers): OpenedFrom {
  const userAgent = headers.get('user-agent')?.replaceAll(/[^\x20-\x7e]/g, '') ?? ''
  return { ipAddress: readRequestOrigin(headers).ipAddress, userAgent: userAgent.slice(0, 300) || null }
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
export function parseDevice(userAgent: string | null): string {
  const [browser, system] = [browsers, systems].map(
    (table) => table.find(([, pattern]) => userAgent && pattern.test(userAgent))?.[0],
  )
  if (!browser && !system) return 'Unknown device'
  return `${browser ?? 'Unknown browser'}${system ? ` on ${system}` : ''}`
}
