import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, eq, inArray, isNotNull, isNull, lt, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { cookies, headers } from 'next/headers'
import { cache } from 'react'
import { database, type Database } from '#lib/db/connection.ts'
import { perDatabase } from '#lib/db/per-database.ts'
import { openStored, sealStored } from '#lib/db/sealing.ts'
import { limitConcurrency } from '#lib/db/slots.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { directHeaders, type RequestHeaders } from '#lib/shared/direct-requests.ts'
import { type RequestContext, outsideRequestContext, inRequestContext } from '#lib/shared/request-context.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { withSanitizedErrors } from '#lib/shared/sanitized-errors.ts'
import { hourMs, secondMs } from '#lib/shared/time.ts'
import { isOpenSession, sessions, staff } from '#lib/tables/staff.ts'
import type { OpenedFrom } from './device.ts'
import { onlyRoles, listPermissions, type Permission, type Role } from './permissions.ts'
import { sessionCookieName, readSessionId, sessionOfCookies } from './token.ts'
import type { CurrentStaff, Staff } from './types.ts'

export const sessionLifetimeMs = 12 * hourMs

/** The session of this request, read afresh: a revocation or another role counts from the next request on. */
export const currentSession = cache((): Promise<Session | null> => {
  const request = requests.getStore()
  if (!request) return outsideRequestContext(() => withSanitizedErrors(readSession))
  if (request.session === null || Date.now() - request.readAt > sessionFreshMs) {
    request.session = withSanitizedErrors(readSession)
    request.readAt = Date.now()
  }
  return request.session
})

/** React's cache covers only the rendering of pages. A long request, such as an export, reads the session again and again. */
const requests = new AsyncLocalStorage<{ session: Promise<Session | null> | null; readAt: number }>()
const sessionFreshMs = secondMs

/** Runs a request of the API: within one second it reads the session once. */
export function withSharedSession<Result>(work: () => Promise<Result>): Promise<Result> {
  return requests.run({ session: null, readAt: 0 }, work)
}

/**
 * `authenticatedAt` is when the person authenticated: at the provider, or else here. `lastActiveAt` is the last thing that the
 * person did; see `noteActivity`.
 */
export type Session = { sessionId: string; staff: Staff; authenticatedAt: Date; lastActiveAt: Date; expiresAt: Date }

/** Where the staff of this installation come from. */
export function staffOrigin(): 'demo' | 'oidc' {
  return consoleSettings().isDemo ? 'demo' : 'oidc'
}

/** People who have access and come from this installation's sign-in. An invited person who has not signed in yet is none. */
export function hasAccess(): SQL | undefined {
  return and(
    eq(staff.origin, staffOrigin()),
    isNull(staff.disabledAt),
    or(eq(staff.origin, 'demo'), isNotNull(staff.oidcSubject)),
  )
}

async function readSession(): Promise<Session | null> {
  const settings = consoleSettings()
  const direct = directHeaders()
  const sessionId = direct
    ? await sessionOfCookies(direct.get('cookie') ?? undefined, settings)
    : await readSessionId((await cookies()).get(sessionCookieName(settings))?.value, settings)
  if (!sessionId) return null
  const [found] = await findMember(sessionId)
  if (!found) return null
  const { createdAt, authenticatedAt, lastActiveAt, expiresAt, ...member } = found
  const isOpened = isNavigation(direct ?? (await headers()))
  const activeAt = isOpened ? await noteActivity(sessionId, lastActiveAt) : lastActiveAt
  return { sessionId, staff: member, authenticatedAt: authenticatedAt ?? createdAt, lastActiveAt: activeAt, expiresAt }
}

/**
 * Whether a person opened a document. Requests that a page sends on its own (lists, live updates, prefetches) are not.
 */
function isNavigation(headers: RequestHeaders): boolean {
  return headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
}

/** Activity is written at most this often; a session may end so much earlier than its idle time. */
const activityStepMs = 30 * secondMs

/** Notes that the person did something just now. Returns the last activity as the session's row has it. */
export async function noteActivity(sessionId: string, lastActiveAt: Date): Promise<Date> {
  const now = new Date()
  if (now.getTime() - lastActiveAt.getTime() < activityStepMs) return lastActiveAt
  await database()
    .update(sessions)
    .set({ lastActiveAt: now })
    .where(and(eq(sessions.id, sessionId), lt(sessions.lastActiveAt, now)))
  return now
}

/** The signed-in person with their permissions, or null. */
export async function currentStaff(): Promise<CurrentStaff | null> {
  const session = await currentSession()
  return session && toCurrentStaff(session)
}

/** The signed-in person with their permissions. Throws `NOT_SIGNED_IN`. */
export async function requireCurrentStaff(): Promise<CurrentStaff> {
  return toCurrentStaff(await requireSession())
}

function toCurrentStaff({ staff }: Session): CurrentStaff {
  const heldIn = (environment: Environment) => listPermissions(staff.role, environment)
  return { staff, permissions: { sandbox: heldIn('sandbox'), production: heldIn('production') } }
}

/** The session of this request. Throws `NOT_SIGNED_IN` where there is none. */
export async function requireSession(): Promise<Session> {
  const session = await currentSession()
  if (session) return session
  throw new AppError('NOT_SIGNED_IN', 'You are signed out. Sign in and try again.')
}

