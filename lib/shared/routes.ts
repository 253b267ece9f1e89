/** The two environments of the service. The one that a page shows stands in its address. */
export const environments = ['sandbox', 'production'] as const
export type Environment = (typeof environments)[number]

export function isEnvironment(text: string): text is Environment {
  return (environments as readonly string[]).includes(text)
}

type Search = Record<string, string | number | readonly string[] | null | undefined>

/** An address from encoded segments. Throws `TypeError` on an empty segment, `.` and `..`. */
export function pathOf(segments: readonly string[], search: Search = {}): string {
  const path = segments
    .map((segment) => {
      if (segment === '' || segment === '.' || segment === '..') throw new TypeError(`not a path segment: "${segment}"`)
      return `/${encodeURIComponent(segment)}`
    })
    .join('')
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null && item !== undefined && item !== '') query.append(name, String(item))
    }
  }
  return query.size > 0 ? `${path}?${query}` : path
}

/** Where the pages are. */
export const routes = {
  signIn: (search?: Search) => pathOf(['sign-in'], search),
  overview: (environment: Environment) => pathOf([environment]),
  cardAccounts: (environment: Environment, search?: Search) => pathOf([environment, 'card-accounts'], search),
  cardAccount: (environment: Environment, cardAccountId: string, search?: Search) =>
    pathOf([environment, 'card-accounts', cardAccountId], search),
  card: (environment: Environment, cardAccountId: string, cardId: string, search?: Search) =>
    pathOf([environment, 'card-accounts', cardAccountId, 'cards', cardId], search),
  transaction: (environment: Environment, cardAccountId: string, transactionId: string) =>
    pathOf([environment, 'card-accounts', cardAccountId, 'transactions', transactionId]),
  identity: (environment: Environment, search?: Search) => pathOf([environment, 'identity'], search),
  identityCase: (environment: Environment, cardAccountId: string) => pathOf([environment, 'identity', cardAccountId]),
  limits: (environment: Environment, search?: Search) => pathOf([environment, 'card-accounts', 'limits'], search),
  fees: (environment: Environment, search?: Search) => pathOf([environment, 'fees'], search),
  payouts: (environment: Environment, search?: Search) => pathOf([environment, 'payouts'], search),
  newPayout: (environment: Environment, search?: Search) => pathOf([environment, 'payouts', 'new'], search),
  payout: (environment: Environment, payoutId: string) => pathOf([environment, 'payouts', payoutId]),
  rates: (environment: Environment, search?: Search) => pathOf([environment, 'rates'], search),
  banks: (environment: Environment, search?: Search) => pathOf([environment, 'banks'], search),
  fundingAccounts: (environment: Environment, search?: Search) => pathOf([environment, 'funding-accounts'], search),
  bulkJobs: (environment: Environment, search?: Search) => pathOf([environment, 'bulk-jobs'], search),
  bulkJob: (environment: Environment, jobId: string, search?: Search) =>
    pathOf([environment, 'bulk-jobs', jobId], search),
  audit: (environment: Environment, search?: Search) => pathOf([environment, 'audit'], search),
  webhooks: (environment: Environment) => pathOf([environment, 'webhooks']),
  inbox: (environment: Environment, search?: Search) => pathOf([environment, 'webhooks', 'inbox'], search),
  connection: (environment: Environment, search?: Search) => pathOf([environment, 'settings', 'connection'], search),
  /** The QA lab, in the sandbox alone. */
  lab: (environment: Environment, search?: Search) => pathOf([environment, 'lab'], search),
  scenarios: (environment: Environment, search?: Search) => pathOf([environment, 'lab', 'scenarios'], search),
  explorer: (environment: Environment, search?: Search) => pathOf([environment, 'lab', 'explorer'], search),
}

