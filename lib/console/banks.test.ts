import { expect, test } from 'vitest'
import { errorTable } from '#lib/contract/errors.ts'
import { bankCountries } from '#lib/contract/terms.ts'
import { listBanksIn } from '#lib/service/payouts/banks.ts'
import { listPayoutBanks, readBank } from './banks.ts'
import { shareConsole } from './testing/open-console.ts'

const desk = shareConsole({ seeded: 1 })

test('each country lists the banks of the service, and each of their wire codes leads to the record', async () => {
  await desk.signIn('viewer')
  for (const country of bankCountries) {
    const { banks, freshness } = await listPayoutBanks('sandbox', country)
    const expected = listBanksIn(country) ?? []
    expect(banks).toEqual(expected.map(({ code, name }) => ({ code, name })))
    expect(freshness.source).toBe('service')
    const [first] = expected
    const { bank } = await readBank('sandbox', { wireCode: ` ${first?.wireCode} ` })
    expect(bank).toMatchObject({ bankName: first?.name, countryCode: country, wireCode: first?.wireCode })
  }
})

test('banks with missing fields are listed, what is no bank is counted, and a record may lack every field', async () => {
  await desk.signIn('viewer')
  desk.intercept.before = (request, response) => {
    const body = request.url?.includes('wireCode') ? { branch: 'Central' } : { banks: [{ code: 4 }, 'HSBC'] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return true
  }
  expect(await listPayoutBanks('sandbox', 'HK')).toMatchObject({ banks: [{ code: '4', name: null }], excluded: 1 })
  expect((await readBank('sandbox', { wireCode: 'X' })).bank).toMatchObject({
    id: null,
    branch: 'Central',
    wireCode: null,
  })
})

test('an unknown country and an unknown wire code are said in their own sentences', async () => {
  await desk.signIn('viewer')
  for (const [code, read] of [
    ['COUNTRY_NOT_FOUND', () => listPayoutBanks('sandbox', 'FR')],
    ['BANK_NOT_FOUND', () => readBank('sandbox', { wireCode: 'NOBANKXX' })],
  ] as const) {
    const { happened, next } = errorTable[code]
    await expect(read()).rejects.toMatchObject({
      code,
      message: `${happened} ${next}`,
      requestId: expect.stringMatching(/\S/),
    })
  }
})

test('a malformed code never reaches the service, and a card number is neither sent nor repeated', async () => {
  await desk.signIn('viewer')
  for (const country of ['hk', 'HKG', '', '..', 'H1']) {
    await expect(listPayoutBanks('sandbox', country)).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      message: 'country must be two capital letters, such as HK',
    })
  }
  for (const wireCode of ['', '  ', 'A'.repeat(36), 'HSBC\u0000HK', undefined, ['A', 'B']]) {
    await expect(readBank('sandbox', { wireCode })).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      message: expect.stringMatching(/^wireCode must/),
    })
  }
  await expect(readBank('sandbox', { wireCode: '4242 4242 4242 4242' })).rejects.toMatchObject({
    code: 'CARD_NUMBER_REFUSED',
    message: expect.not.stringContaining('4242'),
  })
  expect(desk.requests.size).toBe(0)
})
