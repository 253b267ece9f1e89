import type { Permission } from '#lib/console/desk/permissions.ts'
import { cardActions } from '#lib/contract/card-actions.ts'
import type { ReadName } from '#lib/shared/reads.ts'

/** What it takes to be let in: a permission, any session, or nothing. */
export type Needs = Permission | 'session' | 'nothing'

/** Every page by its folder below app. */
export const pages: Record<string, Needs> = {
  '': 'nothing',
  'sign-in': 'nothing',
  '[environment]': 'accounts.read',
  '[environment]/audit': 'audit.read',
  '[environment]/banks': 'payouts.read',
  '[environment]/bulk-jobs': 'accounts.read',
  '[environment]/bulk-jobs/[jobId]': 'accounts.read',
  '[environment]/card-accounts': 'accounts.read',
  '[environment]/card-accounts/limits': 'limits.set',
  '[environment]/card-accounts/[cardAccountId]': 'accounts.read',
  '[environment]/card-accounts/[cardAccountId]/cards/[cardId]': 'accounts.read',
  '[environment]/card-accounts/[cardAccountId]/transactions/[transactionId]': 'accounts.read',
  '[environment]/fees': 'accounts.read',
  '[environment]/lab': 'sandbox.simulate',
  '[environment]/lab/explorer': 'sandbox.simulate',
  '[environment]/funding-accounts': 'payouts.read',
  '[environment]/identity': 'accounts.read',
  '[environment]/identity/[cardAccountId]': 'accounts.read',
  '[environment]/payouts': 'payouts.read',
  '[environment]/payouts/new': 'payouts.read',
  '[environment]/payouts/[payoutId]': 'payouts.read',
  '[environment]/rates': 'payouts.read',
  '[environment]/settings/connection': 'connection.read',
  '[environment]/settings/embedding': 'embeds.manage',
  'settings/connection': 'nothing',
  'settings/embedding': 'nothing',
  '[environment]/webhooks': 'webhooks.read',
  '[environment]/webhooks/inbox': 'webhooks.read',
}

/** Every read of `lib/shared/reads.ts`; `search` is what it cannot do without. */
export const reads: { [Name in ReadName]: { needs: Needs; search?: string } } = {
  readOverview: { needs: 'accounts.read' },
  listCardAccounts: { needs: 'accounts.read' },
  readAggregateBalances: { needs: 'accounts.read' },
  limitsStart: { needs: 'limits.set' },
  listMetadataKeys: { needs: 'accounts.read' },
  readCardAccount: { needs: 'accounts.read' },
  explainBalance: { needs: 'accounts.read' },
  readCard: { needs: 'accounts.read' },
  listTransactions: { needs: 'accounts.read' },
  readTransaction: { needs: 'accounts.read' },
  listIdentities: { needs: 'accounts.read' },
  readIdentityCase: { needs: 'accounts.read' },
  readReference: { needs: 'accounts.read' },
  listFees: { needs: 'accounts.read' },
  readFeeTotals: { needs: 'accounts.read' },
  readFee: { needs: 'accounts.read' },
  listPayouts: { needs: 'payouts.read' },
  readPayout: { needs: 'payouts.read' },
  readRates: { needs: 'payouts.read', search: '?base=USD' },
  readRateHistory: { needs: 'payouts.read', search: '?base=USD&currency=HKD' },
  readBank: { needs: 'payouts.read', search: '?wireCode=HSBCHKHH' },
  listPayoutBanks: { needs: 'payouts.read' },
  listFundingAccounts: { needs: 'payouts.read' },
  listLedger: { needs: 'payouts.read' },
  listBulkJobs: { needs: 'accounts.read' },
  readBulkJob: { needs: 'accounts.read' },
  readOperation: { needs: 'accounts.read' },
  listAudit: { needs: 'audit.read' },
  readAuditEntry: { needs: 'audit.read' },
  readWebhooks: { needs: 'webhooks.read' },
  readWebhookAlerts: { needs: 'webhooks.read' },
  listInbox: { needs: 'webhooks.read' },
  readInboxEvent: { needs: 'webhooks.read' },
  readServiceHealth: { needs: 'session' },
  serviceClockForScreen: { needs: 'payouts.read' },
  readConnection: { needs: 'connection.read' },
  listDeviations: { needs: 'connection.read' },
  readEmbedHosts: { needs: 'embeds.create' },
  readEmbedSettings: { needs: 'embeds.manage' },
  readLabState: { needs: 'session' },
  readLabDetails: { needs: 'sandbox.simulate' },
  readFaultEndpoints: { needs: 'sandbox.simulate' },
  readExplorer: { needs: 'sandbox.simulate' },
  readExplorerEndpoint: { needs: 'sandbox.simulate' },
  readExample: { needs: 'sandbox.simulate' },
  listServiceRequests: { needs: 'sandbox.simulate' },
  readServiceRequest: { needs: 'sandbox.simulate' },
}

/** Every other route by its folder below app/api. */
export const apiRoutes: Record<string, { needs: Needs; search?: string }> = {
  health: { needs: 'nothing' },
  'session/activity': { needs: 'session' },
  'staff/current': { needs: 'session' },
  '[environment]/bulk-jobs/[jobId]/csv': { needs: 'accounts.read' },
  '[environment]/exports/[list]': { needs: 'accounts.read', search: '?zone=UTC' },
  '[environment]/live': { needs: 'accounts.read' },
}

/**
 * Routes that are no reads of the console: the reads of the table, next-auth's own, the inbox (a signature), and those of
 * embedded views (a help desk's key, a token), which no session opens.
 */
export const otherRoutes = [
  '[...path]',
  'auth/[...nextauth]',
  'embed/tokens',
  'embed/view',
  'webhooks/inbox/[environment]',
]

/** Every server action by its name, and where it takes one the name of what it does. */
export const actions: Record<string, Needs> = {
  signIn: 'nothing',
  signOut: 'nothing',
  ...Object.fromEntries(cardActions.map((action) => [`performCardAction ${action}`, `cards.${action}` as const])),
  revealCard: 'cards.reveal',
  waiveFee: 'fees.waive',
  previewWaivers: 'fees.waive',
  startWaivers: 'fees.waive',
  setLimit: 'limits.set',
  previewLimits: 'limits.set',
  startLimits: 'limits.set',
  quotePayout: 'payouts.submit',
  submitPayout: 'payouts.submit',
  resolveOperation: 'payouts.submit',
  runConnectionCheck: 'connection.read',
  createEmbedToken: 'embeds.create',
  createEmbedKey: 'embeds.manage',
  revokeEmbedKey: 'embeds.manage',
  setReference: 'references.edit',
  resubmitIdentity: 'identity.manage',
  simulateIdentity: 'sandbox.simulate',
  sendExplorerRequest: 'sandbox.simulate',
  pauseBulkJob: 'accounts.read',
  resumeBulkJob: 'accounts.read',
  cancelBulkJob: 'accounts.read',
  createWebhook: 'webhooks.manage',
  recreateWebhook: 'webhooks.manage',
  removeWebhook: 'webhooks.manage',
  testWebhook: 'webhooks.manage',
  performLabAction: 'sandbox.simulate',
}
