import 'server-only'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { recordAudit } from '#lib/audit/chain.ts'
import { auditRefusedAttempts } from '#lib/audit/refused-attempts.ts'
import type { Target } from '#lib/audit/types.ts'
import { currentSession, notSignedIn } from '#lib/auth/session.ts'
import type { Staff } from '#lib/auth/types.ts'
import { isServiceError } from '#lib/client/service-error.ts'
import { errorTable, isErrorCode } from '#lib/contract/errors.ts'
import type { RepaymentSimulation } from '#lib/contract/simulators.ts'
import { inBackground } from '#lib/db/background.ts'
import { database } from '#lib/db/connection.ts'
import { builtInControl, callControlPlane, type ControlPlane, ControlRefused } from '#lib/environments/control-plane.ts'
import { accountsMirror } from '#lib/index/accounts-sync.ts'
import { readSomeCards } from '#lib/index/cards-sync.ts'
import { publish } from '#lib/live/publish.ts'
import { unlessRefused } from '#lib/operations/act.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { AppError, isAppError } from '#lib/shared/app-error.ts'
import { withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { fieldsOf, textIn } from '#lib/shared/json.ts'
import { logFailure } from '#lib/shared/log.ts'
import { EnvironmentName } from '#lib/shared/parse.ts'
import { type Environment, environments } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { payoutsMirror } from '../payouts/mirror.ts'
import { type Given, type LabAction, labActions, recordIn } from './action-table.ts'
import { isGone, requireLab, sandboxIsGone, SandboxId } from './lab.ts'
import { noteRecordedCall } from './recording.ts'
import { clientIn, type Where } from './sandboxes.ts'
import type { LabResult } from './types.ts'

/** How long a person waits for the lists; a larger sandbox is read on in the background. */
const waitMs = 5 * secondMs
const pauseMs = 100
const giveUpAfterMs = 60 * secondMs

/**
 * Reads the mirrors of accounts, cards and payouts again after everything in the sandbox was replaced. Returns when they are
 * read, or after some seconds: the rest is published when it is there. Never throws.
 */
async function refreshMirrors(environment: Environment): Promise<void> {
  const reading = inBackground(async () => {
    await Promise.all([
      readAgain(() => accountsMirror.readAll(environment)).then(() =>
        readSomeCards(environment, { before: new Date(), againPerMinute: Infinity }),
      ),
      readAgain(() => payoutsMirror.readAll(environment)),
    ])
    publish(environment, [{ type: 'cardaccounts' }, { type: 'payouts' }])
  }).catch((error: unknown) => logFailure(error, { while: 'reading the sandbox after it was replaced' }))
  await Promise.race([reading, delay(waitMs, undefined, { ref: false })])
}

/** A sync that another process is running may have started before the change: waits for it. */
async function readAgain(read: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + giveUpAfterMs
  while (!(await read()) && Date.now() < giveUpAt) await delay(pauseMs)
}

export type LabActionName = keyof typeof labActions

const Input = z.object({
  environment: EnvironmentName,
  action: z.enum(Object.keys(labActions) as [LabActionName], 'must be an action of the lab'),
  /** One of its own; the shared one where it is left out. */
  sandbox: SandboxId.optional(),
  /** The body of the control plane's endpoint, which checks it. */
  given: z.record(z.string(), z.json(), 'must be an object'),
})
export type LabActionInput = z.input<typeof Input>

/** `invalid`: nothing changed, the fields say why. `refused`: nothing changed, or it is not known. */
type LabActionResult = { kind: 'done'; result: LabResult } | NotStarted

/**
 * Performs an action on the sandbox through its control plane, and audits it. Where the environment has no lab, every action is
 * refused with `LAB_NOT_FOUND`. An action has no idempotency key: the form sends it once.
 */
export function performLabAction(input: LabActionInput): Promise<LabActionResult> {
  return unlessRefused<LabActionResult>(async () => {
    const { staff, control, environment } = await requireActor(input)
    const parsed = Input.safeParse(input)
    if (!parsed.success) throw new AppError('INVALID_PARAMETERS', 'There is no such action of the lab.')
    const { action, given } = parsed.data
    const row: LabAction = labActions[action]
    const sandbox = (row.isShared ? null : parsed.data.sandbox) ?? null
    const where = { environment, sandbox }
    const audit = (outcome: 'done' | 'refused' | 'unknown', code: string | null, requestId: string | null = null) =>
      record(staff, where, action, given, { outcome, code, requestId })
    try {
      const response = await (row.simulator
        ? simulate(where, row.simulator, given)
        : send(control(sandbox), row, given))
      await audit('done', null)
      // The console's pages and recordings are of the shared sandbox.
      if (sandbox !== null) {
        publish(environment, [{ type: 'lab' }])
        return { kind: 'done', result: resultOf(given, response) }
      }
      const body = row.simulator?.body(given) ?? (row.method === 'DELETE' ? {} : given)
      const kind = row.simulator ? 'call' : 'control'
      await noteRecordedCall(staff.id, { kind, method: row.method ?? 'POST', path: row.path(given), body, response })
      if (row.replacesEverything) await refreshMirrors(environment)
      publish(environment, row.changes(given, response))
      return { kind: 'done', result: resultOf(given, response) }
    } catch (error) {
      if (error instanceof ControlRefused) {
        await audit('refused', error.code, error.requestId)
        if (isGone(control(sandbox), error)) throw sandboxIsGone()
        return refusedBy(error)
      }
      if (!isAppError(error)) throw error
      await audit('unknown', error.code, error.requestId)
      throw error
    }
  })
}

async function requireActor(
  input: unknown,
): Promise<{ staff: Staff; control: (sandbox: string | null) => ControlPlane; environment: Environment }> {
  const sent = fieldsOf(input)
  const environment = environments.find((name) => name === sent.environment)
  if (!environment) throw new AppError('ENVIRONMENT_NOT_FOUND', 'There is no such environment.')
  const session = await currentSession()
  if (!session) throw notSignedIn()
  const action = textIn(sent, 'action') ?? ''
  const isKnown = Object.hasOwn(labActions, action)
  const target = isKnown ? targetOf(labActions[action as LabActionName], recordIn(sent, 'given')) : null
  const kind = isKnown ? `lab.${action}` : 'lab'
  const attempt = { environment, kind, by: session.staff, target }
  const { staff, control: shared } = await auditRefusedAttempts(attempt, () => requireLab(environment))
  return { staff, control: (sandbox) => builtInControl(environment, sandbox) ?? shared, environment }
}

const usualTimeoutMs = 15 * secondMs

async function send(control: ControlPlane, row: LabAction, given: Given): Promise<Given> {
  const { method = 'POST', path, timeoutMs = usualTimeoutMs } = row
  try {
    const body = method === 'POST' ? { body: given } : {}
    return ((await callControlPlane(control, { method, path: path(given), timeoutMs, ...body })) ?? {}) as Given
  } catch (error) {
    if (error instanceof ControlRefused) throw error
    logFailure(error, { while: 'an action of the QA lab' })
    throw new AppError('SERVICE_UNREACHABLE', 'The sandbox didn’t respond. Check what changed before you try again.')
  }
}

/** Calls a simulator of the interface. Throws `ControlRefused` where it did nothing, with what the service says about it. */
async function simulate(
  where: Where,
  { endpoint, body }: NonNullable<LabAction['simulator']>,
  given: Given,
): Promise<Given> {
  try {
    const { response } = await clientIn(where).call(endpoint, { body: body(given) } as never, {
      attempts: 1,
      deadlineMs: usualTimeoutMs,
    })
    const [repayment] = repaymentsIn(response as Given)
    if (repayment?.error) throw new ControlRefused(200, { message: asSentence(repayment.error) }, null)
    return response as Given
  } catch (error) {
    if (!isServiceError(error)) throw error
    if (error.status !== null && error.status < 500) {
      const message = error.message.replaceAll(/cardAccountIds(?:\.0|\[0\])?/g, 'cardAccountId')
      throw new ControlRefused(error.status, { code: error.code, message }, error.requestId)
    }
    logFailure(error, { while: 'a simulator of the interface' })
    throw new AppError('SERVICE_UNREACHABLE', 'The sandbox didn’t respond. Check what changed before you try again.')
  }
}

function repaymentsIn({ repayments }: Given): Partial<RepaymentSimulation>[] {
  return Array.isArray(repayments) ? (repayments as Partial<RepaymentSimulation>[]) : []
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
}

/** `amount: must be at most 80 HKD; currency: is required` by field. A code other than that of bad input is for the whole form. */
function refusedBy({ code, reason, requestId }: ControlRefused): NotStarted {
  if (code === 'INVALID_PARAMETERS' && reason !== null) {
    const issues = reason.split('; ').map((part) => /^([\w.[\]*]+): (.+)$/s.exec(part))
    const fields = issues.flatMap((issue) => (issue ? [[issue[1] ?? '', issue[2] ?? ''] as const] : []))
    if (fields.length > 0) return { kind: 'invalid', fields: Object.fromEntries(fields) }
  }
  const known = code !== null && isErrorCode(code) ? `${errorTable[code].happened} ${errorTable[code].next}` : null
  throw new AppError('SERVICE_REFUSED', known ?? reason ?? 'The sandbox refused this.', requestId)
}

function targetOf({ target }: LabAction, given: Given): Target | null {
  const id = target ? textIn(given, target.field) : null
  if (!target || !id) return null
  const parentId = target.field === 'cardAccountId' ? null : textIn(given, 'cardAccountId')
  return { type: target.type, id: withoutCardNumbers(id).slice(0, 200), parentId, label: null }
}

async function record(
  by: Staff,
  { environment, sandbox }: Where,
  action: LabActionName,
  given: Given,
  ended: { outcome: 'done' | 'refused' | 'unknown'; code: string | null; requestId: string | null },
): Promise<void> {
  const row: LabAction = labActions[action]
  const said = row.comment?.(given) ?? null
  const comment =
    [...(sandbox === null ? [] : [`sandbox ${sandbox}`]), ...(said === null ? [] : [said])].join(': ') || null
  await recordAudit(database(), {
    by,
    environment,
    act: `lab.${action}`,
    target: targetOf(row, given),
    comment: comment === null ? null : withoutCardNumbers(comment).slice(0, 200),
    ...ended,
  })
}

function resultOf(given: Given, response: Given): LabResult {
  const entry = [response, recordIn(response, 'transaction')].find(
    (record) => textIn(record, 'id') !== null && textIn(record, 'cardAccountId') !== null,
  )
  const id = entry ? textIn(entry, 'id') : null
  const [repaid] = repaymentsIn(response)
  const cardAccountId = (entry ? textIn(entry, 'cardAccountId') : null) ?? textIn(given, 'cardAccountId')
  return {
    transaction:
      entry && id && cardAccountId
        ? {
            id,
            cardAccountId,
            status: textIn(entry, 'status'),
            reason: textIn(recordIn(entry, 'authorization'), 'responseMessage'),
          }
        : null,
    cardAccountId,
    repaid:
      typeof repaid?.repayAmount === 'number'
        ? { amount: repaid.repayAmount, currency: repaid.currency ?? null }
        : null,
    now: textIn(response, 'now'),
    performed: typeof response.performed === 'number' ? response.performed : null,
    name: textIn(response, 'name'),
    sandboxId: textIn(response, 'controlUrl') === null ? null : textIn(response, 'id'),
  }
}
