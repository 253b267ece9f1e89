import 'server-only'
import { masked } from '#lib/auth/masking.ts'
import { listPermissions } from '#lib/auth/permissions.ts'
import { findNewestChange } from '#lib/live/feed.ts'
import type { Locale } from '#lib/shared/locale.ts'
import { authorize } from './authorize.ts'
import { embedResponse, requireLimit } from './http.ts'
import { hasNews } from './news.ts'
import { readPulse } from './pulse.ts'
import { readLocale } from './read-locale.ts'
import { readRecords } from './read-records.ts'
import { readRequests } from './read-requests.ts'
import type { EmbedReading } from './types.ts'

/**
 * `GET /api/embed/view`: one object as `describe` shows it in the locale of the URL, for a token that is checked on every request. With `?after=` and
 * no change since that position, and with `&pulse=` none of the service's state, the response is a 204; with `&wait=1` the response
 * comes as soon as there is a change, or after four seconds. Whatever is wrong with a token, the response is the same 403. A 404 is
 * for a token whose own object does not exist.
 */
export function respondToViewRequest<View>(
  request: Request,
  describe: (reading: EmbedReading, locale: Locale) => View,
): Promise<Response> {
  return embedResponse(request, async () => {
    const claims = await authorize(request)
    const { creator, customer, expiresAt, opened: object } = claims
    const { searchParams } = new URL(request.url)
    const isWaiting = searchParams.get('wait') === '1'
    requireLimit('reads', [creator.id, object.environment, object.type, object.id].join(' '))
    const after = /^\d{1,15}$/.exec(searchParams.get('after') ?? '')?.[0]
    if (after !== undefined) {
      const known = { after: Number(after), pulse: searchParams.get('pulse') }
      if (!(await hasNews(claims, known, isWaiting ? request.signal : null))) return { status: 200, body: null }
      // The token may have ended meanwhile.
      if (isWaiting) await authorize(request)
    }
    const pulse = await readPulse(object.environment)
    const position = await findNewestChange()
    const reading = await readRecords(object, customer)
    const requests = await readRequests(claims, reading.records)
    const permissions = listPermissions('viewer', object.environment)
    const hasWays = customer !== undefined
    const records = masked(reading.records, permissions)
    const view = describe(
      { ...reading, object, hasWays, hasLink: claims.hasLink, records, requests },
      readLocale(searchParams),
    )
    return { status: 200, body: { view, position, pulse, expiresInMs: expiresAt.getTime() - Date.now() } }
  })
}
