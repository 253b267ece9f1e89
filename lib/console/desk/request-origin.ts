import { isIP } from 'node:net'
import { connectionHeader, connectionOf } from '#lib/shared/connections.ts'
import { callerAddress, ipv4Of } from '#lib/shared/peer-address.ts'
import { consoleSettings } from './settings.ts'

/** Where an action came from. `requestId` is the `x-request-id` of the console's own response. */
export type RequestOrigin = { ipAddress: string | null; requestId: string | null }

/** The origin of background work and commands, which have no request. */
export const noOrigin: RequestOrigin = { ipAddress: null, requestId: null }

/** The origin of a request with these headers; `noOrigin` once its response was sent. */
export function originOf(headers: Headers): RequestOrigin {
  const connection = connectionOf(headers)
  if (!connection) return noOrigin
  const hops = consoleSettings().trustedProxyHops
  const address = callerAddress(connection.remoteAddress, headers.get('x-forwarded-for'), hops)
  const ipAddress = ipv4Of(address) ?? (address !== null && isIP(address) ? address : null)
  return { ipAddress, requestId: headers.get(connectionHeader) }
}

/** The origin of the request under way; `noOrigin` outside of a request. */
export async function currentOrigin(): Promise<RequestOrigin> {
  try {
    // Commands run without Next, which has no such module there.
    const { headers } = await import('next/headers')
    return originOf(await headers())
  } catch {
    return noOrigin
  }
}
