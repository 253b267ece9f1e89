import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import { isAppError } from '../desk/app-error.ts'
import { inBackground } from '../desk/background.ts'
import { sendWebhookNotices, writeWebhookNotices } from './notices.ts'
import { pollWebhooks } from './poll.ts'

/** One round in the background: a poll where the last is old enough, and the notices that follow. */
export async function watchWebhooks(environment: Environment): Promise<void> {
  try {
    await inBackground(() => pollWebhooks(environment))
    await writeWebhookNotices(environment)
  } catch (error) {
    // The service does not respond: its health is shown on every page.
    if (!isAppError(error)) throw error
  }
  await sendWebhookNotices()
}
