import { hkdfSync } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { embedTypes, lookUpFields } from '#lib/api/embed-view.ts'
import { environments } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { sha256Hex } from '#lib/signing/digest.ts'

export const embedTokenLifetimeMs = 10 * minuteMs

/** More card accounts than this are no customer; their ids have to fit a token. */
export const mostAccountsOfCustomer = 10

type Signing = { sealingKey: Buffer; consoleUrl: string }

const audience = 'carddesk embedded view'
const algorithm = 'HS256'
const type = 'carddesk-embed+jwt'

const Claims = z.strictObject({
  iss: z.string(),
  aud: z.string(),
  iat: z.number(),
  exp: z.number(),
  object: z.strictObject({
    environment: z.enum(environments),
    type: z.enum(embedTypes),
    id: z.string(),
    cardAccountId: z.string().nullable(),
  }),
  origin: z.string(),
  creator: z.strictObject({ kind: z.enum(['staff', 'key']), id: z.uuid() }),
  /** The card accounts that were found when the token was made: it opens these, their cards and their transactions. */
  customer: z
    .strictObject({
      cardAccountIds: z.array(z.string()).min(1).max(mostAccountsOfCustomer),
      foundBy: z.enum([...lookUpFields, 'id']),
    })
    .optional(),
  /** The agent and the ticket that the key asserts: in their name something can be requested. Staff's tokens have none. */
  ticketOrigin: z
    .strictObject({ agent: z.strictObject({ name: z.string(), email: z.string() }), ticket: z.string() })
    .optional(),
})

/**
 * The claims of a token: one object, one host origin, and the member of staff or the key that created it, who has to
 * be active. `customer` is there for the type customer alone.
 */
export type EmbedClaims = Omit<z.output<typeof Claims>, 'iss' | 'aud' | 'iat' | 'exp'>
/** The card accounts of a customer, and how they were found. */
export type EmbedCustomer = NonNullable<EmbedClaims['customer']>

/** A signed token that expires ten minutes after `now`. */
export async function signEmbedToken(signing: Signing, claims: EmbedClaims, now = new Date()): Promise<string> {
  const { key, keyId } = deriveSigningKey(signing)
  const issuedAt = Math.floor(now.getTime() / secondMs)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, typ: type, kid: keyId })
    .setIssuer(signing.consoleUrl)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + embedTokenLifetimeMs / secondMs)
    .sign(key)
}

/** Returns the claims and the expiry; null for a token that this console did not sign, or that has expired. */
export async function verifyEmbedToken(
  signing: Signing,
  token: string,
): Promise<(EmbedClaims & { expiresAt: Date }) | null> {
  const { key, keyId } = deriveSigningKey(signing)
  const verified = await jwtVerify(
    token,
    (header) => {
      if (header.kid !== keyId) throw new TypeError('signed with another key')
      return key
    },
    {
      algorithms: [algorithm],
      typ: type,
      issuer: signing.consoleUrl,
      audience,
      maxTokenAge: embedTokenLifetimeMs / secondMs,
    },
  ).catch(() => null)
  const claims = Claims.safeParse(verified?.payload)
  if (!claims.success) return null
  const { object, origin, creator, customer, ticketOrigin, exp } = claims.data
  if ((object.type === 'customer') !== (customer !== undefined)) return null
  if (ticketOrigin && creator.kind !== 'key') return null
  return { object, origin, creator, customer, ticketOrigin, expiresAt: new Date(exp * secondMs) }
}

/**
 * The key of embed tokens, derived from `CONSOLE_SEALING_KEY`. Its id is in every token, so that another sealing key ends
 * the tokens of the one before.
 */
function deriveSigningKey({ sealingKey }: Signing): { key: Uint8Array; keyId: string } {
  const key = Buffer.from(hkdfSync('sha256', sealingKey, '', 'carddesk embed token', 32))
  return { key, keyId: sha256Hex(key).slice(0, 16) }
}
