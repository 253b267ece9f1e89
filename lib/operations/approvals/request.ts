import 'server-only'
import { and, eq, gt, inArray, isNull, ne, notInArray, or, sql } from 'drizzle-orm'
import type { TicketOrigin } from '#lib/api/help-desk-requests.ts'
import { appendAudit } from '#lib/audit/chain.ts'
import type { Actor, Target } from '#lib/audit/types.ts'
import type { Transaction } from '#lib/db/connection.ts'
import { lockByName } from '#lib/db/locks.ts'
import { publish } from '#lib/live/publish.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { storableText } from '#lib/shared/texts.ts'
import { dayMs } from '#lib/shared/time.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { bulkItems, bulkJobs } from '#lib/tables/bulk.ts'
import { operations } from '#lib/tables/operations.ts'
import { targetValues } from '#lib/tables/schema.ts'
import { staff } from '#lib/tables/staff.ts'
import type { ApprovalState } from '../types.ts'
import { type PolicyTopic, ruleText } from './policy-rules.ts'
import type { ApprovalNeed } from './policy.ts'
import { requireNoIdentical } from './waiting.ts'

/** The kinds of operations that a rule about a person's number of requests counts. */
const kindsByTopic: Record<PolicyTopic, readonly string[]> = {
  payouts: ['payout.submit'],
  cancellations: ['card.cancel'],
  'limit-raises': ['account.set-limit', 'account.open'],
  'bulk-jobs': [],
}

/**
 * Every rule that requires an approval of this request, as sentences. Locks the person's other requests until the
 * transaction ends, so that two at once both count.
 */
export async function findReasonsForApproval(
  tx: Transaction,
  { because, counts }: ApprovalNeed,
  environment: Environment,
  makerId: string,
): Promise<string[]> {
  const reasons = [...because]
  if (counts.length > 0) await lockByName(tx, 'requests of a person', makerId)
  for (const { rule, adds } of counts) {
    const before = await countRequests(tx, environment, makerId, kindsByTopic[rule.topic])
    if (before + adds >= rule.count) reasons.push(ruleText(rule))
  }
  return reasons
}

/**
 * A person's requests within 24 hours that were sent or still may be, the rows of their jobs included. One statement: a row that
 * begins meanwhile is counted once.
 */
async function countRequests(
  tx: Transaction,
  environment: Environment,
  makerId: string,
  kinds: readonly string[],
): Promise<number> {
  const since = new Date(Date.now() - dayMs)
  const { state, settledAt } = operations
  const isOwn = (table: typeof operations | typeof bulkJobs) =>
    and(
      eq(table.environment, environment),
      eq(table.staffId, makerId),
      inArray(sql`${table.kind}`, [...kinds]),
      gt(table.createdAt, since),
    )
  // A request that could not be sent counts while it may be sent again, which is an hour.
  const mayCount = and(
    notInArray(state, ['refused', 'declined', 'expired', 'withdrawn']),
    or(ne(state, 'not-sent'), isNull(settledAt)),
  )
  // A limit that was lowered is no raise, and neither is an account without one. Where it isn't known yet what a request did, it counts.
  const lowersLimit = sql`(${bulkItems.facts} ->> 'limit')::numeric <= (${bulkItems.facts} ->> 'limitBefore')::numeric`
  const hasLowered = sql`case when ${operations.kind} = 'account.set-limit' and ${state} = 'done'
    then ${operations.statusAfter}::numeric <= ${operations.statusBefore}::numeric end`
  const hasNoLimit = sql`case when ${operations.kind} = 'account.open' then (${operations.expected} ->> 'limit')::numeric = 0 end`
  const isCounted = sql`(${hasLowered}) is not true and (${hasNoLimit}) is not true and not exists (
    select from ${bulkItems} where ${bulkItems.operationId} = ${operations.id} and ${lowersLimit})`
  const waits = and(
    sql`(${lowersLimit}) is not true`,
    isNull(bulkJobs.finishedAt),
    isNull(bulkItems.settledAt),
    sql`not exists (select from ${operations} where ${operations.id} = ${bulkItems.operationId})`,
  )
  const { rows } = await tx.execute<{ requests: number }>(sql`
    select ((select count(*) from ${operations} where ${isOwn(operations)} and ${mayCount} and ${isCounted})
      + (select count(*) from ${bulkJobs} join ${bulkItems} on ${bulkItems.jobId} = ${bulkJobs.id}
        where ${isOwn(bulkJobs)} and ${waits}))::int as requests`)
  return rows[0]?.requests ?? 0
}

export type NewApproval = {
  id: string
  environment: Environment
  subject: 'operation' | 'bulk-job'
  kind: string
  by: Actor
  target: Target
  reason: string | null
  comment: string | null
  because: string[]
  fingerprint: string
  sealedTerms: Buffer | null
  /** Set where a help desk's agent asked. */
  ticketOrigin?: TicketOrigin
  request: Pick<typeof approvals.$inferInsert, 'endpoint' | 'method' | 'path'>
}

/** Writes a request that waits for an approval, with its audit entry. Throws where an identical one waits already. */
export async function insertApproval(tx: Transaction, made: NewApproval, need: ApprovalNeed): Promise<void> {
  const { id, environment, subject, kind, by, target, reason, comment, because, fingerprint, sealedTerms } = made
  await requireNoIdentical(tx, environment, fingerprint)
  const { ticketOrigin } = made
  const [maker] = ticketOrigin
    ? [ticketOrigin.agent]
    : await tx.select({ email: staff.email }).from(staff).where(eq(staff.id, by.id))
  const now = new Date()
  const [only, ...others] = need.facts.amounts
  const amount = others.length === 0 ? (only ?? null) : null
  await tx.insert(approvals).values({
    id,
    environment,
    subject,
    kind,
    topic: need.facts.topic,
    makerId: by.id,
    makerName: by.name,
    makerRole: by.role,
    makerEmail: emailKey(maker?.email ?? ''),
    ...targetValues(target),
    reason,
    comment,
    effect: storableText(need.facts.effect),
    amount: amount?.amount ?? null,
    currency: amount?.currency ?? null,
    because,
    ...made.request,
    fingerprint,
    sealedTerms,
    state: 'waiting',
    createdAt: now,
    expiresAt: new Date(now.getTime() + need.expiresInMs),
    noticeDueAt: now,
  })
  await appendAudit(tx, {
    by,
    environment,
    act: 'approval.request',
    target,
    outcome: 'done',
    reason,
    comment: because.join(' '),
    operationId: id,
  })
}

/** Equal addresses belong to one person. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}

export type ApprovalRow = typeof approvals.$inferSelect

/** The kind of thing that an approval decides. Its functions are called with the approval's row locked. */
export type Subject = {
  /** Releases the approved request for sending, if it still has the digest that the checker confirmed. */
  release: (tx: Transaction, row: ApprovalRow, fingerprint: string, by: Actor) => Promise<void>
  /** Ends it: it is never sent. */
  close: (tx: Transaction, row: ApprovalRow, state: ClosedState, message: string) => Promise<void>
  /** Called after the commit. Never throws. */
  resume: (row: ApprovalRow) => Promise<void>
}
type ClosedState = Exclude<ApprovalState, 'waiting' | 'approved'>

/** Open pages refetch the request and its object. */
export function publishApproval({ environment, id, subject }: ApprovalRow): void {
  const about = subject === 'bulk-job' ? ({ type: 'bulk-job', id } as const) : ({ type: 'operation', id } as const)
  publish(environment, [{ type: 'approvals' }, about])
}
