import { and, eq, isNull } from 'drizzle-orm'
import type { Target } from '#lib/audit/types.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { staff } from '#lib/tables/staff.ts'
import type { Staff } from './types.ts'

/** One person of each role, and a second admin, since a policy takes two. The ids are the same in every installation, so that a link to the audit stays right. */
const demoStaff: readonly Staff[] = [
  { id: '5d1c7a52-0000-4000-8000-000000000001', name: 'Vera Lam', email: 'vera.lam@demo.invalid', role: 'viewer' },
  { id: '5d1c7a52-0000-4000-8000-000000000002', name: 'Samuel Ng', email: 'samuel.ng@demo.invalid', role: 'support' },
  {
    id: '5d1c7a52-0000-4000-8000-000000000003',
    name: 'Olivia Poon',
    email: 'olivia.poon@demo.invalid',
    role: 'operations',
  },
  { id: '5d1c7a52-0000-4000-8000-000000000004', name: 'Ada Ng', email: 'ada.ng@demo.invalid', role: 'approver' },
  { id: '5d1c7a52-0000-4000-8000-000000000005', name: 'Quentin Ho', email: 'quentin.ho@demo.invalid', role: 'qa' },
  { id: '5d1c7a52-0000-4000-8000-000000000006', name: 'Grace Yip', email: 'grace.yip@demo.invalid', role: 'admin' },
  { id: '5d1c7a52-0000-4000-8000-000000000007', name: 'Hugo Lai', email: 'hugo.lai@demo.invalid', role: 'admin' },
]

/** Makes the demo staff where they are missing; a role that an admin gave one of them stays. */
export async function ensureDemoStaff(db: Queryable): Promise<void> {
  const createdAt = new Date()
  await db
    .insert(staff)
    .values(demoStaff.map((member) => ({ ...member, origin: 'demo' as const, createdAt })))
    .onConflictDoNothing()
}

/** The demo staff in the order of the sign-in page. */
export async function listDemoStaff(db: Queryable): Promise<Staff[]> {
  const { id, name, email, role } = staff
  return db
    .select({ id, name, email, role })
    .from(staff)
    .where(and(eq(staff.origin, 'demo'), isNull(staff.disabledAt)))
    .orderBy(staff.id)
}

export function staffTarget({ id, name }: Pick<Staff, 'id' | 'name'>): Target {
  return { type: 'staff', id, parentId: null, label: name }
}
