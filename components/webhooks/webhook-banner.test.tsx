import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { WebhookAlerts } from '#lib/console/webhooks/read.ts'
import { webhookAlertsQuery } from '#lib/queries/webhooks.ts'
import { WebhookBanner } from './webhook-banner.tsx'

function textOf(queuedMessages: number): string {
  const alerts: WebhookAlerts = {
    serviceNowMs: 0,
    alerts: [
      { id: 'a', name: 'ledger-sync', url: null, level: 'unhealthy', queuedMessages, suspension: null, since: null },
    ],
  }
  const client = new QueryClient()
  client.setQueryData(webhookAlertsQuery('sandbox').queryKey, alerts)
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <WebhookBanner environment="sandbox" />
    </QueryClientProvider>,
  )
  return markup.replaceAll(/<[^>]+>/g, '')
}

test('one queued event waits, and several wait', () => {
  expect(textOf(1)).toContain('is being retried; 1 queued event waits.')
  expect(textOf(2)).toContain('is being retried; 2 queued events wait.')
})
