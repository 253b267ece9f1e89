import 'server-only'
import { z } from 'zod'
import type { OperationKind } from '#lib/api/actions.ts'
import type { Actor, Target } from '#lib/audit/types.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { ErrorCode } from '#lib/contract/errors.ts'
import type { Transaction } from '#lib/db/connection.ts'
import type { Accepted } from '#lib/environments/environments.ts'
import type { Fields, IdField } from '#lib/gate/action.ts'
import type { Change } from '#lib/live/types.ts'
import { sameId } from '#lib/shared/ids.ts'
import { firstFields } from '#lib/shared/json.ts'
import { EnvironmentName, noCardNumber, noTurning, plainText } from '#lib/shared/parse.ts'
import { longestComment, reasonLabels, type Reason } from '#lib/shared/reasons.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { PolicyFacts } from './approvals/policy-rules.ts'
import type { JournalEntry, OperationRow } from './journal.ts'

export const Id = z.uuid('must be a UUID').toLowerCase()

/** Fields that a form leaves empty count as absent. */
const empty = z.literal('').transform(() => undefined)

/** The fields that every operation's input has. */
export const OperationInput = z.object({
  environment: EnvironmentName,
  /** A UUID that the dialog makes when it opens: the same operation under double click, reload and retry. */
  operationId: Id,
  /** The reason, for kinds that have reasons: its definition lists them and says whether one is required. */
  reason: z
    .enum(Object.keys(reasonLabels) as Reason[], 'must be one of the listed reasons')
    .or(empty)
    .optional(),
  comment: plainText(longestComment)
    .refine(...noCardNumber)
    .refine(...noTurning)
    .transform((text) => text.trim() || undefined)
    .optional(),
})
export type OperationInput = z.output<typeof OperationInput>

/** Names input fields with their issues. Nothing was sent. */
export type Issues = { fields: Record<string, string> }

/** The request to the service, and its description in the journal and the audit log. */
export type OperationRequest = {
  target: Target
  body: object
  /** Replaces the reason in the input: the purpose of a payout. */
  reason?: string | null
  comment?: string | null
  /** The body has a PIN, digits of a card number or documents: erased once the outcome is known. */
  holdsSecret?: boolean
  statusBefore?: string | null
  /** Identifies the record that the operation creates; see the journal. */
  expected?: Record<string, string>
  /** The facts that a policy checks; absent where no policy applies. */
  policy?: PolicyFacts
  /**
   * Called in the transaction that writes the operation: locks what others of its kind lock, and throws an `AppError` where one of
   * them has come first since `check`.
   */
  checkAlone?: (tx: Transaction) => Promise<void>
  /** The steps that come before it, in their order. They are one with it: all are written before the first is sent. */
  earlier?: readonly EarlierStep[]
  /** The approved terms of a request that may be renewed before it is sent; `tolerancePercent` is the policy's. */
  terms?: (tolerancePercent: string) => object
}

/** An operation of its own, with the reason of the one that it comes before. */
export type EarlierStep = {
  kind: OperationKind
  endpoint: EndpointName
  body: object
  target: Target
  statusBefore: string | null
  policy?: PolicyFacts
}

/** The facts that `check` read from the record: merged into the request. */
export type Checked = Partial<
  Pick<OperationRequest, 'target' | 'statusBefore' | 'expected' | 'policy' | 'earlier' | 'checkAlone'>
>

/** Why a request is not sent after all, as a sentence, with the code that the service or the console refuses it with where there is one. */
export type Obstacle = { text: string; code?: ErrorCode | 'FEE_ALREADY_VOID' | 'CHANGED_MEANWHILE' }

/** Result of checking an approved request before it is sent: valid, renewed with a newer quote, or outside of the approved terms. */
export type Renewal =
  | { kind: 'valid' }
  | { kind: 'renewed'; quoteId: string; target: Target; expected: Record<string, string> }
  | { kind: 'stopped'; message: string }

/**
 * The result of reading the record back. `not-done`: the record does not show the requested change. `unreadable`: the
 * record could not be read, or does not have the changed field.
 */
export type Confirmation<Read = unknown> = {
  verdict: 'done' | 'partial' | 'not-done' | 'unreadable'
  /** The target's status now, or the value that the operation sets; null where it is not known. */
  statusAfter: string | null
  /** The id of the record that the operation made. */
  resultId: string | null
  /** A sentence about the record for people. Null where the verdict is enough. */
  detail: string | null
  /** The record as read, for the screen that started the operation. */
  record: Read | null
  /** The response names another record: it does not show the change either. */
  isResponseWrong?: boolean
}

export function accountTarget(id: string, label: string | null = null): Target {
  return { type: 'cardaccount', id, parentId: null, label }
}

/** The target of an operation whose input names a card account. */
export function accountTargetIn(idIn: IdField): Target | null {
  const id = idIn('cardAccountId')
  return id ? accountTarget(id) : null
}

