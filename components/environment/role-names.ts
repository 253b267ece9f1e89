import type { Role } from '#lib/console/desk/permissions.ts'

export const roleNames: Record<Role, string> = {
  viewer: 'Viewer',
  support: 'Support',
  operations: 'Operations',
  approver: 'Approver',
  qa: 'QA',
  admin: 'Admin',
}
