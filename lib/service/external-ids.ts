import { eq } from 'drizzle-orm'
import type { Transaction } from '#lib/db/connection.ts'
import { ApiError } from './api-error.ts'
import { externalIds } from './tables/runtime.ts'

/**
 * Reserves an xid for a resource, in its transaction. Waits for a transaction that reserves the same xid. Throws
 * `XID_ALREADY_EXISTS` when another resource of any type has it.
 */
export async function claimXid(db: Transaction, xid: string, target: { type: string; id: string }): Promise<void> {
  const taken = await db
    .insert(externalIds)
    .values({ xid, targetType: target.type, targetId: target.id })
    .onConflictDoNothing()
    .returning({ xid: externalIds.xid })
  if (taken.length === 0) throw new ApiError('XID_ALREADY_EXISTS', 'xid: another resource has it already')
}

/** Gives an xid back, so that another resource can take it. */
export async function releaseXid(db: Transaction, xid: string): Promise<void> {
  await db.delete(externalIds).where(eq(externalIds.xid, xid))
}
