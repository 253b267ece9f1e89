import { decode } from 'next-auth/jwt'
import type { ConsoleSettings } from '#lib/settings/console-settings.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { minuteMs } from '#lib/shared/time.ts'

/** `__Host-` binds the cookie to this very host and to https. */
export function sessionCookieName(settings: Pick<ConsoleSettings, 'consoleUrl'>): string {
  return settings.consoleUrl.startsWith('https:') ? '__Host-carddesk-session' : 'carddesk-session'
}

type OpenedToken = { sessionId: string; secret: string; openedAt: number }
const opened = new Map<string, OpenedToken>()
const keepOpenedMs = minuteMs
const mostOpened = 1_000

/**
 * The session that a cookie names; null where this console did not seal it. Opening one derives a key each time, so an opened
 * one is cached for a minute; whether its session still counts is read from the database every time.
 */
export async function readSessionId(
  token: string | undefined,
  {
    sessionSecret: secret,
    previousSessionSecret: previous,
  }: Pick<ConsoleSettings, 'sessionSecret' | 'previousSessionSecret'>,
): Promise<string | null> {
  if (!token) return null
  const cached = opened.get(token)
  if (cached && cached.secret === secret && Date.now() - cached.openedAt < keepOpenedMs) return cached.sessionId
  const payload =
    (await decode({ token, secret }).catch(() => null)) ??
    (previous === null ? null : await decode({ token, secret: previous }).catch(() => null))
  const sessionId = payload?.sessionId
  if (typeof sessionId !== 'string' || !isUuid(sessionId)) return null
  if (opened.size >= mostOpened) opened.clear()
  opened.set(token, { sessionId, secret, openedAt: Date.now() })
  return sessionId
}

/** The session that a `Cookie` header names; null where this console sealed no cookie in it. The session itself may be over. */
export function sessionOfCookies(cookieHeader: string | undefined, settings: ConsoleSettings): Promise<string | null> {
  const name = `${sessionCookieName(settings)}=`
  const pair = cookieHeader?.split(/; */).find((each) => each.startsWith(name))
  return readSessionId(pair?.slice(name.length), settings)
}
