import 'server-only'
import { and, eq } from 'drizzle-orm'
import { embedTypes, type EmbedObject } from '#lib/api/embed-view.ts'
import { type Permission, listPermissions } from '#lib/auth/permissions.ts'
import { hasAccess } from '#lib/auth/session.ts'
import { database } from '#lib/db/connection.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { isServiceId, sameId } from '#lib/shared/ids.ts'
import { staff } from '#lib/tables/staff.ts'
import { parseBearer, limitFailures } from './http.ts'
import { findActiveKey } from './keys.ts'
import { type EmbedClaims, verifyEmbedToken } from './token.ts'

/** The header in which the frame names the origin of its host page, as the browser reported it. */
const hostHeader = 'x-carddesk-host'

/** A token's claims with the object that its request is about. `keyName` is null for a token of staff. */
export type Authorized = EmbedClaims & {
  expiresAt: Date
  opened: EmbedObject
  keyName: string | null
  hasLink: boolean
}

/** Checks the token of a frame's request, and what the request is about. Throws `EMBED_REFUSED`, the same for every reason. */
export async function authorize(request: Request): Promise<Authorized> {
  const token = parseBearer(request)
  const claims = token === null ? null : await verifyEmbedToken(consoleSettings(), token)
  const creator = claims && isForHost(claims, request) ? await findActiveCreator(claims) : null
  const opened = claims && requestedObject(claims, new URL(request.url).searchParams)
  if (claims && creator && opened) return { ...claims, ...creator, opened }
  throw refuse(request)
}

/**
 * As `authorize`, for what changes something: browsers send such a request with the origin of its page, which has to be the frame's
 * own, and no other page can send JSON without being asked for it first.
 */
export async function authorizeChange(request: Request): Promise<Authorized> {
  const isOwn = request.headers.get('origin') === new URL(consoleSettings().consoleUrl).origin
  const isJson = /^application\/json\b/i.test(request.headers.get('content-type') ?? '')
  if (!isOwn || !isJson) throw refuse(request)
  return authorize(request)
}

/** Counts the request as refused. Returns `EMBED_REFUSED`. */
function refuse(request: Request): AppError {
  limitFailures(request)
  return new AppError('EMBED_REFUSED', 'The token is missing, expired or revoked, or for something else.')
}

/**
 * Object that the request reads: that of the token, or a card account of the token's customer, or a card or transaction of one. Null
 * for anything else. An element that names no id, because its customer was looked up, gets the token's object.
 */
function requestedObject({ object, customer }: EmbedClaims, search: URLSearchParams): EmbedObject | null {
  const { environment, type } = object
  const [id, cardAccountId] = [search.get('id'), search.get('cardAccountId')]
  if (search.get('environment') !== environment) return null
  if (search.get('type') === type && (id === null || id === object.id)) return object
  const inner = embedTypes.find((one) => one === search.get('type'))
  if (!customer || id === null || !isServiceId(id) || !inner || inner === 'customer' || inner === 'payout') return null
  const accountId = inner === 'card-account' ? id : cardAccountId
  const own = customer.cardAccountIds.find((one) => sameId(one, accountId))
  if (own === undefined) return null
  return inner === 'card-account'
    ? { environment, type: inner, id: own, cardAccountId: null }
    : { environment, type: inner, id, cardAccountId: own }
}

/** Whether the token is for the host, and the host may still show views. */
function isForHost({ origin }: EmbedClaims, request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  return (
    (site === null || site === 'same-origin') &&
    request.headers.get(hostHeader) === origin &&
    consoleSettings().embedOrigins.includes(origin)
  )
}

/** Null ends a token: its key was revoked, or its member of staff is disabled or lost the permission. */
async function findActiveCreator({
  creator,
  object: { environment, type },
}: EmbedClaims): Promise<Pick<Authorized, 'keyName' | 'hasLink'> | null> {
  if (creator.kind === 'key') {
    const key = await findActiveKey(creator.id, environment)
    return key ? { keyName: key.name, hasLink: key.hasLink } : null
  }
  const [member] = await database()
    .select({ role: staff.role })
    .from(staff)
    .where(and(eq(staff.id, creator.id), hasAccess()))
  const needed: Permission[] = ['embeds.create', type === 'payout' ? 'payouts.read' : 'accounts.read']
  const mayCreate = member && needed.every((one) => listPermissions(member.role, environment).includes(one))
  return mayCreate ? { keyName: null, hasLink: true } : null
}
