import { decode } from 'next-auth/jwt'
import type { ConsoleSettings } from '#lib/settings/console-settings.ts'
import { createCache } from '#lib/shared/cache.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { minuteMs } from '#lib/shared/time.ts'

/** `__Host-` binds the cookie to this very host and to https. */
export function sessionCookieName(settings: Pick<ConsoleSettings, 'consoleUrl'>): string {
  return isSecure(settings) ? '__Host-carddesk-session' : 'carddesk-session'
}

/** How the cookie is set, and taken away again. */
export function sessionCookieOptions(settings: Pick<ConsoleSettings, 'consoleUrl'>) {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(settings) } as const
}

/** Whether people open the console by https. */
export function isSecure({ consoleUrl }: Pick<ConsoleSettings, 'consoleUrl'>): boolean {
  return consoleUrl.startsWith('https:')
}

const opened = createCache(1000)

/**
 * The session that a cookie names; null where this console did not seal it. Opening one derives a key each time, so an opened
 * one is cached for a minute; whether its session still counts is read from the database every time.
 */
export async function readSessionId(token: string | undefined, secrets: Secrets): Promise<string | null> {
  if (!token) return null
  return opened.fetch(
    `${secrets.sessionSecret} ${token}`,
    () => openToken(token, secrets),
    (sessionId) => (sessionId === null ? 0 : minuteMs),
  )
}

type Secrets = Pick<ConsoleSettings, 'sessionSecret' | 'previousSessionSecret'>

async function openToken(
  token: string,
  { sessionSecret: secret, previousSessionSecret: previous }: Secrets,
): Promise<string | null> {
  const payload =
    (await decode({ token, secret }).catch(() => null)) ??
    (previous === null ? null : await decode({ token, secret: previous }).catch(() => null))
  const sessionId = payload?.sessionId
  return typeof sessionId === 'string' && isUuid(sessionId) ? sessionId : null
}

/** The session that a `Cookie` header names; null where this console sealed no cookie in it. The session itself may be over. */
export function sessionOfCookies(cookieHeader: string | undefined, settings: ConsoleSettings): Promise<string | null> {
  const name = `${sessionCookieName(settings)}=`
  const pair = cookieHeader?.split(/; */).find((each) => each.startsWith(name))
  return readSessionId(pair?.slice(name.length), settings)
}
