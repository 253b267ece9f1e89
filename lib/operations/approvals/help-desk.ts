import 'server-only'
import { and, eq, isNull } from 'drizzle-orm'
import {
  helpDeskRequests,
  type HelpDeskPolicy,
  type RequestKind,
  requestKinds,
  requestRow,
  type RequestWay,
  type TicketOrigin,
} from '#lib/api/help-desk-requests.ts'
import type { Actor, Target } from '#lib/audit/types.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { AppError } from '#lib/shared/app-error.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { hourMs } from '#lib/shared/time.ts'
import { embedKeys } from '#lib/tables/embed.ts'
import { findActivePolicy, type ApprovalNeed, noPolicy } from './policy.ts'

export async function findHelpDeskPolicy(db: Queryable, environment: Environment): Promise<HelpDeskPolicy> {
  return (await findActivePolicy(db, environment))?.helpDesk ?? noPolicy.helpDesk
}

/** How the policy deals with a help desk's request of this kind. Throws `REQUEST_NOT_ALLOWED` where it allows none. */
export async function requireRequestWay(
  db: Queryable,
  environment: Environment,
  kind: RequestKind,
): Promise<RequestWay> {
  const way = (await findHelpDeskPolicy(db, environment))[kind]
  if (way && requestRow(kind).ways.includes(way)) return way
  throw new AppError('REQUEST_NOT_ALLOWED', 'The policy doesn’t allow this request.')
}

const effects = {
  'card.lock': (label: string) => `Locks the ${label}. Charges are declined until it’s unlocked.`,
  'card.replace': (label: string) => `Issues a new card in place of the ${label}, which stays as it is.`,
  'fee.waive': (label: string) => `Waives the fee ${label}. The balance changes at once.`,
}
type RequestOperation = keyof typeof effects

/** The approval that a request from a ticket waits for. */
export async function findTicketApprovalNeed(
  db: Queryable,
  environment: Environment,
  operation: RequestOperation,
  by: Actor,
  { ticket }: TicketOrigin,
): Promise<(target: Target) => ApprovalNeed> {
  const { expiryHours, tolerancePercent } = (await findActivePolicy(db, environment)) ?? noPolicy
  return ({ label, type }) => ({
    facts: { topic: 'help-desk', effect: effects[operation](label ?? type), amounts: [] },
    because: [`${by.name} requests it from ticket ${ticket}.`],
    counts: [],
    expiresInMs: expiryHours * hourMs,
    tolerancePercent,
  })
}

/** Whether a request that waits may still be made: its key isn't revoked, and the policy allows its kind. */
export async function mayStillRequest(
  db: Queryable,
  { environment, kind, makerId }: { environment: Environment; kind: string; makerId: string },
): Promise<boolean> {
  const request = requestKinds.find((one) => helpDeskRequests[one].operation === kind)
  const keys = await db
    .select({ id: embedKeys.id })
    .from(embedKeys)
    .where(and(eq(embedKeys.id, makerId), eq(embedKeys.environment, environment), isNull(embedKeys.revokedAt)))
    .for('share')
  return keys.length > 0 && request !== undefined && Boolean((await findHelpDeskPolicy(db, environment))[request])
}
