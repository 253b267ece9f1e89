import { textIn } from '#lib/shared/json.ts'
import { Unsupported, type PerformOptions } from './perform-step.ts'
import { openReceiver, type Receiver, type ReceiverOptions } from './receiver.ts'
import { isSuccess, Unreachable } from './target.ts'

/** The receiver of a case's events, and the webhook that leads to it. */
export type CaseWebhook = {
  /** Throws `Unsupported` where there is none. */
  receiver: () => Receiver
  id: string | null
  /** Removes the webhook and stops the receiver. */
  close: () => Promise<void>
}

const noReceiver = 'The service can’t deliver webhooks to this machine.'

/** For a case that awaits no event. */
export const noWebhook: CaseWebhook = unavailable(noReceiver)

function unavailable(why: string): CaseWebhook {
  return {
    receiver: () => {
      throw new Unsupported(why)
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
  const receiver = await openReceiver(address, { profile: target.profile, publicKeyPem: await target.webhookKey() })
  try {
    const request = target.prepareCall('createWebhook', { body: { url: receiver.url, events: ['*'], name } })
    const response = await target.send(request, { endpoint: 'createWebhook', signal })
    const id = textIn(response.body, 'id')
    if (!isSuccess(response.status) || id === null) {
      await receiver.close()
      return unavailable(`${noReceiver} It refused the webhook ${receiver.url}: ${response.message ?? response.status}`)
    }
    return { receiver: () => receiver, id, close: () => close(id, receiver, target) }
  } catch (error) {
    await receiver.close()
    throw error
  }
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
