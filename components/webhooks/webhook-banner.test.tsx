import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import type { WebhookAlerts } from '#lib/console/webhooks/read.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { showsWebhookBanner, WebhookBanner } from './webhook-banner.tsx'

type Alert = WebhookAlerts['alerts'][number]

const unhealthy: Alert = {
  id: 'a',
  name: 'ledger-sync',
  url: null,
  level: 'unhealthy',
  queuedMessages: 1,
  suspension: null,
  since: null,
  unreadable: null,
  lastReading: null,
}

function markupOf(alerts: Alert[]): string {
  const client = new QueryClient()
  client.setQueryData(readQuery('readWebhookAlerts', 'sandbox').queryKey, { serviceNowMs: 0, alerts })
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <EnvironmentProvider value="sandbox">
        <WebhookBanner />
      </EnvironmentProvider>
    </QueryClientProvider>,
  )
}

function textOf(queuedMessages: number | null, more: Partial<Alert> = {}): string {
  return markupOf([{ ...unhealthy, queuedMessages, ...more }]).replaceAll(/<[^>]+>/g, '')
}

test('one queued event waits, and several wait', () => {
  expect(textOf(1)).toContain('is being retried; 1 queued event waits.')
  expect(textOf(2)).toContain('is being retried; 2 queued events wait.')
})

test('unreadable statistics are an alert with the reason and the age of the last reading', () => {
  const unreadable = { reason: 'GET /webhooks/stats returned a list.', sinceMs: -60_000 }
  const text = textOf(4, { level: 'unreadable', unreadable, lastReading: { state: 'healthy', atMs: -120_000 } })
  expect(text).toContain('ledger-sync has unreadable statistics.')
  expect(text).toMatch(/returned a list\. Last read 2 min( 0 s)? ago: healthy\./)
})

test('a queue that is not provided is not 0', () => {
  expect(textOf(null)).toContain('queued events (number not provided)')
  expect(textOf(null, { level: 'deleted' })).toContain('. Queued events (number not provided) went with it.')
})

test('the alert of a deleted webhook can be dismissed, that of a living one cannot', () => {
  expect(textOf(3, { level: 'deleted' })).toMatch(/Create it again.*Dismiss/s)
  expect(textOf(3)).toContain('Fix it')
  expect(textOf(3)).not.toContain('Dismiss')
})

test('production shows it on every page, the sandbox on Home and Webhooks', () => {
  expect(showsWebhookBanner('production', '/production/fees')).toBe(true)
  const pages = ['/sandbox', '/sandbox/webhooks', '/sandbox/webhooks/inbox', '/sandbox/fees']
  expect(pages.filter((path) => showsWebhookBanner('sandbox', path))).toEqual(['/sandbox', '/sandbox/webhooks'])
})

test('a deletion of which only the bounds are known is no countdown', () => {
  const bounds = (earliestMs: number) => ({
    atMs: earliestMs,
    earliestMs,
    latestMs: 80_000_000,
    basis: 'bounds' as const,
  })
  const suspended = (earliestMs: number) =>
    textOf(12, {
      level: 'one-hour',
      suspension: {
        nextPing: bounds(0),
        pingNumber: 12,
        deletion: bounds(earliestMs),
        deletionDueMs: earliestMs,
      },
    })
  expect(suspended(0)).toContain('ledger-sync could be deleted at any time.')
  expect(suspended(0)).toContain('when this one was suspended isn’t known. 12 queued events go with it.')
  expect(suspended(0)).not.toContain('will be deleted')
  expect(suspended(1_800_000)).toContain('ledger-sync could be deleted within the hour.')
  expect(suspended(1_800_000)).toMatch(
    /It could be deleted in about 30 min( 0 s)? at the earliest, with 12 queued events\./,
  )
})

test('of five alerts a telephone shows the most pressing one, a wide screen three, and both say how many more there are', () => {
  const others = ['b', 'c', 'd', 'e'].map((id) => ({ ...unhealthy, id, name: id }))
  const markup = markupOf([...others, { ...unhealthy, level: 'suspended' }])
  const titles = [...markup.matchAll(/(max-sm:hidden)?"><div[^>]*><svg.*?font-semibold">(\S+)/g)]
  expect(titles.map(([, hidden, title]) => [title, hidden !== undefined])).toEqual([
    ['ledger-sync', false],
    ['b', true],
    ['c', true],
  ])
  const more = [...markup.matchAll(/<p class="([^"]*)"><a[^>]*>(\d) more webhooks/g)]
  expect(more.map(([, shown, count]) => [shown, count])).toEqual([
    ['sm:hidden', '4'],
    ['max-sm:hidden', '2'],
  ])
})
