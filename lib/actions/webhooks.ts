'use server'

import { withBareFailures } from '#lib/console/desk/bare-failure.ts'
import { act } from '#lib/console/desk/operations/act.ts'
import type { ActionResult } from '#lib/console/desk/shapes.ts'
import {
  acknowledgeWebhook as acknowledge,
  type AcknowledgeWebhookInput,
  type AcknowledgeWebhookResult,
} from '#lib/console/webhooks/acknowledge.ts'
import type { CreateWebhookInput, RecreateWebhookInput, RemoveWebhookInput } from '#lib/console/webhooks/operations.ts'
import {
  replayDelivery as sendReplay,
  testWebhook as sendTest,
  type ReplayDeliveryInput,
  type SentToWebhook,
  type TestWebhookInput,
} from '#lib/console/webhooks/test-webhook.ts'
import type { Webhook } from '#lib/contract/records.ts'

export async function removeWebhook(input: RemoveWebhookInput): Promise<ActionResult<Webhook>> {
  return act('webhook.remove', input)
}

export async function createWebhook(input: CreateWebhookInput): Promise<ActionResult<Webhook>> {
  return act('webhook.create', input)
}

export async function recreateWebhook(input: RecreateWebhookInput): Promise<ActionResult<Webhook>> {
  return act('webhook.recreate', input)
}

export async function testWebhook(input: TestWebhookInput): Promise<SentToWebhook> {
  return withBareFailures(() => sendTest(input))
}

export async function replayDelivery(input: ReplayDeliveryInput): Promise<SentToWebhook> {
  return withBareFailures(() => sendReplay(input))
}

export async function acknowledgeWebhook(input: AcknowledgeWebhookInput): Promise<AcknowledgeWebhookResult> {
  return withBareFailures(() => acknowledge(input))
}
