import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventTable, isEventName } from '#lib/contract/events.ts'
import { amount } from '#lib/shared/money.ts'
import {
  callEndpoint,
  beneficiary,
  cardBeneficiary,
  execute,
  makeExecution,
  fundingAccount,
  hkdAccountId,
  insertFundingAccounts,
  philippines,
  quote,
  usdAccountId,
} from '../payouts/testing.ts'
import { accounts, accountTransactions, payouts, quotes } from '../tables/payouts.ts'
import { events } from '../tables/webhooks.ts'
import { openTestService, type TestService } from '../testing.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
  await insertFundingAccounts(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  const { db } = service.service
  for (const table of [accountTransactions, payouts, quotes, events]) await db.delete(table)
  await db.update(accounts).set({ balance: '10000', available: '10000' })
})

const errorFrom = async (name: 'validatePayout' | 'quotePayout' | 'executePayout', body: object) => {
  const { status, json } = await service.call(name, { body })
  return { status, code: json.code, message: json.message as string }
}

const cardCheck = { method: 'NETWORK_CARD', destination: cardBeneficiary, destinationAmount: 500 }
const korea = {
  method: 'BANK_TRANSFER',
  accountId: hkdAccountId,
  sourceCurrency: 'HKD',
  destinationCountry: 'KR',
  destinationCurrency: 'KRW',
  destination: { mobileNumber: '+821012345678' },
}
const indonesia = {
  method: 'BANK_TRANSFER',
  accountId: usdAccountId,
  sourceCurrency: 'USD',
  destinationCountry: 'ID',
  destinationCurrency: 'IDR',
  source: { mobileNumber: '+85291234567' },
}