/** Where the browser reads: GET only, the same console function as the page's. */
export const apiRoutes = {
  overview: (environment: Environment) => pathOf(['api', environment, 'overview']),
  cardAccounts: (environment: Environment, search?: Search) => pathOf(['api', environment, 'card-accounts'], search),
  aggregateBalances: (environment: Environment, search?: Search) =>
    pathOf(['api', environment, 'card-accounts', 'aggregate-balances'], search),
  /** What the form of limits begins with. */
  limitsStart: (environment: Environment, search?: Search) =>
    pathOf(['api', environment, 'card-accounts', 'limits'], search),
  metadataKeys: (environment: Environment) => pathOf(['api', environment, 'card-accounts', 'metadata-keys']),
  cardAccount: (environment: Environment, cardAccountId: string) =>
    pathOf(['api', environment, 'card-accounts', cardAccountId]),
  transactions: (environment: Environment, cardAccountId: string, search?: Search) =>
    pathOf(['api', environment, 'card-accounts', cardAccountId, 'transactions'], search),
  card: (environment: Environment, cardAccountId: string, cardId: string) =>
    pathOf(['api', environment, 'card-accounts', cardAccountId, 'cards', cardId]),
  transaction: (environment: Environment, cardAccountId: string, transactionId: string) =>
    pathOf(['api', environment, 'card-accounts', cardAccountId, 'transactions', transactionId]),
  balanceExplanation: (environment: Environment, cardAccountId: string) =>
    pathOf(['api', environment, 'card-accounts', cardAccountId, 'balance']),
  identity: (environment: Environment, search?: Search) => pathOf(['api', environment, 'identity'], search),
  identityCase: (environment: Environment, cardAccountId: string) =>
    pathOf(['api', environment, 'identity', cardAccountId]),
  reference: (environment: Environment, type: string, id: string) =>
    pathOf(['api', environment, 'references', type, id]),
  fees: (environment: Environment, search?: Search) => pathOf(['api', environment, 'fees'], search),
  feeTotals: (environment: Environment, search?: Search) => pathOf(['api', environment, 'fees', 'totals'], search),
  fee: (environment: Environment, feeId: string) => pathOf(['api', environment, 'fees', feeId]),
  payouts: (environment: Environment, search?: Search) => pathOf(['api', environment, 'payouts'], search),
  payout: (environment: Environment, payoutId: string) => pathOf(['api', environment, 'payouts', payoutId]),
  rates: (environment: Environment, search?: Search) => pathOf(['api', environment, 'rates'], search),
  rateHistory: (environment: Environment, search?: Search) => pathOf(['api', environment, 'rates', 'history'], search),
  bank: (environment: Environment, search?: Search) => pathOf(['api', environment, 'banks'], search),
  payoutBanks: (environment: Environment, countryCode: string) =>
    pathOf(['api', environment, 'banks', 'countries', countryCode]),
  fundingAccounts: (environment: Environment) => pathOf(['api', environment, 'funding-accounts']),
  ledger: (environment: Environment, search?: Search) =>
    pathOf(['api', environment, 'funding-accounts', 'transactions'], search),
  bulkJobs: (environment: Environment, search?: Search) => pathOf(['api', environment, 'bulk-jobs'], search),
  bulkJob: (environment: Environment, jobId: string, search?: Search) =>
    pathOf(['api', environment, 'bulk-jobs', jobId], search),
  /** What came of every row of a bulk job, as a CSV. */
  bulkJobCsv: (environment: Environment, jobId: string, search?: Search) =>
    pathOf(['api', environment, 'bulk-jobs', jobId, 'csv'], search),
  /** A CSV of everything that the filter shows. `list` is what the page lists: `fees`, `payouts` … */
  export: (environment: Environment, list: string, search?: Search) =>
    pathOf(['api', environment, 'exports', list], search),
  operation: (environment: Environment, operationId: string) => pathOf(['api', environment, 'operations', operationId]),
  audit: (environment: Environment, search?: Search) => pathOf(['api', environment, 'audit'], search),
  auditEntry: (environment: Environment, number: number) => pathOf(['api', environment, 'audit', String(number)]),
  live: (environment: Environment, search?: Search) => pathOf(['api', environment, 'live'], search),
  webhooks: (environment: Environment) => pathOf(['api', environment, 'webhooks']),
  webhookAlerts: (environment: Environment) => pathOf(['api', environment, 'webhooks', 'alerts']),
  inbox: (environment: Environment, search?: Search) => pathOf(['api', environment, 'webhooks', 'inbox'], search),
  inboxEvent: (environment: Environment, eventId: string) => pathOf(['api', environment, 'webhooks', 'inbox', eventId]),
  serviceHealth: (environment: Environment) => pathOf(['api', environment, 'service-health']),
  serviceClock: (environment: Environment) => pathOf(['api', environment, 'service-clock']),
  /** GET: how long the session lasts. POST: the person did something. */
  sessionActivity: () => pathOf(['api', 'session', 'activity']),
  labState: (environment: Environment) => pathOf(['api', environment, 'lab', 'state']),
  connection: (environment: Environment) => pathOf(['api', environment, 'connection']),
  deviations: (environment: Environment, search?: Search) =>
    pathOf(['api', environment, 'connection', 'deviations'], search),
  currentStaff: () => pathOf(['api', 'staff', 'current']),
}
