import 'server-only'
import { and, eq, isNull, max } from 'drizzle-orm'
import { database } from '#lib/db/connection.ts'
import type { EmbedObject } from '#lib/shared/embed-view.ts'
import { sameId } from '#lib/shared/ids.ts'
import { AppError, isAppError, orNull } from '../desk/app-error.ts'
import { callService, requireService } from '../desk/connections/environments.ts'
import { rowsAfter } from '../desk/live/feed.ts'
import { masked } from '../desk/masking.ts'
import { readAccountWithCards, readOneAccount } from '../desk/mirror/account.ts'
import { type Permission, permissionsOf } from '../desk/permissions.ts'
import { consoleSettings } from '../desk/settings.ts'
import type { Change } from '../desk/shapes.ts'
import { changes } from '../desk/tables/changes.ts'
import { staff } from '../desk/tables/staff.ts'
import { rejectedReasonOf } from '../identity/rejections.ts'
import { readOnePayout } from '../payouts/mirror.ts'
import { fetchTransaction } from '../transactions/detail.ts'
import { bearerOf, embedResponse, isWithinLimit, limitFailures } from './http.ts'
import { isKeyActive } from './keys.ts'
import type { EmbedReading } from './shapes.ts'
import { type EmbedClaims, verifyEmbedToken } from './token.ts'

/** The header in which the frame names the origin of its host page, as the browser reported it. */
const hostHeader = 'x-carddesk-host'

const recentTransactions = '5'
const longestPoll = 200

/**
 * `GET /api/embed/view`: one object as `describe` shows it, for a token that is checked on every request. With `?after=` and
 * no change since that position the response is a 204. Whatever is wrong with a token, the response is the same.
 */
export function respondToViewRequest<View>(
  request: Request,
  describe: (reading: EmbedReading) => View,
): Promise<Response> {
  return embedResponse(request, async () => {
    const claims = await claimsOf(request)
    const { object, creator, expiresAt } = claims
    if (!isWithinLimit('reads', [creator.id, object.environment, object.type, object.id].join(' '))) {
      throw new AppError('TOO_MANY_ATTEMPTS', 'Too many requests. Try again in a minute.')
    }
    const after = /^\d{1,15}$/.exec(new URL(request.url).searchParams.get('after') ?? '')?.[0]
    if (after !== undefined && !(await hasChanged(object, Number(after)))) return { status: 200, body: null }
    const position = await newestChange()
    const reading = await readRecords(object).catch((error: unknown) => {
      // Whether an object exists is nothing that a token of another one may find out.
      throw isAppError(error) && error.status === 404 ? refused() : error
    })
    const permissions = permissionsOf('viewer', object.environment)
    const view = describe({ ...reading, object, records: masked(reading.records, permissions) })
    return { status: 200, body: { view, position, expiresInMs: expiresAt.getTime() - Date.now() } }
  })
}

/** What the request's token opens. Throws `EMBED_REFUSED`, the same for every reason. */
async function claimsOf(request: Request): Promise<EmbedClaims & { expiresAt: Date }> {
  const settings = consoleSettings()
  const token = bearerOf(request)
  const claims = token === null ? null : await verifyEmbedToken(settings, token)
  if (claims && isForRequest(claims, request) && (await isCreatorActive(claims))) return claims
  limitFailures(request)
  throw refused()
}

/** Whether the token is for the host and the object that the frame names, and the host may still show views. */
function isForRequest({ origin, object }: EmbedClaims, request: Request): boolean {
  const { searchParams } = new URL(request.url)
  const site = request.headers.get('sec-fetch-site')
  return (
    (site === null || site === 'same-origin') &&
    request.headers.get(hostHeader) === origin &&
    consoleSettings().embedOrigins.includes(origin) &&
    searchParams.get('environment') === object.environment &&
    searchParams.get('type') === object.type &&
    searchParams.get('id') === object.id
  )
}

/** A revoked key ends its tokens, and so does a member of staff who is disabled or lost the permission. */
async function isCreatorActive({ creator, object: { environment, type } }: EmbedClaims): Promise<boolean> {
  if (creator.kind === 'key') return isKeyActive(creator.id, environment)
  const origin = consoleSettings().isDemo ? 'demo' : 'oidc'
  const [member] = await database()
    .select({ role: staff.role })
    .from(staff)
    .where(and(eq(staff.id, creator.id), eq(staff.origin, origin), isNull(staff.disabledAt)))
  const needed: Permission[] = ['embeds.create', type === 'payout' ? 'payouts.read' : 'accounts.read']
  return member !== undefined && needed.every((one) => permissionsOf(member.role, environment).includes(one))
}

function refused(): AppError {
  return new AppError('EMBED_REFUSED', 'This view can’t be shown. Request a new embed code.')
}

type Reading = Omit<EmbedReading, 'object'>

async function readRecords({ environment, type, id, cardAccountId }: EmbedObject): Promise<Reading> {
  requireService(environment)
  if (type === 'payout') {
    const { payout, fetchedAt } = await readOnePayout(environment, id)
    return { records: { type, payout }, fetchedAt: fetchedAt.toISOString(), isStored: false }
  }
  const accountId = cardAccountId ?? id
  const recent = (query: { cardId?: string }) =>
    orNull(
      callService(environment, 'listCardAccountTransactions', {
        query: { cardAccountId: accountId, pageSize: recentTransactions, ...query },
      }).then(({ response }) => response.transactions),
    )
  if (type === 'transaction') {
    const [{ transaction, fetchedAt }, { account }] = await Promise.all([
      fetchTransaction(environment, accountId, id),
      readOneAccount(environment, accountId),
    ])
    return { records: { type, transaction, account }, fetchedAt: fetchedAt.toISOString(), isStored: false }
  }
  const [{ account, cards, cardsProblem, freshness }, transactions] = await Promise.all([
    readAccountWithCards(environment, accountId),
    recent(type === 'card' ? { cardId: id } : {}),
  ])
  const read = { fetchedAt: freshness.asOf, isStored: freshness.source === 'directory' }
  if (type === 'card-account') {
    const isRejected = account.clientIdentityStatus === 'rejected'
    const rejectedReason = isRejected ? await rejectedReasonOf(environment, account.id) : null
    return { records: { type, account, rejectedReason, cards, transactions }, ...read }
  }
  const card = cards.find((one) => sameId(one.id, id))
  if (!card && cardsProblem !== null) throw new AppError('SERVICE_REFUSED', cardsProblem)
  if (!card) throw new AppError('CARD_NOT_FOUND', 'There is no such card on this account.')
  return { records: { type, card, account, transactions }, ...read }
}

/** Whether something changed after `position` that the view may show; also where too much did to list. */
async function hasChanged(object: EmbedObject, position: number): Promise<boolean> {
  const rows = await rowsAfter(position, longestPoll)
  const about = rows.filter(({ environment }) => environment === object.environment).flatMap((row) => row.about)
  return rows.length === longestPoll || about.some((change) => concerns(object, change))
}

function concerns({ type, id, cardAccountId }: EmbedObject, change: Change): boolean {
  if (type === 'payout') return change.type === 'payouts'
  const accountId = cardAccountId ?? id
  if (change.type === 'card') return sameId(change.cardAccountId, accountId)
  return change.type === 'cardaccounts' || (change.type === 'cardaccount' && sameId(change.id, accountId))
}

async function newestChange(): Promise<number> {
  const [row] = await database()
    .select({ id: max(changes.id) })
    .from(changes)
  return row?.id ?? 0
}
