import { expect, test } from 'vitest'
import { asFields } from '#lib/shared/json.ts'
import { resolve } from './expressions.ts'
import { parseScenario } from './parse.ts'
import { recordedScenario, type RecordedCall } from './record.ts'

const account = '0b7cbb63-3a0c-4c3a-9d39-5a3f5f5b0001'
const card = '0b7cbb63-3a0c-4c3a-9d39-5a3f5f5b0002'
const charge = '0b7cbb63-3a0c-4c3a-9d39-5a3f5f5b0003'
const done = { kind: 'control', status: 200, code: null, made: null } as const

test('ids that a step made come from that step, the others are variables, and refused steps expect their error', () => {
  const calls: RecordedCall[] = [
    {
      ...done,
      call: 'POST /charges',
      body: { cardAccountId: account, cardId: card, amount: 80, currency: 'HKD' },
      made: { field: 'id', id: charge },
    },
    { ...done, call: 'POST /captures', body: { transactionId: charge, amount: 60 } },
    { ...done, kind: 'call', call: 'POST /cards/lock', body: { cardAccountId: account, cardId: card } },
    {
      ...done,
      kind: 'call',
      call: 'POST /cards/lock',
      body: { cardAccountId: account, cardId: card },
      status: 400,
      code: 'CARD_ALREADY_LOCKED',
    },
    { ...done, call: 'POST /clock', body: { advance: 'PT24H' } },
  ]
  const text = recordedScenario('Recorded', calls, 'https://carddesk.test/scenario.schema.json')
  expect(text).toContain('$schema=https://carddesk.test/scenario.schema.json\n')
  const read = parseScenario(text, 'recorded.yaml')
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  expect(read.value.vars).toEqual({ cardAccountId: account, cardId: card })
  expect(read.value.steps).toEqual([
    {
      control: 'POST /charges',
      body: { cardAccountId: '${cardAccountId}', cardId: '${cardId}', amount: 80, currency: 'HKD' },
      expect: { status: 200 },
      save: { transactionId: 'body.id' },
    },
    { control: 'POST /captures', body: { transactionId: '${transactionId}', amount: 60 }, expect: { status: 200 } },
    {
      call: 'POST /cards/lock',
      body: { cardAccountId: '${cardAccountId}', cardId: '${cardId}' },
      expect: { status: 200 },
    },
    {
      call: 'POST /cards/lock',
      body: { cardAccountId: '${cardAccountId}', cardId: '${cardId}' },
      expect: { status: 400, code: 'CARD_ALREADY_LOCKED' },
    },
    { control: 'POST /clock', body: { advance: 'PT24H' }, expect: { status: 200 } },
  ])
})

test('an external id is another one in each run where its record was made, and stays where it was refused', () => {
  const open = (xid: string, status: number, code: string | null = null): RecordedCall => ({
    ...done,
    kind: 'call',
    call: 'POST /cardaccounts',
    body: { xid },
    status,
    code,
  })
  const taken = 'XID_ALREADY_EXISTS'
  const calls = [open('mine', 200), open('mine', 409, taken), open('theirs', 409, taken), open(account, 200)]
  const read = parseScenario(recordedScenario('Recorded', calls, 'schema'), 'recorded.yaml')
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  const xids = ['recorded-xid-1-${run}', 'recorded-xid-1-${run}', 'theirs', 'recorded-xid-2-${run}']
  expect(read.value.steps).toMatchObject(xids.map((xid) => ({ body: { xid } })))
  expect(read.value.vars).toBeUndefined()
})

test('equal idempotency keys stay equal, in the header and in the body, and each run has its own', () => {
  const key = '0b7cbb63-3a0c-4c3a-9d39-5a3f5f5b0004'
  const call = { ...done, kind: 'call', call: 'POST /payouts', body: { quoteId: charge, idempotencyKey: key } } as const
  const text = recordedScenario('Recorded', [{ ...call, key }, call, { ...call, body: {}, key: 'other' }], 'schema')
  const read = parseScenario(text, 'recorded.yaml')
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  const body = { quoteId: '${quoteId}', idempotencyKey: 'recorded-1-${run}' }
  expect(read.value.steps).toEqual([
    { call: 'POST /payouts', key: 'recorded-1-${run}', body, expect: { status: 200 } },
    { call: 'POST /payouts', body, expect: { status: 200 } },
    { call: 'POST /payouts', key: 'recorded-2-${run}', expect: { status: 200 } },
  ])
})

test('a text that looks like a template is sent as it was recorded', () => {
  const body = { name: '${7*7}', remark: 'Refund $${ref} and ${', id: '${run}', amount: 1 }
  const text = recordedScenario('Recorded', [{ ...done, call: 'POST /charges', body }], 'https://carddesk.test')
  const read = parseScenario(text, 'recorded.yaml')
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  expect(resolve(asFields(read.value.steps[0]).body, {})).toEqual(body)
})
