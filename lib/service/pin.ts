import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const deriveKey = promisify<string, Buffer, number, Buffer>(scrypt)

const saltBytes = 16
const digestBytes = 32

/** A salted scrypt digest of a PIN (`scrypt:<salt>:<digest>`, base64), made off the event loop. */
export async function digestPin(pin: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const digest = await deriveKey(pin, salt, digestBytes)
  return `scrypt:${salt.toString('base64')}:${digest.toString('base64')}`
}

/** Whether a PIN is the one that a digest was made of. */
export async function matchesPin(pin: string, stored: string): Promise<boolean> {
  const [, salt = '', digest = ''] = stored.split(':')
  const expected = Buffer.from(digest, 'base64')
  const given = await deriveKey(pin, Buffer.from(salt, 'base64'), digestBytes)
  return expected.length === given.length && timingSafeEqual(expected, given)
}
