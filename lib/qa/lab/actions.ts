import 'server-only'
import { z } from 'zod'
import { type LabActionName, labActionNames } from '#lib/api/lab.ts'
import { recordAudit } from '#lib/audit/chain.ts'
import { auditRefusedAttempts } from '#lib/audit/refused-attempts.ts'
import type { Target } from '#lib/audit/types.ts'
import type { Staff } from '#lib/auth/types.ts'
import { inputFor } from '#lib/client/prepare.ts'
import { isServiceError } from '#lib/client/service-error.ts'
import { type EndpointName, endpointRow } from '#lib/contract/endpoints.ts'
import { errorTable, isErrorCode } from '#lib/contract/errors.ts'
import type { RepaymentSimulation } from '#lib/contract/simulators.ts'
import { database } from '#lib/db/connection.ts'
import { builtInControl, callControlPlane, type ControlPlane, ControlRefused } from '#lib/environments/control-plane.ts'
import { action } from '#lib/gate/action.ts'
import { publish } from '#lib/live/publish.ts'
import { settleReplaced } from '#lib/operations/resolve.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { AppError, isAppError } from '#lib/shared/app-error.ts'
import { withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { textIn } from '#lib/shared/json.ts'
import { logFailure } from '#lib/shared/log.ts'
import { EnvironmentName } from '#lib/shared/parse.ts'
import { asSentence } from '#lib/shared/texts.ts'
import { secondMs } from '#lib/shared/time.ts'
import { type Given, idsIn, type LabAction, labControls, recordIn } from './action-table.ts'
import { isGone, sandboxIsGone, SandboxId } from './control.ts'
import { readIndexAgain } from './read-index-again.ts'
import { noteRecordedCall } from './recording.ts'
import { clientIn, type Where } from './sandboxes.ts'
import type { LabResult } from './types.ts'

const Input = z.object({
  environment: EnvironmentName,
  action: z.enum(labActionNames, 'must be an action of the lab'),
  /** Id of a sandbox of one's own; left out: the shared one. */
  sandbox: SandboxId.optional(),
  /** The body of the control plane's endpoint, which checks it. */
  given: z.record(z.string(), z.json(), 'must be an object'),
})

/** `invalid`: nothing changed, the fields say why. `refused`: nothing changed, or it is not known. */
type LabActionResult = { kind: 'done'; result: LabResult } | NotStarted

/**
 * Performs an action on the sandbox, and audits it: through the built-in service's control plane, or through the simulator that the
 * interface has for it. Refused with `LAB_NOT_FOUND` outside the sandbox, and for what only the control plane can do where there is
 * none. An action has no idempotency key: the form sends it once.
 */
export const performLabAction = action('performLabAction', {
  input: Input,
  target: (_idIn, input) => {
    const name = labActionNames.find((known) => known === input.action)
    return name === undefined ? null : findTarget(labControls[name], recordIn(input, 'given'))
  },
  run: async (
    { environment, action: name, given, sandbox: named = null },
    { staff, target },
  ): Promise<LabActionResult> => {
    const row: LabAction = labControls[name]
    const control = builtInControl(environment, row.isShared ? null : named)
    if (!control && !hasSimulator(row)) {
      await auditRefusedAttempts({ environment, kind: `lab.${name}`, by: staff, target }, async () => {
        throw new AppError(
          'LAB_NOT_FOUND',
          'The interface has no simulator for this. Only Carddesk’s built-in sandbox does it.',
        )
      })
    }
    const sandbox = control === null || row.isShared ? null : named
    const where = { environment, sandbox }
    const call = makeCall(row, given, control)
    if ('fields' in call) return { kind: 'invalid', fields: call.fields }
    const audit = (outcome: 'done' | 'refused' | 'unknown', code: string | null, requestId: string | null = null) =>
      record(staff, where, name, given, { outcome, code, requestId })
    const isRecorded = sandbox === null && !row.isShared
    const recordCall = async (came: { response: Given | null; status?: number; code?: string | null }) => {
      if (isRecorded) await noteRecordedCall(staff.id, { ...call, body: call.body ?? {}, ...came })
    }
    try {
      const response = await (call.kind === 'call' ? simulate(where, call) : send(call))
      await audit('done', null)
      // The console's pages and recordings are of the shared sandbox.
      if (sandbox !== null) {
        publish(environment, [{ type: 'lab' }])
        return { kind: 'done', result: toResult(given, response) }
      }
      await recordCall({ response })
      if (row.replacesEverything) {
        await settleReplaced(environment, staff)
        await readIndexAgain(environment)
      }
      await row.readBack?.(environment, given)
      publish(environment, row.changes(given, response))
      return { kind: 'done', result: toResult(given, response) }
    } catch (error) {
      if (error instanceof ControlRefused) {
        await audit('refused', error.code, error.requestId)
        if (control && isGone(control, error)) throw sandboxIsGone()
        await recordCall({ response: null, status: error.status, code: error.code })
        return refusedBy(error)
      }
      if (!isAppError(error)) throw error
      await audit('unknown', error.code, error.requestId)
      throw error
    }
  },
})

function hasSimulator({ simulator, isBuiltIn }: LabAction): boolean {
  return simulator !== undefined && isBuiltIn === undefined
}

/** A request of the control plane, or of a simulator of the interface. */
type Call = { method: 'POST' | 'DELETE'; path: `/${string}`; body: Given | null } & (
  | { kind: 'control'; control: ControlPlane; timeoutMs: number }
  | { kind: 'call'; endpoint: EndpointName }
)

/** The request of an action, or why the interface cannot make it, by field. */
function makeCall(
  row: LabAction,
  given: Given,
  control: ControlPlane | null,
): Call | { fields: Record<string, string> } {
  const { path, method = 'POST', without = [], simulator, timeoutMs = usualTimeoutMs } = row
  if (control && path && method === 'DELETE') {
    const query = given.id === undefined ? '' : `?id=${encodeURIComponent(String(given.id))}`
    return { kind: 'control', control, method, path: `${path}${query}`, body: null, timeoutMs }
  }
  if (control && path) return { kind: 'control', control, method, path, body: omit(given, without), timeoutMs }
  if (!simulator) throw new Error('an action has a path of the control plane or a simulator')
  const { endpoint, fields, names = {} } = simulator
  const unknown = Object.keys(given).filter((name) => !fields.includes(name))
  if (unknown.length > 0) {
    const why = 'can’t be sent: the interface’s simulator has no such field'
    return { fields: Object.fromEntries(unknown.map((name) => [name, why])) }
  }
  const body = Object.fromEntries(Object.entries(given).map(([name, value]) => [names[name] ?? name, value]))
  return { kind: 'call', method: 'POST', path: endpointRow(endpoint).path, body, endpoint }
}

function omit(given: Given, names: readonly string[]): Given {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)))
}

