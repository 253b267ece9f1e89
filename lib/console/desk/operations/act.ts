import 'server-only'
import { z } from 'zod'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { environments, type Environment } from '#lib/shared/routes.ts'
import { bytesOf } from '../connections/environments.ts'
import { fieldErrors, ServiceId } from '../parse.ts'
import type { Permission } from '../permissions.ts'
import { isRefusal, Refusal } from '../refusal.ts'
import { currentSession, requirePermission } from '../session/session.ts'
import type { Staff } from '../session/staff.ts'
import type { Target } from '../target.ts'
import { confirm } from './confirm.ts'
import type { OperationRow } from './journal.ts'
import type { OperationKind } from './kinds.ts'
import { operationOf, type Operation } from './operation.ts'
import { refusedBeforeSending, type Outcome } from './outcome.ts'
import { auditRefusals, performOperation } from './perform.ts'

export const Id = z.uuid('must be a UUID').toLowerCase()

/** What every action's input begins with. */
export const ActionInput = z.object({
  environment: z.enum(environments, 'must be sandbox or production'),
  /** A UUID that the dialog makes when it opens: the same operation under double click, reload and retry. */
  operationId: Id,
})
export type ActionInput = z.output<typeof ActionInput>

/**
 * `settled`: the operation exists, whatever its outcome. `invalid`: nothing was sent, the fields say why. `refused`: nothing
 * was sent (signed out, not permitted, not connected, the id belongs to another operation).
 */
export type ActionResult<Truth = Record<never, never>> =
  | ({ kind: 'settled'; operation: Operation } & Truth)
  | NotStarted
export type NotStarted = { kind: 'invalid'; fields: Record<string, string> } | { kind: 'refused'; outcome: Outcome }

/** What is sent to the service for an action. */
export type ActionRequest = {
  target: Target
  endpoint: EndpointName
  body: object
  statusBefore?: string | null
  /** What the record looks like that it makes; see the journal. */
  expected?: Record<string, string>
  reason?: string | null
  comment?: string | null
  /** The body has a PIN or digits of a card number in it. */
  holdsSecret?: boolean
}

/** A field of whatever a browser sent, where it can be an id of the service. */
export type IdField = (field: string) => string | null

export type Action<Schema extends z.ZodType<ActionInput>> = {
  kind: OperationKind
  permission: Permission
  input: Schema
  /** What an attempt is about that is refused for want of the permission. */
  about: (idIn: IdField) => Target | null
  /** The request, or what is wrong with which field. */
  prepare: (input: z.output<Schema>, staff: Staff) => Promise<ActionRequest | { fields: Record<string, string> }>
}

/**
 * Checks permission and input, performs the operation, and returns it with what was read back of its record. The input is
 * whatever a browser sent, not its type.
 */
export async function act<Schema extends z.ZodType<ActionInput>, Truth>(
  action: Action<Schema>,
  input: unknown,
  truthOf: (record: unknown, row: OperationRow, input: z.output<Schema>) => Truth,
): Promise<ActionResult<Truth>> {
  return unlessRefused(async () => {
    const staff = await requireActor(action, input)
    const parsed = action.input.safeParse(input)
    if (!parsed.success) return { kind: 'invalid', fields: fieldErrors(parsed.error) }
    const request = await action.prepare(parsed.data, staff)
    if ('fields' in request) return { kind: 'invalid', fields: request.fields }
    const { target, endpoint, body, statusBefore, expected, reason, comment, holdsSecret } = request
    const { row, readBack } = await performOperation({
      id: parsed.data.operationId,
      environment: parsed.data.environment,
      kind: action.kind,
      by: { id: staff.id, name: staff.name, role: staff.role },
      target,
      reason: reason ?? null,
      comment: comment ?? null,
      endpoint,
      ...bytesOf(parsed.data.environment, endpoint, body),
      holdsSecret: holdsSecret ?? false,
      statusBefore: statusBefore ?? null,
      expected: expected ?? null,
    })
    const isRead = readBack !== null || row.state === 'not-sent'
    const { record } = (isRead ? readBack : await confirm(row, {}, null)) ?? { record: null }
    return { kind: 'settled', operation: operationOf(row), ...truthOf(record, row, parsed.data) }
  })
}

/** A refusal of the console's own as the result of an action; anything else goes on as the failure that it is. */
export async function unlessRefused<Result>(perform: () => Promise<Result | NotStarted>): Promise<Result | NotStarted> {
  try {
    return await perform()
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { kind: 'refused', outcome: refusedBeforeSending(error.code, error.message) }
  }
}

/** Who acts. An attempt without the permission stands in the audit trail. */
export async function requireActor(
  { kind, permission, about }: Pick<Action<z.ZodType<ActionInput>>, 'permission' | 'about'> & { kind: string },
  input: unknown,
): Promise<Staff> {
  const environment = environmentOf(input)
  const session = await currentSession()
  if (!session) return requirePermission(permission, environment)
  const { id, name, role } = session.staff
  const asked = input as Partial<Record<string, unknown>>
  const idIn: IdField = (field) => {
    const parsed = ServiceId.safeParse(asked[field])
    return parsed.success ? parsed.data : null
  }
  const operationId = idIn('operationId')
  const by = { id, name, role }
  const target = about(idIn)
  return auditRefusals(
    {
      id: operationId && isUuid(operationId) ? operationId : null,
      environment,
      kind,
      by,
      target,
      reason: null,
      comment: null,
    },
    () => requirePermission(permission, environment),
  )
}

function environmentOf(input: unknown): Environment {
  const asked = typeof input === 'object' && input !== null && 'environment' in input ? input.environment : null
  const environment = environments.find((name) => name === asked)
  if (!environment) throw new Refusal('ENVIRONMENT_NOT_FOUND', 'There is no such environment.')
  return environment
}
