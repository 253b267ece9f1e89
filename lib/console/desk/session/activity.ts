import 'server-only'
import { withBareFailures } from '../bare-failure.ts'
import { consoleSettings } from '../settings.ts'
import type { SessionActivity } from '../shapes.ts'
import { currentSession, noteActivity, notSignedIn, type Session } from './session.ts'

/** How long the session lasts. Reading it is no activity. Throws `NOT_SIGNED_IN`. */
export async function readSessionActivity(): Promise<SessionActivity> {
  const session = await currentSession()
  if (!session) throw notSignedIn()
  return activityOf(session)
}

/** The person did something: the idle time begins again. Throws `NOT_SIGNED_IN`. */
export async function noteSessionActivity(): Promise<SessionActivity> {
  const session = await currentSession()
  if (!session) throw notSignedIn()
  return withBareFailures(async () =>
    activityOf({ ...session, lastActiveAt: await noteActivity(session.sessionId, session.lastActiveAt) }),
  )
}

function activityOf({ staff, lastActiveAt, expiresAt }: Session): SessionActivity {
  const now = Date.now()
  return {
    staffId: staff.id,
    role: staff.role,
    idleInMs: Math.max(0, lastActiveAt.getTime() + consoleSettings().idleMs - now),
    expiresInMs: Math.max(0, expiresAt.getTime() - now),
  }
}

/** The idle time of a session, for the page that warns before it ends. */
export function sessionIdleMs(): number {
  return consoleSettings().idleMs
}
