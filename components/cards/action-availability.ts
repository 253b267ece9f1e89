import type { Permission, Role } from '#lib/console/desk/permissions.ts'
import { refusalByStatus } from './action-reasons.ts'
import { type CardActionRow, cardActionTable } from './card-action-table.ts'

const rolePlurals: Record<Role, string> = {
  viewer: 'Viewers',
  support: 'Support staff',
  operations: 'Operations staff',
  approver: 'Approvers',
  qa: 'QA staff',
  admin: 'Admins',
}

/** The person at the screen: the role for the sentence, the permissions for the decision. */
export type ActingPerson = { role: Role | undefined; may: ReadonlySet<Permission> }

/**
 * Why the action cannot be taken now, in words, or undefined where it can. The status is told before the role, since it
 * holds for everybody; whoever may act on no card at all is told that alone.
 */
export function unavailability(
  row: CardActionRow,
  status: string | null,
  { role, may }: ActingPerson,
): string | undefined {
  if (role !== undefined && !cardActionTable.some(({ permission }) => may.has(permission))) {
    return `${rolePlurals[role]} may see cards, not act on them.`
  }
  const byStatus = refusalByStatus(status, row.id)
  if (byStatus !== undefined) return byStatus
  if (may.has(row.permission)) return undefined
  return role === undefined ? 'Your permissions are not known yet.' : `${rolePlurals[role]} may not do this.`
}
