import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { Card, CardAccount } from '#lib/contract/records.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { Permission, Role } from './permissions.ts'

export type AuditEntry = {
  /** Position in the chain, from 1 without gaps. */
  number: number
  at: string
  by: AuditActor | null
  /** Null for what belongs to no environment, such as a sign-in. */
  environment: Environment | null
  /** The action: `card.lock`, `staff.set-role`, `sign-in`, … */
  act: string
  target: Target | null
  outcome: 'done' | 'partial' | 'refused' | 'unknown'
  code: string | null
  reason: string | null
  comment: string | null
  operationId: string | null
  requestId: string | null
  details: AuditDetails
  hash: string
  /** Not in the chain: found beside it when it is read. */
  facts: AuditFacts
}

/** A member of staff with the name and role at that moment, as journal and audit store them. */
export type Actor = { id: string; name: string; role: Role }

/** The actor of an audit entry: a member of staff, or a help desk's key, which has no role. */
export type AuditActor = Omit<Actor, 'role'> & { role: Role | null }

/** The object of an operation or an audit entry. `label` is its name for people, such as `card ending 4242`. */
export type Target = { type: string; id: string; parentId: string | null; label: string | null }

export const auditDetailNames = ['ipAddress', 'consoleRequestId', 'linkExpiresAt'] as const
export type AuditDetails = Partial<Record<(typeof auditDetailNames)[number], string>>

/**
 * The details of an operation beyond its audit entry: from the bytes of the request, and from the directory as it is
 * now. An unknown part is null.
 */
export type AuditFacts = {
  /** Whose limit or whose fee. */
  account: { id: string; name: string | null; xid: string | null } | null
  /** Decimal text. `before` is null where it was not stored, `currency` where the account is not known. */
  limit: { before: string | null; after: string; currency: string | null } | null
  /** The URL of a webhook. */
  address: string | null
  /** SHA-256 of the request's body. */
  bodySha256: string | null
  /** The record that the operation made, such as a payout, whose id the service chose. */
  resultId: string | null
}

/** The request of an entry. `call` is its method and path; `body` its exact text; where that is not shown, `withheld` says why. */
export type AuditRequest = { call: string; body: string | null; withheld: string | null }

export type AuditDetail = { entry: AuditEntry; request: AuditRequest | null }

/**
 * `settled`: the operation exists, whatever its outcome. `record` is what was read back, null where it could not be read;
 * `fields` are the input fields that an error of the service is about. `invalid`: nothing was sent, the fields say why.
 * `refused`: nothing was sent (signed out, not permitted, not connected, the id belongs to another operation).
 */
export type ActionResult<Read = unknown> =
  | { kind: 'settled'; operation: Operation; record: Read | null; fields: Record<string, string> }
  | NotStarted

export type NotStarted = { kind: 'invalid'; fields: Record<string, string> } | { kind: 'refused'; outcome: Outcome }

/** An operation in the history of a record. `act` is its kind: `card.lock`, `reference.set`, … */
export type PastOperation = {
  kind: 'operation'
  operationId: string
  act: string
  at: string
  by: Actor
  reason: string | null
  comment: string | null
  outcome: Outcome
}

/** The challenge that the browser passes to the passkey, and sends back with its signature. */
export type StepUpRequest = { id: string; options: PublicKeyCredentialRequestOptionsJSON }

/**
 * The outcome of an operation for people: what happened, whether anything changed, whether it is safe to try again,
 * what to do next, and what to quote to support.
 */
export type Outcome = {
  /** `waiting`: for the approval of a second person. */
  state: 'done' | 'partial' | 'refused' | 'unknown' | 'running' | 'waiting'
  happened: string
  changed: 'yes' | 'no' | 'unknown'
  /** Trying again under the same operation can do no harm and may help. */
  isSafeToRetry: boolean
  /** A person has to find out the outcome: the console cannot. */
  needsReview: boolean
  /** Empty where nothing has to be done. */
  next: string
  /** The stable code of the service or of the console; null where there is none (a generic 500 has none). */
  code: string | null
  status: number | null
  requestId: string | null
  /** The action that a passkey has to confirm before it is sent again. */
  stepUp?: StepUpRequest
}

