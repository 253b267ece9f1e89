import type { Environment } from '#lib/shared/routes.ts'
import { listed, withCapital } from '#lib/shared/texts.ts'

export const roles = ['viewer', 'support', 'operations', 'approver', 'qa', 'admin'] as const
export type Role = (typeof roles)[number]

export function isRole(text: string): text is Role {
  return roles.some((role) => role === text)
}

export const roleNames: Record<Role, string> = {
  viewer: 'Viewer',
  support: 'Support',
  operations: 'Operations',
  approver: 'Approver',
  qa: 'QA',
  admin: 'Admin',
}

/** The role of somebody who did something; the agents of help desks have none. */
export function roleName(role: Role | null): string {
  return role === null ? 'Help desk' : roleNames[role]
}

/** The purpose of a role in a line, where a person chooses one. `roleSummary` lists everything that it may do. */
export const rolePurposes: Record<Role, string> = {
  viewer: 'Sees accounts, payouts and webhooks.',
  support: 'Helps cardholders: finds, locks and reveals cards.',
  operations: 'Runs cards, fees, limits, payouts and identities.',
  approver: 'Approves what takes a second person.',
  qa: 'Tests everything, in the sandbox.',
  admin: 'Manages staff and the approval policy.',
}

export const permissions = [
  'accounts.read',
  'accounts.open',
  /** Phone numbers, e-mail and postal addresses, event payloads in full; masked without it. */
  'personal-data.read',
  /** Numbers of bank accounts in full. */
  'bank-accounts.read',
  'audit.read',
  /** Notes and hand-overs on accounts, cards, transactions, fees and payouts. Everybody who reads these reads the notes. */
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
  /** Requests of help desks' agents. */
  'requests.decide',
  'policy.read',
  /** To propose another policy, and to confirm one that another admin has proposed. */
  'policy.manage',
  'fees.waive',
  'limits.set',
  'references.edit',
  'identity.manage',
  /** Scenarios and sandboxes in the state of a record, with invented personal data. */
  'cases.reproduce',
  /** Simulators of the service, which only the sandbox has. */
  'sandbox.simulate',
  'webhooks.read',
  'webhooks.manage',
  'connection.read',
  /** To give any role, whatever its permissions; these cannot be given one by one. */
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
const operating = [
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
  'requests.decide',
  'policy.read',
  'fees.waive',
  'limits.set',
  'references.edit',
  'identity.manage',
  'cases.reproduce',
  'sandbox.simulate',
  'webhooks.manage',
  'connection.read',
] as const
/** Without one of them, what it shows is masked. */
export const unmaskingPermissions = ['personal-data.read', 'bank-accounts.read'] as const

/**
 * The permissions of each role. A viewer and an admin read masked data; support reads phone numbers and e-mail
 * addresses, because it talks to people, and no bank accounts. An admin assigns roles and therefore acts on no card, so
 * that no person can both grant themselves a permission and use it. QA counts in the sandbox alone, and tests there
 * everything that Operations does.
 */
export const rolePermissions: Record<Role, readonly Permission[]> = {
  viewer: ['accounts.read', 'payouts.read', 'webhooks.read'],
  support: supporting,
  operations: operating,
  approver: [
    ...reading,
    'notes.write',
    ...unmaskingPermissions,
    'approvals.read',
    'approvals.decide',
    'requests.decide',
    'policy.read',
  ],
  qa: operating,
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

/** Roles that count only in some environments. The others count in both. */
const roleEnvironments: Partial<Record<Role, readonly Environment[]>> = { qa: ['sandbox'] }

export function listPermissions(role: Role, environment: Environment): readonly Permission[] {
  const counts = roleEnvironments[role]?.includes(environment) ?? true
  if (!counts) return []
  return environment === 'sandbox'
    ? rolePermissions[role]
    : rolePermissions[role].filter((permission) => permission !== 'sandbox.simulate')
}

/** What a permission allows, where “this” would leave it open. */
const deeds: Partial<Record<Permission, string>> = {
  'approvals.decide': 'approve or decline this',
  'requests.decide': 'approve or decline this',
}

/**
 * "Only Support and Operations can do this.": the message for a role without the permission in the environment. It names
 * every role that holds the permission there.
 */
export function onlyRoles(permission: Permission, environment: Environment): string {
  const holders = roles.filter((role) => listPermissions(role, environment).includes(permission))
  if (holders.length === 0) return `Not available in ${environment}.`
  return `Only ${listed(holders.map((role) => roleNames[role]))} can ${deeds[permission] ?? 'do this'}.`
}

/** Everything that a role may do: what it reads, then its own areas and its single actions in others. */
export function roleSummary(role: Role): string {
  const held = rolePermissions[role]
  const isMasked = !held.includes('personal-data.read')
  const readable = reading.every((permission) => held.includes(permission))
    ? 'everything'
    : listed(reading.filter((permission) => held.includes(permission)).map((permission) => areaName(permission)))
  const place = roleEnvironments[role] ? ` in the ${roleEnvironments[role].join(' and ')}` : ''
  const own: string[] = []
  const single: string[] = []
  for (const [area, acts] of Object.entries(Object.groupBy(permissions.filter(isAct), areaName))) {
    const mine = acts?.filter((permission) => held.includes(permission)) ?? []
    if (mine.length === 0) continue
    if (mine.length === acts?.length) own.push(area)
    else single.push(`${listed(mine.map((permission) => permission.replace(/^.*\./, '')))} ${area}`)
  }
  const acts = [...(own.length > 0 ? [`manage ${listed(own)}`] : []), ...single].join('; ')
  const view = `View ${readable}${place}${isMasked ? ', personal data masked' : ''}.`
  return acts === '' ? view : `${view} ${withCapital(acts)}.`
}

/** Areas whose permissions have another prefix. */
const areaNames: Record<string, string> = {
  audit: 'the audit log',
  identity: 'identities',
  policy: 'the approval policy',
  cases: 'reproductions',
  sandbox: 'the QA lab',
  embeds: 'help desk views',
  requests: 'help desk requests',
}

function areaName(permission: Permission): string {
  const area = permission.replace(/\..*/, '')
  return areaNames[area] ?? area
}

/** Reading has its own sentence, and nearly every role writes notes. */
function isAct(permission: Permission): boolean {
  return !permission.endsWith('.read') && permission !== 'notes.write'
}
