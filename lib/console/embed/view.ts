import 'server-only'
import { max } from 'drizzle-orm'
import { masked } from '#lib/auth/masking.ts'
import { permissionsOf } from '#lib/auth/permissions.ts'
import { database } from '#lib/db/connection.ts'
import { rowsAfter } from '#lib/live/feed.ts'
import type { Change } from '#lib/live/types.ts'
import { AppError } from '#lib/shared/app-error.ts'
import type { EmbedObject } from '#lib/shared/embed-view.ts'
import { sameId } from '#lib/shared/ids.ts'
import { type Locale, readLocale } from '#lib/shared/locale.ts'
import { changes } from '#lib/tables/changes.ts'
import { authorize } from './authorize.ts'
import { embedResponse, isWithinLimit } from './http.ts'
import { pulseOf } from './pulse.ts'
import { readRecords } from './read-records.ts'
import { readRequests } from './read-requests.ts'
import type { EmbedClaims } from './token.ts'
import type { EmbedReading } from './types.ts'

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
    const claims = await authorize(request)
    const { creator, customer, expiresAt, opened: object } = claims
    const { searchParams } = new URL(request.url)
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
    const requests = await readRequests(claims, reading.records)
    const permissions = permissionsOf('viewer', object.environment)
    const hasWays = customer !== undefined
    const records = masked(reading.records, permissions)
    const view = describe(
      { ...reading, object, hasWays, hasLink: claims.hasLink, records, requests },
      readLocale(searchParams),
    )
    return { status: 200, body: { view, position, pulse, expiresInMs: expiresAt.getTime() - Date.now() } }
  })
}

/** Whether something changed after `position` that the view may show; also where too much did to list. */
async function hasChanged(
  { customer, ticketOrigin }: EmbedClaims,
  object: EmbedObject,
  position: number,
): Promise<boolean> {
  const rows = await rowsAfter(position, longestPoll)
  const about = rows.filter(({ environment }) => environment === object.environment).flatMap((row) => row.about)
  const { type, id, cardAccountId } = object
  const accountIds = type === 'customer' && customer ? customer.cardAccountIds : [cardAccountId ?? id]
  const isOfRequests = ({ type: changed }: Change) => ticketOrigin !== undefined && requestChanges.has(changed)
  return (
    rows.length === longestPoll || about.some((change) => isOfRequests(change) || concerns(type, accountIds, change))
  )
}

/** What says that a request from a ticket has come on, or that others can be made. */
const requestChanges: ReadonlySet<Change['type']> = new Set(['approvals', 'operation', 'notes', 'policy'])

function concerns(type: EmbedObject['type'], accountIds: readonly string[], change: Change): boolean {
  if (type === 'payout') return change.type === 'payouts'
  const isOwn = (id: string) => accountIds.some((one) => sameId(one, id))
  if (change.type === 'card') return isOwn(change.cardAccountId)
  return change.type === 'cardaccounts' || (change.type === 'cardaccount' && isOwn(change.id))
}

async function newestChange(): Promise<number> {
  const [row] = await database()
    .select({ id: max(changes.id) })
    .from(changes)
  return row?.id ?? 0
}
