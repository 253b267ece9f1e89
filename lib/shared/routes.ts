/** The two environments of the service. A page's URL begins with the one it shows. */
export const environments = ['sandbox', 'production'] as const
export type Environment = (typeof environments)[number]

export function isEnvironment(text: string): text is Environment {
  return (environments as readonly string[]).includes(text)
}

/** The environments as a sentence names them. */
export const environmentInSentence: Record<Environment, string> = { sandbox: 'the sandbox', production: 'production' }

/** The environment that a page's path begins with; null where it begins with none. */
export function environmentOfPath(pathname: string): Environment | null {
  const name = pathname.split('/')[1] ?? ''
  return isEnvironment(name) ? name : null
}

/** The text of a percent-encoded segment; one that is not validly encoded stays as it is written. */
export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export type Search = Record<string, string | number | readonly string[] | null | undefined>

/** An address from segments of any text. Throws `TypeError` on an empty one. */
export function makePath(segments: readonly string[], search: Search = {}): string {
  const path = segments.map((segment) => `/${encodedSegment(segment)}`).join('')
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null && item !== undefined && item !== '') query.append(name, String(item))
    }
  }
  return query.size > 0 ? `${path}?${query}` : path
}

/** No address holds `.`, `..` or half a surrogate pair: a record with such an id is listed, and its page says that it does not exist. */
function encodedSegment(segment: string): string {
  if (segment === '') throw new TypeError('an empty path segment')
  const encoded = encodeURIComponent(segment.toWellFormed())
  return /^\.{1,2}$/.test(segment) ? encoded.replaceAll('.', '%252E') : encoded
}

/** Where the pages are. */
export const routes = {
  signIn: (search?: Search) => makePath(['sign-in'], search),
  signOut: () => makePath(['sign-out']),
  overview: (environment: Environment) => makePath([environment]),
  cardAccounts: (environment: Environment, search?: Search) => makePath([environment, 'card-accounts'], search),
  cardAccount: (environment: Environment, cardAccountId: string, search?: Search) =>
    makePath([environment, 'card-accounts', cardAccountId], search),
  card: (environment: Environment, cardAccountId: string, cardId: string, search?: Search) =>
    makePath([environment, 'card-accounts', cardAccountId, 'cards', cardId], search),
  transaction: (environment: Environment, cardAccountId: string, transactionId: string) =>
    makePath([environment, 'card-accounts', cardAccountId, 'transactions', transactionId]),
  /** The cards of the whole program. */
  cards: (environment: Environment, search?: Search) => makePath([environment, 'cards'], search),
  /** The transactions of the whole program. */
  transactions: (environment: Environment, search?: Search) => makePath([environment, 'transactions'], search),
  identity: (environment: Environment, search?: Search) => makePath([environment, 'identity'], search),
  identityCase: (environment: Environment, cardAccountId: string) => makePath([environment, 'identity', cardAccountId]),
  openAccount: (environment: Environment, search?: Search) => makePath([environment, 'card-accounts', 'new'], search),
  limits: (environment: Environment, search?: Search) => makePath([environment, 'card-accounts', 'limits'], search),
  fees: (environment: Environment, search?: Search) => makePath([environment, 'fees'], search),
  payouts: (environment: Environment, search?: Search) => makePath([environment, 'payouts'], search),
  newPayout: (environment: Environment, search?: Search) => makePath([environment, 'payouts', 'new'], search),
  payout: (environment: Environment, payoutId: string) => makePath([environment, 'payouts', payoutId]),
  payoutReceipt: (environment: Environment, payoutId: string, search?: Search) =>
    makePath([environment, 'payouts', payoutId, 'receipt'], search),
  rates: (environment: Environment, search?: Search) => makePath([environment, 'rates'], search),
  banks: (environment: Environment, search?: Search) => makePath([environment, 'banks'], search),
  fundingAccounts: (environment: Environment, search?: Search) => makePath([environment, 'funding-accounts'], search),
  bulkJobs: (environment: Environment, search?: Search) => makePath([environment, 'bulk-jobs'], search),
  bulkJob: (environment: Environment, jobId: string, search?: Search) =>
    makePath([environment, 'bulk-jobs', jobId], search),
  approvals: (environment: Environment, search?: Search) => makePath([environment, 'approvals'], search),
  approval: (environment: Environment, approvalId: string) => makePath([environment, 'approvals', approvalId]),
  policy: (environment: Environment) => makePath([environment, 'settings', 'policy']),
  unsettled: (environment: Environment, search?: Search) => makePath([environment, 'operations'], search),
  operation: (environment: Environment, operationId: string) => makePath([environment, 'operations', operationId]),
  audit: (environment: Environment, search?: Search) => makePath([environment, 'audit'], search),
  requests: (environment: Environment, search?: Search) => makePath([environment, 'requests'], search),
  webhooks: (environment: Environment) => makePath([environment, 'webhooks']),
  inbox: (environment: Environment, search?: Search) => makePath([environment, 'webhooks', 'inbox'], search),
  connection: (environment: Environment, search?: Search) => makePath([environment, 'settings', 'connection'], search),
  staff: (environment: Environment) => makePath([environment, 'settings', 'staff']),
  /** The person's own sessions and passkeys. */
  ownAccount: (environment: Environment, search?: Search) => makePath([environment, 'settings', 'account'], search),
  embedding: (environment: Environment) => makePath([environment, 'settings', 'embedding']),
  /** The QA lab, only in the sandbox. */
  lab: (environment: Environment, search?: Search) => makePath([environment, 'lab'], search),
  scenarios: (environment: Environment, search?: Search) => makePath([environment, 'lab', 'scenarios'], search),
  explorer: (environment: Environment, search?: Search) => makePath([environment, 'lab', 'explorer'], search),
}

/** Paths that the browser requests beside the reads of `reads.ts`. */
export const apiRoutes = {
  /** The JSON Schema of scenario files; of no environment. */
  scenarioSchema: () => makePath(['scenario.schema.json']),
  live: (environment: Environment, search?: Search) => makePath(['api', environment, 'live'], search),
  /** GET: how long the session lasts. POST: the person did something. */
  sessionActivity: () => makePath(['api', 'session', 'activity']),
  currentStaff: () => makePath(['api', 'staff', 'current']),
}

/**
 * The path to open after sign-in: one of the console's own, otherwise `/`. A path that begins with two slashes once it is
 * normalised (`/.//host`, `/%2e//host`) names another host, so it is refused too.
 */
export function returnPath(given: string | null | undefined): string {
  const base = 'http://console.invalid'
  if (!given || !/^\/(?![/\\])/.test(given) || !URL.canParse(given, base)) return '/'
  const { origin, pathname, search } = new URL(given, base)
  const path = `${pathname}${search}`
  const staysHere = origin === base && !pathname.startsWith('//') && new URL(path, base).origin === base
  return staysHere && !/^\/(sign-in|sign-out|api)(\/|$)/.test(pathname) ? path : '/'
}
