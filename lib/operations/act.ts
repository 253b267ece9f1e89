import 'server-only'
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { auditRefusedAttempts } from '#lib/audit/refused-attempts.ts'
import type { Actor, Target } from '#lib/audit/types.ts'
import { maskedForReader } from '#lib/auth/masked-reads.ts'
import type { Permission } from '#lib/auth/permissions.ts'
import { currentSession, requirePermission } from '#lib/auth/session.ts'
import { requireStepUp, StepUpRequired } from '#lib/auth/step-up.ts'
import type { Staff } from '#lib/auth/types.ts'
import { database } from '#lib/db/connection.ts'
import { prepareRequest } from '#lib/environments/environments.ts'
import { isAppError, AppError } from '#lib/shared/app-error.ts'
import type { TicketOrigin } from '#lib/shared/help-desk-requests.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { fieldsOf } from '#lib/shared/json.ts'
import { fieldErrors, ServiceId } from '#lib/shared/parse.ts'
import { environments, type Environment } from '#lib/shared/routes.ts'
import { withBareFailures } from '#lib/shared/sanitized-errors.ts'
import { traced } from '#lib/shared/tracing.ts'
import type { OperationState } from '#lib/tables/operations.ts'
import { targetOf } from '#lib/tables/schema.ts'
import { type ApprovalNeed, approvalNeed } from './approvals/policy.ts'
import { AlreadyWaitingError } from './approvals/waiting.ts'
import { findOperation, type OperationRow } from './journal.ts'
import { operationKinds, reasonIssues, type OperationKind } from './kinds.ts'
import { operationWithSteps, refusedBeforeSending } from './outcome.ts'
import { performOperation } from './perform.ts'
import { confirm } from './read-back.ts'
import { specOf } from './registry.ts'
import type { ActionInput, Checked, Fields, IdField, Issues, OperationRequest, OperationSpec } from './spec.ts'
import type { ActionResult, NotStarted } from './types.ts'

/**
 * Performs an operation in the order of ARCHITECTURE.md: permission, input, request, check, step-up, approval, journal, signed
 * request, read back, audit. Where the policy asks for an approval, it ends with the journal. The input is unchecked, whatever
 * its type says.
 */
export async function performAction(kind: OperationKind, input: unknown): Promise<ActionResult> {
  return withBareFailures(() =>
    unlessRefused(async () => {
      const spec = specOf(kind)
      if (!spec) throw new AppError('INVALID_PARAMETERS', 'There is no such operation.')
      return traced(`action ${kind}`, {}, () => perform(kind, spec, input))
    }),
  )
}

async function perform(kind: OperationKind, spec: OperationSpec, input: unknown): Promise<ActionResult> {
  const about = (idIn: IdField) => spec.target(idIn, input as Fields)
  const staff = await requireActor({ kind, permission: operationKinds[kind].permission, about }, input)
  const parsed = spec.input.safeParse(input)
  if (!parsed.success) return { kind: 'invalid', fields: fieldErrors(parsed.error) }
  const issues = reasonIssues(kind, parsed.data)
  if (Object.keys(issues).length > 0) return { kind: 'invalid', fields: issues }
  const { environment, operationId } = parsed.data
  const entry = { id: operationId, environment, kind, by: staff }
  const attempt = { ...entry, target: about(idReader(input)) }
  const made = await auditRefusedAttempts(attempt, async () => spec.request(parsed.data, staff))
  if ('fields' in made) return { kind: 'invalid', ...made }
  const request = await checkedRequest(spec, parsed.data, staff, made, attempt)
  if ('fields' in request) return { kind: 'invalid', ...request }
  await requireConfirmation(kind, spec, parsed.data, request.target)
  const { body, target, policy, terms, earlier = [], ...journaled } = request
  const need = policy ? await approvalNeed(environment, [policy]) : null
  for (const step of earlier) {
    const permission = operationKinds[step.kind].permission
    await auditRefusedAttempts({ ...attempt, kind: step.kind }, () => requirePermission(permission, environment))
  }
  const { reason = parsed.data.reason ?? null, comment = parsed.data.comment ?? null } = request
  const journaledSteps = earlier.map(async (step) => {
    const stepNeed = step.policy ? await approvalNeed(environment, [step.policy]) : null
    return {
      ...entry,
      id: randomUUID(),
      kind: step.kind,
      target: step.target,
      statusBefore: step.statusBefore,
      reason,
      comment,
      request: prepareRequest(environment, step.endpoint, step.body),
      approval: stepNeed && { ...stepNeed, terms: null },
    }
  })
  const started = {
    ...entry,
    ...journaled,
    target,
    reason,
    comment,
    request: prepareRequest(environment, spec.endpoint, body),
    approval: need && {
      ...need,
      terms: terms ? { endpoint: spec.endpoint, body, ...terms(need.tolerancePercent) } : null,
    },
    earlier: await Promise.all(journaledSteps),
  }
  const { row, readBack } = await performOperation(started)
  const isRead = readBack !== null || neverSent.has(row.state)
  const { record } = (isRead ? readBack : await confirm(row, {}, null)) ?? { record: null }
  const fields = row.state === 'refused' ? (spec.fieldsOfError?.(row, parsed.data) ?? {}) : {}
  return {
    kind: 'settled',
    operation: await operationWithSteps(row),
    record: await maskedForReader(record, environment),
    fields,
  }
}

