import 'server-only'
import { z } from 'zod'
import { database } from '#lib/db/connection.ts'
import { environments, type Environment } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { isAppError, AppError } from '../desk/app-error.ts'
import { recordAudit } from '../desk/audit/chain.ts'
import { logFailure } from '../desk/log.ts'
import { requireActor, unlessRefused } from '../desk/operations/act.ts'
import { Id } from '../desk/operations/spec.ts'
import { fieldErrors } from '../desk/parse.ts'
import type { NotStarted, Staff, Target } from '../desk/shapes.ts'
import { callControlPlane, ControlRefused, type ControlPlane } from './control-plane.ts'
import { pollWebhooks } from './poll.ts'
import { builtInControl } from './settings.ts'
import { targetOf, watched } from './watched.ts'

const Test = z.object({ environment: z.enum(environments, 'must be sandbox or production'), webhookId: Id })
export type TestWebhookInput = z.input<typeof Test>

/** `problem` is one of the service's codes, or an unknown one; `status` is null where the endpoint did not respond. */
const Ping = z.object({
  delivered: z.boolean(),
  status: z.int().nullable(),
  durationMs: z.number(),
  problem: z.string().nullable(),
})
export type WebhookPing = z.output<typeof Ping>

export type TestWebhookResult = { kind: 'tested'; ping: WebhookPing } | NotStarted

/** Longer than an endpoint has to respond. */
const timeoutMs = 25 * secondMs

/**
 * Has the service send one ping to a webhook and returns the result. The interface has no means for this: it takes a
 * service with a control plane, which a real one has not.
 */
export function testWebhook(input: TestWebhookInput): Promise<TestWebhookResult> {
  return unlessRefused<TestWebhookResult>(async () => {
    const about = (uuidOf: (field: string) => string | null) => {
      const webhookId = uuidOf('webhookId')
      return webhookId ? targetOf(webhookId, null) : null
    }
    const staff = await requireActor({ kind: 'webhook.test', permission: 'webhooks.manage', about }, input)
    const parsed = Test.safeParse(input)
    if (!parsed.success) return { kind: 'invalid', fields: fieldErrors(parsed.error) }
    const { environment, webhookId } = parsed.data
    const target = targetOf(webhookId, await watched(environment, webhookId))
    const control = builtInControl(environment)
    try {
      if (!control) throw new AppError('SERVICE_REFUSED', 'This service has no means to send a test.')
      const ping = await sendPing(control, webhookId)
      await record(staff, environment, target, 'done', ping.problem)
      await lookAgain(environment)
      return { kind: 'tested', ping }
    } catch (error) {
      if (!isAppError(error)) throw error
      const outcome = error.code === 'SERVICE_UNREACHABLE' ? 'unknown' : 'refused'
      await record(staff, environment, target, outcome, error.code, error.requestId)
      throw error
    }
  })
}

async function sendPing(control: ControlPlane, webhookId: string): Promise<WebhookPing> {
  try {
    return Ping.parse(await callControlPlane(control, { path: '/pings', body: { webhookId }, timeoutMs }))
  } catch (error) {
    if (error instanceof ControlRefused) {
      const isGone = error.code === 'WEBHOOK_NOT_FOUND'
      const message = isGone ? 'The service does not know this webhook any more.' : 'The service refused the test.'
      throw new AppError('SERVICE_REFUSED', message, error.requestId)
    }
    logFailure(error, { while: 'testing a webhook' })
    throw new AppError('SERVICE_UNREACHABLE', 'The API didn’t return the test’s result. You can repeat the test.')
  }
}

async function record(
  { id, name, role }: Staff,
  environment: Environment,
  target: Target,
  outcome: 'done' | 'refused' | 'unknown',
  code: string | null,
  requestId: string | null = null,
): Promise<void> {
  await recordAudit(database(), {
    by: { id, name, role },
    environment,
    act: 'webhook.test',
    target,
    outcome,
    code,
    requestId,
  })
}

/** A test that succeeded may have resumed the webhook. */
async function lookAgain(environment: Environment): Promise<void> {
  await pollWebhooks(environment, 0).catch((error: unknown) => {
    if (!isAppError(error)) logFailure(error, { while: 'polling the webhooks after a test' })
  })
}
