import { randomUUID } from 'node:crypto'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { cardIn } from '#lib/console/testing/cards.ts'
import { openConsole } from '#lib/console/testing/open-console.ts'
import { callService } from '#lib/environments/environments.ts'
import { traced, traceHeaders } from '#lib/shared/tracing.ts'
import { openCollector } from './testing-collector.ts'
import { redactedSpan, startTracing } from './tracing.ts'

async function collectorOfTest(status?: number) {
  const collector = await openCollector(status)
  onTestFinished(() => collector.close())
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
  onTestFinished(() => void vi.unstubAllEnvs())
  return collector
}

test('an action, its operation, its requests and their statements are one trace without personal data', async () => {
  const desk = await openConsole({ seeded: 3 })
  await desk.signIn('operations')
  const { target } = await cardIn(desk, 'active')
  const collector = await collectorOfTest()
  const tracing = startTracing(1)
  onTestFinished(() => tracing.stop())
  const contexts: unknown[] = []
  desk.intercept.before = ({ headers }) => {
    contexts.push(headers.traceparent)
    return false
  }
  const operationId = randomUUID()
  const comment = 'Olive Ong called from +852 5555 0101'
  await runAction('card.lock', { ...target, operationId, reason: 'lost-or-stolen', comment })
  await tracing.flush()

  expect(new Set(collector.paths)).toEqual(new Set(['/v1/traces']))
  const spans = collector.spans()
  const { chainOf } = collector
  const sent = spans.find(({ name }) => name === 'service lockCard')
  expect(chainOf(sent)).toEqual(['service lockCard', 'operation card.lock', 'action card.lock'])
  const written = spans.find((span) => span.name === 'postgresql UPDATE' && chainOf(span)[1] === 'operation card.lock')
  expect(chainOf(written)).toEqual(['postgresql UPDATE', 'operation card.lock', 'action card.lock'])
  expect(contexts).toContain(`00-${sent?.traceId}-${sent?.spanId}-01`)
  expect(JSON.stringify(spans)).toContain(operationId)

  const text = collector.text()
  for (const personal of ['Olive', '5555 0101', 'update "console"', target.cardId, target.cardAccountId, '@'])
    expect(text.toLowerCase()).not.toContain(personal.toLowerCase())
})

test('a failed request is marked by its code, and its message stays here', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('support')
  const collector = await collectorOfTest()
  const tracing = startTracing(1)
  onTestFinished(() => tracing.stop())
  const secret = 'a name that a person typed'
  const fail = () => Promise.reject(Object.assign(new Error(secret), { code: 'NOT_THERE' }))
  await expect(traced('work', { count: 1 }, fail)).rejects.toThrow(secret)
  await callService('sandbox', 'ping', {})
  await tracing.flush()
  const text = collector.text()
  expect(text).toContain('NOT_THERE')
  expect(text).toContain('service ping')
  expect(text).not.toContain(secret)
})

test('a span of Next is sent without the path that was opened, its query and its errors', () => {
  const context = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }
  const span = redactedSpan({
    name: 'GET /[environment]/cards/[id] /sandbox/cards/7?q=olive',
    kind: SpanKind.SERVER,
    spanContext: () => context,
    startTime: [1, 0],
    endTime: [2, 0],
    duration: [1, 0],
    status: { code: SpanStatusCode.ERROR, message: 'olive@example.com' },
    attributes: {
      'http.target': '/sandbox/cards/7?q=olive',
      'next.span_name': 'GET /sandbox/cards/7?q=olive',
      'next.route': '/[environment]/cards/[id]',
      'http.status_code': 500,
    },
    links: [],
    events: [{ name: 'exception', time: [1, 0], attributes: { 'exception.message': 'olive@example.com' } }],
    ended: true,
    resource: resourceFromAttributes({}),
    instrumentationScope: { name: 'next.js' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  })
  expect(span.name).toBe('GET /[environment]/cards/[id]')
  expect(JSON.stringify(span)).not.toMatch(/olive|cards\/7/)
  expect(span.attributes).toEqual({ 'next.route': '/[environment]/cards/[id]', 'http.status_code': 500 })
})

test('a collector that refuses or is away changes nothing, and none is needed', async () => {
  await collectorOfTest(500)
  const tracing = startTracing(1)
  expect(await traced('work', {}, async () => 7)).toBe(7)
  const startMs = performance.now()
  await tracing.stop()
  expect(performance.now() - startMs).toBeLessThan(5000)
  expect(await traced('work', {}, async () => traceHeaders())).toEqual({})
})
