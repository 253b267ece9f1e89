'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import type { ActionResult } from '#lib/console/desk/operations/act.ts'
import type { CreateWebhookInput, RecreateWebhookInput, RemoveWebhookInput } from '#lib/console/webhooks/actions.ts'
import * as webhooks from '#lib/console/webhooks/actions.ts'
import {
  testWebhook as sendTest,
  type TestWebhookInput,
  type TestWebhookResult,
} from '#lib/console/webhooks/test-webhook.ts'

export async function removeWebhook(input: RemoveWebhookInput): Promise<ActionResult> {
  return withBareFailures(() => webhooks.removeWebhook(input))
}

export async function createWebhook(input: CreateWebhookInput): Promise<ActionResult> {
  return withBareFailures(() => webhooks.createWebhook(input))
}

export async function recreateWebhook(input: RecreateWebhookInput): Promise<ActionResult> {
  return withBareFailures(() => webhooks.recreateWebhook(input))
}

export async function testWebhook(input: TestWebhookInput): Promise<TestWebhookResult> {
  return withBareFailures(() => sendTest(input))
}
