import 'server-only'
import { z } from 'zod'
import type { webhookActions } from '#lib/api/webhooks.ts'
import { recordAudit } from '#lib/audit/chain.ts'
import { database } from '#lib/db/connection.ts'
import { builtInControl, callControlPlane, type ControlPlane, ControlRefused } from '#lib/environments/control-plane.ts'
import { action } from '#lib/gate/action.ts'
import { Id } from '#lib/operations/spec.ts'
import { isAppError, AppError } from '#lib/shared/app-error.ts'
import { logFailure } from '#lib/shared/log.ts'
import { EnvironmentName } from '#lib/shared/parse.ts'
import { secondMs } from '#lib/shared/time.ts'
import { pollWebhooks } from './poll.ts'
import { toWebhookTarget, findWatched, webhookTarget } from './watched.ts'

const Test = z.object({ environment: EnvironmentName, webhookId: Id })
type TestWebhookInput = z.output<typeof Test>

const OfEvent = z.object({ environment: EnvironmentName, webhookId: Id, eventId: Id })

/** `problem` is one of the service's codes, or an unknown one; `status` is null where the endpoint did not respond. */
const Ping = z.object({
  delivered: z.boolean(),
  status: z.int().nullable(),
  durationMs: z.number(),
  problem: z.string().nullable(),
})
export type WebhookPing = z.output<typeof Ping>

const Since = z.object({
  environment: EnvironmentName,
  webhookId: Id,
  since: z.iso.datetime({ offset: true, error: 'must be a time' }),
  /** The last delivered event of a replay that goes on. */
  after: Id.optional(),
  event: z.string().max(200, 'must have 200 characters at most').optional(),
})
/** `failed` is the event that the endpoint did not take, after which none was sent. */
const Replayed = z.object({
  events: z.array(z.object({ eventId: z.string() })),
  delivered: z.number(),
  failed: z.object({ event: z.string(), status: z.number().nullable(), problem: z.string().nullable() }).nullable(),
  hasMore: z.boolean(),
})

/** Longer than an endpoint has to respond. */
const usualTimeoutMs = 25 * secondMs
/** Longer than the service begins deliveries of a replay, and the last one has to respond. */
const replayTimeoutMs = 40 * secondMs

/** An action of the control plane on a webhook. `comment` is for the audit log, `findCode` the code of its entry. */
type Control<Input, Result, Done> = {
  act: 'webhook.test' | 'webhook.replay' | 'webhook.replay-since' | 'webhook.retry' | 'webhook.skip'
  noun: 'test' | 'replay' | 'retry' | 'skip'
  schema: z.ZodType<Input, Input>
  path: `/${string}`
  timeoutMs?: number
  result: z.ZodType<Result>
  findCode?: (result: Result) => string | null
  comment?: (input: Input) => string
  toResult: (result: Result) => Done
}

const sending = {
  result: Ping,
  findCode: ({ problem }: WebhookPing) => problem,
  toResult: (ping: WebhookPing) => ({ kind: 'sent' as const, ping }),
}
const changing = { result: z.unknown(), toResult: () => ({ kind: 'changed' as const }) }
const ofEvent = { schema: OfEvent, comment: ({ eventId }: z.output<typeof OfEvent>) => `Event ${eventId}` }

/**
 * Makes the service send one ping to a webhook and returns the result. It needs a control plane, which a real service
 * does not have, because the interface has no endpoint for it.
 */
export const testWebhook = control('testWebhook', {
  ...sending,
  act: 'webhook.test',
  noun: 'test',
  schema: Test,
  path: '/pings',
})

/**
 * Makes the service send one event to a webhook again, with the same id. It changes neither the webhook's state nor its
 * queue.
 */
export const replayDelivery = control('replayDelivery', {
  ...sending,
  ...ofEvent,
  act: 'webhook.replay',
  noun: 'replay',
  path: '/deliveries/replay',
})

