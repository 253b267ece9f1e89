import 'server-only'
import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '#lib/db/connection.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { Approvers } from '../../approvals/shapes.ts'
import { permissionsOf, roles, type Permission } from '../permissions.ts'
import { staff } from '../tables/staff.ts'
import { emailKey, staffOrigin } from './request.ts'

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
  return member !== null && permissionsOf(member.role, environment).includes(permission)
}

/** Whether a person made the request, under this account or another one with the same address, now or at submission. */
export async function isMaker(
  tx: Transaction,
  makers: readonly Maker[],
  { id, email }: Pick<StaffRow, 'id' | 'email'>,
): Promise<boolean> {
  if (makers.some((maker) => maker.id === id)) return true
  const own = emailKey(email)
  if (own === '') return false
  if (makers.some((maker) => maker.email === own)) return true
  const ids = makers.map((maker) => maker.id)
  const now = await tx.select({ email: staff.email }).from(staff).where(inArray(staff.id, ids)).for('share')
  return now.some((maker) => emailKey(maker.email) === own)
}

/** The people who can decide a request of this maker; accounts with one address count once. */
export async function approversOf(
  db: Queryable,
  environment: Environment,
  permission: Permission,
  maker: Maker,
): Promise<Approvers> {
  const deciding = roles.filter((role) => permissionsOf(role, environment).includes(permission))
  const rows = await db
    .select({ id: staff.id, email: staff.email, role: staff.role })
    .from(staff)
    .where(
      and(
        eq(staff.origin, staffOrigin()),
        isNull(staff.disabledAt),
        inArray(staff.role, deciding),
        // An invited person has not signed in yet.
        or(eq(staff.origin, 'demo'), sql`${staff.oidcSubject} is not null`),
      ),
    )
  const others = rows.filter(({ id, email }) => id !== maker.id && emailKey(email) !== maker.email)
  const count = new Set(others.map(({ id, email }) => emailKey(email) || id)).size
  return { count, roles: deciding }
}
