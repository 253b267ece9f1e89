import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { lastDigits } from '#lib/contract/account-digits.ts'
import { toOutcome } from '#lib/operations/outcome.ts'
import { resolveOperation } from '#lib/operations/resolve.ts'
import { accounts as serviceAccounts } from '#lib/service/tables/payouts.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { operations } from '#lib/tables/operations.ts'
import type { ActionInput } from '../actions.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { card, cardNumber, payoutsMade, philippines, quoted, resultState, makeSubmission } from '../testing/payouts.ts'
import { isPayoutOffered } from './operations.ts'
import { readPayout } from './read-payout.ts'

afterEach(() => void vi.unstubAllEnvs())

async function open(): Promise<TestConsole> {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('operations')
  return desk
}

test('submits a quote once, however often it is pressed: one payout, one journal row, one audit entry', async () => {
  const desk = await open()
  const quote = await quoted(philippines)
  const xmetadata = '{"run":5}'
  const input = makeSubmission(quote, philippines, { remarks: ' May ', xid: 'payroll-1', xmetadata })
  const results = await Promise.all(Array.from({ length: 20 }, () => runAction('payout.submit', input)))
  const made = await payoutsMade(desk, quote.id)
  const references = { xid: 'payroll-1', xmetadata: { run: 5 } }
  expect(made).toMatchObject([{ ...references, remarks: 'May', purpose: 'salary', sourceOfFunds: 'business' }])
  for (const result of results) {
    expect(result).toMatchObject({
      kind: 'settled',
      operation: { kind: 'payout.submit', resultId: made[0]?.id, outcome: { state: 'done', changed: 'yes' } },
    })
  }
  // The payout's own record has none of it.
  const { submitted } = await readPayout('sandbox', made[0]?.id ?? '')
  expect(submitted).toEqual({ purpose: 'salary', sourceOfFunds: 'business', remarks: 'May' })
  expect(await desk.db.select().from(operations)).toHaveLength(1)
  const figure = /^[\d,.]+ PHP to Maria Santos$/
  expect(await desk.db.select().from(auditEntries)).toMatchObject([
    { act: 'payout.submit', outcome: 'done', targetId: quote.id, targetLabel: expect.stringMatching(figure) },
  ])
})

test.each([
  ['sourceAmount', 1000, 'it sends 1,000.00 HKD, and 100.00 HKD was confirmed'],
  ['sourceCurrency', 'USD', 'it sends 100.00 USD, and 100.00 HKD was confirmed'],
  ['destinationAmount', 5, 'it pays 5.00 PHP, and {paid} PHP was confirmed'],
  ['destinationAmount', null, null],
])('a payout whose record has the %s %s: the outcome says what differs', async (name, value, difference) => {
  const desk = await open()
  const quote = await quoted(philippines)
  const shape = { kind: 'value', at: `payouts[*].${name}`, value }
  await desk.service.control('POST', '/faults', { path: '/payouts', method: 'GET', times: 'always', shape })
  const result = await runAction('payout.submit', makeSubmission(quote, philippines))
  const remark = difference?.replace('{paid}', formatAmount(quote.destinationAmount, 'PHP'))
  const said = remark === undefined ? '' : ` The card service’s record differs: ${remark}.`
  expect(result).toMatchObject({
    operation: { outcome: { state: 'done', happened: `Payout submitted.${said}` } },
  })
})

test('metadata that cannot be sent are named at their field, and nothing is sent', async () => {
  const desk = await open()
  const quote = await quoted(philippines)
  const pan = await runAction(
    'payout.submit',
    makeSubmission(quote, philippines, { xmetadata: '{"pan":"4242424242424242"}' }),
  )
  expect(pan).toMatchObject({ kind: 'invalid', fields: { xmetadata: 'must not hold a card number (at “pan”)' } })
  expect(await payoutsMade(desk, quote.id)).toEqual([])
})

test('a name that would turn the sentence around it is named at its field, and nothing is sent', async () => {
  const desk = await open()
  const quote = await quoted(philippines)
  const turned = { ...philippines, destination: { ...philippines.destination, surname: 'Santos \u2067' } }
  const submission = makeSubmission(quote, turned, { remarks: 'paid \u202E00.001' })
  expect(await runAction('payout.submit', submission)).toMatchObject({
    kind: 'invalid',
    fields: {
      'destination.surname': expect.stringContaining('direction'),
      remarks: expect.stringContaining('direction'),
    },
  })
  expect(await payoutsMade(desk, quote.id)).toEqual([])
})

