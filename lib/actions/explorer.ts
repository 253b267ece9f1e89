'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import * as explorer from '#lib/console/lab/explorer.ts'
import type { SendInput, SendResult } from '#lib/console/lab/explorer.ts'

export async function sendExplorerRequest(input: SendInput): Promise<SendResult> {
  return withBareFailures(() => explorer.sendExplorerRequest(input))
}
