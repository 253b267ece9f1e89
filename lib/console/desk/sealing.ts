import { createHmac, hkdfSync } from 'node:crypto'

/** HMAC-SHA-256 under a key of its own, for comparing what must not be guessed from its digest. */
export function keyedDigest(key: Buffer, parts: readonly (string | Uint8Array | null)[]): string {
  const hmac = createHmac('sha256', Buffer.from(hkdfSync('sha256', key, '', 'carddesk keyed digest', 32)))
  for (const part of parts) {
    const bytes = part === null ? Buffer.alloc(0) : Buffer.from(part)
    hmac.update(`${part === null ? 'null' : bytes.length}:`).update(bytes)
  }
  return hmac.digest('hex')
}
