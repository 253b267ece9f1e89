import { findReadDefinition, readDefinitions, type ReadName } from '#lib/api/reads.ts'
import type { Permission } from '#lib/auth/permissions.ts'

/** What it takes to be let in: a permission, any session, or nothing. */
export type Needs = Permission | 'session' | 'nothing'

/** Every page by its folder below app. */
export const pages: Record<string, Needs> = {
  '': 'nothing',
  'sign-in': 'nothing',
  '[environment]': 'accounts.read',
  '[environment]/approvals': 'approvals.read',
  '[environment]/approvals/[approvalId]': 'approvals.read',
  '[environment]/audit': 'audit.read',
  '[environment]/banks': 'payouts.read',
  '[environment]/bulk-jobs': 'accounts.read',
  '[environment]/bulk-jobs/[jobId]': 'accounts.read',
  '[environment]/card-accounts': 'accounts.read',
  '[environment]/card-accounts/limits': 'limits.set',
  '[environment]/card-accounts/new': 'accounts.open',
  '[environment]/card-accounts/[cardAccountId]': 'accounts.read',
  '[environment]/card-accounts/[cardAccountId]/cards/[cardId]': 'accounts.read',
  '[environment]/card-accounts/[cardAccountId]/transactions/[transactionId]': 'accounts.read',
  '[environment]/cards': 'accounts.read',
  '[environment]/transactions': 'accounts.read',
  '[environment]/operations': 'accounts.read',
  '[environment]/operations/[operationId]': 'accounts.read',
  '[environment]/fees': 'accounts.read',
  '[environment]/lab': 'sandbox.simulate',
  '[environment]/lab/explorer': 'sandbox.simulate',
  '[environment]/lab/scenarios': 'sandbox.simulate',
  '[environment]/funding-accounts': 'payouts.read',
  '[environment]/identity': 'accounts.read',
  '[environment]/identity/[cardAccountId]': 'accounts.read',
  '[environment]/payouts': 'payouts.read',
  '[environment]/payouts/new': 'payouts.read',
  '[environment]/payouts/[payoutId]': 'payouts.read',
  '[environment]/payouts/[payoutId]/receipt': 'payouts.read',
  '[environment]/rates': 'payouts.read',
  '[environment]/requests': 'audit.read',
  '[environment]/settings/connection': 'connection.read',
  '[environment]/settings/embedding': 'embeds.manage',
  '[environment]/settings/staff': 'staff.manage',
  '[environment]/settings/account': 'session',
  'settings/[page]': 'nothing',
  '[environment]/settings/policy': 'policy.read',
  '[environment]/webhooks': 'webhooks.read',
  '[environment]/webhooks/inbox': 'webhooks.read',
}

/** Every read, by its definition. Of a read whose permission depends on a type it is the least. */
export const reads = Object.fromEntries(
  (Object.keys(readDefinitions) as ReadName[]).map((name) => {
    const { needs, example } = findReadDefinition(name)
    return [name, { needs: typeof needs === 'string' ? needs : 'accounts.read', ...(example && { search: example }) }]
  }),
) as Record<ReadName, { needs: Needs; search?: string }>

/** Every other route by its folder below app/api. */
export const apiRoutes: Record<string, { needs: Needs; search?: string }> = {
  health: { needs: 'nothing' },
  'health/live': { needs: 'nothing' },
  'health/ready': { needs: 'nothing' },
  'session/activity': { needs: 'session' },
  'staff/current': { needs: 'session' },
  '[environment]/live': { needs: 'accounts.read' },
}

/**
 * Routes that are no reads of the console: the reads of the table, next-auth's own, the inbox and the provider's sign-out (a signature), and those of
 * embedded views (a help desk's key, a token), which no session opens.
 */
export const otherRoutes = [
  '[...path]',
  'auth/[...nextauth]',
  'embed/tokens',
  'embed/requests',
  'embed/view',
  'session/back-channel-logout',
  'webhooks/inbox/[environment]',
]
