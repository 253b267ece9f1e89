import type { Role } from './permissions.ts'

/** A member of staff as journal and audit keep them: the name and role of the moment. */
export type Actor = { id: string; name: string; role: Role }

/** Who the audit trail names: a member of staff, or a help desk's key, which has no role. */
export type AuditActor = Omit<Actor, 'role'> & { role: Role | null }
