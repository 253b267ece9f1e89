import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import type { Environment } from '#lib/shared/routes.ts'
import type { Permission, Role } from './permissions.ts'

/** The challenge that the browser passes to the passkey, and sends back with its signature. */
export type StepUpRequest = { id: string; options: PublicKeyCredentialRequestOptionsJSON }

export type Staff = { id: string; name: string; email: string; role: Role }

/** The signed-in person and their permissions in each environment. */
export type CurrentStaff = { staff: Staff; permissions: Record<Environment, readonly Permission[]> }

/** The person of a session, and the milliseconds until it ends without activity. */
export type SessionActivity = { staffId: string; role: Role; idleInMs: number }
