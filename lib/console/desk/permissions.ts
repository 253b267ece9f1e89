import type { Environment } from '#lib/shared/routes.ts'

export const roles = ['viewer', 'support', 'operations', 'approver', 'qa', 'admin'] as const
export type Role = (typeof roles)[number]

export const permissions = [
  'accounts.read',
  'accounts.open',
  /** Phone numbers, e-mail and postal addresses, event payloads in full; masked without it. */
  'personal-data.read',
  /** Numbers of bank accounts in full. */
  'bank-accounts.read',
  'audit.read',
  /** Notes and hand-overs on accounts, cards and payouts. Everybody who reads these reads the notes. */
  'notes.write',
  'cards.lock',
  'cards.unlock',
  'cards.suspend',
  'cards.unsuspend',
  'cards.cancel',
  'cards.activate',
  'cards.change-pin',
  /** The card's number, expiry and security code, in a frame of the service. */
  'cards.reveal',
  'cards.issue',
  'payouts.read',
  'payouts.submit',
  /** Requests that wait for a second person, and those that one has decided. */
  'approvals.read',
  'approvals.decide',
  'policy.read',
  /** To propose another policy, and to confirm one that another admin has proposed. */
  'policy.manage',
  'fees.waive',
  'limits.set',
  'references.edit',
  'identity.manage',
  /** Simulators of the service, which only the sandbox has. */
  'sandbox.simulate',
  'webhooks.read',
  'webhooks.manage',
  'connection.read',
  'staff.manage',
  /** Tokens for embedded views of single objects, masked as for a viewer. */
  'embeds.create',
  /** Keys with which help desks create such tokens. */
  'embeds.manage',
] as const
export type Permission = (typeof permissions)[number]

const reading = ['accounts.read', 'payouts.read', 'webhooks.read', 'audit.read'] as const
const supporting = [
  ...reading,
  'notes.write',
  'personal-data.read',
  'cards.lock',
  'cards.unlock',
  'cards.reveal',
  'embeds.create',
] as const
const unmasked = ['personal-data.read', 'bank-accounts.read'] as const

/**
 * Who may do what. A viewer and an admin read masked data; support reads phone numbers and e-mail addresses, since it talks to
 * people, and no bank accounts. An admin decides who holds which role, and therefore acts on no card: no one can both give himself a
 * right and use it.
 */
export const rolePermissions: Record<Role, readonly Permission[]> = {
  viewer: ['accounts.read', 'payouts.read', 'webhooks.read'],
  support: supporting,
  operations: [
    ...supporting,
    'bank-accounts.read',
    'accounts.open',
    'cards.suspend',
    'cards.unsuspend',
    'cards.cancel',
    'cards.activate',
    'cards.change-pin',
    'cards.issue',
    'payouts.submit',
    'approvals.read',
    'policy.read',
    'fees.waive',
    'limits.set',
    'references.edit',
    'identity.manage',
    'sandbox.simulate',
    'webhooks.manage',
    'connection.read',
  ],
  approver: [...reading, 'notes.write', ...unmasked, 'approvals.read', 'approvals.decide', 'policy.read'],
  qa: [...reading, 'notes.write', ...unmasked, 'sandbox.simulate'],
  admin: [
    ...reading,
    'notes.write',
    'approvals.read',
    'policy.read',
    'policy.manage',
    'connection.read',
    'staff.manage',
    'embeds.manage',
  ],
}

/**
 * The roles that a role may give. An admin holds the right to give each of them, which is no right to use them: nobody else
 * gives any, and nobody gives a right that is no role.
 */
export const grantableRoles: Record<Role, readonly Role[]> = {
  viewer: [],
  support: [],
  operations: [],
  approver: [],
  qa: [],
  admin: roles,
}

/** Roles that count only in some environments. The others count in both. */
const roleEnvironments: Partial<Record<Role, readonly Environment[]>> = { qa: ['sandbox'] }

export function permissionsOf(role: Role, environment: Environment): readonly Permission[] {
  const counts = roleEnvironments[role]?.includes(environment) ?? true
  if (!counts) return []
  return environment === 'sandbox'
    ? rolePermissions[role]
    : rolePermissions[role].filter((permission) => permission !== 'sandbox.simulate')
}

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text)
}
