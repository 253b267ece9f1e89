import 'server-only'
import type { z } from 'zod'
import { database } from '#lib/db/connection.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { fieldsOf } from '#lib/shared/json.ts'
import { environments, type Environment } from '#lib/shared/routes.ts'
import { traced } from '#lib/shared/tracing.ts'
import { isAppError, AppError } from '../app-error.ts'
import { approvalNeed } from '../approvals/policy.ts'
import { auditRefusedAttempts } from '../audit/refused-attempts.ts'
import { withBareFailures } from '../bare-failure.ts'
import { prepareRequest } from '../connections/environments.ts'
import { maskedForReader } from '../masked-reads.ts'
import { fieldErrors, ServiceId } from '../parse.ts'
import type { Permission } from '../permissions.ts'
import { currentSession, requirePermission } from '../session/session.ts'
import type { ActionResult, NotStarted, Staff, Target } from '../shapes.ts'
import { requireStepUp, StepUpRequired } from '../step-up/step-up.ts'
import type { OperationState } from '../tables/operations.ts'
import { targetOf } from '../tables/schema.ts'
import { findOperation } from './journal.ts'
import { operationKinds, reasonIssues, type OperationKind } from './kinds.ts'
import { operationOf, refusedBeforeSending } from './outcome.ts'
import { performOperation } from './perform.ts'
import { confirm } from './read-back.ts'
import type { Checked, Fields, IdField, Issues, OperationRequest, OperationSpec } from './spec.ts'
import { specOf, type operationTable } from './table.ts'

type Table = typeof operationTable
export type InputOf<Kind extends OperationKind> = z.input<Table[Kind]['input']>
/** The record that an operation of the kind reads back. */
export type RecordOf<Kind extends OperationKind> = NonNullable<Awaited<ReturnType<Table[Kind]['readBack']>>['record']>

/**
 * Performs an operation in the order of ARCHITECTURE.md: permission, input, request, check, step-up, approval, journal, signed
 * request, read back, audit. Where the policy asks for an approval, it ends with the journal. The input is unchecked, whatever
 * its type says.
 */
export async function act<Kind extends OperationKind>(
  kind: Kind,
  input: InputOf<Kind>,
): Promise<ActionResult<RecordOf<Kind>>> {
  const given: unknown = input
  return withBareFailures(() =>
    unlessRefused(async () => {
      const spec = specOf(kind)
      if (!spec) throw new AppError('INVALID_PARAMETERS', 'There is no such operation.')
      const work = () => perform(kind, spec, given)
      return (await traced(`action ${kind}`, {}, work)) as ActionResult<RecordOf<Kind>>
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
  const { body, target, policy, terms, ...journaled } = request
  const need = policy ? await approvalNeed(environment, [policy]) : null
  const { reason = parsed.data.reason ?? null, comment = parsed.data.comment ?? null } = request
  const { row, readBack } = await performOperation({
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
  })
  const isRead = readBack !== null || neverSent.has(row.state)
  const { record } = (isRead ? readBack : await confirm(row, {}, null)) ?? { record: null }
  const fields = row.state === 'refused' ? (spec.fieldsOfError?.(row, parsed.data) ?? {}) : {}
  return { kind: 'settled', operation: operationOf(row), record: await maskedForReader(record, environment), fields }
}

const neverSent = new Set<OperationState>(['not-sent', 'waiting', 'approved', 'declined', 'expired', 'withdrawn'])

/** The request with what `check` read. The record is read first: an operation that began before that is found afterwards. */
async function checkedRequest(
  spec: OperationSpec,
  input: z.output<OperationSpec['input']>,
  staff: Staff,
  request: OperationRequest,
  attempt: Parameters<typeof auditRefusedAttempts>[0],
): Promise<OperationRequest | Issues> {
  if (!spec.check) return request
  const checked: Checked | Issues | AppError = await spec.check(input, staff).catch((error: unknown) => {
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
    const stepUp = error instanceof StepUpRequired ? error.stepUp : undefined
    return { kind: 'refused', outcome: stepUp ? { ...outcome, stepUp } : outcome }
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
