import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestService, type TestService } from '../testing.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService({ seeded: 1 })
})

afterAll(() => service.close())

test('past rates are those that the interface gave at that time, newest first', async () => {
  const before = (await service.call('getRates', { query: { baseCurrency: 'USD' } })).json
  await service.control('POST', '/clock', { advance: 'P2D' })
  const { status, json } = await service.control('GET', '/rates?baseCurrency=USD&span=P3D&every=P1D')
  expect(status).toBe(200)
  expect(json.samples.map(({ agoMs }: { agoMs: number }) => agoMs / 86_400_000)).toEqual([1, 2, 3])
  for (const [currency, rate] of Object.entries(before.rates as Record<string, number>)) {
    // The clock runs between the two calls: a step of the walk may lie between.
    expect(json.samples[1].rates[currency] / rate, currency).toBeCloseTo(1, 2)
  }
  expect(json.samples[1].rates).not.toEqual(json.samples[2].rates)
})

test.each([
  ['baseCurrency=XXX&span=P1D&every=PT1H', /baseCurrency: must be a currency that has rates/],
  ['baseCurrency=USD&span=P30D&every=PT1S', /every: must be at least a 1000th of the span/],
  ['baseCurrency=USD&span=month&every=PT1H', /span: must be a positive ISO 8601 duration/],
])('%s is refused with its field', async (query, message) => {
  const { status, json } = await service.control('GET', `/rates?${query}`)
  expect(status).toBe(400)
  expect(json.message).toMatch(message)
})