/** The signed-in person, who has the permission: lib/gate checks it for each read. Throws `NOT_SIGNED_IN` and `NOT_PERMITTED`. */
export async function requirePermission(permission: Permission, environment: Environment): Promise<Staff> {
  const { staff } = await requireSession()
  if (!listPermissions(staff.role, environment).includes(permission)) {
    throw new AppError('NOT_PERMITTED', onlyRoles(permission, environment))
  }
  return staff
}

/** The data of a provider's sign-in that the session stores; see the columns. */
export type OidcSession = { oidcSessionId: string | null; idToken: string | null; authenticatedAt: Date | null }

/** Opens a session of 12 hours at most. Always under a new id: one that came with the request counts for nothing. */
export async function openSession(
  db: Database,
  staffId: string,
  { ipAddress, userAgent }: OpenedFrom = { ipAddress: null, userAgent: null },
  { oidcSessionId, idToken, authenticatedAt }: OidcSession = {
    oidcSessionId: null,
    idToken: null,
    authenticatedAt: null,
  },
): Promise<string> {
  const id = randomUUID()
  const createdAt = new Date()
  await db.insert(sessions).values({
    id,
    staffId,
    createdAt,
    authenticatedAt,
    lastActiveAt: createdAt,
    expiresAt: new Date(createdAt.getTime() + sessionLifetimeMs),
    ipAddress,
    userAgent,
    oidcSessionId,
    sealedIdToken: idToken ? sealStored(Buffer.from(idToken), id) : null,
  })
  return id
}

/** Ends a session. Returns the id of its member of staff and its ID token, or null when it had ended before. */
export async function revokeSession(
  db: Database,
  sessionId: string,
): Promise<{ staffId: string; idToken: string | null } | null> {
  const isOpen = and(eq(sessions.id, sessionId), isNull(sessions.revokedAt))
  return inTransaction(db, async (tx) => {
    const [open] = await tx.select().from(sessions).where(isOpen).for('update')
    if (!open) return null
    await tx.update(sessions).set({ revokedAt: new Date(), sealedIdToken: null }).where(isOpen)
    const sealed = open.sealedIdToken
    const idToken = sealed && openStored(sealed, sessionId).toString('utf8')
    return { staffId: open.staffId, idToken }
  })
}

/** Open sessions of people who have access and come from this installation's sign-in. */
function isOfMember(now: Date | SQLWrapper, activeSince: Date | SQLWrapper, origin: 'demo' | 'oidc' | SQLWrapper) {
  return and(isOpenSession(now, activeSince), eq(staff.origin, origin), isNull(staff.disabledAt))
}

const unsent = new Map<string, ReturnType<typeof readMember>>()

/** The rows of `memberOfSession`. Requests that arrive in one turn of the event loop share the read, which begins after all of them. */
function findMember(sessionId: string): ReturnType<typeof readMember> {
  const waiting = unsent.get(sessionId) ?? nextTurn().then(() => readMember(sessionId))
  unsent.set(sessionId, waiting)
  return waiting
}

async function readMember(sessionId: string) {
  unsent.delete(sessionId)
  const now = new Date()
  const activeSince = new Date(now.getTime() - consoleSettings().idleMs)
  return memberOfSession(database()).execute({ sessionId, origin: staffOrigin(), now, activeSince })
}

/** Every request of the console begins with it. */
const memberOfSession = perDatabase((db) =>
  db
    .select({
      id: staff.id,
      name: staff.name,
      email: staff.email,
      role: staff.role,
      createdAt: sessions.createdAt,
      authenticatedAt: sessions.authenticatedAt,
      lastActiveAt: sessions.lastActiveAt,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .innerJoin(staff, eq(staff.id, sessions.staffId))
    .where(
      and(
        eq(sessions.id, sql.placeholder('sessionId')),
        isOfMember(sql.placeholder('now'), sql.placeholder('activeSince'), sql.placeholder('origin')),
      ),
    )
    .prepare('console_member_of_session'),
)

/** The sessions that are still valid, each with the role of its member of staff, for streams that stay open. */
export async function listLiveSessions(ids: readonly string[]): Promise<Map<string, Role>> {
  const { idleMs } = consoleSettings()
  const now = new Date()
  const rows = await database()
    .select({ id: sessions.id, role: staff.role })
    .from(sessions)
    .innerJoin(staff, eq(staff.id, sessions.staffId))
    .where(and(inArray(sessions.id, [...ids]), isOfMember(now, new Date(now.getTime() - idleMs), staffOrigin())))
  return new Map(rows.map(({ id, role }) => [id, role]))
}

/** Reads of one person that run at once, in all tabs: heavy ones leave connections of the database to other people. */
const readsOfPerson = 6

/** Runs a read for the person of this request, who may leave (`signal`). Throws `CallerBusy` where too many others of the person run. */
export async function withRequestContext<Value>(context: RequestContext, read: () => Promise<Value>): Promise<Value> {
  const session = await currentSession()
  return inRequestContext(context, () =>
    session ? limitConcurrency(`staff ${session.staff.id}`, readsOfPerson, context.signal, read) : read(),
  )
}
