import 'server-only'
import { and, desc, eq, isNull, ne } from 'drizzle-orm'
import { z } from 'zod'
import { appendAudit } from '#lib/audit/chain.ts'
import { parseDevice } from '#lib/auth/device.ts'
import { requireSession } from '#lib/auth/session.ts'
import { staffTarget } from '#lib/auth/staff.ts'
import { requireStepUp } from '#lib/auth/step-up.ts'
import { database } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { action } from '#lib/gate/action.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isOpenSession, sessions } from '#lib/tables/staff.ts'
import { isFresh, listOwnPasskeys } from './passkeys.ts'
import type { OwnAccount } from './types.ts'

const mostSessions = 50

/** The person's own sessions that count, the present one and then the newest, and passkeys. Throws `NOT_SIGNED_IN`. */
export async function readOwnAccount(_environment: Environment): Promise<OwnAccount> {
  const current = await requireSession()
  const { idleMs, stepUp } = consoleSettings()
  const now = new Date()
  const isOpen = and(eq(sessions.staffId, current.staff.id), isOpenSession(now, new Date(now.getTime() - idleMs)))
  const [rows, sessionCount, passkeys] = await Promise.all([
    database()
      .select()
      .from(sessions)
      .where(isOpen)
      .orderBy(desc(eq(sessions.id, current.sessionId)), desc(sessions.createdAt), sessions.id)
      .limit(mostSessions),
    database().$count(sessions, isOpen),
    listOwnPasskeys(),
  ])
  return {
    staff: current.staff,
    isStepUpRequired: stepUp === 'required',
    passkeys,
    needsSignIn: passkeys.length === 0 && !isFresh(current),
    sessionCount,
    sessions: rows.map(({ id, userAgent, ipAddress, createdAt, lastActiveAt, expiresAt }) => ({
      id,
      isCurrent: id === current.sessionId,
      device: parseDevice(userAgent),
      ipAddress,
      createdAt: createdAt.toISOString(),
      lastActiveAt: lastActiveAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
  }
}

const Ending = z.object({ sessionId: z.uuid('must be a UUID').or(z.literal('others')) })
type EndSessionResult = { kind: 'done' } | NotStarted

/**
 * Ends one of the person's own sessions, or all but this one, with an audit entry: its next request is signed out. A passkey
 * confirms it, except for the present session, which signing out ends as well.
 */
export const endOwnSession = action('endOwnSession', {
  input: Ending,
  run: async (given, { staff, session: current }): Promise<EndSessionResult> => {
    const { sessionId } = given
    const target = staffTarget(staff)
    const isNamed = sessionId === 'others' ? ne(sessions.id, current.sessionId) : eq(sessions.id, sessionId)
    const isOwn = and(eq(sessions.staffId, staff.id), isNull(sessions.revokedAt))
    const open = await database().select({ id: sessions.id }).from(sessions).where(and(isOwn, isNamed)).limit(1)
    if (sessionId !== 'others' && open.length === 0) {
      throw new AppError('SESSION_NOT_FOUND', 'You have no such session.')
    }
    if (sessionId !== current.sessionId) {
      await requireStepUp({ kind: 'session.end', environment: null, operationId: null, input: given, target })
    }
    const now = new Date()
    const isOpen = isOpenSession(now, new Date(now.getTime() - consoleSettings().idleMs))
    await inTransaction(database(), async (tx) => {
      // Those that are over end as well, and are not counted: the page does not list them.
      const count = sessionId === 'others' ? await tx.$count(sessions, and(isOwn, isNamed, isOpen)) : 1
      await tx.update(sessions).set({ revokedAt: now, sealedIdToken: null }).where(and(isOwn, isNamed))
      const comment = count === 1 ? '1 session' : `${count} sessions`
      await appendAudit(tx, { by: staff, environment: null, act: 'session.end', target, outcome: 'done', comment })
    })
    return { kind: 'done' }
  },
})
