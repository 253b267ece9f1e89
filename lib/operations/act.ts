import 'server-only'
import { randomUUID } from 'node:crypto'
import { type OperationKind, operationDefinition, reasonIssues } from '#lib/api/actions.ts'
import type { TicketOrigin } from '#lib/api/help-desk-requests.ts'
import { auditRefusedAttempts } from '#lib/audit/refused-attempts.ts'
import type { Actor, Target } from '#lib/audit/types.ts'
import { maskForReader } from '#lib/auth/masked-reads.ts'
import { requirePermission } from '#lib/auth/session.ts'
import { requireStepUp } from '#lib/auth/step-up.ts'
import type { Staff } from '#lib/auth/types.ts'
import { database } from '#lib/db/connection.ts'
import { prepareRequest } from '#lib/environments/environments.ts'
import { action, idReader } from '#lib/gate/action.ts'
import { AppError, isAppError } from '#lib/shared/app-error.ts'
import { fieldErrors } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { OperationState } from '#lib/tables/operations.ts'
import { toTarget } from '#lib/tables/schema.ts'
import { findApprovalNeed } from './approvals/find-approval-need.ts'
import type { ApprovalNeed } from './approvals/policy.ts'
import { noteContentsBefore } from './approvals/sandbox-contents.ts'
import { findOperation, type JournalEntry, type OperationRow } from './journal.ts'
import { readOperationWithSteps } from './outcome.ts'
import { performOperation, type Performed } from './perform.ts'
import { confirm } from './read-back.ts'
import { findSpec } from './registry.ts'
import type { OperationInput, Checked, EarlierStep, Issues, OperationRequest, OperationSpec } from './spec.ts'
import type { ActionResult } from './types.ts'

/**
 * The action of a kind of operation: after the gate's checks reason, request, check, step-up, approval, journal, signed request,
 * read back, audit. Where the policy asks for an approval, it ends with the journal.
 */
export function operationAction(kind: OperationKind, spec: OperationSpec) {
  return action(kind, {
    input: spec.input,
    target: (idIn, input) => spec.target(idIn, input),
    run: (given, { staff, target }) => perform(kind, spec, given, staff, target),
  })
}

async function perform(
  kind: OperationKind,
  spec: OperationSpec,
  given: OperationInput,
  staff: Staff,
  target: Target | null,
): Promise<ActionResult> {
  const { environment, operationId } = given
  const entry = { id: operationId, environment, kind, by: staff }
  const request = await makeRequest(spec, given, { ...entry, target })
  if ('fields' in request) return { kind: 'invalid', ...request }
  await requireConfirmation(kind, spec, given, request.target)
  const { body, target: found, policy, terms, earlier = [], ...journaled } = request
  const { reason = given.reason ?? null, comment = given.comment ?? null } = request
  const need = policy ? await findApprovalNeed(environment, [policy]) : null
  for (const step of earlier) {
    const { needs } = operationDefinition(step.kind)
    const attempt = { ...entry, kind: step.kind, target }
    await auditRefusedAttempts(attempt, () => requirePermission(needs, environment))
  }
  const performed = await performOperation({
    ...entry,
    ...journaled,
    target: found,
    reason,
    comment,
    request: prepareRequest(environment, spec.endpoint, body),
    approval: need && {
      ...need,
      terms: terms ? { endpoint: spec.endpoint, body, ...terms(need.tolerancePercent) } : null,
    },
    earlier: await Promise.all(earlier.map((step) => toStepEntry({ ...entry, reason, comment }, step))),
  })
  const { row } = performed
  const fields = row.state === 'refused' ? (spec.fieldsOfError?.(row, given) ?? {}) : {}
  return {
    kind: 'settled',
    operation: await readOperationWithSteps(row),
    record: await maskForReader(await readRecord(performed), environment),
    fields,
  }
}

/**
 * Performs an operation requested from a help-desk ticket. Like the action, without session, permission and passkey: the caller has
 * checked the token and the policy. With `findNeed` the operation is only written to the journal, and waits for an approval. Throws
 * `INVALID_PARAMETERS` for wrong input, and what a check refuses; that is audited.
 */