/**
 * Performs an operation that an agent of a help desk requests from a ticket, in the same order but for session, permission and
 * passkey: its caller has checked the token and the policy. With `needOf` it ends with the journal, and waits for an approval.
 * Throws `INVALID_PARAMETERS` for wrong input, and what a check refuses; that is audited.
 */
export async function performFromTicket(
  kind: OperationKind,
  input: ActionInput,
  by: Actor,
  { ticketOrigin, needOf }: { ticketOrigin: TicketOrigin; needOf: ((target: Target) => ApprovalNeed) | null },
): Promise<OperationRow> {
  const spec = specOf(kind)
  const parsed = spec?.input.safeParse(input)
  if (!spec || !parsed) throw new AppError('INVALID_PARAMETERS', 'There is no such operation.')
  if (!parsed.success) throw invalidInput(fieldErrors(parsed.error))
  const issues = reasonIssues(kind, parsed.data)
  if (Object.keys(issues).length > 0) throw invalidInput(issues)
  const { environment, operationId, reason = null, comment = null } = parsed.data
  const entry = { id: operationId, environment, kind, by }
  const attempt = { ...entry, target: spec.target(idReader(input), input) }
  const made = await auditRefusedAttempts(attempt, async () => spec.request(parsed.data, by))
  if ('fields' in made) throw invalidInput(made.fields)
  const request = await checkedRequest(spec, parsed.data, by, made, attempt)
  if ('fields' in request) throw invalidInput(request.fields)
  const { body, target, policy: _policy, terms: _terms, earlier: _earlier, ...journaled } = request
  const { row } = await performOperation({
    ...entry,
    ...journaled,
    target,
    reason,
    comment,
    ticketOrigin,
    request: prepareRequest(environment, spec.endpoint, body),
    approval: needOf && { ...needOf(target), terms: null },
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

/** The request with what `check` read. The record is read first: an operation that began before that is found afterwards. */
async function checkedRequest(
  spec: OperationSpec,
  input: z.output<OperationSpec['input']>,
  by: Actor,
  request: OperationRequest,
  attempt: Parameters<typeof auditRefusedAttempts>[0],
): Promise<OperationRequest | Issues> {
  if (!spec.check) return request
  const checked: Checked | Issues | AppError = await spec.check(input, by).catch((error: unknown) => {
    if (isAppError(error)) return error
    throw error
  })
  const started = await findOperation(database(), input.operationId)
  if (started?.targetId === request.target.id) {
    return { ...request, target: targetOf(started), statusBefore: started.statusBefore }
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
  input: z.output<OperationSpec['input']>,
  target: Target,
): Promise<void> {
  const { environment, operationId } = input
  if (!spec.stepUp?.(input) || (await findOperation(database(), operationId))) return
  await requireStepUp({ kind, environment, operationId, input, target })
}

/**
 * An action of a member of staff that is no operation of the service: permission, input, work. An attempt without the
 * permission is audited. Wrong input and an `AppError` are results.
 */
export function staffAction<Schema extends z.ZodType, Result>(
  attempt: Attempt,
  schema: Schema,
  input: unknown,
  work: (given: z.output<Schema>, staff: Staff) => Promise<Result | NotStarted>,
): Promise<Result | NotStarted> {
  return unlessRefused<Result>(async () => {
    const staff = await requireActor(attempt, input)
    const parsed = schema.safeParse(input)
    return parsed.success ? work(parsed.data, staff) : { kind: 'invalid', fields: fieldErrors(parsed.error) }
  })
}

/** Returns an `AppError` as the result of an action; any other error is thrown on. */
export async function unlessRefused<Result>(work: () => Promise<Result | NotStarted>): Promise<Result | NotStarted> {
  try {
    return await work()
  } catch (error) {
    if (!isAppError(error)) throw error
    const outcome = refusedBeforeSending(error.code, error.message)
    const stepUp = error instanceof StepUpRequired && error.stepUp ? { stepUp: error.stepUp } : {}
    const waiting = error instanceof AlreadyWaitingError ? { approvalId: error.approvalId } : {}
    return { kind: 'refused', outcome: { ...outcome, ...stepUp, ...waiting } }
  }
}

type Attempt = { kind: string; permission: Permission; about?: (idIn: IdField) => Target | null }

/** Returns who acts. An attempt without the permission is written to the audit log. */
export async function requireActor({ kind, permission, about }: Attempt, input: unknown): Promise<Staff> {
  const environment = environmentOf(input)
  const session = await currentSession()
  if (!session) return requirePermission(permission, environment)
  const idIn = idReader(input)
  const operationId = idIn('operationId')
  return auditRefusedAttempts(
    {
      id: operationId && isUuid(operationId) ? operationId : null,
      environment,
      kind,
      by: session.staff,
      target: about?.(idIn) ?? null,
    },
    () => requirePermission(permission, environment),
  )
}

function idReader(input: unknown): IdField {
  const given = input as Partial<Record<string, unknown>>
  return (field) => {
    const parsed = ServiceId.safeParse(given[field])
    return parsed.success ? parsed.data : null
  }
}

function environmentOf(input: unknown): Environment {
  const given = fieldsOf(input).environment
  const environment = environments.find((name) => name === given)
  if (!environment) throw new AppError('ENVIRONMENT_NOT_FOUND', 'There is no such environment.')
  return environment
}
