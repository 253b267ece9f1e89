import type { Environment } from '#lib/shared/routes.ts'

export const roles = ['viewer', 'support', 'operations', 'approver', 'qa', 'admin'] as const
export type Role = (typeof roles)[number]

export const permissions = [
  'accounts.read',
  'audit.read',
  'cards.lock',
  'cards.unlock',
  'cards.suspend',
  'cards.unsuspend',
  'cards.cancel',
  'cards.activate',
  'cards.change-pin',
  'payouts.read',
  'payouts.submit',
  'fees.waive',
  'limits.set',
  'references.edit',
  'webhooks.read',
  'webhooks.manage',
  'connection.read',
  'staff.manage',
] as const
export type Permission = (typeof permissions)[number]

const reading = ['accounts.read', 'payouts.read', 'webhooks.read', 'audit.read'] as const
const supporting = [...reading, 'cards.lock', 'cards.unlock'] as const

/**
 * Who may do what. An admin decides who holds which role, and therefore acts on no card: nobody can both give himself a
 * right and use it.
 */
export const rolePermissions: Record<Role, readonly Permission[]> = {
  viewer: ['accounts.read', 'payouts.read', 'webhooks.read'],
  support: supporting,
  operations: [
    ...supporting,
    'cards.suspend',
    'cards.unsuspend',
    'cards.cancel',
    'cards.activate',
    'cards.change-pin',
    'payouts.submit',
    'fees.waive',
    'limits.set',
    'references.edit',
    'webhooks.manage',
    'connection.read',
  ],
  approver: reading,
  qa: reading,
  admin: [...reading, 'connection.read', 'staff.manage'],
}

/** Roles that count in some environments alone. The others count in both. */
const roleEnvironments: Partial<Record<Role, readonly Environment[]>> = { qa: ['sandbox'] }

export function permissionsOf(role: Role, environment: Environment): readonly Permission[] {
  const counts = roleEnvironments[role]?.includes(environment) ?? true
  return counts ? rolePermissions[role] : []
}

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text)
}
