import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { destinationFields } from '#lib/contract/payout-entry.ts'
import { quotes } from '#lib/service/tables/payouts.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { reads } from '../reads.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { stubResponses } from '../testing/stub-responses.ts'
import { quotePayout, validatePayout } from './quote-payout.ts'

const { readServiceClockForScreen, listFundingAccounts } = reads

const nobody = Object.fromEntries(destinationFields.map((field) => [field, ''])) as Parameters<
  typeof quotePayout
>[0]['destination']

async function inputOf(
  change: Partial<Parameters<typeof quotePayout>[0]> = {},
): Promise<Parameters<typeof quotePayout>[0]> {
  const { accounts } = await listFundingAccounts('sandbox')
  const account = accounts.find(({ currency }) => currency === 'HKD')
  return {
    environment: 'sandbox',
    idempotencyKey: randomUUID(),
    accountId: account?.id ?? '',
    sourceCurrency: 'HKD',
    method: 'BANK_TRANSFER',
    destinationCountry: 'PH',
    destinationCurrency: 'PHP',
    side: 'source',
    amount: '1,000.25',
    destination: {
      ...nobody,
      accountNumber: '001230456789',
      firstName: 'Maria',
      surname: 'Santos',
      address: '6780 Ayala Avenue, Makati 1226',
    },
    source: { mobileNumber: '' },
    ...change,
  }
}

const open = async (): Promise<TestConsole> => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('operations')
  return desk
}

test('validates, quotes and compares with the market; both amounts come back as decimal text', async () => {
  const desk = await open()
  const result = await quotePayout(await inputOf())
  expect(result).toMatchObject({
    kind: 'quoted',
    quote: {
      isValidated: true,
      sourceAmount: '1000.25',
      sourceCurrency: 'HKD',
      destinationCountry: 'PH',
      destinationCurrency: 'PHP',
      destinationAmount: expect.stringMatching(/^\d+(\.\d{1,2})?$/),
      expiresInMs: 60_000,
      seal: expect.stringMatching(/^[0-9a-f]{64}$/),
      market: { relation: expect.stringMatching(/^(same|better|worse)$/) },
    },
  })
  expect(desk.requests.get('/payouts/validate')).toBe(1)
  expect(desk.requests.get('/payouts/quote')).toBe(1)
  expect(desk.requests.get('/rates')).toBe(1)
})

test('a quote with an id of any form and amounts as text is used, one without a rate is refused by the name of the field', async () => {
  const desk = await open()
  const input = await inputOf({ accountId: 'FUND-1' })
  const quote = {
    id: 'Quote-1',
    sourceAmount: '1000.25',
    destinationAmount: 7400.400000000001,
    rate: '7.3985',
    expiresAt: 1_800_000_060,
  }
  stubResponses(desk, {
    '/payouts/validate': () => ({ valid: true }),
    '/payouts/quote': () => ({ ...quote, createdAt: '2027-01-15T08:00:00Z' }),
    '/rates': () => ({ base: 'HKD', rates: { PHP: '7.3985' } }),
  })
  expect(await quotePayout(input)).toMatchObject({
    kind: 'quoted',
    quote: {
      id: 'Quote-1',
      accountId: 'FUND-1',
      destinationAmount: '7400.4',
      destinationCountry: 'PH',
      destinationCurrency: 'PHP',
      expiresInMs: 60_000,
    },
  })
  stubResponses(desk, {
    '/payouts/validate': () => ({ valid: true }),
    '/payouts/quote': () => ({ ...quote, rate: null, expiresAt: 'soon' }),
  })
  expect(await quotePayout(input)).toMatchObject({
    kind: 'refused',
    outcome: { happened: expect.stringContaining('without rate, expiresAt') },
  })
})

test('of an account in a currency that is none of ISO 4217, every amount of up to eight decimals is quoted', async () => {
  const desk = await open()
  const input = await inputOf({ sourceCurrency: 'USDT', amount: '1000.123456' })
  const sent = { sourceAmount: 1000.123456, destinationAmount: 56_000.11, rate: 55.9932 }
  stubResponses(desk, {
    '/payouts/validate': () => ({ valid: true }),
    '/payouts/quote': () => ({ id: 'Quote-1', ...sent, expiresAt: 1_800_000_060, createdAt: 1_800_000_000 }),
    '/rates': () => ({ base: 'USDT', rates: {} }),
  })
  expect(await quotePayout(input)).toMatchObject({
    kind: 'quoted',
    quote: { sourceAmount: '1000.123456', sourceCurrency: 'USDT' },
  })
  expect(await quotePayout({ ...input, amount: '1.123456789' })).toMatchObject({
    fields: { sourceAmount: 'must have at most 8 decimals in USDT' },
  })
})