/**
 * An account with its cards, newest first. `cardsExcluded` counts cards that could not be read; with `hasMoreCards` the
 * service's list has more than the console fetches. `cardsProblem` says why none could be read, null where they could.
 */
export type AccountWithCards = {
  account: CardAccount
  cards: Card[]
  cardsExcluded: number
  hasMoreCards: boolean
  cardsProblem: string | null
  freshness: Freshness
}

/**
 * How a service responds. `rejected`: the last requests were all 401 or 403. `unreadable`: the last responses were all HTML,
 * text or a redirect. `slow`: responses take longer than a person waits. `unreachable`: no response, or a failure of the
 * service's own.
 */
export type ServiceState = 'online' | 'slow' | 'rejected' | 'unreadable' | 'unreachable'

/** How the service of an environment responds, by the requests of all console processes. Times are ISO 8601. */
export type ServiceHealth =
  | { connected: false; missing: readonly string[] }
  | {
      connected: true
      state: ServiceState
      /** Since when the service is in this state; null while it is online. */
      since: string | null
      lastResponseAt: string | null
      /** The first failure since the last response; null while the service responds. */
      unreachableSince: string | null
      lastProblem: ServiceProblem | null
      /** Endpoints whose last response could not be used, whatever the state of the service. */
      endpoints: readonly EndpointProblem[]
    }

/** A request that failed. `endpoint` is method and path; `diagnosis` says what an administrator should check. */
export type ServiceProblem = {
  endpoint: string
  status: number | null
  code: string | null
  requestId: string | null
  diagnosis: string | null
}

/**
 * `missing`: 404 without a business code. `rejected`: 401 or 403. `unreadable`: HTML, text or a redirect. `unexpected`: JSON
 * of another form, which `diagnosis` describes.
 */
export type EndpointProblemKind = 'missing' | 'rejected' | 'unreadable' | 'unexpected'

/** An endpoint that failed when it was last called, at `lastAt`. `since` is the first failure without a success in between. */
export type EndpointProblem = ServiceProblem & {
  name: EndpointName
  kind: EndpointProblemKind
  since: string
  lastAt: string
}

/** Where a response comes from: the service just now, or the console's directory as it was at `asOf`. */
export type Freshness = { asOf: string; source: 'service' | 'directory'; health: ServiceHealth }

/** One line of the list: the account as the directory has it. `cards` is null where not all of them were read. */
export type CardAccountRow = {
  account: CardAccount
  cards: number | null
  /** The account's value under the filter's `groupKey`; null without one. Values that are not text are JSON text. */
  group: string | null
  /** Why the identity is rejected; null where it is not, or the reason has not been read. */
  rejectedReason: string | null
  asOf: string
}

/**
 * Sums of all accounts of one currency that match the filter, as decimal text; null where no account provides the amount.
 * `excluded` counts the accounts that lack at least one of the four amounts: each sum is of those that provide it.
 */
export type CurrencyTotals = {
  currency: string
  accounts: number
  balance: string | null
  outstanding: string | null
  available: string | null
  disputeAmount: string | null
  excluded: number
}

export type DirectoryPage = {
  rows: CardAccountRow[]
  /** Position of the first and last row among those that match, from 1; 0 when there is none. */
  first: number
  last: number
} & PageTokens

/** How complete and how old a mirror is. Times are ISO 8601. */
export type Coverage = {
  /** Every record of the service was read at least once, and the last full reading reached the end of the list. */
  isComplete: boolean
  /** A full reading is under way now. */
  isReading: boolean
  /** Nothing in the mirror is older; null before the first full reading. */
  asOf: string | null
  /** Records that the last full reading could not read: they have no usable id. */
  excluded: number
}

