import type { Staff } from '#lib/auth/types.ts'

/** A person as the administration shows them. `invited`: has not signed in yet. */
export type StaffEntry = Staff & {
  state: 'active' | 'invited' | 'disabled'
  openSessions: number
  passkeys: number
  /** ISO 8601; null for a person who has not signed in yet. */
  lastSignInAt: string | null
  /** The provider's groups or domain gave the role; an admin's change takes its place for good. */
  isRoleByClaims: boolean
}

/** The actions on a member of staff. */
export type StaffChange = `staff.${'set-role' | 'disable' | 'enable' | 'sign-out' | 'remove-passkeys'}`
