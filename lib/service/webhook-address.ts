import { BlockList, isIP } from 'node:net'
import type { ServiceSettings } from './service-settings.ts'

/** Everything that is not the public internet: private, shared, link-local (metadata among it), reserved, multicast. */
const closed = subnets(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // The ranges of global unicast that carry an IPv4 address (Teredo, 6to4).
  '2001::/23',
  '2002::/16',
)
/** Only global unicast IPv6 is allowed. */
const globalUnicast = subnets('2000::/3')
const loopbacks = subnets('127.0.0.0/8', '::1/128')

function subnets(...ranges: string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    list.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}

/** Names that lead into a network of one's own, and single labels, which a search domain completes. */
const privateSuffixes = ['internal', 'local', 'localdomain', 'lan', 'home', 'home.arpa', 'corp', 'intranet', 'private']

/** `consoleInboxUrl` is accepted wherever it leads: the settings name it, and no caller can. */
export type AddressPolicy = Pick<ServiceSettings, 'acceptsLoopbackWebhooks'> &
  Partial<Pick<ServiceSettings, 'consoleInboxUrl' | 'webhookHosts'>>

/** Whether a URL is the console's own inbox, its port and path included. */
export function isConsoleInbox(url: string, { consoleInboxUrl }: AddressPolicy): boolean {
  return consoleInboxUrl !== undefined && URL.parse(url)?.href === new URL(consoleInboxUrl).href
}

/**
 * Whether a delivery may connect to an IP address: a public one, or loopback where the sandbox accepts it. Decided for a
 * literal at registration, and for the resolved address at each connection.
 */
export function isOpenAddress(address: string, { acceptsLoopbackWebhooks, webhookHosts = [] }: AddressPolicy): boolean {
  const version = isIP(address)
  if (version === 0 || address.includes('%')) return false
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (isOwnAddress(address, webhookHosts)) return true
  // BlockList finds an IPv4-mapped address in IPv4 ranges too; such an address is closed whatever it carries.
  if (version === 6 && isMapped(address)) return false
  if (loopbacks.check(address, family)) return acceptsLoopbackWebhooks
  if (version === 6 && !globalUnicast.check(address, 'ipv6')) return false
  return !closed.check(address, family)
}

/** Whether the settings name the address, or a network that it is in. */
function isOwnAddress(address: string, webhookHosts: readonly string[]): boolean {
  const ranges = webhookHosts
    .filter((host) => isIP(host.split('/')[0] ?? '') !== 0)
    .map((host) => (host.includes('/') ? host : `${host}/${isIP(host) === 4 ? 32 : 128}`))
  return ranges.length > 0 && subnets(...ranges).check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

/** Whether the settings name the host of a URL, or its network: it may be called by http, and wherever its name leads. */
export function isOwnHost(hostname: string, { webhookHosts = [] }: AddressPolicy): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  return isIP(host) === 0 ? webhookHosts.includes(host) : isOwnAddress(host, webhookHosts)
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
  const begins = policy.acceptsLoopbackWebhooks ? 'begin with https: or http:' : 'begin with https:'
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return `must ${begins}`
  const wrong = [
    ...(parsed.protocol === 'http:' && !policy.acceptsLoopbackWebhooks && !isOwnHost(parsed.hostname, policy)
      ? [begins]
      : []),
    ...(parsed.username !== '' || parsed.password !== '' ? ['not have a user name or password'] : []),
    ...(isOpenHost(parsed.hostname, policy) ? [] : ['lead to a public address']),
  ]
  return wrong.length > 0 ? `must ${wrong.join(', and ')}` : null
}

function isOpenHost(hostname: string, policy: AddressPolicy): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isOwnHost(host, policy)) return true
  return isIP(host) === 0 ? isOpenName(host, policy) : isOpenAddress(host, policy)
}

function isOpenName(name: string, { acceptsLoopbackWebhooks }: AddressPolicy): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return acceptsLoopbackWebhooks
  return name.includes('.') && !privateSuffixes.some((suffix) => name.endsWith(`.${suffix}`))
}
