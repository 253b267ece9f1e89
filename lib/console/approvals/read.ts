import 'server-only'
import { and, asc, count, desc, eq, ne } from 'drizzle-orm'
import { z } from 'zod'
import { requestSha256 } from '#lib/client/approved-request.ts'
import { database } from '#lib/db/connection.ts'
import { withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { isUuid } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { AppError } from '../desk/app-error.ts'
import { grantOf, openTerms } from '../desk/approvals/grant.ts'
import { approversOf } from '../desk/approvals/people.ts'
import { policyTopicNames } from '../desk/approvals/policy-rules.ts'
import type { ApprovalRow } from '../desk/approvals/request.ts'
import { preparedFrom } from '../desk/connections/environments.ts'
import { pageByTime } from '../desk/keyset.ts'
import { maskedForReader } from '../desk/masked-reads.ts'
import { bodyOf, findOperation, type OperationRow } from '../desk/operations/journal.ts'
import { operationOf } from '../desk/operations/outcome.ts'
import { pageSize, parseSearch, plainText } from '../desk/parse.ts'
import { requirePermission } from '../desk/session/session.ts'
import type { PageTokens } from '../desk/shapes.ts'
import { approvals } from '../desk/tables/approvals.ts'
import { operations } from '../desk/tables/operations.ts'
import { targetOf } from '../desk/tables/schema.ts'
import {
  type Approval,
  type ApprovalDetail,
  type ApprovalFilters,
  type ApprovalRequest,
  approvalStates,
  type ApprovalTerms,
  type WaitingApprovals,
} from './shapes.ts'

export type ApprovalPage = { approvals: Approval[] } & PageTokens

const Filters = z
  .object({
    state: z.enum(approvalStates, `must be one of ${approvalStates.join(', ')}`),
    topic: z.enum(policyTopicNames, `must be one of ${policyTopicNames.join(', ')}`),
    /** Id of the person who submitted it. */
    by: z.uuid('must be a UUID'),
    pageSize,
    pageToken: plainText(2000),
  })
  .partial()

/** Requests that wait for an approval, or that were decided, newest first. */
export async function listApprovals(environment: Environment, search: ApprovalFilters): Promise<ApprovalPage> {
  await requirePermission('approvals.read', environment)
  const { pageSize: size = 25, pageToken: token, ...filters } = parseSearch(Filters, search)
  const { rows, ...tokens } = await pageByTime(
    approvals,
    { scope: ['approvals', environment, filters], token, size },
    ({ condition, order, limit }) =>
      database()
        .select()
        .from(approvals)
        .where(
          and(
            eq(approvals.environment, environment),
            filters.state ? eq(approvals.state, filters.state) : undefined,
            filters.topic ? eq(approvals.topic, filters.topic) : undefined,
            filters.by ? eq(approvals.makerId, filters.by) : undefined,
            condition,
          ),
        )
        .orderBy(...order)
        .limit(limit),
  )
  return { approvals: rows.map(approvalOf), ...tokens }
}

export async function readWaitingApprovals(environment: Environment): Promise<WaitingApprovals> {
  await requirePermission('approvals.read', environment)
  return waitingApprovals(environment, 5)
}

/** Its caller checked the permission. */
export async function waitingApprovals(environment: Environment, most: number): Promise<WaitingApprovals> {
  const isWaiting = and(eq(approvals.environment, environment), eq(approvals.state, 'waiting'))
  const db = database()
  const [[total], oldest] = await Promise.all([
    db.select({ count: count() }).from(approvals).where(isWaiting),
    db.select().from(approvals).where(isWaiting).orderBy(asc(approvals.createdAt)).limit(most),
  ])
  return {
    count: total?.count ?? 0,
    oldest: oldest.map(({ id, effect, createdAt }) => ({ id, effect, createdAt: createdAt.toISOString() })),
  }
}

/** One request with everything that a checker needs. Throws `APPROVAL_NOT_FOUND`. */
export async function readApproval(environment: Environment, id: string): Promise<ApprovalDetail> {
  const reader = await requirePermission('approvals.read', environment)
  const db = database()
  const [row] = isUuid(id) ? await db.select().from(approvals).where(eq(approvals.id, id.toLowerCase())) : []
  if (row?.environment !== environment) {
    throw new AppError('APPROVAL_NOT_FOUND', 'There is no such request in this environment.')
  }
  const operation = row.subject === 'operation' ? await findOperation(db, row.id) : null
  const [approvers, history] = await Promise.all([
    approversOf(db, environment, 'approvals.decide', { id: row.makerId, email: row.makerEmail }),
    historyOf(row),
  ])
  const detail: ApprovalDetail = {
    approval: approvalOf(row),
    fingerprint: row.fingerprint,
    holdsSecret: operation?.holdsSecret ?? false,
    request: operation && requestOf(operation),
    terms: operation && termsOf(row, operation),
    operation: operation && operationOf(operation),
    approvers,
    isOwn: row.makerId === reader.id,
    history: history.map(operationOf),
  }
  return maskedForReader(detail, environment)
}

const historyLength = 10

async function historyOf({ environment, id, subject, targetId, targetParentId, targetType }: ApprovalRow) {
  if (subject === 'bulk-job') return []
  // A payout has no object before it is made: its history is that of the funding account.
  const about = targetType === 'payout' ? targetParentId : targetId
  if (about === null) return []
  const isAbout = eq(targetType === 'payout' ? operations.targetParentId : operations.targetId, about)
  return database()
    .select()
    .from(operations)
    .where(and(eq(operations.environment, environment), isAbout, ne(operations.id, id)))
    .orderBy(desc(operations.createdAt))
    .limit(historyLength)
}

function requestOf(operation: OperationRow): ApprovalRequest | null {
  const bytes = readable(() => bodyOf(operation))
  if (!bytes) return null
  const request = preparedFrom(operation.environment, operation.endpoint, bytes)
  const body = withoutCardNumbers(bytes.toString('utf8'))
  return {
    method: request.method,
    path: request.path,
    body,
    sha256: operation.holdsSecret ? null : requestSha256(request),
  }
}

function termsOf(row: ApprovalRow, operation: OperationRow): ApprovalTerms | null {
  const bytes = row.sealedTerms && openTerms(row.id, row.sealedTerms)
  if (!bytes) return null
  const terms = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>
  const text = (name: string) => (typeof terms[name] === 'string' ? terms[name] : '')
  const isRenewed = Boolean(grantOf(operation)?.quoteId)
  return {
    sha256: operation.holdsSecret ? null : sha256Hex(bytes),
    sourceAmount: text('sourceAmount'),
    maximumSourceAmount: text('maximumSourceAmount'),
    sourceCurrency: text('sourceCurrency'),
    sentSha256: isRenewed ? (requestOf(operation)?.sha256 ?? null) : null,
  }
}

function readable<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch {
    return null
  }
}

function approvalOf(row: ApprovalRow): Approval {
  const { id, subject, kind, topic, state, reason, comment, effect, amount, currency, because, decisionReason } = row
  const { decidedById, decidedByName, decidedByRole } = row
  return {
    id,
    subject,
    kind,
    topic,
    state,
    by: { id: row.makerId, name: row.makerName, role: row.makerRole },
    target: targetOf(row),
    reason,
    comment,
    effect,
    amount,
    currency,
    because,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy:
      decidedById && decidedByName && decidedByRole
        ? { id: decidedById, name: decidedByName, role: decidedByRole }
        : null,
    decisionReason,
  }
}