test('a quote that is not the one that was asked for is not offered, and audited; the next one is', async () => {
  const desk = await open()
  const input = await inputOf()
  await desk.service.control('POST', '/faults', {
    path: '/payouts/quote',
    times: 1,
    shape: { kind: 'value', at: 'sourceAmount', value: 10_002.5 },
  })
  expect(await quotePayout(input)).toMatchObject({
    kind: 'refused',
    outcome: {
      code: 'QUOTE_MISMATCH',
      changed: 'no',
      happened: 'The card service quoted 10,002.50 HKD, and you asked for 1,000.25 HKD.',
      next: expect.stringContaining('Get a new quote'),
    },
  })
  expect(await desk.db.select().from(auditEntries)).toMatchObject([{ act: 'payout.quote', code: 'QUOTE_MISMATCH' }])
  expect(await quotePayout({ ...input, idempotencyKey: randomUUID() })).toMatchObject({ kind: 'quoted' })
})

test('a validation that says neither valid nor invalid is no validation', async () => {
  const desk = await open()
  const input = await inputOf()
  desk.intercept.after = (request) =>
    request.url?.endsWith('/payouts/validate') ? Response.json({ code: 'UNHEARD_OF', message: 'no such bank' }) : null
  expect(await quotePayout(input)).toMatchObject({ kind: 'quoted', quote: { isValidated: false } })
})

describe('a validation of its own', () => {
  const entryOf = async (change: Partial<Parameters<typeof quotePayout>[0]> = {}) => {
    const { idempotencyKey: _, accountId: __, ...entry } = await inputOf(change)
    return entry
  }

  test('asks the service without a quote, also before there is an amount', async () => {
    const desk = await open()
    const entry = await entryOf()
    desk.requests.clear()
    expect(await validatePayout(entry)).toMatchObject({ kind: 'valid', isSaid: true })
    expect(await validatePayout({ ...entry, amount: '' })).toMatchObject({ kind: 'valid', isSaid: true })
    expect(Object.fromEntries(desk.requests)).toEqual({ '/payouts/validate': 2 })
    desk.intercept.after = (request) => (request.url?.endsWith('/payouts/validate') ? Response.json({}) : null)
    expect(await validatePayout(entry)).toMatchObject({ kind: 'valid', isSaid: false })
  })

  test('names what is wrong: the console’s rules before anything is sent, the service’s at the field, and audits a refusal', async () => {
    const desk = await open()
    const entry = await entryOf()
    desk.requests.clear()
    const short = { ...entry, destination: { ...entry.destination, address: 'too short 1' } }
    expect(await validatePayout(short)).toMatchObject({
      kind: 'invalid',
      fields: { 'destination.address': expect.stringContaining('20 characters') },
    })
    expect([...desk.requests.keys()]).toEqual([])
    const bank = { ...entry, destination: { ...entry.destination, bankCode: 'NOBANK' } }
    expect(await validatePayout(bank)).toMatchObject({
      kind: 'invalid',
      by: 'service',
      fields: { 'destination.bankCode': expect.any(String) },
    })
    const [refused] = await desk.db.select().from(auditEntries)
    expect(refused).toMatchObject({ act: 'payout.validate', code: 'INVALID_PARAMETERS' })
    await desk.signIn('support')
    expect(await validatePayout(entry)).toMatchObject({ kind: 'refused', outcome: { code: 'NOT_PERMITTED' } })
  })
})

test('a given destination amount is received exactly', async () => {
  const desk = await open()
  const input = await inputOf({ side: 'destination', amount: '5,000' })
  expect(await quotePayout(input)).toMatchObject({ kind: 'quoted', quote: { destinationAmount: '5000' } })
  const [row] = await desk.service.service.db.select().from(quotes)
  expect(row?.destinationAmount).toMatch(/^5000(\.0+)?$/)
})

test('each press is a quote of its own, a repeated press is the same one', async () => {
  const desk = await open()
  const input = await inputOf()
  const idOf = async (one: Parameters<typeof quotePayout>[0]) => {
    const result = await quotePayout(one)
    return result.kind === 'quoted' ? result.quote.id : null
  }
  const first = await idOf(input)
  expect(await idOf(input)).toBe(first)
  expect(await idOf({ ...input, idempotencyKey: randomUUID() })).not.toBe(first)
  expect(await desk.service.service.db.select().from(quotes)).toHaveLength(2)
})

