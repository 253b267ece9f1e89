import { keepPreviousData, QueryClient, queryOptions, type QueryKey } from '@tanstack/react-query'
import type { reads } from '#lib/console/reads.ts'
import { type ReadName, readTopic, readUrl } from '#lib/shared/reads.ts'
import type { Environment, Search } from '#lib/shared/routes.ts'
import { isWorthRetrying, ReadError, readJson } from './read.ts'

export type { ExportName } from '#lib/console/export/table.ts'

type Reads = typeof reads
export type ReadResult<Name extends ReadName> = Awaited<ReturnType<Reads[Name]>>
type Rest<Parameters> = Parameters extends [Environment, ...infer Others] ? Others : never
/** What a read takes after its environment: ids, and a search where it has one. */
export type ReadArguments<Name extends ReadName> = Rest<Parameters<Reads[Name]>>
/** The search of a read: its filters, its sort and its page. */
export type ReadSearch<Name extends ReadName> = Extract<ReadArguments<Name>[number], object>

type Query<Data> = { queryKey: QueryKey; state: { data: Data | undefined; error: Error | null } }

/** How often a read is repeated and how long it stays fresh. What a row leaves out is the QueryClient's own. */
type Timing<Data> = {
  refetchInterval?: number | ((query: Query<Data>) => number | false)
  staleTime?: number
  gcTime?: number
  /** The rows before are shown while those of another page or filter are on their way. */
  placeholderData?: typeof keepPreviousData
}

const record = { refetchInterval: 15_000 }
const list = { ...record, placeholderData: keepPreviousData }
/** Read again only when a live update or the person says so. */
const once = {}
/** Outcomes that may still become another one. */
const openStates = new Set(['unknown', 'running', 'waiting'])
/** A little more than the console's own 5 s, so that each reading finds a new sample. */
const rateMs = 5_200

/** The reads that are not repeated like every list (`list…`) and every other record (`read…`). */
const timings: { [Name in ReadName]?: Timing<ReadResult<Name>> } = {
  readAggregateBalances: { placeholderData: keepPreviousData },
  // Read once: what was typed since is the person's.
  limitsStart: { staleTime: Number.POSITIVE_INFINITY },
  listMetadataKeys: { staleTime: 60_000 },
  // Reads all entries of an account.
  explainBalance: { refetchInterval: 60_000 },
  listCardProducts: { staleTime: 60_000 },
  listIndividualLists: { staleTime: 600_000 },
  // Never cached: the editor begins with what the service has then.
  readReference: { refetchInterval: 10_000, gcTime: 0, staleTime: 0 },
  // Live updates cover everything that is shown there.
  readMyWork: { refetchInterval: 60_000 },
  listAssignees: { staleTime: 60_000 },
  // A note that is added is a live update.
  listNotes: once,
  listSavedViews: { staleTime: 60_000 },
  readFeeTotals: list,
  readFee: { staleTime: 0 },
  // Read once: what was changed since is the person's. Never cached: it names a beneficiary.
  readPayoutToRepeat: { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  readRates: { refetchInterval: (query) => unlessRefused(query, rateMs), staleTime: 2_000 },
  // The last hour grows while it is shown.
  readRateHistory: {
    refetchInterval: (query) => unlessRefused(query, isLastHour(query.queryKey) ? rateMs : 30_000),
    staleTime: 2_000,
    placeholderData: keepPreviousData,
  },
  readBank: { staleTime: 60_000 },
  listPayoutBanks: { staleTime: 60_000 },
  listFundingAccounts: record,
  listBulkJobs: { ...list, staleTime: 1_000 },
  readBulkJob: {
    refetchInterval: ({ state: { data } }) => (data && data.job.finishedAt === null ? 5_000 : false),
    staleTime: 500,
    placeholderData: keepPreviousData,
  },
  // Reading an operation settles it where that is possible.
  readOperation: {
    refetchInterval: ({ state: { data } }) =>
      data && openStates.has(data.outcome.state) ? (data.outcome.state === 'waiting' ? 5_000 : 2_000) : false,
    staleTime: 10_000,
  },
  readAuditIntegrity: { refetchInterval: 30_000, staleTime: 10_000 },
  readApproval: { refetchInterval: 10_000, staleTime: 1_000 },
  listAudit: { placeholderData: keepPreviousData },
  readAuditEntry: once,
  listRequests: { refetchInterval: 5_000, staleTime: 1_000, placeholderData: keepPreviousData },
  readRequest: { staleTime: Number.POSITIVE_INFINITY },
  // While the panel is open the console reads the webhooks every few seconds.
  readWebhooks: { refetchInterval: 5_000, staleTime: 2_000 },
  listDeliveries: { ...list, refetchInterval: 5_000, staleTime: 2_000 },
  listInbox: { ...list, staleTime: 2_000 },
  readInboxEvent: { staleTime: 60_000 },
  // The first page of a process is drawn before anything was read from the service.
  readServiceHealth: {
    refetchInterval: ({ state: { data } }) =>
      data?.connected === true && data.lastResponseAt === null && data.unreachableSince === null ? 2_000 : 10_000,
    staleTime: 10_000,
  },
  readConnection: { ...record, staleTime: 2_000 },
  listDeviations: { ...list, staleTime: 2_000 },
  // It changes with the console's settings only.
  readEmbedHosts: { staleTime: Number.POSITIVE_INFINITY },
  readEmbedSettings: { ...record, staleTime: 2_000 },
  listStaff: { ...record, staleTime: 2_000 },
  readOwnAccount: { ...record, staleTime: 2_000 },
  // From the contract.
  readFaultEndpoints: { staleTime: Number.POSITIVE_INFINITY },
  readExplorer: { staleTime: Number.POSITIVE_INFINITY },
  readExplorerEndpoint: { staleTime: Number.POSITIVE_INFINITY },
  readExample: once,
  listServiceRequests: { refetchInterval: 5_000, staleTime: 1_000, placeholderData: keepPreviousData },
  readServiceRequest: { staleTime: Number.POSITIVE_INFINITY },
  listScenarios: { ...record, staleTime: 1_000 },
  // A step takes some milliseconds.
  readScenarioRun: {
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? 700 : false),
    staleTime: 500,
  },
  readScenarioCase: {
    refetchInterval: ({ state: { data } }) =>
      data && (data.report === null || data.report.outcome === 'running') ? 700 : false,
    staleTime: 500,
  },
}

