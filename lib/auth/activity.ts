import 'server-only'
import { isFromOwnPage } from '#lib/audit/request-origin.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { noteActivity, requireSession, type Session } from './session.ts'
import type { SessionActivity } from './types.ts'

/** How long the session lasts. Reading it is no activity. Throws `NOT_SIGNED_IN`. */
export async function readSessionActivity(): Promise<SessionActivity> {
  return toActivity(await requireSession())
}

/**
 * The person did something: the idle time begins again. Throws `NOT_SIGNED_IN`, and `NOT_PERMITTED` for a request of another
 * site, which could keep a session open that nobody uses.
 */
export async function noteSessionActivity(request: Request): Promise<SessionActivity> {
  if (!isFromOwnPage(request, 'activity'))
    throw new AppError('NOT_PERMITTED', 'Activity is reported by pages of the console.')
  const session = await requireSession()
  return toActivity({ ...session, lastActiveAt: await noteActivity(session.sessionId, session.lastActiveAt) })
}

function toActivity({ staff, lastActiveAt }: Session): SessionActivity {
  const idleInMs = lastActiveAt.getTime() + consoleSettings().idleMs - Date.now()
  return { staffId: staff.id, role: staff.role, idleInMs: Math.max(0, idleInMs) }
}

/** The idle time of a session, for the page that warns before it ends. */
export function sessionIdleMs(): number {
  return consoleSettings().idleMs
}
