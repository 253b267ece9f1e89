import { isIP } from 'node:net'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { connectionHeader, findConnection } from '#lib/shared/connections.ts'
import { directHeaders, type RequestHeaders } from '#lib/shared/direct-requests.ts'
import { logRefused } from '#lib/shared/log.ts'
import { callerAddress, toIpv4 } from '#lib/shared/peer-address.ts'
import type { RequestOrigin } from './types.ts'

/** The origin of background work and commands, which have no request. */
export const noOrigin: RequestOrigin = { ipAddress: null, requestId: null }

/** The origin of a request with these headers; `noOrigin` once its response was sent. */
export function readRequestOrigin(headers: RequestHeaders): RequestOrigin {
  const connection = findConnection(headers)
  if (!connection) return noOrigin
  const hops = consoleSettings().trustedProxyHops
  const address = callerAddress(connection.remoteAddress, headers.get('x-forwarded-for'), hops)
  const ipAddress = toIpv4(address) ?? (address !== null && isIP(address) ? address : null)
  return { ipAddress, requestId: headers.get(connectionHeader) }
}

/** Whether a page of this console sent the request. Sibling domains and other ports are other origins, though they get its cookies. */
export function isFromOwnPage({ headers }: Request, attempt: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== 'same-origin') logRefused(`${attempt} from another site`, { site: site ?? 'none' })
  return site === 'same-origin'
}

/** The origin of the request under way; `noOrigin` outside of a request. */
export async function currentOrigin(): Promise<RequestOrigin> {
  const direct = directHeaders()
  if (direct) return readRequestOrigin(direct)
  try {
    // Commands run without Next, which has no such module there.
    const { headers } = await import('next/headers')
    return readRequestOrigin(await headers())
  } catch {
    return noOrigin
  }
}
