import { asc } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { dayMs, hourMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import { rateReadings, rateSamples } from '#lib/tables/rates.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { readRates } from './read.ts'
import { rateReadingsDone } from './sample.ts'

/** The console beside a service whose rates of USD are given by the test. */
async function openDesk(): Promise<TestConsole & { response: (rates: Record<string, number> | null) => void }> {
  const desk = await openConsole({ seeded: 1 })
  onTestFinished(rateReadingsDone)
  await desk.signIn('viewer')
  let given: Record<string, number> | null = null
  desk.intercept.before = (request, response) => {
    if (given === null || !request.url?.includes('/rates?')) return false
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ baseCurrency: 'USD', rates: given }))
    return true
  }
  return { ...desk, response: (rates) => void (given = rates) }
}

async function setClock(desk: TestConsole, atMs: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: atMs })
  onTestFinished(() => void vi.useRealTimers())
  await desk.signIn('viewer')
}

test('a rate moves against the sample before, that of an hour ago and that of a day ago, each where there is one', async () => {
  const desk = await openDesk()
  const start = Date.now()
  const at = async (afterMs: number, HKD: number) => {
    await setClock(desk, start + afterMs)
    desk.response({ HKD, EUR: 0.86 })
    return (await readRates('sandbox', { base: 'USD', currencies: 'HKD' })).rows[0]
  }
  expect(await at(0, 7.8)).toEqual({
    currency: 'HKD',
    rate: '7.8',
    inverse: '0.1282051282',
    last: null,
    hour: null,
    day: null,
  })
  expect(await at(6 * secondMs, 7.8)).toMatchObject({ last: { direction: 'same', percent: '0.0000' }, hour: null })
  expect(await at(hourMs + 6 * secondMs, 7.878)).toMatchObject({
    last: { direction: 'up', percent: '1.0000', against: { rate: '7.8' } },
    hour: { direction: 'up', against: { at: new Date(start + 6 * secondMs).toISOString() } },
    day: null,
  })
  expect(await at(dayMs + 4 * minuteMs, 7.722)).toMatchObject({
    last: { direction: 'down' },
    hour: null,
    day: { direction: 'down', percent: '-1.0000', against: { at: new Date(start + 6 * secondMs).toISOString() } },
  })
  // The sample of then is more than five minutes older than a day.
  expect(await at(dayMs + 6 * minuteMs, 7.722)).toMatchObject({ day: null })
})

test('any number of open pages make the console sample every 5 s at most', async () => {
  const desk = await openDesk()
  const start = Date.now()
  for (let second = 0; second <= 20; second += 1) {
    await setClock(desk, start + second * secondMs)
    await Promise.all([1, 2, 3].map(() => readRates('sandbox', { base: 'USD' })))
  }
  const samples = await desk.db.select().from(rateSamples).orderBy(asc(rateSamples.at))
  expect(samples.length).toBe(desk.requests.get('/rates'))
  expect(samples.length).toBeGreaterThanOrEqual(4)
  const pauses = samples.slice(1).map(({ at }, index) => at.getTime() - (samples[index]?.at.getTime() ?? 0))
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(5 * secondMs)
})

test('currencies without rates are refused with their field, and nothing is stored', async () => {
  const desk = await openDesk()
  const refused = (search: Record<string, string | string[]>) =>
    expect(readRates('sandbox', search)).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      message: expect.stringMatching(new RegExp(`^${Object.hasOwn(search, 'currencies') ? 'currencies' : 'base'}\\b`)),
    })
  await refused({ base: 'XXX' })
  await refused({ base: 'XXX' })
  await refused({ base: 'hkd' })
  await refused({})
  await refused({ base: 'USD', currencies: 'XXX' })
  await refused({ base: 'USD', currencies: ['HKD', '__proto__'] })
  const bases = (await desk.db.select().from(rateReadings)).map(({ baseCurrency }) => baseCurrency)
  expect(bases).toEqual(['USD'])
})

test('a currency without a usable rate is named as missing and does not hide the others, also in its movement', async () => {
  const desk = await openDesk()
  const start = Date.now()
  await setClock(desk, start)
  desk.response({ HKD: 7.8, EUR: 0, GBP: -1 })
  const search = { base: 'USD', currencies: 'HKD,EUR,JPY' }
  const before = await readRates('sandbox', search)
  expect(before).toMatchObject({ missing: ['EUR', 'JPY'], excluded: 2 })
  expect(before.rows.map(({ currency }) => currency)).toEqual(['HKD'])
  await setClock(desk, start + 6 * secondMs)
  desk.response({ EUR: 0.86, HKD: 7.8 })
  const after = await readRates('sandbox', search)
  expect(after).toMatchObject({ missing: ['JPY'], excluded: 0 })
  expect(after.rows).toMatchObject([
    { currency: 'HKD', last: { direction: 'same' } },
    { currency: 'EUR', last: null, hour: null, day: null },
  ])
})

test('during an outage the last sample is shown as such, or that there is none', async () => {
  const desk = await openDesk()
  const { rows } = await readRates('sandbox', { base: 'USD', currencies: 'HKD' })
  await desk.stopService()
  await setClock(desk, Date.now() + minuteMs)
  const read = await readRates('sandbox', { base: 'USD', currencies: 'HKD' })
  expect(read.rows[0]?.rate).toBe(rows[0]?.rate)
  expect(read.freshness).toMatchObject({ source: 'index', asOf: read.at })
  expect(Date.parse(read.now) - Date.parse(read.at)).toBeGreaterThanOrEqual(minuteMs - secondMs)
  await expect(readRates('sandbox', { base: 'EUR' })).rejects.toMatchObject({ code: 'SERVICE_UNREACHABLE' })
})

test('a slow service delays no page that can show a sample', async () => {
  const desk = await openDesk()
  await readRates('sandbox', { base: 'USD' })
  await setClock(desk, Date.now() + minuteMs)
  const released = Promise.withResolvers<void>()
  desk.intercept.before = async () => {
    await released.promise
    return false
  }
  const startedAt = performance.now()
  await readRates('sandbox', { base: 'USD' })
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  released.resolve()
})

test('a sample that lies ahead, from before the clock was put back, is not the newest', async () => {
  const desk = await openDesk()
  const { at } = await readRates('sandbox', { base: 'USD' })
  await setClock(desk, Date.now() - hourMs)
  expect((await readRates('sandbox', { base: 'USD' })).at < at).toBe(true)
})
