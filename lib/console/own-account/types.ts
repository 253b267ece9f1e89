import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import type { Staff } from '#lib/auth/types.ts'
import type { NotStarted } from '#lib/operations/types.ts'

/** A session of the person who reads it. Times are ISO 8601. */
export type OwnSession = {
  id: string
  isCurrent: boolean
  /** Such as "Chrome on macOS". */
  device: string
  ipAddress: string | null
  createdAt: string
  lastActiveAt: string
  /** It ends then at the latest. */
  expiresAt: string
}

/**
 * The person's own page. `isStepUpRequired`: some actions are refused without a passkey. `needsSignIn`: a first passkey takes a newer
 * sign-in than this one.
 */
export type OwnAccount = {
  staff: Staff
  /** The latest ones; `sessionCount` is how many there are in all. */
  sessions: OwnSession[]
  sessionCount: number
  passkeys: Passkey[]
  isStepUpRequired: boolean
  needsSignIn: boolean
}

/** A passkey as its owner sees it. Times are ISO 8601. */
export type Passkey = { id: string; name: string; createdAt: string; lastUsedAt: string | null }

export type EnrolmentResult =
  | { kind: 'ready'; enrolment: { id: string; options: PublicKeyCredentialCreationOptionsJSON } }
  | NotStarted
