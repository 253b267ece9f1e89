import { textIn } from '#lib/shared/json.ts'
import { Failed, Unsupported, type PerformOptions } from './perform-step.ts'
import { openReceiver, type Receiver, type ReceiverOptions } from './receiver.ts'
import { isSuccess, Unreachable, type Response } from './target.ts'

/** The receiver of a case's events, and the webhook that leads to it. */
export type CaseWebhook = {
  /** Throws `Unsupported` where there is none, `Failed` where the service didn’t say why it registers none. */
  receiver: () => Receiver
  id: string | null
  /** Removes the webhook and stops the receiver. */
  close: () => Promise<void>
}

const noReceiver = 'The service can’t deliver webhooks to this machine.'

/** For a case that awaits no event. */
export const noWebhook: CaseWebhook = withoutReceiver(new Unsupported(noReceiver))

function withoutReceiver(why: Unsupported | Failed): CaseWebhook {
  return {
    receiver: () => {
      throw why
    },
    id: null,
    close: () => Promise.resolve(),
  }
}

/** Starts the receiver and registers its webhook. `address` is how the service reaches this machine; null where it can't. */
export async function openWebhook(
  address: ReceiverOptions | null,
  name: string,
  { target, signal }: Pick<PerformOptions, 'target' | 'signal'>,
): Promise<CaseWebhook> {
  if (!address) return noWebhook
  const publicKeyPem = await target.webhookKey()
  if (publicKeyPem === null && target.hasControl) {
    return withoutReceiver(new Failed('The sandbox gave no key to verify its deliveries with.'))
  }
  const receiver = await openReceiver(address, { profile: target.profile, publicKeyPem })
  try {
    const request = target.prepareCall('createWebhook', { body: { url: receiver.url, events: ['*'], name } })
    const response = await target.send(request, { endpoint: 'createWebhook', signal })
    const id = textIn(response.body, 'id')
    if (!isSuccess(response.status) || id === null) {
      await receiver.close()
      return withoutReceiver(noWebhookError(receiver.url, response))
    }
    return { receiver: () => receiver, id, close: () => close(id, receiver, target) }
  } catch (error) {
    await receiver.close()
    throw error
  }
}

/** A service may refuse an address, or have no webhooks. One that fails, or is made to, hides whether it delivers. */
function noWebhookError(url: string, { status, message }: Response): Unsupported | Failed {
  const said = message ?? status
  const isRefused = status !== null && status >= 400 && status < 500 && status !== 429
  if (isRefused) return new Unsupported(`${noReceiver} It refused the webhook ${url}: ${said}`)
  return new Failed(`The webhook ${url} could not be registered: ${said ?? 'no response came'}`)
}

async function close(webhookId: string, receiver: Receiver, target: PerformOptions['target']): Promise<void> {
  try {
    await target.send(target.prepareCall('removeWebhook', { body: { webhookId } }), { endpoint: 'removeWebhook' })
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
  } finally {
    await receiver.close()
  }
}