test.each<[string, Record<string, string>, string, boolean]>([
  ['of the threshold', { HKD: '100' }, '100', true],
  ['below the threshold', { HKD: '100.01' }, '100', false],
  ['in a currency without a threshold', { USD: '1000' }, '100', true],
])('a payout %s: whether it waits for a passkey', async (_, stepUpPayouts, amount, isRefused) => {
  const desk = await open()
  Object.assign(consoleSettings(), { stepUp: 'required', stepUpPayouts })
  const quote = await quoted(philippines, amount)
  const result = await runAction('payout.submit', makeSubmission(quote, philippines))
  expect(result).toMatchObject(
    isRefused ? { kind: 'refused', outcome: { code: 'PASSKEY_REQUIRED' } } : { kind: 'settled' },
  )
  expect(await payoutsMade(desk, quote.id)).toHaveLength(isRefused ? 0 : 1)
})

test('a response that is lost after the effect leaves exactly one payout, and its id is shown in the end', async () => {
  const desk = await open()
  const quote = await quoted(philippines)
  await desk.service.control('POST', '/faults', { path: '/payouts', status: 0, times: 2, after: true })
  const input = makeSubmission(quote, philippines)
  let result = await runAction('payout.submit', input)
  for (let tries = 0; tries < 5 && result.kind === 'settled' && result.operation.outcome.state !== 'done'; tries += 1) {
    result = await runAction('payout.submit', input)
  }
  const made = await payoutsMade(desk, quote.id)
  expect(made).toHaveLength(1)
  expect(result).toMatchObject({ kind: 'settled', operation: { outcome: { state: 'done' }, resultId: made[0]?.id } })
})

test.each([
  ['masks all but three digits', 'destination.accountNumber', '****-789'],
  ['masks the end', 'destination.accountNumber', '00123***'],
  ['rounds otherwise than the quote', 'sourceAmount', 100.01],
])('a lost payout is found at a service that %s', async (_, field, value) => {
  const desk = await open()
  await desk.service.control('POST', '/modes', { ignoreIdempotencyKeys: true })
  const quote = await quoted(philippines)
  const shape = { kind: 'value', at: `payouts[*].${field}`, value }
  await desk.service.control('POST', '/faults', { path: '/payouts', method: 'GET', times: 'always', shape })
  await desk.service.control('POST', '/faults', { path: '/payouts', method: 'POST', status: 0, after: true })
  const result = await runAction('payout.submit', makeSubmission(quote, philippines))
  const [made] = await payoutsMade(desk, quote.id)
  expect(result).toMatchObject({ operation: { outcome: { state: 'done' }, resultId: made?.id } })
})

test('a service that honours the keys of quotes alone gets a payout once: nothing is repeated on trust', async () => {
  const desk = await open()
  await quoted(philippines)
  const quote = await quoted(philippines)
  await desk.service.control('POST', '/modes', { ignoreIdempotencyKeys: true })
  const lost = { path: '/payouts', method: 'POST', status: 0, after: true, times: 1 }
  await desk.service.control('POST', '/faults', lost)
  // Its list of payouts does not show the new one yet.
  desk.intercept.after = ({ method, url }) =>
    method === 'GET' && /\/payouts(?:\?|$)/.test(url ?? '') ? Response.json({ payouts: [], nextPageToken: '' }) : null
  const input = makeSubmission(quote, philippines)
  await runAction('payout.submit', input)
  expect(await runAction('payout.submit', input)).toMatchObject({ operation: { outcome: { needsReview: true } } })
  expect(await payoutsMade(desk, quote.id)).toHaveLength(1)
  await desk.db.update(operations).set({ state: 'sending' })
  const [row] = await desk.db.select().from(operations)
  if (!row) throw new Error('the operation is in the journal')
  expect(toOutcome(row), 'while its record is read again').toMatchObject({ state: 'unknown', needsReview: true })
  delete desk.intercept.after
  expect(await runAction('payout.submit', input)).toMatchObject({ operation: { outcome: { state: 'done' } } })
})

test('the built-in service gets a lost payout again, of which it is known that it honours keys', async () => {
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  const desk = await open()
  const quote = await quoted(philippines)
  const lost = { path: '/payouts', method: 'POST', status: 503, times: 4 }
  await desk.service.control('POST', '/faults', lost)
  const input = makeSubmission(quote, philippines)
  expect(resultState(await runAction('payout.submit', input))).toBe('unknown')
  expect(resultState(await runAction('payout.submit', input))).toBe('done')
  expect(await payoutsMade(desk, quote.id)).toHaveLength(1)
})