describe('validate', () => {
  test.each([
    ['a card payout', cardCheck],
    [
      'a card payout with a number',
      { ...cardCheck, destination: { ...cardBeneficiary, accountNumber: 6222020200012345 } },
    ],
    [
      'a card payout by its other names',
      { method: 'NETWORK_CARD', destination: cardBeneficiary, amount: 1, currency: 'CNY' },
    ],
    [
      'a bank transfer',
      { method: 'BANK_TRANSFER', destination: beneficiary, destinationCountry: 'PH', destinationCurrency: 'PHP' },
    ],
    [
      'a bank transfer to Korea',
      { ...korea, sourceAmount: 1, destination: { ...beneficiary, bankCode: '088', mobileNumber: '+821012345678' } },
    ],
  ])('%s that keeps every rule is valid', async (_, body) => {
    expect(await callEndpoint(service, 'validatePayout', { body })).toMatchObject({ valid: true })
  })

  test('a card number of 19 digits may come as a JSON number', async () => {
    const destination = { ...cardBeneficiary, accountNumber: Number('6222020200012345678') }
    expect(await callEndpoint(service, 'validatePayout', { body: { ...cardCheck, destination } })).toMatchObject({
      valid: true,
    })
  })

  test.each([
    '622202020001234',
    '62220202000123456789',
    '6222-0202-0001-2345',
    'abcdefghijklmnopq',
    '6'.repeat(65),
    '',
    1e30,
  ])('refuses the card number %j with NETWORK_CARD_INVALID_BANK_ACCOUNT', async (accountNumber) => {
    const body = { ...cardCheck, destination: { ...cardBeneficiary, accountNumber } }
    expect(await errorFrom('validatePayout', body)).toMatchObject({
      status: 400,
      code: 'NETWORK_CARD_INVALID_BANK_ACCOUNT',
      message: 'destination.accountNumber: must be 16 to 19 digits',
    })
  })

  test('a card number that is missing, or no text and no number, is INVALID_PARAMETERS', async () => {
    const check = (accountNumber: unknown) =>
      errorFrom('validatePayout', { ...cardCheck, destination: { ...cardBeneficiary, accountNumber } })
    const path = 'destination.accountNumber'
    expect(await check(undefined)).toMatchObject({
      code: 'INVALID_PARAMETERS',
      message: `${path}: is required for NETWORK_CARD`,
    })
    expect(await check(true)).toMatchObject({
      code: 'INVALID_PARAMETERS',
      message: `${path}: must be a string or a number`,
    })
  })

  test.each([
    [-1, 'destinationAmount: must be greater than 0'],
    [0, 'destinationAmount: must be greater than 0'],
    ['x', 'destinationAmount: must be a number'],
  ])(
    'names the amount %j, the bad card number and what is missing, all at once',
    async (destinationAmount, amountIssue) => {
      const body = {
        method: 'NETWORK_CARD',
        destinationCountry: 'CN',
        destinationCurrency: 'CNY',
        destinationAmount,
        destination: { accountNumber: '12' },
      }
      expect(await errorFrom('validatePayout', body)).toEqual({
        status: 400,
        code: 'NETWORK_CARD_INVALID_BANK_ACCOUNT',
        message: [
          amountIssue,
          'destination.firstName: is required for NETWORK_CARD',
          'destination.firstNameCN: is required for NETWORK_CARD',
          'destination.surname: is required for NETWORK_CARD',
          'destination.surnameCN: is required for NETWORK_CARD',
          'destination.address: is required for NETWORK_CARD',
          'destination.accountNumber: must be 16 to 19 digits',
        ].join('; '),
      })
    },
  )

  test('a wrong field is reported once and hides no other', async () => {
    const destination = { accountNumber: '12\u0000', firstName: 7, address: 'Makati' }
    expect(await errorFrom('validatePayout', { ...cardCheck, destination, amount: -5, currency: 'cny' })).toEqual({
      status: 400,
      code: 'NETWORK_CARD_INVALID_BANK_ACCOUNT',
      message: [
        'destination.accountNumber: must not contain the character NUL',
        'destination.firstName: must be a string',
        'currency: must be a currency code of 3 upper-case letters',
        'amount: must be greater than 0',
        'destination.firstNameCN: is required for NETWORK_CARD',
        'destination.surname: is required for NETWORK_CARD',
        'destination.surnameCN: is required for NETWORK_CARD',
        'destination.address: must be longer than 20 characters, and have at least one space, and have at least one digit',
      ].join('; '),
    })
  })

  test('the common rules are reported together with an unknown method', async () => {
    const body = { method: 'BANK_WIRE', destinationCountry: 'US', destination: { email: 'x' }, sourceAmount: -1 }
    expect((await errorFrom('validatePayout', body)).message.split('; ').map((part) => part.split(':')[0])).toEqual([
      'method',
      'sourceAmount',
      'destinationCountry',
      'sourceCurrency',
      'destination.accountNumber',
      'destination.firstName',
      'destination.surname',
      'destination.address',
      'destination.email',
    ])
    const { message } = await errorFrom('validatePayout', { method: 'NETWORK_CARD', destination: [] })
    expect(message).toBe('destination: must be an object')
  })

  test('an amount is valid with more decimals than its currency has, but not in rupiah', async () => {
    const destination = { ...beneficiary, bankCode: '088', mobileNumber: '+821012345678' }
    const body = { ...korea, destination, destinationAmount: 5.5 }
    expect(await callEndpoint(service, 'validatePayout', { body })).toMatchObject({ valid: true })
    expect((await errorFrom('validatePayout', { ...body, destinationAmount: 4.6 })).message).toBe(
      'destinationAmount: must be at least 5 KRW',
    )
    const rupiah = { ...indonesia, destination: { ...beneficiary, bankCode: '014' }, destinationAmount: 50_000.5 }
    expect((await errorFrom('validatePayout', rupiah)).message).toBe('destinationAmount: must be an integer in IDR')
  })

  test('an address is checked as given', async () => {
    const destination = { ...beneficiary, address: ' 12345678901234567890' }
    const body = { method: 'BANK_TRANSFER', destination, destinationCountry: 'PH', destinationCurrency: 'PHP' }
    expect(await callEndpoint(service, 'validatePayout', { body })).toMatchObject({ valid: true })
  })

  test('an address in Chinese is checked as given or in pinyin, in a validation and in an execution', async () => {
    const of = (address: string) => ({ ...cardBeneficiary, address })
    const check = (address: string) => ({ ...cardCheck, destination: of(address) })
    const short = 'must be longer than 20 characters, as typed or in pinyin'
    const [fits, fails] = ['北京市朝阳区建国路88号', '北京市 8']
    expect(await callEndpoint(service, 'validatePayout', { body: check(fits) })).toMatchObject({ valid: true })
    expect((await errorFrom('validatePayout', check(fails))).message).toBe(`destination.address: ${short}`)
    const toCard = { method: 'NETWORK_CARD', destinationCountry: 'CN', destinationCurrency: 'CNY' }
    const { id } = await quote(service, { ...philippines, ...toCard })
    const execution = { quoteId: id, purpose: 'salary', sourceOfFunds: 'business' }
    expect((await errorFrom('executePayout', { ...execution, destination: of(fails) })).message).toContain(short)
    const made = await execute(service, id, { destination: of(fits) })
    expect(made.destination.accountHolderAddress).toBe('Bei Jing Shi Chao Yang Qu Jian Guo Lu 88 Hao')
  })

  test('names every broken rule in one message', async () => {
    const { code, message } = await errorFrom('validatePayout', {
      method: 'BANK_TRANSFER',
      destinationCountry: 'PH',
      destinationCurrency: 'USD',
      sourceAmount: 10,
      destination: { accountNumber: '!', firstNameCN: 'Maria', address: 'Makati', bankCode: '000', email: 'x' },
    })
    expect(code).toBe('INVALID_PARAMETERS')
    const named = message.split('; ').map((part) => part.split(':')[0])
    expect(named).toEqual([
      'destinationCurrency',
      'sourceCurrency',
      'destination.firstName',
      'destination.surname',
      'destination.accountNumber',
      'destination.firstNameCN',
      'destination.address',
      'destination.email',
      'destination.bankCode',
    ])
  })

  test('refuses two names of one field that do not agree', async () => {
    expect(await errorFrom('validatePayout', { ...cardCheck, amount: 5 })).toMatchObject({
      code: 'INVALID_PARAMETERS',
      message: 'amount: must be the same as destinationAmount, whose other name it is',
    })
  })

  test('a source amount has to produce the country’s minimum', async () => {
    const destination = { ...beneficiary, bankCode: '014' }
    const body = { ...indonesia, destination }
    expect((await errorFrom('validatePayout', { ...body, sourceAmount: 1 })).message).toMatch(
      /^sourceAmount: must produce at least 50000 IDR, and produces \d+ IDR$/,
    )
    expect(await callEndpoint(service, 'validatePayout', { body: { ...body, sourceAmount: 10 } })).toMatchObject({
      valid: true,
    })
  })
})