export async function performFromTicket(
  kind: OperationKind,
  input: OperationInput,
  by: Actor,
  { ticketOrigin, findNeed }: { ticketOrigin: TicketOrigin; findNeed: ((target: Target) => ApprovalNeed) | null },
): Promise<OperationRow> {
  const spec = findSpec(kind)
  const parsed = spec?.input.safeParse(input)
  if (!spec || !parsed) throw new AppError('INVALID_PARAMETERS', 'There is no such operation.')
  if (!parsed.success) throw invalidInput(fieldErrors(parsed.error))
  const { environment, operationId, reason = null, comment = null } = parsed.data
  const entry = { id: operationId, environment, kind, by }
  const request = await makeRequest(spec, parsed.data, { ...entry, target: spec.target(idReader(input), input) })
  if ('fields' in request) throw invalidInput(request.fields)
  const { body, target, policy: _policy, terms: _terms, earlier: _earlier, ...journaled } = request
  if (findNeed) await noteContentsBefore(environment)
  const { row } = await performOperation({
    ...entry,
    ...journaled,
    target,
    reason,
    comment,
    ticketOrigin,
    request: prepareRequest(environment, spec.endpoint, body),
    approval: findNeed && { ...findNeed(target), terms: null },
  })
  return row
}

function invalidInput(fields: Record<string, string>): AppError {
  const problems = Object.entries(fields).map(([field, problem]) => `${field} ${problem}`)
  return new AppError('INVALID_PARAMETERS', problems.join('; '))
}

const neverSent = new Set<OperationState>([
  'queued',
  'not-sent',
  'waiting',
  'approved',
  'declined',
  'expired',
  'withdrawn',
])

/** The record of an operation as it is now; null where nothing was sent, or it could not be read. */
async function readRecord({ row, readBack }: Performed): Promise<unknown> {
  if (readBack) return readBack.record
  return neverSent.has(row.state) ? null : (await confirm(row, {}, null)).record
}

/** An operation that is attempted, before anything is known about it but its input. */
type Attempt = { id: string; environment: Environment; kind: OperationKind; by: Actor; target: Target | null }

/** The request that an input makes, checked, or the issues of the input. What is refused is audited. */
async function makeRequest(
  spec: OperationSpec,
  input: OperationInput,
  attempt: Attempt,
): Promise<OperationRequest | Issues> {
  const issues = reasonIssues(attempt.kind, input)
  if (Object.keys(issues).length > 0) return { fields: issues }
  const made = await auditRefusedAttempts(attempt, async () => spec.request(input, attempt.by))
  return 'fields' in made ? made : makeCheckedRequest(spec, input, made, attempt)
}

/** The journal's entry of a step before the operation `entry`. */
async function toStepEntry(
  entry: Pick<JournalEntry, 'environment' | 'by' | 'reason' | 'comment'>,
  { kind, endpoint, body, target, statusBefore, policy }: EarlierStep,
): Promise<JournalEntry> {
  const { environment } = entry
  const need = policy ? await findApprovalNeed(environment, [policy]) : null
  return {
    ...entry,
    id: randomUUID(),
    kind,
    target,
    statusBefore,
    request: prepareRequest(environment, endpoint, body),
    approval: need && { ...need, terms: null },
  }
}

/** The request with what `check` read. The record is read first: an operation that began before that is found afterwards. */
async function makeCheckedRequest(
  spec: OperationSpec,
  input: OperationInput,
  request: OperationRequest,
  attempt: Attempt,
): Promise<OperationRequest | Issues> {
  if (!spec.check) return request
  const checked: Checked | Issues | AppError = await spec.check(input, attempt.by).catch((error: unknown) => {
    if (isAppError(error)) return error
    throw error
  })
  const started = await findOperation(database(), input.operationId)
  if (started?.targetId === request.target.id) {
    return { ...request, target: toTarget(started), statusBefore: started.statusBefore }
  }
  if (checked instanceof Error) {
    return auditRefusedAttempts({ ...attempt, reason: input.reason ?? null }, () => Promise.reject(checked))
  }
  return 'fields' in checked ? checked : { ...request, ...checked }
}

/**
 * The step-up of the gate. An operation in the journal was confirmed when it was written, and its bytes cannot differ.
 */
async function requireConfirmation(
  kind: OperationKind,
  spec: OperationSpec,
  input: OperationInput,
  target: Target,
): Promise<void> {
  const { environment, operationId } = input
  if (!spec.stepUp?.(input) || (await findOperation(database(), operationId))) return
  await requireStepUp({ kind, environment, operationId, input, target })
}
