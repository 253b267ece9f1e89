import 'server-only'
import { z } from 'zod'
import { database } from '#lib/db/connection.ts'
import { secondMs } from '#lib/shared/time.ts'
import { isAppError, AppError } from '../desk/app-error.ts'
import { recordAudit } from '../desk/audit/chain.ts'
import {
  builtInControl,
  callControlPlane,
  type ControlPlane,
  ControlRefused,
} from '../desk/connections/control-plane.ts'
import { logFailure } from '../desk/log.ts'
import { requireActor, unlessRefused } from '../desk/operations/act.ts'
import { Id } from '../desk/operations/spec.ts'
import { EnvironmentName, fieldErrors } from '../desk/parse.ts'
import type { NotStarted } from '../desk/shapes.ts'
import { pollWebhooks } from './poll.ts'
import { targetOf, watched, webhookTarget } from './watched.ts'

const Test = z.object({ environment: EnvironmentName, webhookId: Id })
type TestWebhookInput = z.input<typeof Test>

const Replay = z.object({ environment: EnvironmentName, webhookId: Id, eventId: Id })

/** `problem` is one of the service's codes, or an unknown one; `status` is null where the endpoint did not respond. */
const Ping = z.object({
  delivered: z.boolean(),
  status: z.int().nullable(),
  durationMs: z.number(),
  problem: z.string().nullable(),
})
export type WebhookPing = z.output<typeof Ping>

export type SentToWebhook = { kind: 'sent'; ping: WebhookPing } | NotStarted

/** Longer than an endpoint has to respond. */
const timeoutMs = 25 * secondMs

/** The control plane's part of a test, beside the webhook's queue. `comment` is for the audit log. */
type Beside<Input> = {
  act: 'webhook.test' | 'webhook.replay'
  noun: 'test' | 'replay'
  schema: z.ZodType<Input>
  path: `/${string}`
  body: (input: Input) => object
  comment?: (input: Input) => string
}

/**
 * Makes the service send one ping to a webhook and returns the result. It needs a control plane, which a real service
 * does not have, because the interface has no endpoint for it.
 */
export function testWebhook(input: TestWebhookInput): Promise<SentToWebhook> {
  return sendBeside(
    { act: 'webhook.test', noun: 'test', schema: Test, path: '/pings', body: ({ webhookId }) => ({ webhookId }) },
    input,
  )
}

/**
 * Makes the service send one event to a webhook again, with the same id. It changes neither the webhook's state nor its
 * queue.
 */
export function replayDelivery(input: z.input<typeof Replay>): Promise<SentToWebhook> {
  return sendBeside(
    {
      act: 'webhook.replay',
      noun: 'replay',
      schema: Replay,
      path: '/deliveries/replay',
      body: ({ webhookId, eventId }) => ({ webhookId, eventId }),
      comment: ({ eventId }) => `Event ${eventId}`,
    },
    input,
  )
}

function sendBeside<Input extends TestWebhookInput>(what: Beside<Input>, input: Input): Promise<SentToWebhook> {
  const { act, noun, schema } = what
  return unlessRefused<SentToWebhook>(async () => {
    const attempt = { kind: act, permission: 'webhooks.manage', about: webhookTarget } as const
    const { id, name, role } = await requireActor(attempt, input)
    const parsed = schema.safeParse(input)
    if (!parsed.success) return { kind: 'invalid', fields: fieldErrors(parsed.error) }
    const { environment, webhookId } = parsed.data
    const target = targetOf(webhookId, await watched(environment, webhookId))
    const control = builtInControl(environment)
    const audit = (outcome: 'done' | 'refused' | 'unknown', code: string | null, requestId: string | null = null) =>
      recordAudit(database(), {
        by: { id, name, role },
        environment,
        act,
        target,
        outcome,
        code,
        requestId,
        comment: what.comment?.(parsed.data) ?? null,
      })
    try {
      if (!control) throw new AppError('SERVICE_REFUSED', `This service has no means to send a ${noun}.`)
      const ping = await callBeside(control, what, parsed.data)
      await audit('done', ping.problem)
      // A test that succeeded may have resumed the webhook.
      await pollWebhooks(environment, 0).catch((error: unknown) => {
        if (!isAppError(error)) logFailure(error, { while: 'polling the webhooks after a test' })
      })
      return { kind: 'sent', ping }
    } catch (error) {
      if (!isAppError(error)) throw error
      await audit(error.code === 'SERVICE_UNREACHABLE' ? 'unknown' : 'refused', error.code, error.requestId)
      throw error
    }
  })
}

const messages: Record<string, string> = {
  WEBHOOK_NOT_FOUND: 'The service does not know this webhook any more.',
  INVALID_PARAMETERS: 'The service has not stored this event any more.',
}

async function callBeside<Input>(
  control: ControlPlane,
  { path, body, noun }: Beside<Input>,
  input: Input,
): Promise<WebhookPing> {
  try {
    return Ping.parse(await callControlPlane(control, { path, body: body(input), timeoutMs }))
  } catch (error) {
    if (error instanceof ControlRefused) {
      const message = messages[error.code ?? ''] ?? `The service refused the ${noun}.`
      throw new AppError('SERVICE_REFUSED', message, error.requestId)
    }
    logFailure(error, { while: `sending a ${noun} to a webhook` })
    throw new AppError('SERVICE_UNREACHABLE', `The API didn’t return the ${noun}’s result. You can repeat the ${noun}.`)
  }
}
