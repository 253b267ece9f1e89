import 'server-only'
import { and, eq, gt, lt, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { unsettledSearch } from '#lib/api/operations.ts'
import type { AuditRequest } from '#lib/audit/types.ts'
import { listPermissions } from '#lib/auth/permissions.ts'
import { requireCurrentStaff } from '#lib/auth/session.ts'
import { database } from '#lib/db/connection.ts'
import { pageByTime } from '#lib/index/keyset.ts'
import { filterSchemas } from '#lib/index/search-schema.ts'
import { findOperation, type OperationRow } from '#lib/operations/journal.ts'
import { toOperation, readOperationWithSteps } from '#lib/operations/outcome.ts'
import { settleOperation } from '#lib/operations/perform.ts'
import type { Operation } from '#lib/operations/types.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { isUuid } from '#lib/shared/ids.ts'
import type { PageTokens } from '#lib/shared/page-tokens.ts'
import { parseSearch, listPage } from '#lib/shared/parse.ts'
import { outsideRequestContext } from '#lib/shared/request-context.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { type OperationCheck, operations } from '#lib/tables/operations.ts'
import { toAuditRequest } from '../audit/detail.ts'
import { readSentPayout } from '../payouts/sent-payout.ts'
import type { SentPayout } from '../payouts/types.ts'

/** Sent, and its outcome is not known. One that was sent just now is not counted yet. */
export function isUnsettled(environment: Environment) {
  const minuteAgo = new Date(Date.now() - minuteMs)
  // The states are literals, as the condition of the index `operations_unsettled_of_staff` has them.
  return and(
    eq(operations.environment, environment),
    or(
      eq(operations.state, sql`'unknown'`),
      and(eq(operations.state, sql`'sending'`), or(gt(operations.attempts, 0), lt(operations.createdAt, minuteAgo))),
    ),
  )
}

const Filters = z.object({ ...filterSchemas(unsettledSearch.filters), ...listPage }).partial()
export type UnsettledFilters = z.input<typeof Filters>
export type UnsettledPage = { operations: Operation[]; count: number } & PageTokens

/** Operations whose outcome is not known, newest first; `count` is of all that match. */
export async function listUnsettled(environment: Environment, search: UnsettledFilters): Promise<UnsettledPage> {
  const { staff } = await requireCurrentStaff()
  const { pageSize: size = 25, pageToken: token, ...filters } = parseSearch(Filters, search)
  const { kind, by, about } = filters
  const matches = and(
    isUnsettled(environment),
    kind === undefined ? undefined : eq(operations.kind, kind),
    by === undefined ? undefined : eq(operations.staffId, staff.id),
    about === undefined ? undefined : or(eq(operations.targetId, about), eq(operations.targetParentId, about)),
  )
  const [{ rows, ...tokens }, count] = await Promise.all([
    pageByTime(
      operations,
      { scope: ['operations', environment, filters, by && staff.id], token, size },
      ({ condition, order, limit }) =>
        database()
          .select()
          .from(operations)
          .where(and(matches, condition))
          .orderBy(...order)
          .limit(limit),
    ),
    database().$count(operations, matches),
  ])
  return { operations: rows.map(toOperation), count, ...tokens }
}

/** An operation with what was sent, and what became of it at each check. */
type OperationRecord = {
  operation: Operation
  checks: OperationCheck[]
  /** Null for other kinds, and for people who may not read payouts. */
  payout: SentPayout | null
  request: AuditRequest
  /** The External ID in the service's response. */
  givenXid: string | null
}

/** One operation with what was sent and what each check found; reading it looks its record up while its outcome is open. */
export async function readOperationRecord(environment: Environment, id: string): Promise<OperationRecord> {
  const { staff } = await requireCurrentStaff()
  const row = await lookUpOperation(environment, id)
  const may = listPermissions(staff.role, environment)
  return {
    operation: await readOperationWithSteps(row),
    checks: row.checks,
    payout: may.includes('payouts.read') ? await readSentPayout(row) : null,
    request: toAuditRequest(row, staff.role, environment),
    givenXid: row.expected?.givenXid ?? null,
  }
}

/** One operation; reading it settles an outcome that is still open, where that is possible. */
export async function readOperation(environment: Environment, id: string): Promise<Operation> {
  return readOperationWithSteps(await lookUpOperation(environment, id))
}

async function lookUpOperation(environment: Environment, id: string): Promise<OperationRow> {
  const found = isUuid(id) ? await findOperation(database(), id.toLowerCase()) : null
  if (!found || found.environment !== environment) {
    throw new AppError('OPERATION_NOT_FOUND', 'There is no such operation in this environment.')
  }
  const isOpen = found.state === 'queued' || found.state === 'sending' || found.state === 'unknown'
  if (!isOpen || found.settledAt) return found
  return (await outsideRequestContext(() => settleOperation(found.id, 'look'))).row
}
