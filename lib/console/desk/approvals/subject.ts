import type { Transaction } from '#lib/db/connection.ts'
import type { ApprovalState } from '../../approvals/shapes.ts'
import type { Actor } from '../shapes.ts'
import type { approvals } from '../tables/approvals.ts'

export type ApprovalRow = typeof approvals.$inferSelect

/** The kind of thing that an approval decides. Its functions are called with the approval's row locked. */
export type Subject = {
  /** Releases the approved request for sending, if it still has the digest that the checker confirmed. */
  release: (tx: Transaction, row: ApprovalRow, fingerprint: string, by: Actor) => Promise<void>
  /** Ends it: it is never sent. */
  close: (tx: Transaction, row: ApprovalRow, state: ClosedState, message: string) => Promise<void>
  /** Called after the commit. Never throws. */
  goOn: (row: ApprovalRow) => Promise<void>
}
type ClosedState = Exclude<ApprovalState, 'waiting' | 'approved'>
