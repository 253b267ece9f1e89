import { maskCardNumbers, maskCardNumbersInJson } from '#lib/shared/card-numbers.ts'
import { isWithinLevels, parseJson } from '#lib/shared/json.ts'
import { decodedSegment } from '#lib/shared/routes.ts'
import { secretCardEndpoints } from './card-actions.ts'
import type { EndpointName } from './endpoints.ts'

/** Why a body is not stored: the endpoint's is secret, it is larger than the log takes, or it is no JSON. */
export type BodyNote = 'secret' | 'too large' | 'not JSON'

export type StoredBody = { text: string | null; note: BodyNote | null }

/** Bodies above this many bytes are not stored. */
const largestBody = 32 * 1024

/** A body as a log holds it in memory: of one that is too large to be stored, only that it is. */
export function bodyInMemory(body: Uint8Array | null): Uint8Array | null {
  return body && body.length > largestBody ? tooLarge : body
}

/** The text of a body as a log holds it in memory. */
export function textInMemory(text: string | null): string | null {
  return text === null ? null : text.slice(0, largestBody + 1)
}

const tooLarge = new Uint8Array(largestBody + 1)

/** The response is a link that shows a whole card number. */
const secretResponses: readonly (EndpointName | null)[] = ['getCardSensitiveInfo']

/** All that is stored of a request that holds a secret. */
const ids = new Set(['cardAccountId', 'cardId'])
const secretNames = /pin$|^last6$|cvv|cvc|passw|secret|otp$|verificationcode|token$|^file$/i
/** Page tokens are no secret. */
const plainNames = /pageToken$/i

const mayNameSecret = /pin"|last6|cvv|cvc|passw|secret|otp"|verificationcode|(?<!page)token"|"file"/i
const longDigits = /\d(?:[\s-]*\d){12}/
/** UUIDs in JSON text, which are left out of the search: their digits are no card number. */
const quotedUuids = /"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"/gi

const redacted = '•••'

/** A request's body as the log may hold it. */
export function redactRequest(endpoint: EndpointName | null, body: Uint8Array | null): StoredBody {
  if (!body || body.length === 0) return { text: null, note: null }
  // Any field of an unknown path may be secret.
  if (endpoint === null) return { text: null, note: 'secret' }
  if (body.length > largestBody) return { text: null, note: 'too large' }
  const isSecret = secretCardEndpoints.includes(endpoint)
  return redactJson(Buffer.from(body).toString(), (name) => (isSecret ? !ids.has(name) : isSecretName(name)))
}

/** A response's body as the log may hold it. */
export function redactResponse(endpoint: EndpointName | null, status: number | null, body: string | null): StoredBody {
  if (!body) return { text: null, note: null }
  if (secretResponses.includes(endpoint) && status === 200) return { text: null, note: 'secret' }
  if (body.length > largestBody) return { text: null, note: 'too large' }
  // The service writes its JSON without escapes of digits or names, so most responses need no second parsing.
  const mayHoldNumber = longDigits.test(body) && longDigits.test(body.replaceAll(quotedUuids, '""'))
  const needsRedaction = mayHoldNumber || mayNameSecret.test(body)
  return needsRedaction ? redactJson(body, isSecretName) : { text: body, note: null }
}

/** Fields without the values of those that are named as secrets are; every other value is what `toShown` makes of it. */
export function withoutSecrets(
  fields: Readonly<Record<string, unknown>>,
  toShown: (value: unknown) => unknown = (value) => value,
): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(fields, (name, value: unknown) =>
      name !== '' && isSecretName(name) && isLeaf(value) ? redacted : toShown(value),
    ),
  ) as Record<string, unknown>
}

/** Path and query with every card number masked, also one that is percent-encoded or parted by `+`. */
export function redactPath(path: string, search: string): string {
  const place = maskedPart(path)
  if (search === '') return place
  const query = new URLSearchParams(search)
  const parts = [...query].map(([name, value]) => [maskCardNumbers(name), maskCardNumbers(value)])
  const isPlain = [...query].every(([name, value], at) => parts[at]?.[0] === name && parts[at]?.[1] === value)
  return `${place}?${isPlain ? search : new URLSearchParams(parts)}`
}

function maskedPart(path: string): string {
  const text = decodedSegment(path)
  const masked = maskCardNumbers(text)
  return masked === text ? path : masked
}

function isSecretName(name: string): boolean {
  return secretNames.test(name) && !plainNames.test(name)
}

function redactJson(text: string, isSecret: (name: string) => boolean): StoredBody {
  const value = parseJson(text)
  if (value === undefined) return { text: null, note: 'not JSON' }
  if (!isWithinLevels(value)) return { text: null, note: 'too large' }
  const stored = JSON.stringify(value, (name, inner: unknown) =>
    name !== '' && isSecret(name) && isLeaf(inner) ? redacted : inner,
  )
  return { text: maskCardNumbersInJson(stored), note: null }
}

/** Leaf: not an object. Arrays are leaves. */
function isLeaf(value: unknown): boolean {
  return value !== null && (typeof value !== 'object' || Array.isArray(value))
}
