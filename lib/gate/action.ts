import 'server-only'
import type { z } from 'zod'
import { actionDefinition, auditedActs, type ActionName } from '#lib/api/actions.ts'
import { auditRefusedAttempts } from '#lib/audit/refused-attempts.ts'
import type { Target } from '#lib/audit/types.ts'
import { requireSession, type Session } from '#lib/auth/session.ts'
import type { Staff } from '#lib/auth/types.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { isUuid } from '#lib/shared/ids.ts'
import { asFields } from '#lib/shared/json.ts'
import { fieldErrors, ServiceId } from '#lib/shared/parse.ts'
import { environments, type Environment } from '#lib/shared/routes.ts'
import { withSanitizedErrors } from '#lib/shared/sanitized-errors.ts'
import { traced } from '#lib/shared/tracing.ts'
import { requireNeeds, resolveByValue } from './implement.ts'
import { toActionResult } from './to-action-result.ts'

/** Reads a field of an unchecked input, where it can be an id of the service. */
export type IdField = (field: string) => string | null
/** The fields of an unchecked input, or of JSON that was sent or received. */
export type Fields = Readonly<Record<string, unknown>>

/** The person who acts, their session, and the object of the attempt, as the audit log names it. */
type Acting = { staff: Staff; session: Session; target: Target | null }

export type ActionBody<Schema extends z.ZodType, Result> = {
  input: Schema
  /** The object that an attempt is about, before its input is parsed. */
  target?(idIn: IdField, input: Fields): Target | null
  /** Runs with the permission and the parsed input. An `AppError` becomes the action's result. */
  run(given: z.output<Schema>, by: Acting): Promise<Result | NotStarted>
}

/**
 * The gate of every action: session, permission, input, body. An attempt without the permission is written to the audit log.
 * Wrong input and an `AppError` are results; any other error is thrown on without its details. The input is unchecked, whatever
 * its type says.
 */
export function action<Schema extends z.ZodType, Result>(
  name: ActionName,
  body: ActionBody<Schema, Result>,
): (input: z.input<Schema>) => Promise<Result | NotStarted> {
  const gated = (input: unknown) =>
    withSanitizedErrors(() =>
      toActionResult<Result>(() => traced(`action ${name}`, {}, () => run(name, body, asFields(input)))),
    )
  return Object.defineProperty(gated, 'name', { value: name })
}

async function run<Schema extends z.ZodType, Result>(
  name: ActionName,
  { input: schema, target: targetOf, run }: ActionBody<Schema, Result>,
  input: Fields,
): Promise<Result | NotStarted> {
  const definition = actionDefinition(name)
  const environment = definition.isGlobal ? null : parseEnvironment(input)
  const session = await requireSession()
  const { staff } = session
  const idIn = idReader(input)
  const target = targetOf?.(idIn, input) ?? null
  const check = () => requireNeeds(definition, environment ?? 'sandbox', (field) => input[field])
  const kind = auditedActFor(name, input)
  const id = idIn('operationId')
  const attempt = { kind, environment, target, by: staff, id: id && isUuid(id) ? id : null }
  await (kind === null ? check() : auditRefusedAttempts({ ...attempt, kind }, check))
  const parsed = schema.safeParse(input)
  if (!parsed.success) return { kind: 'invalid', fields: fieldErrors(parsed.error) }
  return run(parsed.data, { staff, session, target })
}

/** The code of an attempt in the audit log; null where the action is not audited. */
function auditedActFor(name: ActionName, input: Fields): string | null {
  const { act } = actionDefinition(name)
  if (typeof act === 'object') return resolveByValue(act, (field) => input[field]).act
  return auditedActs(name)[0]?.act ?? null
}

/** Reads ids from an unchecked input. */
export function idReader(input: Fields): IdField {
  return (field) => {
    const parsed = ServiceId.safeParse(input[field])
    return parsed.success ? parsed.data : null
  }
}

function parseEnvironment({ environment: given }: Fields): Environment {
  const environment = environments.find((name) => name === given)
  if (!environment) throw new AppError('ENVIRONMENT_NOT_FOUND', 'There is no such environment.')
  return environment
}
