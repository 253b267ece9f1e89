import { createHash } from 'node:crypto'

/** Lower-case hex SHA-256: the form of the claim `body`. Text is hashed as UTF-8. */
export function sha256Hex(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The hash of the empty string: the claim `body` of a request without a body. */
export const emptyBodySha256 = sha256Hex('')

/** The digest of a request's body; that of nothing where it has none. */
export function bodyHash(body: Uint8Array | null): string {
  return body === null ? emptyBodySha256 : sha256Hex(body)
}