test('a lost payout of a quote that is valid for an hour is found', async () => {
  const desk = await open()
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const shape = { kind: 'value', at: 'expiresAt', value: inAnHour }
  await desk.service.control('POST', '/faults', { path: '/payouts/quote', times: 1, shape })
  const quote = await quoted(philippines)
  expect(quote.expiresAt).toBe(inAnHour)
  const unnamed = {
    path: '/payouts',
    method: 'GET',
    times: 'always',
    shape: { kind: 'drop', at: 'payouts[*].quoteId' },
  }
  await desk.service.control('POST', '/faults', unnamed)
  await desk.service.control('POST', '/faults', { path: '/payouts', method: 'POST', status: 0, after: true })
  const result = await runAction('payout.submit', makeSubmission(quote, philippines))
  const [made] = await payoutsMade(desk, quote.id)
  expect(result).toMatchObject({ operation: { outcome: { state: 'done' }, resultId: made?.id } })
})

test('a payout that a person did not find is looked up once more: the list may have shown it late', async () => {
  const desk = await open()
  const quote = await quoted(philippines)
  await desk.service.control('POST', '/faults', { path: '/payouts', method: 'POST', status: 0, after: true, times: 1 })
  desk.intercept.after = ({ method, url }) =>
    method === 'GET' && /\/payouts(?:\?|$)/.test(url ?? '') ? Response.json({ payouts: [], nextPageToken: '' }) : null
  const input = makeSubmission(quote, philippines)
  await runAction('payout.submit', input)
  expect(await runAction('payout.submit', input)).toMatchObject({ operation: { outcome: { needsReview: true } } })
  delete desk.intercept.after
  const { operationId } = input
  const [made] = await payoutsMade(desk, quote.id)
  expect(await resolveOperation({ environment: 'sandbox', operationId, resolution: 'not-made' })).toMatchObject({
    operation: { outcome: { state: 'done' }, resultId: made?.id },
  })
})

test('a payout that another process is looking up is not settled by what a person did not find', async () => {
  const desk = await open()
  const quote = await quoted(philippines)
  await desk.service.control('POST', '/faults', { path: '/payouts', method: 'POST', status: 0, after: true, times: 1 })
  desk.intercept.after = ({ method, url }) =>
    method === 'GET' && /\/payouts(?:\?|$)/.test(url ?? '') ? Response.json({ payouts: [], nextPageToken: '' }) : null
  const input = makeSubmission(quote, philippines)
  await runAction('payout.submit', input)
  await runAction('payout.submit', input)
  await desk.db.update(operations).set({ state: 'sending', leaseUntil: sql`clock_timestamp() + interval '1 minute'` })
  const { now } = Date
  let passedMs = 0
  vi.spyOn(Date, 'now').mockImplementation(() => now() + (passedMs += 1_000))
  onTestFinished(() => void vi.restoreAllMocks())
  const { operationId } = input
  expect(await resolveOperation({ environment: 'sandbox', operationId, resolution: 'not-made' })).toMatchObject({
    kind: 'refused',
    outcome: { code: 'ALREADY_UNDER_WAY', happened: 'It is being checked right now.' },
  })
  expect(await desk.db.select().from(operations)).toMatchObject([{ state: 'sending', settledAt: null }])
})

test('a payout that needs a review is settled by what a person found, and audited', async () => {
  const desk = await open()
  await desk.service.control('POST', '/modes', { ignoreIdempotencyKeys: true })
  const quote = await quoted(philippines)
  await desk.service.control('POST', '/faults', { path: '/payouts', method: 'POST', status: 503, times: 1 })
  const input = makeSubmission(quote, philippines)
  const resolve = (resolution: 'made' | 'not-made') =>
    resolveOperation({ environment: 'sandbox', operationId: input.operationId, resolution })
  expect(resultState(await runAction('payout.submit', input))).toBe('unknown')
  expect(resultState(await runAction('payout.submit', input))).toBe('unknown')
  await desk.signIn('viewer')
  expect(await resolve('made')).toMatchObject({ kind: 'refused', outcome: { code: 'NOT_PERMITTED' } })
  await desk.signIn('operations')
  expect(await resolve('not-made')).toMatchObject({
    kind: 'settled',
    operation: { outcome: { state: 'refused', code: 'RESOLVED_BY_STAFF', changed: 'no' } },
  })
  expect(await resolve('made')).toMatchObject({ kind: 'refused', outcome: { code: 'OPERATION_NOT_FOUND' } })
  const trail = await desk.db.select().from(auditEntries)
  expect(trail.filter(({ act }) => act === 'operation.resolve').map(({ outcome }) => outcome)).toContain('refused')
})

