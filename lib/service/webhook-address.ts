import { BlockList, isIP } from 'node:net'
import type { ServiceSettings } from './settings.ts'

type Family = 'ipv4' | 'ipv6'
type Range = [network: string, prefix: number]

/** Everything that is not the public internet: private, shared, link-local (metadata among it), reserved, multicast. */
const closedIpv4: Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/** Of IPv6 only global unicast is open, without the ranges that carry an IPv4 address (Teredo, 6to4). */
const openIpv6: Range[] = [['2000::', 3]]
const closedIpv6: Range[] = [
  ['2001::', 23],
  ['2002::', 16],
]
const loopback: [Family, Range][] = [
  ['ipv4', ['127.0.0.0', 8]],
  ['ipv6', ['::1', 128]],
]

const closed = listOf([
  ...closedIpv4.map((range): [Family, Range] => ['ipv4', range]),
  ...closedIpv6.map((range): [Family, Range] => ['ipv6', range]),
])
const globalUnicast = listOf(openIpv6.map((range): [Family, Range] => ['ipv6', range]))
const loopbacks = listOf(loopback)

function listOf(ranges: readonly [Family, Range][]): BlockList {
  const list = new BlockList()
  for (const [family, [network, prefix]] of ranges) list.addSubnet(network, prefix, family)
  return list
}

/** Names that lead into a network of one's own, and single labels, which a search domain completes. */
const privateSuffixes = ['internal', 'local', 'localdomain', 'lan', 'home', 'home.arpa', 'corp', 'intranet', 'private']

/** `consoleInboxUrl` is accepted wherever it leads: the settings name it, and no caller can. */
export type AddressPolicy = { acceptsLoopback: boolean; consoleInboxUrl?: string }

export function addressPolicyOf(settings: ServiceSettings): AddressPolicy {
  return { acceptsLoopback: settings.acceptsLoopbackWebhooks, consoleInboxUrl: settings.consoleInboxUrl }
}

/** Whether a URL is the console's own inbox, its port and path included. */
export function isConsoleInbox(url: string, { consoleInboxUrl }: AddressPolicy): boolean {
  return consoleInboxUrl !== undefined && URL.parse(url)?.href === new URL(consoleInboxUrl).href
}

/**
 * Whether a delivery may connect to an IP address: a public one, or loopback where the sandbox accepts it. Decided for a
 * literal at registration, and for the resolved address at each connection.
 */
export function isOpenAddress(address: string, { acceptsLoopback }: AddressPolicy): boolean {
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return false
  const family = version === 4 ? 'ipv4' : 'ipv6'
  // BlockList finds an IPv4-mapped address in IPv4 ranges too; such an address is closed whatever it carries.
  if (version === 6 && isMapped(address)) return false
  if (loopbacks.check(address, family)) return acceptsLoopback
  if (version === 6 && !globalUnicast.check(address, 'ipv6')) return false
  return !closed.check(address, family)
}

function isMapped(address: string): boolean {
  return new URL(`http://[${address}]/`).hostname.startsWith('[::ffff:')
}

/**
 * Why deliveries to this address are refused, or null where they are not. Decimal, octal, hexadecimal and shortened forms
 * of an IPv4 address are recognised, since the address is parsed as every client parses it.
 */
export function webhookUrlError(url: string, policy: AddressPolicy): string | null {
  const parsed = URL.parse(url)
  if (!parsed) return 'must be an absolute URL'
  if (isConsoleInbox(url, policy)) return null
  const begins = policy.acceptsLoopback ? 'begin with https: or http:' : 'begin with https:'
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return `must ${begins}`
  const wrong = [
    ...(parsed.protocol === 'http:' && !policy.acceptsLoopback ? [begins] : []),
    ...(parsed.username !== '' || parsed.password !== '' ? ['not have a user name or password'] : []),
    ...(isOpenHost(parsed.hostname, policy) ? [] : ['lead to a public address']),
  ]
  return wrong.length > 0 ? `must ${wrong.join(', and ')}` : null
}

function isOpenHost(hostname: string, policy: AddressPolicy): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(host) === 0 ? isOpenName(host, policy) : isOpenAddress(host, policy)
}

function isOpenName(name: string, { acceptsLoopback }: AddressPolicy): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return acceptsLoopback
  return name.includes('.') && !privateSuffixes.some((suffix) => name.endsWith(`.${suffix}`))
}
