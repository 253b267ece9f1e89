import { eq } from 'drizzle-orm'
import type { Transaction } from '#lib/db/connection.ts'
import { ApiError } from './api-error.ts'
import { externalIds } from './tables/external-ids.ts'

/**
 * Takes an xid for a resource, in its transaction. Throws `XID_ALREADY_EXISTS` when another resource, of whatever type,
 * has it; a transaction that takes the same one at the same time is waited for.
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