test('a card number is in no row, sealed or digested, once the outcome is known, and in no response', async () => {
  const desk = await open()
  const quote = await quoted(card)
  const result = await runAction('payout.submit', makeSubmission(quote, card))
  expect(result).toMatchObject({ kind: 'settled', operation: { outcome: { state: 'done' } } })
  const rows = [await desk.db.select().from(operations), await desk.db.select().from(auditEntries)]
  expect(rows[0]).toMatchObject([{ holdsSecret: true, sealedBody: null, bodySha256: null }])
  expect(JSON.stringify([rows, result, quote])).not.toMatch(new RegExp(`${cardNumber}|${cardNumber.slice(0, 15)}`))
  expect(await payoutsMade(desk, quote.id)).toHaveLength(1)
})

test.each(['12345S', 'AB12C34'])('the digits of %s that the dialog asks for confirm it', async (accountNumber) => {
  await open()
  const parties = { ...philippines, destination: { ...philippines.destination, accountNumber } }
  const confirmDigits = lastDigits(accountNumber)
  const result = await runAction('payout.submit', makeSubmission(await quoted(parties), parties, { confirmDigits }))
  expect(resultState(result)).toBe('done')
})

describe('refused before anything is sent', () => {
  test('a quote whose figures are not those that the console gave this person', async () => {
    const desk = await open()
    const quote = await quoted(philippines)
    const input = makeSubmission(quote, philippines)
    const altered: Partial<ActionInput<'payout.submit'>>[] = [
      { destinationAmount: '1' },
      { sourceAmount: '1' },
      { rate: '1' },
      { seal: '0'.repeat(64) },
      { seal: '' },
      { quoteId: randomUUID() },
      { expiresAt: new Date(Date.now() + 1e9).toISOString() },
    ]
    for (const change of altered) {
      expect(await runAction('payout.submit', { ...input, operationId: randomUUID(), ...change })).toMatchObject({
        kind: 'invalid',
        fields: { quoteId: expect.any(String) },
      })
    }
    expect(desk.requests.get('/payouts')).toBeUndefined()
  })

  test('a beneficiary that breaks rules, and details that are missing, all at once', async () => {
    const desk = await open()
    const quote = await quoted(philippines)
    const destination = { ...philippines.destination, surname: '', address: 'Makati' }
    expect(
      await runAction(
        'payout.submit',
        makeSubmission(quote, { ...philippines, destination }, { xid: '4242 4242 4242 4242' }),
      ),
    ).toMatchObject({
      kind: 'invalid',
      fields: {
        'destination.surname': expect.any(String),
        'destination.address': expect.any(String),
        xid: 'must not hold a card number',
      },
    })
    expect(desk.requests.get('/payouts')).toBeUndefined()
  })

  test('other digits than the last ones of the account number', async () => {
    const desk = await open()
    const quote = await quoted(philippines)
    expect(
      await runAction('payout.submit', makeSubmission(quote, philippines, { confirmDigits: '0000' })),
    ).toMatchObject({
      kind: 'invalid',
      fields: { confirmDigits: expect.any(String) },
    })
    expect(desk.requests.get('/payouts')).toBeUndefined()
  })

  test('where the environment does not offer it: PAYOUTS_NOT_OFFERED, in the audit trail too', async () => {
    const desk = await open()
    const quote = await quoted(philippines)
    expect(isPayoutOffered('sandbox')).toBe(true)
    consoleSettings().executesPayouts.sandbox = false
    expect(isPayoutOffered('sandbox')).toBe(false)
    expect(await runAction('payout.submit', makeSubmission(quote, philippines))).toMatchObject({
      kind: 'refused',
      outcome: { code: 'PAYOUTS_NOT_OFFERED', changed: 'no' },
    })
    expect(await desk.db.select().from(auditEntries)).toMatchObject([
      { act: 'payout.submit', outcome: 'refused', code: 'PAYOUTS_NOT_OFFERED', targetId: quote.id },
    ])
    expect(desk.requests.get('/payouts')).toBeUndefined()
  })

  test('production offers it by its setting alone', async () => {
    await open()
    expect(isPayoutOffered('production')).toBe(false)
    consoleSettings().executesPayouts.production = true
    expect(isPayoutOffered('production')).toBe(true)
  })

  test('somebody whose role does not include it, with the attempt in the audit trail', async () => {
    const desk = await open()
    const quote = await quoted(philippines)
    await desk.signIn('support')
    expect(await runAction('payout.submit', makeSubmission(quote, philippines))).toMatchObject({
      kind: 'refused',
      outcome: { code: 'NOT_PERMITTED' },
    })
    expect(await desk.db.select().from(auditEntries)).toMatchObject([{ code: 'NOT_PERMITTED', targetId: quote.id }])
  })
})

