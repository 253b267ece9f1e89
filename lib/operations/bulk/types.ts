import type { Actor, Target } from '#lib/audit/types.ts'
import type { Permission } from '#lib/auth/permissions.ts'
import { cardActionTable } from '#lib/contract/card-actions.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { ApprovalState, NotStarted } from '../types.ts'

const bulkStates = ['running', 'paused', 'cancelled', 'finished'] as const

export type BulkState = (typeof bulkStates)[number]

/**
 * States as the list shows them: `waiting` is paused until somebody approves it, `unapproved` cancelled because nobody did, `partial`
 * finished with rows that are not done.
 */
export const bulkStatesInDetail = [...bulkStates, 'waiting', 'unapproved', 'partial'] as const

/** `unknown`: the outcome is being settled. `cancelled`: it never started. */
export const bulkItemStates = ['waiting', 'running', 'done', 'refused', 'unknown', 'cancelled'] as const

export type BulkItemState = (typeof bulkItemStates)[number]

/** The row as the person confirmed it, by column: names, amounts as decimal text, currencies; `line` where it came from a file. */
export type BulkFacts = Record<string, string | null>

/** `by` is null while nobody has decided, and where the request expired. */
export type JobApproval = { state: ApprovalState; by: Actor | null }

/** A job with its progress. Times are ISO 8601. */
export type BulkJob = {
  id: string
  environment: Environment
  kind: BulkKind
  title: string
  reason: string | null
  by: Actor
  /** The permission to pause, resume or cancel it. */
  permission: Permission
  state: BulkState
  /** Why it is paused: while it runs, that the service does not respond; otherwise who stopped it, or what; who cancelled it. */
  pausedBecause: string | null
  total: number
  counts: Record<BulkItemState, number>
  /** The second person's decision; null where the job needed none. */
  approval: JobApproval | null
  createdAt: string
  /** Null also while a cancelled job still has a claimed row, or one whose outcome is open. */
  finishedAt: string | null
}

/**
 * Refunds of a job's rows in one currency, and of those that are done, as decimal text; null where no row
 * provides the amount. `excluded` rows are in neither sum.
 */
export type BulkMoney = { currency: string; done: string | null; whole: string | null; excluded: number }

/** The limits that a job sets in one currency, as decimal text, and how many of its rows raise one. */
export type BulkLimits = {
  currency: string
  lowest: string | null
  highest: string | null
  raised: number
  rows: number
}

export type BulkItem = {
  position: number
  operationId: string
  target: Target
  facts: BulkFacts
  state: BulkItemState
  code: string | null
  message: string | null
  /** The status that the card has now, of a row that was refused for its status; null where Carddesk does not know it. */
  statusNow: string | null
  requestId: string | null
  /** Null while it is not known how it ended. An `unknown` row that is settled will never be known. */
  settledAt: string | null
}

/** A column of what the person saw of a row. An amount is shown with the row's `currency`. */
export type FactColumn = { key: string; name: string; isAmount?: boolean }

type Kind = {
  /** The permission to start, pause, resume or cancel it; checked for the starter before each row. */
  permission: Permission
  /** Text of a row that is done, without a full stop. */
  doneOne: string
  /** The columns of a row's facts, in their order on the screen and in the CSV. */
  facts: readonly FactColumn[]
}

const cardFacts = [
  { key: 'account', name: 'Account' },
  { key: 'card', name: 'Card' },
  { key: 'statusBefore', name: 'Status when requested' },
] as const

/** The card actions that a job can do to many cards: none of them sends a PIN or digits, and each can be taken back. */
export const bulkCardActions = ['lock', 'unlock', 'suspend', 'unsuspend'] as const
export type BulkCardAction = (typeof bulkCardActions)[number]

/** The kinds of bulk jobs. */
export const bulkKinds = {
  'card.lock': { permission: 'cards.lock', doneOne: 'Locked', facts: cardFacts },
  'card.unlock': { permission: 'cards.unlock', doneOne: 'Unlocked', facts: cardFacts },
  'card.suspend': { permission: 'cards.suspend', doneOne: 'Suspended', facts: cardFacts },
  'card.unsuspend': { permission: 'cards.unsuspend', doneOne: 'Unsuspended', facts: cardFacts },
  'fee.waive': {
    permission: 'fees.waive',
    doneOne: 'Waived',
    facts: [
      { key: 'account', name: 'Account' },
      { key: 'intent', name: 'Intent' },
      { key: 'amount', name: 'Amount', isAmount: true },
      { key: 'currency', name: 'Currency' },
    ],
  },
  'account.set-limit': {
    permission: 'limits.set',
    doneOne: 'Set',
    facts: [
      { key: 'account', name: 'Account' },
      { key: 'limitBefore', name: 'Limit before', isAmount: true },
      { key: 'limit', name: 'New limit', isAmount: true },
      { key: 'currency', name: 'Currency' },
    ],
  },
  /** Sets one key of the metadata. Its values are in the records, whose masks hold there. */
  'reference.set': {
    permission: 'references.edit',
    doneOne: 'Tagged',
    facts: [
      { key: 'account', name: 'Account' },
      { key: 'card', name: 'Card' },
      { key: 'key', name: 'Key' },
      { key: 'before', name: 'Before' },
    ],
  },
} as const satisfies Record<string, Kind>

export type BulkKind = keyof typeof bulkKinds

/** The fact of a column. The amount of a fee has the sign that it has on the balance, where its direction is known. */
export function readFact(facts: BulkFacts, key: string): string | null {
  return (key === 'amount' ? facts.change : null) ?? facts[key] ?? null
}

/** Sentence about what happened to a row; null while nothing has. */
export function toRowText(
  { kind, approval }: Pick<BulkJob, 'kind' | 'approval'>,
  { state, message, statusNow }: Pick<BulkItem, 'state' | 'message' | 'statusNow'>,
): string | null {
  if (state === 'done') return `${bulkKinds[kind].doneOne}.`
  // “The card is locked already.” says it.
  if (message !== null && statusNow !== null && !message.includes(statusNow)) {
    return `${message} It is ${statusNow.replaceAll('-', ' ')} now.`
  }
  if (message !== null || state !== 'cancelled') return message
  return (approval && notApproved[approval.state]) ?? 'Cancelled before it began.'
}

/** Why no row began, by how the request for the job's approval ended. */
const notApproved: Partial<Record<ApprovalState, string>> = {
  declined: 'Not approved: the job was declined.',
  expired: 'Not approved: the request expired.',
  withdrawn: 'Not approved: the request was withdrawn.',
}

/** Whether the job was never begun, because nobody has approved it yet or nobody will. */
export function isUnapproved({ approval }: Pick<BulkJob, 'approval'>): boolean {
  return approval !== null && approval.state !== 'approved'
}

/** Whether the rows of such a job are about amounts, so that a rule about a job's total can apply to it. */
export function hasAmounts(kind: BulkKind): boolean {
  const columns: readonly FactColumn[] = bulkKinds[kind].facts
  return columns.some(({ isAmount }) => isAmount)
}

/** The kind of job that takes back what one of this kind did; null where none can. */
export function undoingKind(kind: BulkKind): BulkKind | null {
  if (kind === 'account.set-limit') return kind
  const action = bulkCardActions.find((one) => kind === `card.${one}`)
  return action ? `card.${cardActionTable[action].undo}` : null
}

/** `settled`: the job as it is now. */
export type BulkControlResult = { kind: 'settled'; job: BulkJob } | NotStarted