test('the least that can be received is valid from every currency; a source amount that comes to nothing is not', async () => {
  const destination = { ...beneficiary, bankCode: '088', mobileNumber: '+821012345678' }
  const least = { ...korea, destination, sourceCurrency: 'USD', destinationAmount: 5 }
  expect(await callEndpoint(service, 'validatePayout', { body: least })).toMatchObject({ valid: true })
  const hongKong = { destinationCountry: 'HK', destinationCurrency: 'HKD' }
  const { message } = await errorFrom('validatePayout', {
    ...hongKong,
    method: 'BANK_TRANSFER',
    sourceCurrency: 'IDR',
    sourceAmount: 1,
    destination: { ...beneficiary, bankCode: undefined },
  })
  expect(message).toBe('sourceAmount: is worth less than the smallest amount of HKD')
})

describe('quote', () => {
  test('returns both amounts at the rate of the moment, for 60 seconds', async () => {
    const before = await callEndpoint(service, 'getRates', { query: { baseCurrency: 'HKD', currencies: 'PHP' } })
    const quoted = await quote(service)
    expect(quoted).toMatchObject({ method: 'BANK_TRANSFER', sourceAmount: 100.25, destinationCountry: 'PH' })
    expect(Math.abs(quoted.rate / (before.rates.PHP ?? 0) - 1)).toBeLessThan(0.01)
    expect(amount(100.25).times(quoted.rate).toDecimalPlaces(2).toNumber()).toBe(quoted.destinationAmount)
    expect(Date.parse(quoted.expiresAt) - Date.parse(quoted.createdAt)).toBe(60_000)
  })

  test('a destination amount is received exactly', async () => {
    const quoted = await quote(service, { ...indonesia, destinationAmount: 50_000 })
    expect(quoted.destinationAmount).toBe(50_000)
    expect(quoted.sourceAmount).toBe(amount(50_000).dividedBy(quoted.rate).toDecimalPlaces(2).toNumber())
  })

  test.each([
    [
      '5 KRW, the interface’s least,',
      'USD',
      { ...korea, accountId: usdAccountId, sourceCurrency: 'USD', destinationAmount: 5 },
    ],
    ['0.01 PHP', 'HKD', { ...philippines, sourceAmount: undefined, destinationAmount: 0.01 }],
  ])('%s can be received from %s: one minor unit is sent', async (_, sourceCurrency, body) => {
    const quoted = await quote(service, body)
    expect(quoted).toMatchObject({ sourceAmount: 0.01, sourceCurrency, destinationAmount: body.destinationAmount })
  })

  test.each([
    [{ ...philippines, sourceAmount: 5.555 }, { sourceAmount: 5.56 }],
    [{ ...philippines, sourceAmount: 1.005 }, { sourceAmount: 1.01 }],
    [{ ...philippines, sourceAmount: 1.004999 }, { sourceAmount: 1 }],
    [{ ...philippines, sourceAmount: 0.005 }, { sourceAmount: 0.01 }],
    [{ ...korea, destinationAmount: 5.5 }, { destinationAmount: 6 }],
    [{ ...korea, destinationAmount: 5.499999 }, { destinationAmount: 5 }],
  ])('the given amount of %j is rounded half up: %j', async (body, rounded) => {
    const quoted = await quote(service, body)
    expect(quoted).toMatchObject(rounded)
    if ('sourceAmount' in rounded) {
      expect(amount(rounded.sourceAmount).times(quoted.rate).toDecimalPlaces(2).toNumber()).toBe(
        quoted.destinationAmount,
      )
    }
  })

  test('a source amount with decimals gives whole rupiah', async () => {
    const quoted = await quote(service, { ...indonesia, sourceAmount: 12.34 })
    expect(Number.isInteger(quoted.destinationAmount)).toBe(true)
  })

  const refused: [string, object, string][] = [
    ['both amounts', { ...philippines, destinationAmount: 5 }, 'sourceAmount'],
    ['neither amount', { ...philippines, sourceAmount: undefined }, 'sourceAmount'],
    ['an amount of 0', { ...philippines, sourceAmount: 0 }, 'sourceAmount'],
    ['a negative amount', { ...philippines, sourceAmount: -1 }, 'sourceAmount'],
    ['a source amount that rounds to nothing', { ...philippines, sourceAmount: 0.004999 }, 'sourceAmount'],
    [
      'a destination amount that rounds to nothing',
      { ...philippines, sourceAmount: undefined, destinationAmount: 0.0049 },
      'destinationAmount',
    ],
    ['a method that quotes do not know', { ...philippines, method: 'BANK_WIRE' }, 'method'],
    ['a country out of reach', { ...philippines, destinationCountry: 'US' }, 'destinationCountry'],
    ['a currency of another country', { ...philippines, destinationCurrency: 'INR' }, 'destinationCurrency'],
    [
      'a card payout to Hong Kong',
      { ...philippines, method: 'NETWORK_CARD', destinationCountry: 'HK' },
      'destinationCountry',
    ],
    ['a currency without rates', { ...philippines, sourceCurrency: 'XXX' }, 'sourceCurrency'],
    ['another currency than the account’s', { ...philippines, sourceCurrency: 'USD' }, 'sourceCurrency'],
    ['an amount that grows too long', { ...indonesia, sourceAmount: 9_999_999_999_999 }, 'sourceAmount'],
    [
      'Korea without a mobile number',
      { ...korea, destination: undefined, sourceAmount: 10 },
      'destination.mobileNumber',
    ],
    [
      'Korea with a foreign mobile number and no e-mail',
      { ...korea, destination: { mobileNumber: '+85291234567' }, sourceAmount: 10 },
      'destination.email',
    ],
    ...['', ' ', 'x'].map((email): [string, object, string] => [
      `Korea with a foreign mobile number and the e-mail address “${email}”`,
      { ...korea, destination: { mobileNumber: '+85291234567', email }, sourceAmount: 10 },
      'destination.email',
    ]),
    [
      'Korea with a mobile number in another form',
      { ...korea, destination: { mobileNumber: '010-1234-5678' }, sourceAmount: 10 },
      'destination.mobileNumber',
    ],
    ['less than 5 won', { ...korea, destinationAmount: 4 }, 'destinationAmount'],
    ['less than 5 won that would round to 5', { ...korea, destinationAmount: 4.6 }, 'destinationAmount'],
    ['a source amount below 5 won', { ...korea, sourceAmount: 0.02 }, 'sourceAmount'],
    [
      'Indonesia without the sender’s mobile number',
      { ...indonesia, source: undefined, sourceAmount: 10 },
      'source.mobileNumber',
    ],
    ['part of a rupiah', { ...indonesia, destinationAmount: 60_000.5 }, 'destinationAmount'],
    ['less than 50,000 rupiah', { ...indonesia, destinationAmount: 49_999 }, 'destinationAmount'],
    ['a source amount below 50,000 rupiah', { ...indonesia, sourceAmount: 1.5 }, 'sourceAmount'],
  ]
  test.each(refused)('refuses %s, naming the field', async (_, body, field) => {
    const { status, code, message } = await errorFrom('quotePayout', body)
    expect({ status, code }).toEqual({ status: 400, code: 'INVALID_PARAMETERS' })
    expect(message.split('; ').map((part) => part.split(':')[0])).toContain(field)
    expect(await service.service.db.select().from(quotes)).toEqual([])
  })

  test('both amounts, a pair that is not supported and another currency than the account’s are reported together', async () => {
    const pair = { destinationAmount: 5, destinationCountry: 'US', destinationCurrency: 'USD' }
    expect((await errorFrom('quotePayout', { ...philippines, ...pair, sourceCurrency: 'EUR' })).message).toBe(
      [
        'sourceAmount: give exactly one of sourceAmount and destinationAmount',
        'destinationCountry: must be one of HK, PH, IN, ID, KR for BANK_TRANSFER',
        'destinationCurrency: must be one of CNH, HKD, PHP, INR, IDR, KRW for BANK_TRANSFER',
        "sourceCurrency: must be the account's currency, HKD",
      ].join('; '),
    )
  })

  test('an unknown funding account is reported after what is wrong with the request', async () => {
    const body = { ...philippines, accountId: '33333333-3333-4333-8333-333333333333', sourceAmount: 0 }
    expect(await errorFrom('quotePayout', body)).toMatchObject({
      status: 400,
      message: 'sourceAmount: must be greater than 0',
    })
  })

  test('refuses an unknown funding account with ACCOUNT_NOT_FOUND', async () => {
    const body = { ...philippines, accountId: '33333333-3333-4333-8333-333333333333' }
    expect(await errorFrom('quotePayout', body)).toMatchObject({ status: 404, code: 'ACCOUNT_NOT_FOUND' })
  })
})