const usualTimeoutMs = 15 * secondMs

async function send({ control, body, ...call }: Extract<Call, { kind: 'control' }>): Promise<Given> {
  try {
    return ((await callControlPlane(control, { ...call, ...(body && { body }) })) ?? {}) as Given
  } catch (error) {
    if (error instanceof ControlRefused) throw error
    throw noResponse(error, 'an action of the QA lab')
  }
}

/** Calls a simulator of the interface. Throws `ControlRefused` where it did nothing, with what the service says about it. */
async function simulate(where: Where, { endpoint, body }: Extract<Call, { kind: 'call' }>): Promise<Given> {
  try {
    const { response } = await clientIn(where).call(endpoint, inputFor(endpoint, { body }), {
      attempts: 1,
      deadlineMs: usualTimeoutMs,
    })
    const [only, another] = repaymentsIn(response as Given)
    if (only?.error && !another) throw new ControlRefused(200, { message: asSentence(only.error) }, null)
    return response as Given
  } catch (error) {
    if (!isServiceError(error)) throw error
    if (error.status !== null && error.status < 500) {
      // A field of the form has the name of one value.
      const message = error.message
        .replaceAll(/cardAccountIds(?:\.\d+|\[\d+\])/g, 'cardAccountIds')
        .replaceAll('cardTransactionId', 'transactionId')
      throw new ControlRefused(error.status, { code: error.code, message }, error.requestId)
    }
    throw noResponse(error, 'a simulator of the interface')
  }
}

