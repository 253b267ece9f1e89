import 'server-only'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
  type AuthenticationResponseJSON,
} from '@simplewebauthn/server'
import { and, asc, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import { appendAudit } from '#lib/audit/chain.ts'
import { recordRefusedAttempt } from '#lib/audit/refused-attempts.ts'
import type { Target } from '#lib/audit/types.ts'
import { database, type Database, type Queryable } from '#lib/db/connection.ts'
import { keyedDigest } from '#lib/db/sealing.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { canonicalJson } from '#lib/shared/json.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { passkeys, stepUps } from '#lib/tables/step-up.ts'
import { requireSession, type Session } from './session.ts'
import type { StepUpRequest } from './types.ts'

/** The action that a person confirms; the confirmation is valid for no other. */
export type ConfirmedAction = {
  kind: string
  environment: Environment | null
  /** The id of the operation; null for actions that are not in the journal. */
  operationId: string | null
  /** The parsed input, as JSON can have it. */
  input: unknown
  target: Target | null
}

/** The action waits for a passkey: the same action is sent again once the passkey has signed. */
export class StepUpRequired extends AppError {
  readonly stepUp: StepUpRequest

  constructor(stepUp: StepUpRequest) {
    super('STEP_UP_REQUIRED', 'Confirm this with your passkey.')
    this.stepUp = stepUp
  }
}

/** From the request to the use: a signature that comes later counts for nothing. */
export const stepUpLifetimeMs = minuteMs

/**
 * Returns where this very action was confirmed by a passkey of the person, in this session and within the last minute, and
 * uses the confirmation up, with an audit entry. Otherwise it throws `STEP_UP_REQUIRED` with what the browser needs.
 * People without a passkey get `PASSKEY_REQUIRED`, or pass where `STEP_UP` is `optional`.
 */
export async function requireStepUp(action: ConfirmedAction): Promise<void> {
  const session = await requireSession()
  const db = database()
  const keys = await readPasskeys(db, session.staff.id)
  if (keys.length === 0) {
    if (consoleSettings().stepUp === 'optional') return
    const { kind, environment, target, operationId } = action
    const code = 'PASSKEY_REQUIRED' as const
    await recordRefusedAttempt(db, { by: session.staff, environment, act: kind, target, code, operationId })
    throw new AppError(code, 'This needs a passkey, and you have none yet.')
  }
  const digest = actionDigest(action, session)
  if (await useConfirmation(db, action, session, digest)) return
  const { id, challenge } = await openChallenge(db, session, action.kind, digest)
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge: new Uint8Array(challenge),
    allowCredentials: keys.map(({ id, transports }) => ({ id, transports })),
    userVerification: 'required',
    timeout: stepUpLifetimeMs,
  })
  throw new StepUpRequired({ id, options })
}

/**
 * Verifies the signature of a passkey over the challenge of a requested confirmation, which counts from then on. One
 * attempt for each request. Throws `STEP_UP_REFUSED`, audited, for another person's passkey or session, another challenge
 * or origin, a passkey that did not verify its user, and a request that is used, attempted before or older than a minute.
 */
export async function confirmStepUp(id: string, response: AuthenticationResponseJSON): Promise<void> {
  const session = await requireSession()
  const db = database()
  const requested = await takeChallenge(db, session, id)
  const key = (await readPasskeys(db, session.staff.id)).find((one) => one.id === response.id)
  const verified =
    requested && key
      ? await verifyAuthenticationResponse({
          response,
          expectedChallenge: makeChallenge(requested).toString('base64url'),
          expectedOrigin: relyingParty().origin,
          expectedRPID: relyingParty().id,
          credential: {
            id: key.id,
            publicKey: new Uint8Array(key.publicKey),
            counter: key.counter,
          },
          requireUserVerification: true,
        }).catch(() => null)
      : null
  if (!requested || !key || !verified?.verified) {
    const act = requested?.kind ?? 'step-up'
    const code = 'STEP_UP_REFUSED' as const
    await recordRefusedAttempt(db, { by: session.staff, environment: null, act, target: null, code })
    throw new AppError(code, 'The passkey didn’t confirm this.')
  }
  const { newCounter } = verified.authenticationInfo
  await inTransaction(db, async (tx) => {
    await tx.update(passkeys).set({ counter: newCounter, lastUsedAt: new Date() }).where(eq(passkeys.id, key.id))
    await tx.update(stepUps).set({ confirmedBy: key.id }).where(eq(stepUps.id, requested.id))
  })
}

