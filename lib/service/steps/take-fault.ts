import { asc, eq, inArray, sql } from 'drizzle-orm'
import type { Endpoint } from '#lib/contract/endpoint.ts'
import { ServiceRefusal } from '../refusal.ts'
import type { Service } from '../service.ts'
import { faults } from '../tables/runtime.ts'
import { inTransaction } from '../transaction.ts'
import { renderFailure, renderRefusal, type Answer } from './render.ts'

/** What a fault answers with: a status, or 0 for a connection that is dropped. */
export const faultStatuses = [500, 502, 503, 429, 0] as const
export type FaultStatus = (typeof faultStatuses)[number]

export type Fault = { status: FaultStatus; after: boolean; delayMs: number }

/** Uses up one failure of the oldest fault that is armed for a path, as it was asked or as its row has it; null when there is none. */
export async function takeFault(service: Service, path: string, row: Endpoint | undefined): Promise<Fault | null> {
  return inTransaction(service.db, async (tx) => {
    const [fault] = await tx
      .select()
      .from(faults)
      .where(inArray(faults.path, [path, '*', ...(row ? [row.path] : [])]))
      .orderBy(asc(faults.id))
      .limit(1)
      .for('update')
    if (!fault) return null
    const isThis = eq(faults.id, fault.id)
    if (fault.remaining > 1)
      await tx
        .update(faults)
        .set({ remaining: sql`${faults.remaining} - 1` })
        .where(isThis)
    else await tx.delete(faults).where(isThis)
    return { status: fault.status as FaultStatus, after: fault.after, delayMs: fault.delayMs }
  })
}

/** What goes over the wire instead of the real answer; null for a dropped connection. */
export function renderFault(status: FaultStatus, row: Endpoint | undefined): Answer | null {
  if (status === 0) return null
  if (status !== 429) return renderFailure(status, row)
  return renderRefusal(new ServiceRefusal('RATE_LIMITED', 'too many requests', { 'Retry-After': '1' }), row)
}
