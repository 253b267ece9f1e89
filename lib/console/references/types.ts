import type { Xmetadata } from '#lib/contract/fields.ts'

/** The references of a record as the service has them. `revision` differs whenever one of them does. */
export type Reference = { xid: string | null; xmetadata: Xmetadata | null; revision: string }
