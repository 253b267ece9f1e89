import 'server-only'
import { and, asc, count, desc, eq, inArray, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import { approvalSearch } from '#lib/api/approvals.ts'
import { requireCurrentStaff } from '#lib/auth/session.ts'
import { requestSha256 } from '#lib/client/approved-request.ts'
import { compareAmounts } from '#lib/contract/exact-sum.ts'
import { withoutSecrets } from '#lib/contract/redact.ts'
import { database } from '#lib/db/connection.ts'
import { preparedFrom } from '#lib/environments/environments.ts'
import { pageByTime } from '#lib/index/keyset.ts'
import { filterSchemas } from '#lib/index/search-schema.ts'
import { openGrant, openTerms } from '#lib/operations/approvals/grant.ts'
import { isMaker, readApprovers } from '#lib/operations/approvals/people.ts'
import { decidingPermissions } from '#lib/operations/approvals/policy-rules.ts'
import type { ApprovalRow } from '#lib/operations/approvals/request.ts'
import {
  type Approval,
  type ApprovalDetail,
  type ApprovalFilters,
  type ApprovalRequest,
  type ApprovalTerms,
  type WaitingApprovals,
} from '#lib/operations/approvals/types.ts'
import { openBody, findOperation, type OperationRow } from '#lib/operations/journal.ts'
import { readOperationWithSteps, toOperation, toOutcomeState } from '#lib/operations/outcome.ts'
import { findSpec } from '#lib/operations/registry.ts'
import { AppError, nullOn } from '#lib/shared/app-error.ts'
import { withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { asFields, parseJson } from '#lib/shared/json.ts'
import type { PageTokens } from '#lib/shared/page-tokens.ts'
import { parseSearch, listPage } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { isoTime } from '#lib/shared/time.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { indexedAccounts } from '#lib/tables/card-accounts.ts'
import { operations } from '#lib/tables/operations.ts'
import { toDecider, toTarget } from '#lib/tables/schema.ts'
import { readMoney, readNewLimits } from '../bulk/read.ts'
import { needsNewQuote } from '../payouts/renew-payout.ts'
import { readSentPayout } from '../payouts/sent-payout.ts'
import { findSimilarTo } from '../payouts/similar-payouts.ts'

export type ApprovalPage = { approvals: Approval[] } & PageTokens

const Filters = z.object({ ...filterSchemas(approvalSearch.filters), ...listPage }).partial()

/** Requests that wait for an approval, or that were decided, newest first. */
export async function listApprovals(environment: Environment, search: ApprovalFilters): Promise<ApprovalPage> {
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
  const sent = await database()
    .select({
      id: operations.id,
      state: operations.state,
      code: operations.code,
      expected: operations.expected,
      ticketOrigin: operations.ticketOrigin,
    })
    .from(operations)
    .where(
      inArray(
        operations.id,
        rows.map(({ id }) => id),
      ),
    )
  const refunds = await readRefunds(rows)
  const sentById = new Map(sent.map((operation) => [operation.id, operation]))
  return { approvals: rows.map((row) => toApproval(row, refunds, sentById.get(row.id))), ...tokens }
}

/** How many requests wait for anybody, and the oldest `most` of them. Its caller checked the permission. */
export async function readWaitingApprovals(environment: Environment, most: number): Promise<WaitingApprovals> {
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
  const { staff: reader } = await requireCurrentStaff()
  const db = database()
  const [row] = isUuid(id) ? await db.select().from(approvals).where(eq(approvals.id, id.toLowerCase())) : []
  if (row?.environment !== environment) {
    throw new AppError('APPROVAL_NOT_FOUND', 'There is no such request in this environment.')
  }
  const operation = row.subject === 'operation' ? await findOperation(db, row.id) : null
  const [approvers, history, cardholder, payout, terms, refunds, limits, withSteps, obstacle] = await Promise.all([
    readApprovers(db, environment, decidingPermissions[row.topic], { id: row.makerId, email: row.makerEmail }),
    readHistory(row),
    readCardholder(row),
    operation && readSentPayout(operation),
    operation && readApprovalTerms(row, operation),
    readRefunds([row]),
    row.subject === 'bulk-job' && row.kind === 'account.set-limit' ? readNewLimits(row.id) : [],
    operation && readOperationWithSteps(operation),
    operation && findObstacle(operation),
  ])
  return {
    approval: toApproval(row, refunds, operation),
    fingerprint: row.fingerprint,
    holdsSecret: operation?.holdsSecret ?? false,
    request: operation && openRequest(operation),
    terms,
    limits,
    operation: withSteps,
    obstacle,
    payout,
    similar: operation && payout ? await findSimilarTo(operation, payout) : [],
    approvers,
    isOwn: row.makerId === reader.id,
    isMaker: await isMaker(db, [{ id: row.makerId, email: row.makerEmail }], reader),
    cardholder,
    history: history.map(toOperation),
  }
}

/** Why an approval would change nothing any more: the record, as the service has it now. Null while that does not respond. */
async function findObstacle(operation: OperationRow): Promise<string | null> {
  if (operation.state !== 'waiting') return null
  const obstacle = findSpec(operation.kind)?.checkApproved?.(operation)
  return obstacle === undefined ? null : ((await nullOn(obstacle))?.text ?? null)
}

/** Amount that left the funding account, where it differs from the approved one; null otherwise. */
function toExecuted(
  { amount, currency }: ApprovalRow,
  { state, expected }: Pick<OperationRow, 'state' | 'expected'>,
): Approval['executed'] {
  const isMade = state === 'done' || state === 'partial'
  const { sourceAmount, sourceCurrency = null } = expected ?? {}
  if (!isMade || sourceAmount === undefined || amount === null) return null
  if (sourceCurrency === currency && compareAmounts(sourceAmount, amount) === 0) return null
  return { amount: sourceAmount, currency: sourceCurrency }
}

const historyLength = 10

async function readHistory({ environment, id, subject, targetId, targetParentId, targetType }: ApprovalRow) {
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

async function readCardholder({ environment, targetId, targetParentId }: ApprovalRow): Promise<string | null> {
  const isAccount = sql`lower(${indexedAccounts.id}) = lower(${targetParentId ?? targetId})`
  const [account] = await database()
    .select({ name: indexedAccounts.name })
    .from(indexedAccounts)
    .where(and(eq(indexedAccounts.environment, environment), isAccount))
  return account?.name ?? null
}

function openRequest(operation: OperationRow): ApprovalRequest | null {
  const bytes = readable(() => openBody(operation))
  if (!bytes) return null
  const request = preparedFrom(operation.environment, operation.endpoint, bytes)
  const text = bytes.toString('utf8')
  const body = withoutCardNumbers(operation.holdsSecret ? withoutFiles(text) : text)
  return {
    method: request.method,
    path: request.path,
    body,
    sha256: operation.holdsSecret ? null : requestSha256(request),
  }
}

/** The documents of a person are megabytes, and nothing that this page is for. */
function withoutFiles(text: string): string {
  return JSON.stringify(withoutSecrets(asFields(parseJson(text))))
}

async function readApprovalTerms(row: ApprovalRow, operation: OperationRow): Promise<ApprovalTerms | null> {
  const bytes = row.sealedTerms && openTerms(row.id, row.sealedTerms)
  if (!bytes) return null
  const terms = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>
  const text = (name: string) => (typeof terms[name] === 'string' ? terms[name] : '')
  const isRenewed = Boolean(openGrant(operation)?.quoteId)
  return {
    sha256: operation.holdsSecret ? null : sha256Hex(bytes),
    sourceAmount: text('sourceAmount'),
    maximumSourceAmount: text('maximumSourceAmount'),
    sourceCurrency: text('sourceCurrency'),
    // The request can be read without a service, too.
    hasExpired: row.state === 'waiting' && (await nullOn(needsNewQuote(operation))) === true,
    sentSha256: isRenewed ? (openRequest(operation)?.sha256 ?? null) : null,
  }
}

function readable<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** What the jobs among the requests that waive fees return. */
function readRefunds(rows: readonly ApprovalRow[]) {
  const jobs = rows.filter(({ subject, kind }) => subject === 'bulk-job' && kind === 'fee.waive')
  return readMoney(jobs.map(({ id }) => id))
}

function toApproval(
  row: ApprovalRow,
  refunds: Awaited<ReturnType<typeof readRefunds>>,
  operation: Pick<OperationRow, 'state' | 'code' | 'expected' | 'ticketOrigin'> | null = null,
): Approval {
  const { id, subject, kind, topic, state, reason, comment, effect, amount, currency, because, decisionReason } = row
  return {
    id,
    subject,
    kind,
    topic,
    state,
    by: { id: row.makerId, name: row.makerName, role: row.makerRole },
    ticket: operation?.ticketOrigin?.ticket ?? null,
    target: toTarget(row),
    reason,
    comment,
    effect,
    amount,
    currency,
    refunds: refunds.get(id) ?? [],
    executed: operation && toExecuted(row, operation),
    outcome: operation && state === 'approved' ? toOutcomeState(operation) : null,
    because,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    decidedAt: isoTime(row.decidedAt),
    decidedBy: toDecider(row),
    decisionReason,
  }
}
