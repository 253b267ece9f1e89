import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankCountries } from '#lib/contract/terms.ts'
import { listBanksIn } from '../payouts/banks.ts'
import { callEndpoint } from '../payouts/testing.ts'
import { openTestService, type TestService } from '../testing.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

test.each(bankCountries)('%s has five banks or more, each found by its wire code', async (countryCode) => {
  const { banks } = await callEndpoint(service, 'listPayoutBanks', { params: { countryCode } })
  expect(banks.length).toBeGreaterThanOrEqual(5)
  expect(new Set(banks.map(({ code }) => code)).size).toBe(banks.length)
  for (const { name, wireCode } of listBanksIn(countryCode) ?? []) {
    const bank = await callEndpoint(service, 'getBank', { query: { wireCode } })
    expect(bank).toMatchObject({ countryCode, bankName: name, wireCode })
    expect(await callEndpoint(service, 'getBank', { query: { wireCode: `${wireCode.toLowerCase()}xxx` } })).toEqual(
      bank,
    )
  }
})

test('a country that payouts do not reach is refused with COUNTRY_NOT_FOUND', async () => {
  const { status, json } = await service.call('listPayoutBanks', { params: { countryCode: 'US' } })
  expect({ status, code: json.code }).toEqual({ status: 400, code: 'COUNTRY_NOT_FOUND' })
})

test.each(['hk', 'HKG', 'H', '1A'])('%s is no country code: INVALID_PARAMETERS', async (countryCode) => {
  const { status, json } = await service.call('listPayoutBanks', { params: { countryCode } })
  expect({ status, code: json.code }).toEqual({ status: 400, code: 'INVALID_PARAMETERS' })
})

test('an unknown wire code is refused with BANK_NOT_FOUND, a missing one with INVALID_PARAMETERS', async () => {
  const unknown = await service.call('getBank', { query: { wireCode: 'NOSUCHBK' } })
  expect([unknown.status, unknown.json.code]).toEqual([404, 'BANK_NOT_FOUND'])
  const missing = await service.call('getBank')
  expect([missing.status, missing.json.code]).toEqual([400, 'INVALID_PARAMETERS'])
})
