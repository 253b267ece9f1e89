import 'server-only'
import { and, eq, inArray } from 'drizzle-orm'
import { findOperationDefinition } from '#lib/api/actions.ts'
import { listPermissions, roles, type Permission } from '#lib/auth/permissions.ts'
import { hasAccess, staffOrigin } from '#lib/auth/session.ts'
import { database, type Queryable, type Transaction } from '#lib/db/connection.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { staff } from '#lib/tables/staff.ts'
import type { OperationRow } from '../journal.ts'
import { mayStillRequest } from './help-desk.ts'
import { emailKey } from './request.ts'
import type { Approvers } from './types.ts'

type StaffRow = typeof staff.$inferSelect
/** The person who made a request: by id, and by the e-mail address at that time. */
export type Maker = { id: string; email: string }

/**
 * A person's present record, locked until the transaction ends, so that a change of role, address or access waits for
 * it. Null for a person without access.
 */
export async function lockMember(tx: Transaction, id: string): Promise<StaffRow | null> {
  const [row] = await tx.select().from(staff).where(eq(staff.id, id)).for('share')
  return row && !row.disabledAt && row.origin === staffOrigin() ? row : null
}

export function mayDo(member: StaffRow | null, permission: Permission, environment: Environment): member is StaffRow {
  return member !== null && listPermissions(member.role, environment).includes(permission)
}

/**
 * Whether the person who started an operation may still do it, or the help desk may still request it. A request that was approved is
 * the approver’s as well.
 */
export async function isStillPermitted(row: OperationRow): Promise<boolean> {
  const needed = findOperationDefinition(row.kind)?.needs
  if (row.needsApproval || needed === undefined) return true
  if (row.staffRole === null) return mayStillRequest(database(), { ...row, makerId: row.staffId })
  return inTransaction(database(), async (tx) => mayDo(await lockMember(tx, row.staffId), needed, row.environment))
}

/** Whether a person made the request, under this account or another one with the same address, now or at submission. */
export async function isMaker(
  db: Queryable,
  makers: readonly Maker[],
  { id, email }: Pick<StaffRow, 'id' | 'email'>,
): Promise<boolean> {
  if (makers.some((maker) => maker.id === id)) return true
  const own = emailKey(email)
  if (own === '') return false
  if (makers.some((maker) => maker.email === own)) return true
  const ids = makers.map((maker) => maker.id)
  const now = await db.select({ email: staff.email }).from(staff).where(inArray(staff.id, ids)).for('share')
  return now.some((maker) => emailKey(maker.email) === own)
}

/** More people than a sentence can name are counted. */
const mostNames = 3

/** The people who can decide a request of this maker; accounts with one address count once. */
export async function readApprovers(
  db: Queryable,
  environment: Environment,
  permission: Permission,
  maker: Maker,
): Promise<Approvers> {
  const deciding = roles.filter((role) => listPermissions(role, environment).includes(permission))
  const rows = await db
    .select({ id: staff.id, email: staff.email, name: staff.name })
    .from(staff)
    .where(and(hasAccess(), inArray(staff.role, deciding)))
  const others = rows.filter(({ id, email }) => id !== maker.id && emailKey(email) !== maker.email)
  const count = new Set(others.map(({ id, email }) => emailKey(email) || id)).size
  const names = [...new Set(others.map(({ name }) => name))].toSorted((one, other) => one.localeCompare(other))
  return {
    count,
    names: count <= mostNames ? names : [],
    roles: deciding,
    name: count === 1 ? (names[0] ?? null) : null,
  }
}
