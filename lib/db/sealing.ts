import { createHmac, hkdfSync } from 'node:crypto'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { seal, unsealWithEither } from '#lib/shared/sealing.ts'

/** HMAC-SHA-256 under a separate key, for comparing values that must not be guessed from their digest. */
export function keyedDigest(key: Buffer, parts: readonly (string | Uint8Array | null)[]): string {
  const hmac = createHmac('sha256', Buffer.from(hkdfSync('sha256', key, '', 'carddesk keyed digest', 32)))
  for (const part of parts) {
    const bytes = part === null ? Buffer.alloc(0) : Buffer.from(part)
    hmac.update(`${part === null ? 'null' : bytes.length}:`).update(bytes)
  }
  return hmac.digest('hex')
}

/** Seals bytes for the database with the console's key. */
export function sealStored(plain: Uint8Array, boundTo: string): Buffer {
  return seal(consoleSettings().sealingKey, plain, boundTo)
}

/**
 * The bytes, also if they were sealed with the previous key. Throws where they were altered or sealed with another key.
 */
export function openStored(sealed: Buffer, boundTo: string): Buffer {
  const { sealingKey: key, previousSealingKey: previous } = consoleSettings()
  return unsealWithEither({ key, previous }, sealed, boundTo).plain
}
