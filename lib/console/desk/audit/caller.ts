import { isIP } from 'node:net'
import { connectionHeader, connectionOf } from '#lib/shared/connections.ts'
import { callerAddress, ipv4Of } from '#lib/shared/peer-address.ts'
import { consoleSettings } from '../settings.ts'

/** Where something was done from. `requestId` is the `x-request-id` of the console's own response. */
export type Caller = { ipAddress: string | null; requestId: string | null }

/** The caller of background work and commands, which have no request. */
export const noCaller: Caller = { ipAddress: null, requestId: null }

/** The caller of a request with these headers; `noCaller` once its response was sent. */
export function callerOf(headers: Headers): Caller {
  const connection = connectionOf(headers)
  if (!connection) return noCaller
  const hops = consoleSettings().trustedProxyHops
  const address = callerAddress(connection.remoteAddress, headers.get('x-forwarded-for'), hops)
  const ipAddress = ipv4Of(address) ?? (address !== null && isIP(address) ? address : null)
  return { ipAddress, requestId: headers.get(connectionHeader) }
}

/** The caller of the request under way; `noCaller` outside of a request. */
export async function currentCaller(): Promise<Caller> {
  try {
    // Commands run without Next, which has no such module there.
    const { headers } = await import('next/headers')
    return callerOf(await headers())
  } catch {
    return noCaller
  }
}
