import type { Role } from './permissions.ts'

/** A member of staff as journal and audit keep them: the name and role of the moment. */
export type Actor = { id: string; name: string; role: Role }
