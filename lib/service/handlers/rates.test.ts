import { afterAll, beforeAll, expect, test } from 'vitest'
import { callEndpoint } from '../payouts/testing.ts'
import { rateCurrencies } from '../rates.ts'
import { openTestService, type TestService } from '../testing.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

test('without currencies, all but the base are returned', async () => {
  const { baseCurrency, rates } = await callEndpoint(service, 'getRates', { query: { baseCurrency: 'HKD' } })
  expect(baseCurrency).toBe('HKD')
  expect(Object.keys(rates).sort()).toEqual(rateCurrencies.filter((currency) => currency !== 'HKD').sort())
})

test.each([
  ['repeated', { currencies: ['USD', 'IDR'] }],
  ['separated by commas', { currencies: 'USD,IDR' }],
])('currencies %s return only these rates', async (_, query) => {
  const { rates } = await callEndpoint(service, 'getRates', { query: { baseCurrency: 'HKD', ...query } })
  expect(Object.keys(rates)).toEqual(['USD', 'IDR'])
})

test('rates move with sandbox time', async () => {
  const at = async () => (await callEndpoint(service, 'getRates', { query: { baseCurrency: 'EUR' } })).rates
  const before = await at()
  await service.control('POST', '/clock', { advance: 'PT1H' })
  expect(await at()).not.toEqual(before)
})

test.each([
  [{}, 'baseCurrency'],
  [{ baseCurrency: 'hkd' }, 'baseCurrency'],
  [{ baseCurrency: 'XXX' }, 'baseCurrency'],
  [{ baseCurrency: 'HKD', currencies: 'USD,XXX' }, 'currencies'],
  [{ baseCurrency: 'HKD', currencies: '' }, 'currencies'],
])('refuses %j with INVALID_PARAMETERS', async (query: Record<string, string>, field) => {
  const { status, json } = await service.call('getRates', { query })
  expect({ status, code: json.code }).toEqual({ status: 400, code: 'INVALID_PARAMETERS' })
  expect(json.message).toContain(field)
})

test('unknown currencies are reported together with what is no currency code, and beside a missing base', async () => {
  const message = async (query: Record<string, string>) => (await service.call('getRates', { query })).json.message
  expect(await message({ baseCurrency: 'XXX', currencies: 'abc,YYY,USD' })).toBe(
    'currencies.0: must be a currency code of 3 upper-case letters; baseCurrency: there are no rates of XXX; currencies: there are no rates of YYY',
  )
  expect(await message({ currencies: 'YYY' })).toBe('baseCurrency: is required; currencies: there are no rates of YYY')
  expect(await message({ baseCurrency: 'XXX', currencies: '\0' })).toBe(
    'currencies: must not contain the character NUL; currencies.0: must be a currency code of 3 upper-case letters; baseCurrency: there are no rates of XXX',
  )
})
