import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { isOpenAddress, type AddressPolicy } from '../webhook-address.ts'

/** The addresses of a host name. Throws where it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

// Not the system's lookup: it holds one of few threads for as long as a name server is silent.
const resolver = new Resolver({ timeout: 3000, tries: 2 })

/** Nothing was connected to: an address that the policy does not allow. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED'
  constructor(message: string) {
    super(message)
    this.name = 'AddressRefused'
  }
}

/** RFC 6761, 6.3: localhost and what is below it are loopback, whatever a name server says. */
const loopbackName = /^(?:.+\.)?localhost\.?$/i

export async function resolveByDns(hostname: string): Promise<readonly string[]> {
  if (loopbackName.test(hostname)) return ['127.0.0.1', '::1']
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = [ipv4, ipv6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []))
  if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason
  return addresses
}

/**
 * Opens connections to addresses that were judged, and to no others: the name is resolved here, once a connection, every
 * address that it has is judged, and these very addresses are connected to. TLS goes on verifying the name.
 */
export function openConnector(policy: AddressPolicy, resolve: Resolve, timeoutMs: number): buildConnector.connector {
  const lookup: LookupFunction = (hostname, options, callback) => {
    void respondToLookup()
    async function respondToLookup(): Promise<void> {
      try {
        const addresses = await judgedAddresses(hostname, policy, resolve)
        const [first] = addresses
        if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      } catch (error) {
        callback(error instanceof Error ? error : refused(hostname), '', 0)
      }
    }
  }
  const connect = buildConnector({ lookup, timeout: timeoutMs, allowH2: false })
  return (options, callback) => {
    // A literal is connected to without being looked up.
    const host = options.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !isOpenAddress(host, policy)) return callback(refused(host), null)
    connect(options, callback)
  }
}

type Judged = { address: string; family: number }

async function judgedAddresses(
  hostname: string,
  policy: AddressPolicy,
  resolve: Resolve,
): Promise<[Judged, ...Judged[]]> {
  const addresses = await resolve(hostname)
  const [first, ...others] = addresses.map((address) => ({ address, family: isIP(address) }))
  if (!first || !addresses.every((address) => isOpenAddress(address, policy))) throw refused(hostname)
  return [first, ...others]
}

function refused(host: string): AddressRefused {
  return new AddressRefused(`${host} does not lead to a public address`)
}