function noResponse(error: unknown, what: string): AppError {
  logFailure(error, { while: what })
  return new AppError('SERVICE_UNREACHABLE', 'The sandbox didn’t respond. Check what changed before you try again.')
}

function repaymentsIn({ repayments }: Given): Partial<RepaymentSimulation>[] {
  return Array.isArray(repayments) ? (repayments as Partial<RepaymentSimulation>[]) : []
}

/** `amount: must be at most 80 HKD; currency: is required` by field. A code other than that of bad input is for the whole form. */
function refusedBy({ code, reason, requestId }: ControlRefused): NotStarted {
  if (code === 'INVALID_PARAMETERS' && reason !== null) {
    const issues = reason.split('; ').map((part) => /^([\w.[\]*]+): (.+)$/s.exec(part))
    const fields = issues.flatMap((issue) => (issue ? [[issue[1] ?? '', issue[2] ?? ''] as const] : []))
    if (fields.length > 0) return { kind: 'invalid', fields: Object.fromEntries(fields) }
  }
  // The control plane has limits of its own, which the text of the code does not know.
  const isKnown = code !== null && code !== 'RATE_LIMITED' && isErrorCode(code)
  const known = isKnown ? `${errorTable[code].happened} ${errorTable[code].next}` : null
  throw new AppError(
    'SERVICE_REFUSED',
    known ?? (reason === null ? 'The sandbox refused this.' : asSentence(reason)),
    requestId,
  )
}

function findTarget({ target }: LabAction, given: Given): Target | null {
  const [id, another] = target ? idsIn(given, target.field) : []
  if (!target || !id || another) return null
  const parentId = target.type === 'cardaccount' ? null : textIn(given, 'cardAccountId')
  return { type: target.type, id, parentId, label: null }
}

async function record(
  by: Staff,
  { environment, sandbox }: Where,
  action: LabActionName,
  given: Given,
  ended: { outcome: 'done' | 'refused' | 'unknown'; code: string | null; requestId: string | null },
): Promise<void> {
  const row: LabAction = labControls[action]
  const said = row.comment?.(given) ?? null
  const comment =
    [...(sandbox === null ? [] : [`sandbox ${sandbox}`]), ...(said === null ? [] : [said])].join(': ') || null
  await recordAudit(database(), {
    by,
    environment,
    act: `lab.${action}`,
    target: findTarget(row, given),
    comment: comment === null ? null : withoutCardNumbers(comment).slice(0, 200),
    ...ended,
  })
}

function toResult(given: Given, response: Given): LabResult {
  const entry = [response, recordIn(response, 'transaction')].find(
    (record) => textIn(record, 'id') !== null && textIn(record, 'cardAccountId') !== null,
  )
  // A simulator of the interface returns the id alone.
  const id = entry ? textIn(entry, 'id') : textIn(response, 'cardTransactionId')
  const cardAccountId = (entry ? textIn(entry, 'cardAccountId') : null) ?? textIn(given, 'cardAccountId')
  return {
    transaction:
      id && cardAccountId
        ? {
            id,
            cardAccountId,
            status: entry ? textIn(entry, 'status') : null,
            reason: entry ? textIn(recordIn(entry, 'authorization'), 'responseMessage') : null,
          }
        : null,
    cardAccountId,
    accounts: repaymentsIn(response).map(
      ({ cardAccountId: id = null, repayAmount = null, currency = null, error }) => ({
        cardAccountId: id,
        amount: repayAmount,
        currency,
        error: error ? asSentence(error) : null,
      }),
    ),
    performed: typeof response.performed === 'number' ? response.performed : null,
    sandboxId: textIn(response, 'controlUrl') === null ? null : textIn(response, 'id'),
  }
}