/** Reads are fresh for five seconds and read again when the window comes back; a failure is retried twice, a 4xx never. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: isWorthRetrying, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  })
}

/** One read of the table as options for react-query. */
export function readQuery<Name extends ReadName>(name: Name, environment: Environment, ...args: ReadArguments<Name>) {
  return queryOptions({
    queryKey: readKey(name, environment, ...args),
    queryFn: ({ signal }) => fetchRead(signal, name, environment, ...args),
    ...timingOf(name),
  })
}

function timingOf<Name extends ReadName>(name: Name): Timing<ReadResult<Name>> {
  const timing: Timing<ReadResult<Name>> =
    timings[name] ?? (name.startsWith('list') ? list : name.startsWith('read') ? record : once)
  const { refetchInterval = false } = timing
  return {
    ...timing,
    // After a change of role nothing that it forbids is polled.
    refetchInterval: (query) =>
      isForbidden(query.state.error)
        ? false
        : typeof refetchInterval === 'function'
          ? (refetchInterval(query) as number | false)
          : refetchInterval,
  }
}

function isForbidden(error: Error | null): boolean {
  return error instanceof ReadError && error.status === 403
}

/** One read, once. Throws `ReadError`. */
export function fetchRead<Name extends ReadName>(
  signal: AbortSignal,
  name: Name,
  environment: Environment,
  ...args: ReadArguments<Name>
): Promise<ReadResult<Name>> {
  return readJson<ReadResult<Name>>(readUrl(name, environment, args as (string | Search)[]), signal)
}

/** The key of a read; with fewer ids, the beginning of the keys of several. */
export function readKey(name: ReadName, environment: Environment, ...args: readonly unknown[]): QueryKey {
  return [environment, readTopic(name), name, ...args]
}

/** What was refused for good is not requested again; what was never read is requested less often, so that its failure can be read. */
function unlessRefused({ state: { data, error } }: Query<unknown>, intervalMs: number): number | false {
  if (data !== undefined || error === null) return intervalMs
  return isWorthRetrying(0, error) ? 15_000 : false
}

function isLastHour(key: QueryKey): boolean {
  return (key.at(-1) as ReadArguments<'readRateHistory'>[0]).range === '1h'
}
