import 'server-only'
import { and, eq, isNull, max } from 'drizzle-orm'
import { masked } from '#lib/auth/masking.ts'
import { type Permission, permissionsOf } from '#lib/auth/permissions.ts'
import type { CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { callService, requireService } from '#lib/environments/environments.ts'
import { readAccountWithCards, readOneAccount } from '#lib/index/account.ts'
import { rowsAfter } from '#lib/live/feed.ts'
import type { Change } from '#lib/live/types.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError, orNull } from '#lib/shared/app-error.ts'
import { embedTypes, type EmbedObject } from '#lib/shared/embed-view.ts'
import { isServiceId, sameId } from '#lib/shared/ids.ts'
import { type Locale, readLocale } from '#lib/shared/locale.ts'
import { changes } from '#lib/tables/changes.ts'
import { staff } from '#lib/tables/staff.ts'
import { rejectedReasonOf } from '../identity/rejections.ts'
import { readOnePayout } from '../payouts/mirror.ts'
import { readDecline } from '../transactions/decline.ts'
import { fetchTransaction } from '../transactions/detail.ts'
import { bearerOf, embedResponse, isWithinLimit, limitFailures } from './http.ts'
import { isKeyActive } from './keys.ts'
import { pulseOf } from './pulse.ts'
import { readCustomer } from './read-customer.ts'
import { type EmbedClaims, type EmbedCustomer, verifyEmbedToken } from './token.ts'
import type { EmbedReading } from './types.ts'

/** The header in which the frame names the origin of its host page, as the browser reported it. */
const hostHeader = 'x-carddesk-host'

const recentTransactions = '5'
const longestPoll = 200

/**
 * `GET /api/embed/view`: one object as `describe` shows it in the locale of the URL, for a token that is checked on every request. With `?after=` and
 * no change since that position, and with `&pulse=` none of the service's state, the response is a 204. Whatever is wrong with a
 * token, the response is the same 403. A 404 is for a token whose own object does not exist.
 */
export function respondToViewRequest<View>(
  request: Request,
  describe: (reading: EmbedReading, locale: Locale) => View,
): Promise<Response> {
  return embedResponse(request, async () => {
    const claims = await claimsOf(request)
    const { creator, customer, expiresAt } = claims
    const { searchParams } = new URL(request.url)
    const object = requestedObject(claims, searchParams)
    if (!object) throw refuse(request)
    if (!isWithinLimit('reads', [creator.id, object.environment, object.type, object.id].join(' '))) {
      throw new AppError('TOO_MANY_ATTEMPTS', 'Too many requests. Try again in a minute.')
    }
    const after = /^\d{1,15}$/.exec(searchParams.get('after') ?? '')?.[0]
    const pulse = await pulseOf(object.environment)
    const isPulseKnown = [null, pulse].includes(searchParams.get('pulse'))
    if (after !== undefined && isPulseKnown && !(await hasChanged(claims, object, Number(after)))) {
      return { status: 200, body: null }
    }
    const position = await newestChange()
    const reading = await readRecords(object, customer)
    const permissions = permissionsOf('viewer', object.environment)
    const hasWays = customer !== undefined
    const records = masked(reading.records, permissions)
    const view = describe({ ...reading, object, hasWays, records }, readLocale(searchParams))
    return { status: 200, body: { view, position, pulse, expiresInMs: expiresAt.getTime() - Date.now() } }
  })
}

/** What the request's token opens. Throws `EMBED_REFUSED`, the same for every reason. */
async function claimsOf(request: Request): Promise<EmbedClaims & { expiresAt: Date }> {
  const settings = consoleSettings()
  const token = bearerOf(request)
  const claims = token === null ? null : await verifyEmbedToken(settings, token)
  if (claims && isForHost(claims, request) && (await isCreatorActive(claims))) return claims
  throw refuse(request)
}

/** Counts the request as refused. Returns `EMBED_REFUSED`. */
function refuse(request: Request): AppError {
  limitFailures(request)
  return refused()
}

/**
 * What the request reads: the token's object, or a card account of the token's customer, or a card or transaction of one. Null
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
  return new AppError('EMBED_REFUSED', 'The token is missing, expired or revoked, or for something else.')
}

type Reading = Omit<EmbedReading, 'object' | 'hasWays'>

async function readRecords(
  { environment, type, id, cardAccountId }: EmbedObject,
  customer: EmbedCustomer | undefined,
): Promise<Reading> {
  requireService(environment)
  if (type === 'customer') return readCustomer(environment, customer ?? { cardAccountIds: [id], foundBy: 'id' })
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
    if (!isOfAccount(transaction, account)) throw new AppError('TRANSACTION_NOT_FOUND', 'There is no such transaction.')
    const decline = await orNull(readDecline(environment, transaction, account))
    return { records: { type, transaction, account, decline }, fetchedAt: fetchedAt.toISOString(), isStored: false }
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
async function hasChanged({ customer }: EmbedClaims, object: EmbedObject, position: number): Promise<boolean> {
  const rows = await rowsAfter(position, longestPoll)
  const about = rows.filter(({ environment }) => environment === object.environment).flatMap((row) => row.about)
  const { type, id, cardAccountId } = object
  const accountIds = type === 'customer' && customer ? customer.cardAccountIds : [cardAccountId ?? id]
  return rows.length === longestPoll || about.some((change) => concerns(type, accountIds, change))
}

function concerns(type: EmbedObject['type'], accountIds: readonly string[], change: Change): boolean {
  if (type === 'payout') return change.type === 'payouts'
  const isOwn = (id: string) => accountIds.some((one) => sameId(one, id))
  if (change.type === 'card') return isOwn(change.cardAccountId)
  return change.type === 'cardaccounts' || (change.type === 'cardaccount' && isOwn(change.id))
}

/** A service that ignores the filter `cardAccountId` finds the transactions of others. */
function isOfAccount(transaction: CardAccountTransaction, account: CardAccount): boolean {
  return transaction.cardAccountId === null || sameId(transaction.cardAccountId, account.id)
}

async function newestChange(): Promise<number> {
  const [row] = await database()
    .select({ id: max(changes.id) })
    .from(changes)
  return row?.id ?? 0
}
