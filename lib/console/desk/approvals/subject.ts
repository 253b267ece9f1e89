import type { Transaction } from '#lib/db/connection.ts'
import type { ApprovalState } from '../../approvals/shapes.ts'
import type { Actor } from '../shapes.ts'
import type { approvals } from '../tables/approvals.ts'

export type ApprovalRow = typeof approvals.$inferSelect

/** What an approval is about, and what becomes of it. Called with the approval's row locked. */
export type Subject = {
  /** Lets what was approved be sent, if it still has the digest that the checker saw. */
  release: (tx: Transaction, row: ApprovalRow, fingerprint: string, by: Actor) => Promise<void>
  /** It is never sent. */
  close: (tx: Transaction, row: ApprovalRow, state: ClosedState, message: string) => Promise<void>
  /** After the commit. Never throws. */
  goOn: (row: ApprovalRow) => Promise<void>
}
type ClosedState = Exclude<ApprovalState, 'waiting' | 'approved'>
