import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { HelpDeskPolicy } from '#lib/api/help-desk-requests.ts'
import type { Role } from '#lib/auth/permissions.ts'
import type { PolicyRule } from '#lib/operations/approvals/policy-rules.ts'
import { approvals, policies } from '#lib/tables/approvals.ts'
import { staff } from '#lib/tables/staff.ts'
import type { TestConsole } from './open-console.ts'

/** The sandbox's policy, as two admins would have made it. */
export async function setPolicy(
  { db }: TestConsole,
  rules: PolicyRule[],
  {
    expiryHours = 24,
    tolerancePercent = '1',
    helpDesk = {},
  }: { expiryHours?: number; tolerancePercent?: string; helpDesk?: HelpDeskPolicy } = {},
): Promise<void> {
  await db.delete(policies)
  await db.insert(policies).values({
    id: randomUUID(),
    environment: 'sandbox',
    state: 'active',
    rules,
    helpDesk,
    expiryHours,
    tolerancePercent,
    comment: 'test',
    proposedById: randomUUID(),
    proposedByName: 'Test',
    proposedByEmail: 'test@demo.invalid',
    proposedAt: new Date(),
  })
}

/** Another member of staff. Returns the id. */
export async function addStaff({ db }: TestConsole, role: Role, email: string, name = email): Promise<string> {
  const id = randomUUID()
  await db.insert(staff).values({ id, origin: 'demo', name, email, role, createdAt: new Date() })
  return id
}

export async function approvalIn({ db }: TestConsole, id: string) {
  const [row] = await db.select().from(approvals).where(eq(approvals.id, id))
  if (!row) throw new Error(`no approval ${id}`)
  return row
}
