import 'server-only'
import { and, eq, inArray } from 'drizzle-orm'
import { database, type Transaction } from '#lib/db/connection.ts'
import { lockByName } from '#lib/db/locks.ts'
import { AppError } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { approvals } from '#lib/tables/approvals.ts'
import type { WaitingRequestOf } from './types.ts'

/** The requests of a kind about these objects that wait for an approval, the oldest first. */
export async function findWaiting(
  environment: Environment,
  kind: string,
  targetIds: readonly string[],
): Promise<WaitingRequestOf[]> {
  if (targetIds.length === 0) return []
  const { id, targetId, effect, makerName, createdAt, expiresAt } = approvals
  const rows = await database()
    .select({ id, targetId, effect, makerName, createdAt, expiresAt })
    .from(approvals)
    .where(
      and(
        eq(approvals.environment, environment),
        eq(approvals.state, 'waiting'),
        eq(approvals.kind, kind),
        inArray(targetId, [...targetIds]),
      ),
    )
    .orderBy(createdAt)
  return rows.map((row) => ({
    approvalId: row.id,
    targetId: row.targetId,
    effect: row.effect,
    by: row.makerName,
    since: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }))
}

/** An identical request waits already: a second one would be carried out a second time. */
class AlreadyWaitingError extends AppError {
  readonly approvalId: string

  constructor(approvalId: string, makerName: string) {
    super('ALREADY_WAITING', `The same request, by ${makerName}, waits for an approval already.`)
    this.approvalId = approvalId
  }
}

/** Throws an `AlreadyWaitingError` where a request with the same digest waits. Of two at once, the second one waits for the first. */
export async function requireNoIdentical(
  tx: Transaction,
  environment: Environment,
  fingerprint: string,
): Promise<void> {
  await lockByName(tx, 'identical requests', environment + fingerprint)
  const [same] = await tx
    .select({ id: approvals.id, makerName: approvals.makerName })
    .from(approvals)
    .where(
      and(
        eq(approvals.environment, environment),
        eq(approvals.fingerprint, fingerprint),
        eq(approvals.state, 'waiting'),
      ),
    )
  if (same) throw new AlreadyWaitingError(same.id, same.makerName)
}
