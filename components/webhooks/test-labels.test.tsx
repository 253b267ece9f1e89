import { expect, test } from 'vitest'
import type { WebhookPing } from '#lib/console/webhooks/control.ts'
import { testLabels } from './webhook-send.ts'

function tested(ping: Partial<WebhookPing>, stateBefore = 'healthy') {
  const failed: WebhookPing = { delivered: false, status: null, durationMs: 1234, problem: null }
  return testLabels({ kind: 'sent', ping: { ...failed, ...ping } }, stateBefore)
}

test('a success shows its time, and what it means for an unhealthy webhook', () => {
  const delivered = { delivered: true, status: 200, durationMs: 12 }
  expect(tested(delivered)).toMatchObject({ tone: 'good', title: 'Delivered in 12 ms.' })
  expect(tested(delivered).body).not.toMatch(/queue/)
  for (const state of ['unhealthy', 'suspended'])
    expect(tested(delivered, state).body).toMatch(/queue is now delivered/)
})

test.each([
  [{ problem: 'HTTP_STATUS', status: 500 }, 'Refused with HTTP 500 after 1,234 ms.'],
  [{ problem: 'TIMEOUT' }, 'No response in 15 s.'],
  [{ problem: 'ADDRESS_REFUSED' }, 'The address is refused.'],
  [{ problem: 'NO_CONNECTION' }, 'No connection.'],
  [{ problem: 'CERTIFICATE_EXPIRED' }, 'Not delivered: CERTIFICATE_EXPIRED.'],
  [{ problem: '__proto__' }, 'Not delivered: __proto__.'],
])('a failure (%j) is described, and that nothing was changed', (ping, title) => {
  const result = tested(ping)
  expect(result).toMatchObject({ tone: 'bad', title })
  expect(result.body).toMatch(/Nothing was changed/)
})

test('a lost response does not claim that nothing was sent', () => {
  const outcome = {
    state: 'refused' as const,
    happened: 'The card service didn’t return the test’s result.',
    changed: 'no' as const,
    isSafeToRetry: true,
    needsReview: false,
    next: '',
    code: 'SERVICE_UNREACHABLE',
    status: null,
    requestId: 'r-1',
    finding: null,
    retryAt: null,
  }
  expect(testLabels({ kind: 'refused', outcome }, 'healthy')).toMatchObject({
    tone: 'warn',
    title: 'The result is not known.',
    requestId: 'r-1',
  })
  expect(testLabels({ kind: 'refused', outcome: { ...outcome, code: 'NOT_PERMITTED' } }, 'healthy').title).toBe(
    'Not sent.',
  )
})
