import { expect, test } from 'vitest'
import { testKeyPair } from '#lib/signing/testing.ts'
import { reportText } from './report.ts'
import { toSigningKey } from './signing-key.ts'
import type { CheckReport } from './types.ts'

const report: CheckReport = {
  environment: 'production',
  baseUrl: 'https://cards.example.com/v1',
  accessKey: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  checkedAt: '2026-11-22T10:00:00.000Z',
  durationMs: 120,
  result: 'differences',
  clockOffsetMs: -1234,
  diagnosis: null,
  rateLimit: null,
  release: {
    version: '1.4.3',
    title: '1.4.3 or later, before 1.4.7',
    notes: ['Lacks CardAccount.disputeAmount (1.4.7): in none of 3 sent.'],
  },
  endpoints: [
    {
      name: 'ping',
      endpoint: 'GET /ping',
      verdict: 'matches',
      status: 200,
      code: null,
      durationMs: 12,
      requestId: 'r1',
      records: 1,
      differences: [],
      unknownFields: [],
      reason: null,
    },
    {
      name: 'listFees',
      endpoint: 'GET /fees',
      verdict: 'differs',
      status: 200,
      code: null,
      durationMs: 8,
      requestId: 'r2',
      records: 3,
      differences: [{ path: 'fees[*].amount', expected: 'a number', found: 'text' }],
      unknownFields: ['fees[*].extra'],
      reason: null,
    },
  ],
  decisions: [
    {
      id: 'requests.amounts',
      topic: 'requests',
      about: 'Amounts',
      decision: 'JSON numbers',
      mark: 'D',
      verdict: 'contradicted',
      note: 'fees[*].amount is text.',
    },
  ],
  proposals: [
    { at: ['amounts'], value: 'text', reason: 'Amounts are text.' },
    { at: ['paths', 'listCards'], value: null, reason: 'Enter the path of GET /cards on this service.' },
  ],
  names: { production: { amounts: 'text' } },
  namesToFillIn: { production: { paths: { listCards: 'Enter the path of GET /cards on this service.' } } },
}

test('shows facts, verdicts, findings, contradictions and the lines to add', () => {
  const text = reportText(report, {
    signingKey: toSigningKey(testKeyPair.privateKey),
    inboxUrl: 'https://console.example.com/api/webhooks/inbox/production',
    webhookKey: 'set',
    namesFile: 'carddesk.service.json',
  })
  expect(text).toBe(`Service        https://cards.example.com/v1
Access key     6f9619ff-8b86-4d01-b42d-00cf4fc964ff
Signing key    RSA, 2048 bits
Environment    production
Release        1.4.3 or later, before 1.4.7
Clock          1.2 s behind this machine
Rate limit     not reported by the service
Webhook key    set
Inbox URL      https://console.example.com/api/webhooks/inbox/production
Last delivery  shown on the Connection page of the console

Lacks CardAccount.disputeAmount (1.4.7): in none of 3 sent.

ENDPOINT   VERDICT  STATUS  MS  RECORDS
GET /ping  matches  200     12  1
GET /fees  differs  200     8   3

GET /fees
  fees[*].amount: expected a number, found text
  Unknown fields: fees[*].extra

Assumptions: 0 confirmed, 1 contradicted, 0 open

  contradicted  requests.amounts: JSON numbers
                fees[*].amount is text.

Add to carddesk.service.json:
{
  "production": {
    "amounts": "text"
  }
}

These names can’t be guessed. Look them up in the service’s docs, and add to carddesk.service.json:
{
  "production": {
    "paths": {
      "listCards": "Enter the path of GET /cards on this service."
    }
  }
}

An RSA key of 2048 bits has less than 128 bits of security. Create one of 3072 bits and register it with the service’s operator.

Result: differences`)
})

test('a short key of the built-in service is no concern of its operator', () => {
  expect(toSigningKey(testKeyPair.privateKey, true)).toEqual({ bits: 2048, advice: null })
})