/** The server side of one kind of operation. Its permission and its messages are its definition in `lib/api`. */
export type OperationSpec<Schema extends z.ZodType<OperationInput> = z.ZodType<OperationInput>, Read = unknown> = {
  endpoint: EndpointName
  input: Schema
  /** The target of a request that is refused before it is parsed, for the audit log. */
  target(idIn: IdField, input: Fields): Target | null
  /** The request of the input, or its issues by field. */
  request(input: z.output<Schema>, by: Actor): OperationRequest | Issues | Promise<OperationRequest | Issues>
  /**
   * Reads the record before the change. May throw an `AppError`, which is audited. Its verdict does not count for a retry, which
   * finds the record as its own first request may have left it.
   */
  check?(input: z.output<Schema>, by: Actor): Promise<Checked | Issues>
  /** A row of a bulk job is sent without `check`: these take its place. */
  inJob?: {
    /** Reads the record before the row is sent: why it must not be; null where it may. May throw an `AppError`. */
    check?(row: BulkRow): Promise<Obstacle | null>
    /** The `expected` of the row's request, from the facts that the person confirmed. */
    expected?(row: BulkRow): Promise<Record<string, string> | null>
    /** The `checkAlone` of the row's request. With `ALREADY_UNDER_WAY` the row is refused. */
    checkAlone?(row: Pick<JournalEntry, 'id' | 'environment' | 'target'>, tx: Transaction): Promise<void>
  }
  /** As `inJob.check`, before a request is sent that was approved, which may be days after it was made, or that is sent again. */
  checkApproved?(row: OperationRow): Promise<Obstacle | null>
  /**
   * Kinds of operations on the same record that set the same: once one of them came later, this one is not sent any more. Without it, its
   * own kind; none for what is wanted whatever came later.
   */
  outdatedBy?: readonly OperationKind[]
  /** Whether a passkey of the person has to confirm it. */
  stepUp?(input: z.output<Schema>): boolean
  /** Reads the record and compares it with the requested change. `sent` is the body of the request. */
  readBack(row: OperationRow, sent: Fields, accepted: Accepted | null): Promise<Confirmation<Read>>
  /** Whether the response alone shows the change: counts only where the record cannot be read back. */
  isShownBy(row: OperationRow, sent: Fields, accepted: Accepted): boolean
  /**
   * Checks whether an approved request can be sent as it is. `terms` are those approved, parsed. May throw an
   * `AppError`.
   */
  renew?(row: OperationRow, terms: Fields): Promise<Renewal>
  /** The changes that open pages have to refetch. */
  changes(row: OperationRow): Change[]
  /** The input fields that an error of the service is about. */
  fieldsOfError?(row: OperationRow, input: z.output<Schema>): Record<string, string>
}

/** A row of a bulk job before it is sent, with the facts that the person confirmed. */
export type BulkRow = {
  environment: Environment
  target: Target
  body: Fields
  facts: Readonly<Record<string, string | null>>
}

/** Infers the types of a row's input and record. */
export function operationSpec<Schema extends z.ZodType<OperationInput>, Read>(
  spec: OperationSpec<Schema, Read>,
): OperationSpec<Schema, Read> {
  return spec
}

export function unreadable<Read = never>(
  detail: string | null,
  record: Read | null = null,
  statusAfter: string | null = null,
): Confirmation<Read> {
  return { verdict: 'unreadable', statusAfter, resultId: null, detail, record }
}

export function notDone(detail: string): Confirmation<never> {
  return { verdict: 'not-done', statusAfter: null, resultId: null, detail, record: null }
}

/** The verdict of a record that either shows the change or does not; `detail` is the value it shows instead. */
export function doneOrNot<Read>(isDone: boolean, statusAfter: string | null, detail: string, record: Read) {
  const verdict = isDone ? ('done' as const) : ('not-done' as const)
  return { verdict, statusAfter, resultId: null, detail: isDone ? null : detail, record }
}

export function isRecord(response: unknown, id: string): response is Fields {
  const fields = firstFields(response)
  return typeof fields.id === 'string' && sameId(fields.id, id)
}

export function hasResult(_row: OperationRow, _sent: Fields, { resultId }: Accepted): boolean {
  return resultId !== null
}

/** Fields that a code of the service is about. */
export const fieldsByCode: Record<string, Record<string, string>> = {
  XID_ALREADY_EXISTS: { xid: 'is in use already' },
}

/**
 * Returns the field messages of an operation's error, by their path on the wire: `field: problem; field problem`.
 * Parts that name none of `paths` are left out.
 */
export function refusedFields(
  { state, code, message }: Pick<OperationRow, 'state' | 'code' | 'message'>,
  paths: readonly string[],
): Record<string, string> {
  if (state !== 'refused') return {}
  const fields: Record<string, string> = {}
  for (const part of (message ?? '').split(/;\s+/)) {
    const [, name = '', problem = ''] = /^([A-Za-z][\w.[\]]*):?\s+(.+)$/s.exec(part.trim()) ?? []
    const path = name.replace(/\[(\d+)\]/g, '.$1')
    const known = paths.findLast((known) => path === known || path.startsWith(`${known}.`))
    if (known !== undefined) fields[known] = fields[known] === undefined ? problem : `${fields[known]}, and ${problem}`
  }
  return { ...fields, ...fieldsByCode[code ?? ''] }
}
