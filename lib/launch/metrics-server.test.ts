import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { openConsole } from '#lib/console/testing/open-console.ts'
import { callService } from '#lib/environments/environments.ts'
import { isReady } from '#lib/jobs/readiness.ts'
import { testCertificate } from '#lib/shared/testing/certificate.ts'
import { webhookNotices } from '#lib/tables/webhooks.ts'
import { startMetricsServer } from './metrics-server.ts'

test('Prometheus reads latency, errors, retries, breaker, queues, lag and pools, and no id or path', async () => {
  const desk = await openConsole({ seeded: 2 })
  const server = await startMetricsServer(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await callService('sandbox', 'ping', {})
  let failures = 1
  desk.intercept.before = (_, response) => {
    if (failures-- <= 0) return false
    response.writeHead(503).end()
    return true
  }
  await callService('sandbox', 'ping', {})
  await callService('sandbox', 'listCardAccounts', { query: { pageSize: '-1' } }).catch(() => undefined)
  const notice = { environment: 'sandbox' as const, episode: 1, level: 'critical', text: 'x', createdAt: new Date() }
  await desk.db.insert(webhookNotices).values([
    { ...notice, webhookId: 'waits', attempts: 11 },
    { ...notice, webhookId: 'given up', attempts: 12 },
  ])
  const response = await fetch(`${origin}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  const text = await response.text()
  for (const line of [
    'carddesk_upstream_request_duration_seconds_count{environment="sandbox",endpoint="ping",status="2xx"} 2',
    'carddesk_upstream_retries_total{environment="sandbox",endpoint="ping"} 1',
    'carddesk_upstream_errors_total{environment="sandbox",endpoint="listCardAccounts",status="4xx"} 1',
    'carddesk_upstream_circuit_open{environment="sandbox"} 0',
    'carddesk_queue_depth{queue="operations"} 0',
    'carddesk_queue_depth{queue="notices"} 1',
    'carddesk_event_lag_seconds 0',
    'carddesk_database_connections{pool="console",state="waiting"} 0',
    'carddesk_database_up 1',
    'nodejs_eventloop_lag_seconds',
  ]) {
    expect(text).toContain(line)
  }
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|pageSize|http:/)
  for (const [path, method] of [
    ['/', 'GET'],
    ['/metrics', 'POST'],
    ['/metrics/../api', 'GET'],
  ] as const) {
    expect((await fetch(`${origin}${path}`, { method })).status).toBe(404)
  }
})

test('with a certificate the metrics are served by https alone', async () => {
  await openConsole({ seeded: 1 })
  delete (globalThis as { carddeskMetrics?: unknown }).carddeskMetrics
  const certificates = getCACertificates('default')
  setDefaultCACertificates([testCertificate.cert])
  onTestFinished(() => setDefaultCACertificates(certificates))
  const server = await startMetricsServer(0, '127.0.0.1', testCertificate)
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  expect(await (await fetch(`https://localhost:${port}/metrics`)).text()).toContain('carddesk_database_up 1')
  await expect(fetch(`http://localhost:${port}/metrics`)).rejects.toThrow()
})

test('a process is ready while its database responds', async () => {
  const desk = await openConsole({ seeded: 1 })
  const forget = () => delete (globalThis as { carddeskReadiness?: unknown }).carddeskReadiness
  forget()
  expect(await isReady()).toBe(true)
  await desk.db.$client.query('select 1')
  const { execute } = desk.db
  onTestFinished(() => void (desk.db.execute = execute))
  desk.db.execute = (() => Promise.reject(new Error('the database is gone'))) as never
  expect(await isReady()).toBe(true)
  forget()
  expect(await isReady()).toBe(false)
  forget()
})