/** Makes the next attempt at a webhook due now, from which the schedule goes on. A suspended one gets a test ping. */
export const retryDelivery = control('retryDelivery', {
  ...changing,
  act: 'webhook.retry',
  noun: 'retry',
  schema: Test,
  path: '/deliveries/retry',
})

/** Takes an event out of a webhook's queue; it is never delivered by itself then. */
export const skipDelivery = control('skipDelivery', {
  ...changing,
  ...ofEvent,
  act: 'webhook.skip',
  noun: 'skip',
  path: '/deliveries/skip',
})

/** Sends the events since a time again, in order and beside the queue, until one is not taken. `last` is the last one that was. */
export const replaySince = control('replaySince', {
  act: 'webhook.replay-since',
  noun: 'replay',
  schema: Since,
  path: '/deliveries/replay-since',
  timeoutMs: replayTimeoutMs,
  result: Replayed,
  findCode: ({ failed }) => failed?.problem ?? null,
  comment: ({ since, event }) => `Since ${since}${event === undefined ? '' : `, ${event}`}`,
  toResult: ({ events, ...result }) => ({
    kind: 'done' as const,
    result: { ...result, last: events[result.delivered - 1]?.eventId ?? null },
  }),
})

function control<Input extends TestWebhookInput, Result, Done>(
  name: keyof typeof webhookActions,
  what: Control<Input, Result, Done>,
) {
  const { act, noun, schema, findCode = () => null, comment = () => null } = what
  return action(name, {
    input: schema,
    target: webhookTarget,
    run: async (given, { staff: by }): Promise<Done> => {
      const { environment, webhookId } = given
      const target = toWebhookTarget(webhookId, await findWatched(environment, webhookId))
      const plane = builtInControl(environment)
      const audit = (outcome: 'done' | 'refused' | 'unknown', code: string | null, requestId: string | null = null) =>
        recordAudit(database(), {
          by,
          environment,
          act,
          target,
          outcome,
          code,
          requestId,
          comment: comment(given),
        })
      try {
        if (!plane) throw new AppError('SERVICE_REFUSED', `This service has no means for a ${noun}.`)
        const result = await callControl(plane, what, given)
        await audit('done', findCode(result))
        // A test that succeeded may have resumed the webhook, and a queue is shorter after a skip.
        await pollWebhooks(environment, 0).catch((error: unknown) => {
          if (!isAppError(error)) logFailure(error, { while: `polling the webhooks after a ${noun}` })
        })
        return what.toResult(result)
      } catch (error) {
        if (!isAppError(error)) throw error
        await audit(error.code === 'SERVICE_UNREACHABLE' ? 'unknown' : 'refused', error.code, error.requestId)
        throw error
      }
    },
  })
}

const isGone = 'The card service does not know this webhook any more.'
const messages: Record<string, Partial<Record<Control<unknown, unknown, unknown>['noun'], string>>> = {
  WEBHOOK_NOT_FOUND: { test: isGone, replay: isGone, retry: isGone, skip: isGone },
  INVALID_PARAMETERS: {
    replay: 'The card service has not stored this event any more.',
    retry: 'Nothing waits for this webhook any more.',
    skip: 'This event does not wait any more.',
  },
}

async function callControl<Input extends TestWebhookInput, Result>(
  plane: ControlPlane,
  {
    path,
    result,
    noun,
    timeoutMs = usualTimeoutMs,
  }: Pick<Control<Input, Result, unknown>, 'path' | 'result' | 'noun' | 'timeoutMs'>,
  { environment: _environment, ...body }: Input,
): Promise<Result> {
  try {
    return result.parse(await callControlPlane(plane, { path, body, timeoutMs }))
  } catch (error) {
    if (error instanceof ControlRefused) {
      const message = messages[error.code ?? '']?.[noun] ?? `The card service refused the ${noun}.`
      throw new AppError('SERVICE_REFUSED', message, error.requestId)
    }
    logFailure(error, { while: `asking the service for a ${noun} of a webhook` })
    throw new AppError(
      'SERVICE_UNREACHABLE',
      `The card service didn’t return the ${noun}’s result. You can repeat the ${noun}.`,
    )
  }
}