describe('refused by the service', () => {
  test.each([
    ['INSUFFICIENT_FUNDS', 'PT1S', '100', true, {}],
    ['QUOTE_EXPIRED', 'PT60S', '100', false, {}],
  ] as const)(
    '%s: no money moves, and the message names the next step',
    async (code, advance, amount, isDrained, fields) => {
      const desk = await open()
      const quote = await quoted(philippines, amount)
      if (isDrained) await desk.service.service.db.update(serviceAccounts).set({ available: '1' })
      await desk.service.control('POST', '/clock', { advance })
      const result = await runAction('payout.submit', makeSubmission(quote, philippines))
      expect(result).toMatchObject({
        kind: 'settled',
        fields,
        operation: {
          outcome: { state: 'refused', changed: 'no', code, next: expect.stringMatching(/\w/) },
          resultId: null,
        },
      })
      expect(await payoutsMade(desk, quote.id)).toEqual([])
    },
  )

  test('QUOTE_ALREADY_USED, where another operation used it before', async () => {
    const desk = await open()
    const quote = await quoted(philippines)
    const first = makeSubmission(quote, philippines)
    await runAction('payout.submit', first)
    const second = makeSubmission(quote, philippines, { similarShown: [first.operationId] })
    expect(await runAction('payout.submit', second)).toMatchObject({
      operation: { outcome: { state: 'refused', code: 'QUOTE_ALREADY_USED' } },
    })
    expect(await payoutsMade(desk, quote.id)).toHaveLength(1)
  })

  test('XID_ALREADY_EXISTS is shown at the external id, and the quote stays usable', async () => {
    const desk = await open()
    await runAction('payout.submit', makeSubmission(await quoted(philippines), philippines, { xid: 'taken-1' }))
    const quote = await quoted(philippines)
    expect(await runAction('payout.submit', makeSubmission(quote, philippines, { xid: 'taken-1' }))).toMatchObject({
      fields: { xid: 'is in use already' },
      operation: { outcome: { code: 'XID_ALREADY_EXISTS' } },
    })
    await runAction('payout.submit', makeSubmission(quote, philippines, { xid: 'free-1' }))
    expect(await payoutsMade(desk, quote.id)).toMatchObject([{ xid: 'free-1' }])
  })

  test('an error that only the service can find is shown at its field', async () => {
    const desk = await open()
    const quote = await quoted(philippines)
    const destination = { ...philippines.destination, bankCode: 'nobody' }
    expect(await runAction('payout.submit', makeSubmission(quote, { ...philippines, destination }))).toMatchObject({
      fields: { 'destination.bankCode': expect.stringMatching(/^must be a code of the banks of PH/) },
      operation: { outcome: { code: 'INVALID_PARAMETERS' } },
    })
    expect(await payoutsMade(desk, quote.id)).toEqual([])
  })
})

test('hostile input gets the wrong fields, never a failure, and reaches no service', async () => {
  const desk = await open()
  const fine = makeSubmission(await quoted(philippines), philippines)
  const hostile: unknown[] = [
    undefined,
    null,
    [],
    {},
    { ...fine, environment: '__proto__' },
    { ...fine, purpose: 'constructor' },
    { ...fine, sourceAmount: -1 },
    { ...fine, sourceAmount: '1e9' },
    { ...fine, destination: { ...fine.destination, __proto__: null, extra: 'x' } },
    { ...fine, remarks: '\ud800' },
    { ...fine, xid: { toString: () => 'x' } },
  ]
  for (const input of hostile)
    expect(['invalid', 'refused']).toContain((await runAction('payout.submit', input as never)).kind)
  expect(desk.requests.get('/payouts')).toBeUndefined()
})