describe('execute', () => {
  test('requests the payout, debits the account, and records both', async () => {
    const { id: quoteId } = await quote(service)
    const payout = await execute(service, quoteId, { xid: 'payroll-1', xmetadata: { run: 7 } })
    expect(payout).toMatchObject({
      xid: 'payroll-1',
      xmetadata: { run: 7 },
      status: 'requested',
      subStatus: 'ORDER_UNDER_AML_REVIEW',
      sourceAmount: 100.25,
      destination: {
        type: 'BANK_ACCOUNT',
        accountNumber: '001230456789',
        bankName: 'BDO Unibank',
        wireCode: 'BNORPHMM',
        accountHolderName: 'Maria Santos',
      },
    })
    expect(await fundingAccount(service)).toMatchObject({ balance: 9899.75, available: 9899.75 })
    const { transactions } = await callEndpoint(service, 'listAccountTransactions', {
      query: { accountId: hkdAccountId },
    })
    expect(transactions).toMatchObject([
      { amount: -100.25, balance: 9899.75, status: 'posted', intent: 'payout', intentId: payout.id, asset: 'HKD' },
    ])
    const recorded = await service.service.db.select().from(events).orderBy(asc(events.position))
    expect(recorded.map(({ event }) => event)).toEqual(['payout.created', 'account.transaction.created'])
    expect(recorded.map(({ data }) => data)).toEqual([payout, transactions[0]])
    for (const { event, data } of recorded) {
      expect(isEventName(event) && eventTable[event].data.parse(data)).toEqual(data)
    }
  })

  test('stores no more than four digits of a card account number', async () => {
    const { id } = await quote(service, {
      ...philippines,
      method: 'NETWORK_CARD',
      destinationCountry: 'CN',
      destinationCurrency: 'CNY',
      destination: cardBeneficiary,
    })
    const payout = await execute(service, id, { destination: cardBeneficiary })
    expect(payout.destination).toMatchObject({
      type: 'CARD_ACCOUNT',
      accountNumber: '5678',
      accountHolderAddress: expect.stringMatching(/^Shang Hai Shi Pu Dong Xin Qu/) as unknown,
    })
    const { db } = service.service
    const rows = [
      await db.select().from(payouts),
      await db.select().from(quotes),
      await db.select().from(accountTransactions),
      await db.select().from(events),
    ]
    expect(JSON.stringify(rows)).not.toContain('6222020200012345678')
  })

  test('a quote is used once: QUOTE_ALREADY_USED, and nothing moves', async () => {
    const { id } = await quote(service)
    await execute(service, id)
    expect(await errorFrom('executePayout', makeExecution(id).body as object)).toMatchObject({
      status: 400,
      code: 'QUOTE_ALREADY_USED',
    })
    expect(await fundingAccount(service)).toMatchObject({ balance: 9899.75 })
  })

  test('twenty executions of one quote at once make one payout', async () => {
    const { id } = await quote(service)
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => service.call('executePayout', makeExecution(id))),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(400)])
    expect(await fundingAccount(service)).toMatchObject({ balance: 9899.75, available: 9899.75 })
  })

  test('the same idempotencyKey in the body returns the same payout, and moves the money once', async () => {
    const { id } = await quote(service)
    const input = makeExecution(id, { idempotencyKey: `execute-${id}` })
    const responses = [await service.call('executePayout', input), await service.call('executePayout', input)]
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(responses[1]?.json).toEqual(responses[0]?.json)
    expect(responses[1]?.headers.get('idempotency-replayed')).toBe('true')
    expect(await fundingAccount(service)).toMatchObject({ balance: 9899.75 })
  })

  test('a funding account is never overdrawn by payouts at once', async () => {
    const quoted = await Promise.all(
      Array.from({ length: 6 }, () => quote(service, { ...philippines, sourceAmount: 3000 })),
    )
    const responses = await Promise.all(quoted.map(({ id }) => service.call('executePayout', makeExecution(id))))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(responses.filter(({ json }) => json.code === 'INSUFFICIENT_FUNDS')).toHaveLength(3)
    expect(await fundingAccount(service)).toMatchObject({ balance: 1000, available: 1000 })
  })

  test('a quote is gone after 60 seconds of sandbox time: QUOTE_EXPIRED', async () => {
    const { id } = await quote(service)
    await service.control('POST', '/clock', { advance: 'PT60S' })
    expect(await errorFrom('executePayout', makeExecution(id).body as object)).toMatchObject({
      status: 400,
      code: 'QUOTE_EXPIRED',
    })
  })

  test('refuses an unknown quote with QUOTE_NOT_FOUND', async () => {
    const body = makeExecution('33333333-3333-4333-8333-333333333333').body as object
    expect(await errorFrom('executePayout', body)).toMatchObject({ status: 404, code: 'QUOTE_NOT_FOUND' })
  })

  test('refuses a beneficiary that breaks rules, and leaves the quote usable', async () => {
    const { id } = await quote(service)
    const broken = { ...beneficiary, surname: undefined, address: 'Makati', bankCode: 'XX' }
    const { code, message } = await errorFrom(
      'executePayout',
      makeExecution(id, { destination: broken }).body as object,
    )
    expect(code).toBe('INVALID_PARAMETERS')
    expect(message.split('; ').map((part) => part.split(':')[0])).toEqual([
      'destination.surname',
      'destination.address',
      'destination.bankCode',
    ])
    await execute(service, id)
  })

  test('a broken beneficiary is reported together with a wrong purpose, by a quote that can be used', async () => {
    const { id } = await quote(service)
    const body = makeExecution(id, { destination: { ...beneficiary, address: 'Makati 1' }, purpose: 'x' })
      .body as object
    expect((await errorFrom('executePayout', body)).message).toMatch(
      /^purpose: must be one of [^;]*; destination\.address: must be longer than 20 characters$/,
    )
    await execute(service, id)
    expect((await errorFrom('executePayout', body)).message).toMatch(/^purpose: must be one of [^;]*$/)
  })

  test('refuses a card number that lost digits as a JSON number', async () => {
    const card = { ...philippines, method: 'NETWORK_CARD', destinationCountry: 'CN', destinationCurrency: 'CNY' }
    const { id } = await quote(service, card)
    const destination = { ...cardBeneficiary, accountNumber: Number('6222020200012345678') }
    expect(await errorFrom('executePayout', makeExecution(id, { destination }).body as object)).toMatchObject({
      code: 'INVALID_PARAMETERS',
      message: 'destination.accountNumber: must be a string: as a JSON number it loses digits',
    })
  })

  test('the sender of the quote counts when the execution leaves it out', async () => {
    const { id } = await quote(service, { ...indonesia, sourceAmount: 10 })
    const destination = { ...beneficiary, bankCode: '014' }
    expect(await execute(service, id, { destination })).toMatchObject({ destinationCurrency: 'IDR' })
  })

  test('refuses an xid that any resource has: XID_ALREADY_EXISTS, and nothing moves', async () => {
    const [first, second] = [await quote(service), await quote(service)]
    await execute(service, first.id, { xid: 'taken-1' })
    expect(await errorFrom('executePayout', makeExecution(second.id, { xid: 'taken-1' }).body as object)).toMatchObject(
      {
        status: 409,
        code: 'XID_ALREADY_EXISTS',
      },
    )
    expect(await fundingAccount(service)).toMatchObject({ balance: 9899.75 })
  })
})

