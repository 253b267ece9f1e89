import 'server-only'
import { randomUUID } from 'node:crypto'
import { readRequestOrigin } from '#lib/audit/request-origin.ts'
import { AppError, isAppError } from '#lib/shared/app-error.ts'
import { logFailure, logRefused } from '#lib/shared/log.ts'
import { minuteCounter } from '#lib/shared/minute-counter.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'

const count = minuteCounter('carddeskEmbedRequests')

/** The limits of embeds per minute, in each process of the console separately. */
export const embedLimits = {
  /** Reads of one object through the tokens of one creator: a view reads 15 to 20 times, and 60 changes as they come. */
  reads: 240,
  /** Requests of one IP address with a token or key that is refused. */
  failures: 120,
  /**
   * Tokens created by one key: 270 agents who open tickets with four views each, all within the same minute. Open views renew every
   * nine minutes, which is a tenth of that.
   */
  tokens: 1200,
  /** Tokens created by one member of staff. */
  staffTokens: 120,
  /** Changes that one agent of a help desk requests. */
  requests: 20,
}

/** Counts a request. Throws `TOO_MANY_ATTEMPTS` where its subject has made more than its limit. */
export function requireLimit(kind: keyof typeof embedLimits, subject: string, excess = 'Too many requests.'): void {
  if (count(`${kind} ${subject}`, 1) <= embedLimits[kind]) return
  throw new AppError('TOO_MANY_ATTEMPTS', `${excess} Try again in a minute.`)
}

/** Limits count by the minute of the clock. */
function secondsToNextMinute(): number {
  return Math.ceil((minuteMs - (Date.now() % minuteMs)) / secondMs)
}

const maximumBearer = 4096

/** The token of `Authorization: Bearer …`; null where there is none. Cookies count for nothing here. */
export function parseBearer(request: Request): string | null {
  const [, bearer = ''] = /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return bearer !== '' && bearer.length <= maximumBearer ? bearer : null
}

/** Counts a refused token or key against the address it came from, and logs it. Throws `TOO_MANY_ATTEMPTS`. */
export function limitFailures(request: Request): void {
  const address = readRequestOrigin(request.headers).ipAddress ?? 'unknown'
  requireLimit('failures', address)
  logRefused('an embed token or key', { address })
}

/** The response of `work` as JSON, or the error as `{ code, message, requestId }`. A body of null is a 204. */
export async function embedResponse(
  request: Request,
  work: () => Promise<{ status: number; body: unknown }>,
): Promise<Response> {
  const requestId = randomUUID()
  const headers: Record<string, string> = { 'x-request-id': requestId, 'cache-control': 'no-store' }
  try {
    const { status, body } = await work()
    return body === null ? new Response(null, { status: 204, headers }) : Response.json(body, { status, headers })
  } catch (error) {
    if (isAppError(error)) {
      const { code, message, status } = error
      if (code === 'TOO_MANY_ATTEMPTS') headers['retry-after'] = String(secondsToNextMinute())
      return Response.json({ code, message, requestId }, { status, headers })
    }
    logFailure(error, { requestId, path: new URL(request.url).pathname })
    const message = 'Something went wrong in the console. Try again.'
    return Response.json({ code: 'UNEXPECTED', message, requestId }, { status: 500, headers })
  }
}
