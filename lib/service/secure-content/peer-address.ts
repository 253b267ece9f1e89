const ipv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i

/**
 * The IPv4 address that a request came from, `::1` and `::ffff:a.b.c.d` in their IPv4 forms. Behind `trustedHops` proxies
 * it is what the outermost of them saw, read from the right of `X-Forwarded-For`; a caller's own entries stand left of
 * that. Null where there is no such address.
 */
export function peerAddress(
  remoteAddress: string | null,
  forwardedFor: string | null,
  trustedHops: number,
): string | null {
  const hops = forwardedFor === null || trustedHops === 0 ? [] : forwardedFor.split(',').map((hop) => hop.trim())
  const address = [...hops, remoteAddress ?? ''].at(-1 - trustedHops)
  if (address === undefined) return null
  if (address === '::1') return '127.0.0.1'
  return ipv4.test(address) ? address : (mapped.exec(address)?.[1] ?? null)
}
