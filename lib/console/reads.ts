import 'server-only'
import type { ReadName, readPaths } from '#lib/shared/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { listApprovals, readApproval, readWaitingApprovals } from './approvals/read.ts'
import { listPayoutBanks, readBank } from './banks.ts'
import { listBulkJobs, readBulkJob } from './bulk/read.ts'
import { bulkResultCsv } from './bulk/result-csv.ts'
import { explainBalance } from './card-accounts/balance-explanation.ts'
import { listCardAccounts, listMetadataKeys, readAggregateBalances, readCardAccount } from './card-accounts/list.ts'
import { readCard } from './cards/detail.ts'
import { listCardProducts } from './cards/issue.ts'
import { listDeviations, readConnection } from './connection/read.ts'
import { readPolicy } from './desk/approvals/policy-changes.ts'
import { listAudit } from './desk/audit/audit.ts'
import { auditedReads } from './desk/audit/audited-reads.ts'
import { readAuditEntry } from './desk/audit/detail.ts'
import { readAuditIntegrity } from './desk/audit/integrity.ts'
import { serviceClockForScreen } from './desk/connections/control-plane.ts'
import { readServiceHealth } from './desk/connections/health.ts'
import { readOperation } from './desk/operations/resolve.ts'
import { readOwnAccount } from './desk/session/own-sessions.ts'
import { listStaff } from './desk/session/staff-admin.ts'
import { readEmbedHosts } from './embed/create-token.ts'
import { readEmbedSettings } from './embed/keys.ts'
import { listFees, readFee, readFeeTotals } from './fees/list.ts'
import { listFundingAccounts, listLedger } from './funding-accounts.ts'
import { listIndividualLists } from './identity/individual.ts'
import { listIdentities, readIdentityCase } from './identity/read.ts'
import { listInbox, readInboxEvent } from './inbox/read.ts'
import { readExample, readExplorer, readExplorerEndpoint } from './lab/explorer.ts'
import { readFaultEndpoints, readLabDetails, readLabState } from './lab/lab.ts'
import { recordedYaml } from './lab/recording.ts'
import { listServiceRequests, readServiceRequest } from './lab/requests.ts'
import { listScenarios, readScenarioCase, readScenarioRun, scenarioJunit, scenarioYaml } from './lab/scenarios.ts'
import { limitsStart } from './limits/left-over.ts'
import { readMyWork } from './my-work.ts'
import { listAssignees, listNotes } from './notes/read.ts'
import { readOverview } from './overview.ts'
import { readPayout } from './payouts/detail.ts'
import { listPayouts } from './payouts/list.ts'
import { readPayoutToRepeat } from './payouts/repeat.ts'
import { readRateHistory } from './rates/history.ts'
import { readRates } from './rates/read.ts'
import { readReference } from './references/detail.ts'
import { listRequests, readRequest } from './requests/list.ts'
import { listSavedViews } from './saved-views.ts'
import { searchConsole } from './search.ts'
import { readTransaction } from './transactions/detail.ts'
import { listTransactions } from './transactions/list.ts'
import { listDeliveries } from './webhooks/deliveries.ts'
import { readWebhookAlerts, readWebhooks } from './webhooks/read.ts'

type Ids<Path> = Path extends `${string}[${string}]${infer Rest}` ? [id: string, ...Ids<Rest>] : []
type Read<Name extends ReadName> = (
  environment: Environment,
  ...rest: [...Ids<(typeof readPaths)[Name]>, search: Record<string, string | string[]>]
) => Promise<object>

/**
 * The console functions behind the reads of `lib/shared/reads.ts`. Each checks its permission itself, and takes the ids
 * of its path and the search of the URL.
 */
export const unauditedReads = {
  readOverview,
  searchConsole,
  listCardAccounts,
  readAggregateBalances,
  limitsStart,
  listMetadataKeys,
  readCardAccount,
  explainBalance,
  readCard,
  listTransactions,
  readTransaction,
  listCardProducts,
  listIdentities,
  listIndividualLists,
  readIdentityCase,
  readReference,
  listNotes,
  listAssignees,
  readMyWork,
  listSavedViews,
  listFees,
  readFeeTotals,
  readFee,
  listPayouts,
  readPayout,
  readPayoutToRepeat,
  readRates,
  readRateHistory,
  readBank,
  listPayoutBanks,
  listFundingAccounts,
  listLedger,
  listBulkJobs,
  readBulkJob,
  bulkResultCsv,
  readOperation,
  listApprovals,
  readWaitingApprovals,
  readApproval,
  readPolicy,
  listAudit,
  readAuditIntegrity,
  readAuditEntry,
  listRequests,
  readRequest,
  readWebhooks,
  readWebhookAlerts,
  listDeliveries,
  listInbox,
  readInboxEvent,
  readServiceHealth,
  serviceClockForScreen,
  readConnection,
  listDeviations,
  readEmbedHosts,
  readEmbedSettings,
  listStaff,
  readOwnAccount,
  readLabState,
  readLabDetails,
  readFaultEndpoints,
  readExplorer,
  readExplorerEndpoint,
  readExample,
  listServiceRequests,
  readServiceRequest,
  listScenarios,
  readScenarioRun,
  readScenarioCase,
  scenarioJunit,
  scenarioYaml,
  recordedYaml,
} satisfies { [Name in ReadName]: Read<Name> }

/** The reads for pages and the browser: refused and sensitive ones are audited. */
export const reads = auditedReads(unauditedReads)
