'use server'

import type {
  CreateWebhookInput,
  RecreateWebhookInput,
  RemoveWebhookInput,
  WebhookActionResult,
} from '#lib/console/webhooks/actions.ts'
import * as webhooks from '#lib/console/webhooks/actions.ts'

export async function removeWebhook(input: RemoveWebhookInput): Promise<WebhookActionResult> {
  return webhooks.removeWebhook(input)
}

export async function createWebhook(input: CreateWebhookInput): Promise<WebhookActionResult> {
  return webhooks.createWebhook(input)
}

export async function recreateWebhook(input: RecreateWebhookInput): Promise<WebhookActionResult> {
  return webhooks.recreateWebhook(input)
}
