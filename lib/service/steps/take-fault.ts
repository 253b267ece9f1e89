import { asc, eq, inArray } from 'drizzle-orm'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import type { Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { ServiceRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { faults } from '../tables/runtime.ts'
import { renderFailure, renderRefusal, type Answer } from './render.ts'

/** What a fault answers with: a status, or 0 for a connection that is dropped. */
export const faultStatuses = [500, 502, 503, 429, 0] as const
export type FaultStatus = (typeof faultStatuses)[number]

export type Fault = { status: FaultStatus; after: boolean; delayMs: number }

/**
 * The oldest fault that is armed for a path, as it was asked or as its row has it; null when there is none. One failure of it is
 * used up, but for a request that nobody waits for: that fails like the others, and leaves each failure to whoever it is for.
 */
export async function takeFault(
  service: Service,
  path: string,
  row: Endpoint | undefined,
  priority: string | null,
): Promise<Fault | null> {
  return inTransaction(service.db, async (tx) => {
    const [fault] = await tx
      .select()
      .from(faults)
      .where(inArray(faults.path, [path, '*', ...(row ? [row.path] : [])]))
      .orderBy(asc(faults.id))
      .limit(1)
      .for('update')
    if (!fault) return null
    if (!isBackground(priority)) await useUp(tx, fault)
    return { status: fault.status as FaultStatus, after: fault.after, delayMs: fault.delayMs }
  })
}

async function useUp(tx: Transaction, { id, remaining }: typeof faults.$inferSelect): Promise<void> {
  const isThis = eq(faults.id, id)
  if (remaining > 1)
    await tx
      .update(faults)
      .set({ remaining: remaining - 1 })
      .where(isThis)
  else await tx.delete(faults).where(isThis)
}

/** Urgency 7 of the header Priority (RFC 9218) stands for background tasks. */
function isBackground(priority: string | null): boolean {
  return /(^|,)\s*u=7\s*(,|$)/.test(priority ?? '')
}

/** What goes over the wire instead of the real answer; null for a dropped connection. */
export function renderFault(status: FaultStatus, row: Endpoint | undefined): Answer | null {
  if (status === 0) return null
  if (status !== 429) return renderFailure(status, row)
  return renderRefusal(new ServiceRefusal('RATE_LIMITED', 'too many requests', { 'Retry-After': '1' }), row)
}
