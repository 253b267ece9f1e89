const ipv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i

/**
 * The address that a request came from, as it was written. Behind `trustedHops` proxies it is what the outermost of them
 * recorded, read from the right of `X-Forwarded-For`; a caller's own entries are left of that. Null where it is not known.
 */
export function callerAddress(
  remoteAddress: string | null,
  forwardedFor: string | null,
  trustedHops: number,
): string | null {
  const hops = forwardedFor === null || trustedHops === 0 ? [] : forwardedFor.split(',').map((hop) => hop.trim())
  return [...hops, remoteAddress ?? ''].at(-1 - trustedHops) || null
}

/** The IPv4 form of an address, also of `::1` and `::ffff:a.b.c.d`; null where it has none. */
export function toIpv4(address: string | null): string | null {
  if (address === null) return null
  if (address === '::1') return '127.0.0.1'
  return ipv4.test(address) ? address : (mapped.exec(address)?.[1] ?? null)
}

/** What one line has: an IPv4 address, or the /64 of an IPv6 address; empty where the address is not known. */
export function networkOf(address: string | null): string {
  const [start = '', ...rest] = (address ?? '').split('::')
  return toIpv4(address) ?? [...start.split(':'), ...(rest.length > 0 ? ['0', '0', '0'] : [])].slice(0, 4).join(':')
}