describe('what was entered', () => {
  test('is validated before anything is sent, all fields together', async () => {
    const desk = await open()
    const input = await inputOf({ amount: '1.005', destination: { ...nobody, address: 'short' } })
    desk.requests.clear()
    expect(await quotePayout(input)).toMatchObject({
      kind: 'invalid',
      fields: {
        'destination.accountNumber': expect.any(String),
        'destination.firstName': expect.any(String),
        'destination.surname': expect.any(String),
        'destination.address': expect.any(String),
        sourceAmount: expect.any(String),
      },
    })
    expect([...desk.requests.keys()]).toEqual([])
  })

  test('is validated by the service where a rate or a bank list is needed; its messages are shown at the fields', async () => {
    const desk = await open()
    const { destination } = await inputOf()
    const input = await inputOf({
      destinationCountry: 'ID',
      destinationCurrency: 'IDR',
      amount: '1',
      destination: { ...destination, bankCode: 'nobody' },
      source: { mobileNumber: '+852 9123 4567' },
    })
    const result = await quotePayout(input)
    expect(result).toMatchObject({
      kind: 'invalid',
      by: 'service',
      code: 'INVALID_PARAMETERS',
      requestId: expect.any(String),
      fields: {
        sourceAmount: expect.stringMatching(/^must produce at least 50000 IDR/),
        'destination.bankCode': expect.stringMatching(/^must be a code of the banks of ID/),
      },
    })
    expect(desk.requests.get('/payouts/quote')).toBeUndefined()
  })

  test('a negative validation with a 2xx status is an error too', async () => {
    const desk = await open()
    desk.intercept.before = (request, response) => {
      if (!request.url?.endsWith('/payouts/validate')) return false
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ valid: false, message: 'destination.accountNumber: is closed' }))
      return true
    }
    expect(await quotePayout(await inputOf())).toMatchObject({
      kind: 'invalid',
      fields: { 'destination.accountNumber': 'is closed' },
    })
  })

  test('hostile input gets a response, never a failure, and reaches no service', async () => {
    const desk = await open()
    const fine = await inputOf()
    desk.requests.clear()
    const hostile: unknown[] = [
      undefined,
      null,
      42,
      [],
      {},
      { environment: '__proto__' },
      { ...fine, environment: ['sandbox'] },
      { ...fine, accountId: '' },
      { ...fine, accountId: 'a\0b' },
      { ...fine, method: 'BANK_WIRE' },
      { ...fine, destination: { ...fine.destination, constructor: 'x' } },
      { ...fine, destination: null },
      { ...fine, amount: 1000 },
      { ...fine, amount: 'x'.repeat(100_000) },
      { ...fine, destination: { ...fine.destination, firstName: 'a\0b' } },
    ]
    for (const input of hostile) expect(['invalid', 'refused']).toContain((await quotePayout(input as never)).kind)
    expect([...desk.requests.keys()]).toEqual([])
  })
})

test('a card number repeated in a service’s error never reaches the browser', async () => {
  const desk = await open()
  const accountNumber = '6222020200012345678'
  desk.intercept.before = (request, response) => {
    if (!request.url?.endsWith('/payouts/validate')) return false
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ code: 'NETWORK_CARD_INVALID_BANK_ACCOUNT', message: `card ${accountNumber} is closed` }),
    )
    return true
  }
  const destination = {
    ...nobody,
    accountNumber,
    firstName: 'San',
    surname: 'Zhang',
    firstNameCN: '三',
    surnameCN: '张',
    address: '上海市浦东新区世纪大道88号国金中心二期 18楼',
  }
  const card = { method: 'NETWORK_CARD', destinationCountry: 'CN', destinationCurrency: 'CNY', destination } as const
  const result = await quotePayout(await inputOf(card))
  expect(result).toMatchObject({
    kind: 'invalid',
    code: 'NETWORK_CARD_INVALID_BANK_ACCOUNT',
    rest: ['card •••• 5678 is closed'],
  })
  expect(JSON.stringify(result)).not.toContain(accountNumber)
})

test('an address in Chinese is validated by the service, which knows its pinyin, and its message is shown at the field', async () => {
  await open()
  const beneficiary = { ...nobody, accountNumber: '001230456789', firstName: 'San', surname: 'Zhang' }
  const of = (address: string) => inputOf({ destination: { ...beneficiary, address } })
  expect(await quotePayout(await of('北京市朝阳区建国路88号'))).toMatchObject({ kind: 'quoted' })
  expect(await quotePayout(await of('北京市 8'))).toMatchObject({
    kind: 'invalid',
    by: 'service',
    fields: { 'destination.address': 'must be longer than 20 characters, as typed or in pinyin' },
  })
})

