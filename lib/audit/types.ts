import type { Role } from '#lib/auth/permissions.ts'
import type { Environment } from '#lib/shared/routes.ts'

export type AuditOutcome = 'done' | 'partial' | 'refused' | 'unknown'

export type AuditEntry = {
  /** Position in the chain, from 1 without gaps. */
  number: number
  at: string
  by: Actor | null
  /** Null for what belongs to no environment, such as a sign-in. */
  environment: Environment | null
  /** The action: `card.lock`, `staff.set-role`, `sign-in`, … */
  act: string
  target: Target | null
  outcome: AuditOutcome
  code: string | null
  reason: string | null
  comment: string | null
  operationId: string | null
  requestId: string | null
  details: AuditDetails
  hash: string
  /** Not hashed: looked up when the entry is read. */
  facts: AuditFacts
}

/**
 * Who did something, as journal and audit store it: a member of staff with the name and role at that moment, or a help desk's key,
 * which has no role. Its name is then that of the key, or that of the agent whom the key asserts.
 */
export type Actor = { id: string; name: string; role: Role | null }

/** The object of an operation or an audit entry. `label` is its name for people, such as `card ending 4242`. */
export type Target = { type: string; id: string; parentId: string | null; label: string | null }

export const auditDetailNames = ['ipAddress', 'consoleRequestId', 'linkExpiresAt'] as const
export type AuditDetails = Partial<Record<(typeof auditDetailNames)[number], string>>

/**
 * The details of an operation beyond its audit entry: from the bytes of the request, and from the index as it is
 * now. An unknown part is null.
 */
export type AuditFacts = {
  /** The account of the limit or fee. */
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

/** Where an action came from. `requestId` is the `x-request-id` of the console's own response. */
export type RequestOrigin = { ipAddress: string | null; requestId: string | null }
