import 'server-only'
import { and, eq, isNull, or } from 'drizzle-orm'
import type { AuditDetail, AuditRequest } from '#lib/audit/types.ts'
import { onlyRoles, type Permission, listPermissions, type Role } from '#lib/auth/permissions.ts'
import { requireCurrentStaff } from '#lib/auth/session.ts'
import { endpoints } from '#lib/contract/endpoints.ts'
import { database } from '#lib/db/connection.ts'
import { findOperation, type OperationRow } from '#lib/operations/journal.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { openBodyText } from './facts.ts'
import { toEntries } from './list.ts'

/**
 * One entry of the trail, with what was sent for it where the journal has it and the person may see it. Throws
 * `AUDIT_ENTRY_NOT_FOUND`.
 */
export async function readAuditEntry(environment: Environment, number: string): Promise<AuditDetail> {
  const {
    staff: { role },
  } = await requireCurrentStaff()
  const [row] = /^[1-9]\d{0,14}$/.test(number)
    ? await database()
        .select()
        .from(auditEntries)
        .where(
          and(
            eq(auditEntries.number, Number(number)),
            or(eq(auditEntries.environment, environment), isNull(auditEntries.environment)),
          ),
        )
    : []
  const [entry] = await toEntries(environment, row ? [row] : [])
  if (!entry) throw new AppError('AUDIT_ENTRY_NOT_FOUND', 'There is no such entry in the trail of this environment.')
  const operation = entry.operationId === null ? null : await findOperation(database(), entry.operationId)
  const isOwn = operation !== null && operation.environment === environment
  return { entry, request: isOwn ? toAuditRequest(operation, role, environment) : null }
}

/** The request of an operation as this role may see it. */
export function toAuditRequest(operation: OperationRow, role: Role, environment: Environment): AuditRequest {
  const call = formatCall(operation)
  const withhold = (withheld: string) => ({ call, body: null, withheld })
  if (operation.holdsSecret) return withhold('It held a secret, such as a PIN or a card number, and is not shown.')
  const permission = neededPermission(operation.kind)
  if (!listPermissions(role, environment).includes(permission)) return withhold(onlyRoles(permission, environment))
  const body = openBodyText(operation)
  if (body === null) return withhold('The journal does not have it any more.')
  if (holdsCardNumber(body)) return withhold('It holds what may be a card number and is not shown.')
  return { call, body, withheld: null }
}

/** A journal may name endpoints that this version does not know. */
function formatCall({ endpoint }: OperationRow): string {
  if (!Object.hasOwn(endpoints, endpoint)) return endpoint
  const { method, path } = endpoints[endpoint]
  return `${method} ${path}`
}

/** The permission to read the object of an operation. */
function neededPermission(kind: string): Permission {
  if (kind.startsWith('payout.')) return 'payouts.read'
  return kind.startsWith('webhook.') ? 'webhooks.read' : 'accounts.read'
}