/** A new challenge of this session: SHA-256 of random bytes and the digest, so that the signature itself names the action. */
export async function openChallenge(
  db: Database,
  session: Session,
  kind: string,
  digest: string,
): Promise<{ id: string; challenge: Buffer }> {
  const now = new Date()
  const row = { id: randomUUID(), nonce: randomBytes(32).toString('base64url'), digest }
  await db.insert(stepUps).values({
    ...row,
    kind,
    staffId: session.staff.id,
    sessionId: session.sessionId,
    expiresAt: new Date(now.getTime() + stepUpLifetimeMs),
  })
  return { id: row.id, challenge: makeChallenge(row) }
}

/** The challenge of this session under that id, usable once; null where there is no valid one. */
export async function takeChallenge(db: Database, session: Session, id: string) {
  if (!isUuid(id)) return null
  const now = new Date()
  const [taken] = await db
    .update(stepUps)
    .set({ attemptedAt: now })
    .where(
      and(
        eq(stepUps.id, id),
        eq(stepUps.staffId, session.staff.id),
        eq(stepUps.sessionId, session.sessionId),
        isNull(stepUps.attemptedAt),
        gt(stepUps.expiresAt, now),
      ),
    )
    .returning()
  return taken ?? null
}

export function makeChallenge({ nonce, digest }: { nonce: string; digest: string }): Buffer {
  return createHash('sha256').update(Buffer.from(nonce, 'base64url')).update(Buffer.from(digest, 'hex')).digest()
}

/** The console as passkeys know it: the host name that people open it under, and its origin. */
export function relyingParty(): { id: string; origin: string } {
  const { hostname, origin } = new URL(consoleSettings().consoleUrl)
  return { id: hostname, origin }
}

export function readPasskeys(db: Queryable, staffId: string) {
  return db.select().from(passkeys).where(eq(passkeys.staffId, staffId)).orderBy(asc(passkeys.createdAt))
}

export function actionDigest(
  { kind, environment, operationId, input }: ConfirmedAction,
  { sessionId }: Session,
): string {
  const parts = [kind, environment, operationId, canonicalJson(input), sessionId]
  return keyedDigest(consoleSettings().sealingKey, parts)
}

/** Uses up a confirmation of exactly this action, with its audit entry. False where there is none. */
async function useConfirmation(
  db: Database,
  { kind, environment, target, operationId }: ConfirmedAction,
  { staff, sessionId }: Session,
  digest: string,
): Promise<boolean> {
  const now = new Date()
  return inTransaction(db, async (tx) => {
    const used = await tx
      .update(stepUps)
      .set({ usedAt: now })
      .where(
        and(
          eq(stepUps.sessionId, sessionId),
          eq(stepUps.staffId, staff.id),
          eq(stepUps.digest, digest),
          isNotNull(stepUps.confirmedBy),
          isNull(stepUps.usedAt),
          gt(stepUps.expiresAt, now),
        ),
      )
      .returning({ confirmedBy: stepUps.confirmedBy })
    const [confirmed] = used
    if (!confirmed) return false
    const [key] = await tx
      .select({ name: passkeys.name })
      .from(passkeys)
      .where(and(eq(passkeys.id, confirmed.confirmedBy ?? ''), eq(passkeys.staffId, staff.id)))
    if (!key) return false
    const comment = `${kind} with the passkey ${key.name}`
    await appendAudit(tx, { by: staff, environment, act: 'step-up', target, outcome: 'done', comment, operationId })
    return true
  })
}
