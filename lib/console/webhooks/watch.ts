import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import { inBackground } from '../desk/background.ts'
import { isRefusal } from '../desk/refusal.ts'
import { lookAtWebhooks } from './look.ts'
import { sendWebhookNotices, writeWebhookNotices } from './notices.ts'

/** One round in the background: a look where the last is old enough, and what has to be told outside. */
export async function watchWebhooks(environment: Environment): Promise<void> {
  try {
    await inBackground(() => lookAtWebhooks(environment))
    await writeWebhookNotices(environment)
  } catch (error) {
    // The service does not answer: its health says so on every page.
    if (!isRefusal(error)) throw error
  }
  await sendWebhookNotices()
}
