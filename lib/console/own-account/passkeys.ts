import 'server-only'
import {
  generateRegistrationOptions,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { appendAudit } from '#lib/audit/chain.ts'
import { requireCurrentStaff, type Session } from '#lib/auth/session.ts'
import { staffTarget } from '#lib/auth/staff.ts'
import {
  makeChallenge,
  confirmStepUp as verifyStepUp,
  actionDigest,
  openChallenge,
  readPasskeys,
  relyingParty,
  requireStepUp,
  stepUpLifetimeMs,
  takeChallenge,
  type ConfirmedAction,
} from '#lib/auth/step-up.ts'
import { database, type Transaction } from '#lib/db/connection.ts'
import { lockByName } from '#lib/db/locks.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { action } from '#lib/gate/action.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { asFields } from '#lib/shared/json.ts'
import { plainText } from '#lib/shared/parse.ts'
import { isoTime, minuteMs } from '#lib/shared/time.ts'
import { passkeys } from '#lib/tables/step-up.ts'
import type { EnrolmentResult, Passkey } from './types.ts'

type PasskeyResult = { kind: 'done' } | NotStarted

const most = 10
/** A person who authenticated this recently has just signed in; single sign-on alone opens a session without it. */
const freshMs = 15 * minuteMs
/** Whether the sign-in is recent enough to add a first passkey. */
export function isFresh({ authenticatedAt }: Session): boolean {
  return Date.now() - authenticatedAt.getTime() <= freshMs
}

const Name = plainText(60)
  .trim()
  .refine((name) => name !== '', 'must not be empty')
const ById = z.object({ id: z.string('must be an id').max(1500) })
const Renaming = ById.extend({ name: Name })
const passkeyResponse = <Json>() =>
  z.custom<Json>((given) => typeof asFields(given).id === 'string', 'must be the response of a passkey')
const Confirmation = ById.extend({ response: passkeyResponse<AuthenticationResponseJSON>() })
const Enrolment = ById.extend({ name: Name, response: passkeyResponse<RegistrationResponseJSON>() })
/** EdDSA, ES256 and RS256 (all that some Windows devices have), by their COSE numbers. A device takes the first one that it has. */
const algorithms = [-8, -7, -257]

export async function listOwnPasskeys(): Promise<Passkey[]> {
  const rows = await readPasskeys(database(), (await requireCurrentStaff()).staff.id)
  return rows.map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: isoTime(lastUsedAt),
  }))
}

/**
 * Options with which the browser makes a passkey. The first one takes a sign-in that is 15 minutes old at most, each further
 * one a confirmation by one that there is: a session that somebody took over can add none.
 */