test('a quote without a market rate is shown alone', async () => {
  const desk = await open()
  desk.intercept.before = (request, response) => {
    if (!request.url?.includes('/rates')) return false
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end('{"code":"NOT_FOUND","message":"no rates"}')
    return true
  }
  expect(await quotePayout(await inputOf())).toMatchObject({ kind: 'quoted', quote: { market: null } })
})

test('a quote whose rate is the price of the other currency is shown and compared by that of the source currency', async () => {
  const desk = await open()
  const quote = {
    id: 'Quote-1',
    sourceAmount: 1000.25,
    destinationAmount: 7400.4,
    rate: 0.13516,
    expiresAt: 1_800_000_060,
  }
  stubResponses(desk, {
    '/payouts/validate': () => ({ valid: true }),
    '/payouts/quote': () => ({ ...quote, createdAt: '2027-01-15T08:00:00Z' }),
    '/rates': () => ({ base: 'HKD', rates: { PHP: 7.5 } }),
  })
  expect(await quotePayout(await inputOf())).toMatchObject({
    kind: 'quoted',
    quote: { rate: '7.3985504', market: { percent: '-1.35', relation: 'worse' } },
  })
})

test('a quote in the same currency is compared with nothing', async () => {
  await open()
  const input = await inputOf({ destinationCountry: 'HK', destinationCurrency: 'HKD' })
  expect(await quotePayout(input)).toMatchObject({
    kind: 'quoted',
    quote: { market: null, rate: '1', destinationAmount: '1000.25' },
  })
})

test('an unreachable service is an error with a request id if there is one', async () => {
  const desk = await open()
  const input = await inputOf()
  await desk.stopService()
  expect(await quotePayout(input)).toMatchObject({
    kind: 'refused',
    outcome: { code: 'SERVICE_UNREACHABLE', changed: 'no' },
  })
})

test('quoting needs the permission to submit, and leaves nothing in the console', async () => {
  const desk = await open()
  const input = await inputOf()
  await desk.signIn('viewer')
  desk.requests.clear()
  expect(await quotePayout(input)).toMatchObject({
    kind: 'refused',
    outcome: { code: 'NOT_PERMITTED' },
  })
  expect([...desk.requests.keys()]).toEqual([])
  await desk.signIn('operations')
  await quotePayout(input)
  expect(await desk.db.select().from(auditEntries)).toMatchObject([{ act: 'payout.quote', outcome: 'refused' }])
})

test('only a person who may read payouts gets the service’s clock', async () => {
  const desk = await open()
  const { serviceNowMs, source } = await readServiceClockForScreen('sandbox')
  expect(Math.abs(serviceNowMs - Date.now())).toBeLessThan(10_000)
  expect(source).toMatch(/^(clock|responses|times)$/)
  await desk.signIn(null)
  await expect(readServiceClockForScreen('sandbox')).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
})

test('a quote that is refused is in the audit trail, without the beneficiary; one that is given is not', async () => {
  const desk = await open()
  const input = await inputOf()
  await quotePayout(input)
  expect(await desk.db.select().from(auditEntries)).toEqual([])
  await desk.signIn('viewer')
  await quotePayout(input)
  await desk.signIn('operations')
  const destination = {
    ...nobody,
    firstName: 'San',
    surname: 'Zhang',
    accountNumber: '001230456789',
    address: '北京市 8',
  }
  expect(await quotePayout({ ...input, destination })).toMatchObject({ kind: 'invalid', by: 'service' })
  await desk.stopService()
  expect(await quotePayout(input)).toMatchObject({ kind: 'refused', outcome: { code: 'SERVICE_UNREACHABLE' } })
  const trail = await desk.db.select().from(auditEntries).orderBy(auditEntries.number)
  const about = { act: 'payout.quote', outcome: 'refused', targetType: 'account', targetId: input.accountId }
  expect(trail).toMatchObject([
    { ...about, staffRole: 'viewer', code: 'NOT_PERMITTED' },
    { ...about, staffRole: 'operations', code: 'INVALID_PARAMETERS' },
    { ...about, staffRole: 'operations', code: 'SERVICE_UNREACHABLE' },
  ])
  expect(JSON.stringify(trail)).not.toContain('001230456789')
})