/** `accountsWithCards`: those whose cards were read, too; the rest have unknown card counts. */
export type DirectoryCoverage = Coverage & { accounts: number; accountsWithCards: number }

export type Staff = { id: string; name: string; email: string; role: Role }

/** The signed-in person and their permissions in each environment. */
export type CurrentStaff = { staff: Staff; permissions: Record<Environment, readonly Permission[]> }

export type PageTokens = { prevPageToken: string | null; nextPageToken: string | null }

/** What is said of a page that comes straight from the service. */
export type ServicePage = PageTokens & {
  /** Records of this page that could not be read: they have no usable id. */
  excluded: number
  /** Records that the service sent and the filter does not name. */
  unmatched: number
  freshness: Freshness
}

/** Why a file is not read at all. `line` is where, counted from 1; null where it is the file as a whole. */
export type CsvProblem = { line: number | null; problem: string }

/** Something that is not as it was: what an open page shows of it is read again. */
export type Change =
  | { type: 'card'; id: string; cardAccountId: string }
  | { type: 'cardaccount'; id: string }
  | { type: 'cardaccounts' }
  | { type: 'fees' }
  | { type: 'payouts' }
  | { type: 'rates' }
  | { type: 'bulk-job'; id: string }
  | { type: 'accounts' }
  | { type: 'operation'; id: string }
  | { type: 'inbox' }
  | { type: 'webhooks' }
  | { type: 'approvals' }
  | { type: 'policy' }
  | { type: 'notes'; target: { type: string; id: string } }
  | { type: 'lab' }

/** A row of changes, as it goes to browsers. */
export type LiveMessage = { id: number; about: Change[] }

/** An operation as its journal has it. Times are ISO 8601. */
export type Operation = {
  id: string
  environment: Environment
  /** The kind: `card.lock`, `card.cancel`, … */
  kind: string
  target: Target
  by: Actor
  reason: string | null
  comment: string | null
  outcome: Outcome
  /** The id of what was made: a payout, a webhook. Null where nothing was, or it is not known. */
  resultId: string | null
  attempts: number
  createdAt: string
  settledAt: string | null
}

/** `clock`: the service has a clock to read, which may be moved (the sandbox); otherwise it is known from its responses. */
export type ServiceClock = { serviceNowMs: number; source: 'clock' | 'responses' | 'times' }

/** Whose session this is, and in how many milliseconds it ends when nothing is done, and in any case. */
export type SessionActivity = { staffId: string; role: Role; idleInMs: number; expiresInMs: number }

/** A session of the person who reads it. Times are ISO 8601. */
export type OwnSession = {
  id: string
  isCurrent: boolean
  /** Such as "Chrome on macOS". */
  device: string
  ipAddress: string | null
  createdAt: string
  lastActiveAt: string
  /** It ends then at the latest. */
  expiresAt: string
}

/** The person's own page. `isStepUpRequired`: some actions are refused without a passkey. */
export type OwnAccount = { staff: Staff; sessions: OwnSession[]; passkeys: Passkey[]; isStepUpRequired: boolean }

/** A passkey as its owner sees it. Times are ISO 8601. */
export type Passkey = { id: string; name: string; createdAt: string; lastUsedAt: string | null }

export type EnrolmentResult =
  | { kind: 'ready'; enrolment: { id: string; options: PublicKeyCredentialCreationOptionsJSON } }
  | NotStarted

/** A person as the administration shows them. `invited`: has not signed in yet. */
export type StaffEntry = Staff & {
  state: 'active' | 'invited' | 'disabled'
  openSessions: number
  passkeys: number
  /** The provider's groups or domain gave the role; an admin's change takes its place for good. */
  isRoleByClaims: boolean
}

/** The actions on a member of staff. */
export type StaffChange = `staff.${'set-role' | 'disable' | 'enable' | 'sign-out' | 'remove-passkeys'}`
