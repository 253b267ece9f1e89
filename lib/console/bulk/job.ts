import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { Actor } from '../desk/actor.ts'
import type { Permission } from '../desk/permissions.ts'
import type { Target } from '../desk/target.ts'
import type { BulkKind } from './kinds.ts'

export const bulkStates = ['running', 'paused', 'cancelled', 'finished'] as const
export type BulkState = (typeof bulkStates)[number]

/** `unknown`: the outcome is being settled. `cancelled`: it was never begun. */
export const bulkItemStates = ['waiting', 'running', 'done', 'refused', 'unknown', 'cancelled'] as const
export type BulkItemState = (typeof bulkItemStates)[number]

/** What the person saw of a row before confirming, by column: names, amounts as decimal text, currencies. */
export type BulkFacts = Record<string, string | null>

/** A row to be: one request of its own. */
export type BulkItemEntry = { target: Target; endpoint: EndpointName; body: Record<string, unknown>; facts: BulkFacts }

/** A job to be. At most 5,000 rows. */
export type BulkEntry = {
  /** A UUID that the dialog makes when it opens. */
  id: string
  environment: Environment
  kind: BulkKind
  title: string
  reason: string | null
  by: Actor
  items: readonly BulkItemEntry[]
}

/** A job with its progress. Times are ISO 8601. */
export type BulkJob = {
  id: string
  environment: Environment
  kind: BulkKind
  title: string
  reason: string | null
  by: Actor
  /** What it takes to pause, resume or cancel it. */
  permission: Permission
  state: BulkState
  /** Why it is paused: while it runs, that the service does not respond; otherwise who stopped it, or what. */
  pausedBecause: string | null
  total: number
  counts: Record<BulkItemState, number>
  createdAt: string
  /** Null also while a cancelled job still has a claimed row, or one whose outcome is open. */
  finishedAt: string | null
}

/** What the rows of a job bring back in a currency, and what those that are done brought back so far; decimal text. */
export type BulkMoney = { currency: string; done: string; whole: string }

export type BulkItem = {
  position: number
  operationId: string
  target: Target
  facts: BulkFacts
  state: BulkItemState
  code: string | null
  message: string | null
  requestId: string | null
  /** Null while it is not known how it ended. An `unknown` row that is settled will never be known. */
  settledAt: string | null
}
