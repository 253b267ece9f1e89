import { type Environment, pathOf, type Search } from './routes.ts'

/**
 * Every read of the browser's API: the console function behind it (`lib/console/reads.ts`), and its path below
 * /api/<environment>. Ids of the path are the function's parameters after the environment, in order.
 */
export const readPaths = {
  readOverview: 'overview',
  searchConsole: 'search',
  listCardAccounts: 'card-accounts',
  readAggregateBalances: 'card-accounts/aggregate-balances',
  limitsStart: 'card-accounts/limits',
  listMetadataKeys: 'card-accounts/metadata-keys',
  readCardAccount: 'card-accounts/[cardAccountId]',
  explainBalance: 'card-accounts/[cardAccountId]/balance',
  readCard: 'card-accounts/[cardAccountId]/cards/[cardId]',
  listTransactions: 'card-accounts/[cardAccountId]/transactions',
  readTransaction: 'card-accounts/[cardAccountId]/transactions/[transactionId]',
  listCardProducts: 'cards/products',
  listIdentities: 'identity',
  listIndividualLists: 'identity/lists',
  readIdentityCase: 'identity/[cardAccountId]',
  readReference: 'references/[type]/[id]',
  listNotes: 'notes/[type]/[id]',
  listAssignees: 'notes/assignees',
  readMyWork: 'my-work',
  listSavedViews: 'saved-views',
  listFees: 'fees',
  readFeeTotals: 'fees/totals',
  readFee: 'fees/[feeId]',
  listPayouts: 'payouts',
  readPayout: 'payouts/[payoutId]',
  readPayoutToRepeat: 'payouts/[payoutId]/repeat',
  readRates: 'rates',
  readRateHistory: 'rates/history',
  readBank: 'banks',
  listPayoutBanks: 'banks/countries/[countryCode]',
  listFundingAccounts: 'funding-accounts',
  listLedger: 'funding-accounts/ledger',
  listBulkJobs: 'bulk-jobs',
  readBulkJob: 'bulk-jobs/[jobId]',
  bulkResultCsv: 'bulk-jobs/[jobId]/csv',
  readOperation: 'operations/[operationId]',
  listApprovals: 'approvals',
  readWaitingApprovals: 'approvals/waiting',
  readApproval: 'approvals/[approvalId]',
  readPolicy: 'policy',
  listAudit: 'audit',
  readAuditIntegrity: 'audit/integrity',
  readAuditEntry: 'audit/[number]',
  listRequests: 'requests',
  readRequest: 'requests/[logId]',
  readWebhooks: 'webhooks',
  readWebhookAlerts: 'webhooks/alerts',
  listDeliveries: 'webhooks/[webhookId]/deliveries',
  listInbox: 'webhooks/inbox',
  readInboxEvent: 'webhooks/inbox/[eventId]',
  readServiceHealth: 'service-health',
  serviceClockForScreen: 'service-clock',
  readConnection: 'connection',
  listDeviations: 'connection/deviations',
  readEmbedHosts: 'embed/hosts',
  readEmbedSettings: 'embed/settings',
  listStaff: 'staff',
  readOwnAccount: 'own-account',
  readLabState: 'lab/state',
  readLabDetails: 'lab/details',
  readFaultEndpoints: 'lab/fault-endpoints',
  readExplorer: 'lab/explorer',
  readExplorerEndpoint: 'lab/explorer/[endpoint]',
  readExample: 'lab/explorer/[endpoint]/example',
  listServiceRequests: 'lab/requests',
  readServiceRequest: 'lab/requests/[requestId]',
  listScenarios: 'lab/scenarios',
  readScenarioRun: 'lab/scenario-runs/[runId]',
  readScenarioCase: 'lab/scenario-runs/[runId]/cases/[position]',
  scenarioJunit: 'lab/scenario-runs/[runId]/junit',
  scenarioYaml: 'lab/scenarios/[name]',
  recordedYaml: 'lab/recording',
} as const

export type ReadName = keyof typeof readPaths
type FirstOf<Path extends string> = Path extends `${infer First}/${string}` ? First : Path

/** What a read is about, as the first segment of its path. */
export type ReadTopic = FirstOf<(typeof readPaths)[ReadName]>

export function readTopic(name: ReadName): ReadTopic {
  return readPaths[name].split('/', 1)[0] as ReadTopic
}

/** Where a read is. `args` are the ids of its path, and the search after them where it has one. */
export function readUrl(
  name: ReadName,
  environment: Environment,
  args: readonly (string | Search | undefined)[],
): string {
  const given = [...args]
  const segments = readPaths[name]
    .split('/')
    .map((segment) => (segment.startsWith('[') ? String(given.shift() ?? '') : segment))
  const [search] = given
  return pathOf(['api', environment, ...segments], typeof search === 'object' ? search : {})
}

/** Where all pages of a list are as a CSV file: at the list's own path with `.csv`. */
export function exportUrl(...list: Parameters<typeof readUrl>): string {
  return readUrl(...list).replace(/(?=\?|$)/, '.csv')
}

/** The read at a path, and the ids of the path; null where there is none. A fixed segment counts before an id. */
export function findRead(path: readonly string[]): { name: ReadName; ids: string[] } | null {
  const found = rows.find(
    ({ segments }) =>
      segments.length === path.length &&
      segments.every((segment, index) => segment.startsWith('[') || segment === path[index]),
  )
  return found ? { name: found.name, ids: path.filter((_, index) => found.segments[index]?.startsWith('[')) } : null
}

const idCount = (segments: readonly string[]) => segments.filter((segment) => segment.startsWith('[')).length

const rows = Object.entries(readPaths)
  .map(([name, path]) => ({ name: name as ReadName, segments: path.split('/') }))
  .toSorted((one, other) => idCount(one.segments) - idCount(other.segments))