describe('progress', () => {
  const statusOf = async (payoutId: string) => {
    const { payouts: found } = await callEndpoint(service, 'listPayouts', { query: { payoutId } })
    return found[0]
  }
  const endingWith = async (digits: string) => {
    const { id } = await quote(service)
    return execute(service, id, { destination: { ...beneficiary, accountNumber: `00123045${digits}` } })
  }

  test('a payout is processed after the review, and completed by the bank', async () => {
    const { id } = await endingWith('6789')
    await service.control('POST', '/clock', { advance: 'PT119S' })
    expect(await statusOf(id)).toMatchObject({ status: 'requested' })
    await service.control('POST', '/clock', { advance: 'PT2S' })
    expect(await statusOf(id)).toMatchObject({ status: 'processing', subStatus: 'ORDER_SENT_TO_BANK' })
    await service.control('POST', '/clock', { advance: 'PT10M' })
    expect(await statusOf(id)).toMatchObject({ status: 'completed', subStatus: 'ORDER_COMPLETED' })
    expect(await fundingAccount(service)).toMatchObject({ balance: 9899.75, available: 9899.75 })
    const recorded = await service.service.db.select().from(events).where(eq(events.event, 'payout.updated'))
    expect(recorded.map(({ data }) => data.status)).toEqual(['processing', 'completed'])
    expect(recorded.at(-1)?.data).toEqual(await statusOf(id))
  })

  test.each([
    [
      '9001',
      { status: 'cancelled', subStatus: 'ORDER_CANCELLED', cancellationReason: 'The order did not pass the review.' },
    ],
    ['9002', { status: 'failed', subStatus: 'ORDER_REJECTED_BY_BANK', cancellationReason: null }],
  ])('an account number that ends in %s gives the money back by an entry of its own', async (digits, end) => {
    const { id } = await endingWith(digits)
    await service.control('POST', '/clock', { advance: 'P1D' })
    expect(await statusOf(id)).toMatchObject(end)
    expect(await fundingAccount(service)).toMatchObject({ balance: 10_000, available: 10_000 })
    const { transactions } = await callEndpoint(service, 'listAccountTransactions', {
      query: { accountId: hkdAccountId },
    })
    expect(transactions.map(({ amount: moved, balance }) => [moved, balance])).toEqual([
      [100.25, 10_000],
      [-100.25, 9899.75],
    ])
    expect(transactions.every(({ intentId }) => intentId === id)).toBe(true)
  })

  test('an account number that ends in 9003 stays in review', async () => {
    const { id } = await endingWith('9003')
    await service.control('POST', '/clock', { advance: 'P30D' })
    expect(await statusOf(id)).toMatchObject({ status: 'requested' })
  })
})

test('payouts are listed newest first, page by page, by account, id and xid', async () => {
  const made = []
  for (const xid of ['list-1', 'list-2', 'list-3'])
    made.push(await execute(service, (await quote(service)).id, { xid }))
  const first = await callEndpoint(service, 'listPayouts', { query: { pageSize: '2' } })
  expect(first.payouts.map(({ xid }) => xid)).toEqual(['list-3', 'list-2'])
  expect(first.prevPageToken).toBeNull()
  const second = await callEndpoint(service, 'listPayouts', {
    query: { pageSize: '2', pageToken: first.nextPageToken ?? '' },
  })
  expect(second.payouts.map(({ xid }) => xid)).toEqual(['list-1'])
  expect(second.nextPageToken).toBeNull()

  const found = async (query: Record<string, string>) =>
    (await callEndpoint(service, 'listPayouts', { query })).payouts.map(({ xid }) => xid)
  expect(await found({ payoutId: made[1]?.id ?? '' })).toEqual(['list-2'])
  expect(await found({ xid: 'list-1' })).toEqual(['list-1'])
  expect(await found({ accountId: usdAccountId })).toEqual([])
  expect(await found({ accountId: hkdAccountId })).toHaveLength(3)
})