export const beginEnrolment = action('beginEnrolment', {
  input: z.unknown(),
  run: async (_given, { staff, session }): Promise<EnrolmentResult> => {
    const db = database()
    const own = await readPasskeys(db, staff.id)
    if (own.length >= most) throw new AppError('INVALID_PARAMETERS', `You have ${most} passkeys. Remove one first.`)
    if (own.length > 0) await requireStepUp(ownAction('passkey.add', session, {}))
    else if (!isFresh(session)) {
      throw new AppError('SIGN_IN_AGAIN', 'You signed in more than 15 minutes ago.')
    }
    const { id, challenge } = await openChallenge(db, session, 'passkey.add', digestOfEnrolment(session, own))
    const options = await generateRegistrationOptions({
      rpName: 'Carddesk',
      rpID: relyingParty().id,
      userID: new Uint8Array(Buffer.from(staff.id)),
      userName: staff.email || staff.name,
      userDisplayName: staff.name,
      challenge: new Uint8Array(challenge),
      timeout: stepUpLifetimeMs,
      attestationType: 'none',
      supportedAlgorithmIDs: algorithms,
      excludeCredentials: own.map((key) => ({ id: key.id, transports: key.transports })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    })
    return { kind: 'ready', enrolment: { id, options } }
  },
})

/** Stores the passkey that the browser made, with its audit entry. The person has the passkeys that they had when it was begun. */
export const finishEnrolment = action('finishEnrolment', {
  input: Enrolment,
  run: async ({ id: challengeId, name, response }, { session }): Promise<PasskeyResult> => {
    const db = database()
    const requested = await takeChallenge(db, session, challengeId)
    const { registrationInfo } = (requested && (await verifyEnrolment(requested, response))) || {}
    await inTransaction(db, async (tx) => {
      await lockByName(tx, 'passkeys of a person', session.staff.id)
      const isSameEnrolment = requested?.digest === digestOfEnrolment(session, await readPasskeys(tx, session.staff.id))
      if (!isSameEnrolment || !registrationInfo) {
        throw new AppError('STEP_UP_REFUSED', 'The passkey wasn’t accepted. Start again.')
      }
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential
      const added = await tx
        .insert(passkeys)
        .values({
          id,
          staffId: session.staff.id,
          name,
          publicKey: Buffer.from(publicKey),
          counter,
          transports,
          createdAt: new Date(),
        })
        .onConflictDoNothing()
        .returning({ id: passkeys.id })
      if (added.length === 0) throw new AppError('STEP_UP_REFUSED', 'This passkey is enrolled already.')
      await audit(tx, session, 'passkey.add', name)
    })
    return { kind: 'done' }
  },
})

export const renamePasskey = action('renamePasskey', {
  input: Renaming,
  run: ({ id, name }, { session }) =>
    changeOwn(session, id, async (tx, key) => {
      await tx.update(passkeys).set({ name }).where(eq(passkeys.id, key.id))
      await audit(tx, session, 'passkey.rename', `${key.name} to ${name}`)
    }),
})

/** Removes one of the person's own passkeys, once a passkey has confirmed it. */
export const removePasskey = action('removePasskey', {
  input: ById,
  run: async ({ id }, { session }) => {
    await requireOwn(session, id)
    await requireStepUp(ownAction('passkey.remove', session, { id }))
    return changeOwn(session, id, async (tx, key) => {
      await tx.delete(passkeys).where(eq(passkeys.id, key.id))
      await audit(tx, session, 'passkey.remove', key.name)
    })
  },
})

/** The browser's response after the passkey has signed; see `requireStepUp`. */
export const confirmStepUp = action('confirmStepUp', {
  input: Confirmation,
  run: async ({ id, response }): Promise<PasskeyResult> => {
    await verifyStepUp(id, response)
    return { kind: 'done' }
  },
})

async function requireOwn({ staff }: Session, id: string): Promise<void> {
  const own = await readPasskeys(database(), staff.id)
  if (!own.some((key) => key.id === id)) throw notFound()
}

/** Changes one of the person's own passkeys. Throws `PASSKEY_NOT_FOUND`. */
async function changeOwn(
  { staff }: Session,
  id: string,
  change: (tx: Transaction, key: typeof passkeys.$inferSelect) => Promise<void>,
): Promise<PasskeyResult> {
  await inTransaction(database(), async (tx) => {
    const byId = and(eq(passkeys.id, id), eq(passkeys.staffId, staff.id))
    const [key] = await tx.select().from(passkeys).where(byId).for('update')
    if (!key) throw notFound()
    await change(tx, key)
  })
  return { kind: 'done' }
}

function notFound(): AppError {
  return new AppError('PASSKEY_NOT_FOUND', 'You have no such passkey.')
}

async function verifyEnrolment(requested: { nonce: string; digest: string }, response: RegistrationResponseJSON) {
  const { id, origin } = relyingParty()
  return verifyRegistrationResponse({
    response,
    expectedChallenge: makeChallenge(requested).toString('base64url'),
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => null)
}

/** A change of the person's own passkeys, as a passkey confirms it. */
function ownAction(kind: string, { staff }: Session, input: object): ConfirmedAction {
  return { kind, environment: null, operationId: null, input, target: staffTarget(staff) }
}

/** Another digest than that of the confirmation: an enrolment's challenge confirms nothing. */
function digestOfEnrolment(session: Session, own: readonly { id: string }[]): string {
  return actionDigest(ownAction('passkey.enrol', session, own.map(({ id }) => id).toSorted()), session)
}

async function audit(tx: Transaction, { staff }: Session, act: string, comment: string): Promise<void> {
  await appendAudit(tx, { by: staff, environment: null, act, target: staffTarget(staff), outcome: 'done', comment })
}
