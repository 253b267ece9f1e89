import { asc } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { deleteExpired } from '#lib/db/retention.ts'
import { retentionRules } from '#lib/jobs/retention.ts'
import { rateAt, rateCurrencies } from '#lib/service/rates.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import { rateReadings, rateSamples } from '#lib/tables/rates.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { watchRates } from './past.ts'
import { rateReadingsDone, sampleRates } from './sample.ts'

type Globals = typeof globalThis & { carddeskRateBases?: unknown; carddeskRateReadings?: unknown }

async function openDesk(): Promise<TestConsole> {
  const desk = await openConsole({ seeded: 1 })
  delete (globalThis as Globals).carddeskRateBases
  onTestFinished(rateReadingsDone)
  return desk
}

function setClock(at: string | number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(at) })
  onTestFinished(() => void vi.useRealTimers())
}

const samplesOf = ({ db }: TestConsole) => db.select().from(rateSamples).orderBy(asc(rateSamples.at))

test('the currencies of the funding accounts and the dollar are sampled once a minute, with every rate of the service', async () => {
  const desk = await openDesk()
  const start = Date.now()
  for (const second of [0, 5, 30, 55, 60, 65, 110, 120]) {
    setClock(start + second * secondMs)
    await watchRates('sandbox')
  }
  const samples = await samplesOf(desk)
  expect([...new Set(samples.map(({ baseCurrency }) => baseCurrency))].sort()).toEqual(['HKD', 'USD'])
  const ofDollar = samples.filter(({ baseCurrency }) => baseCurrency === 'USD')
  expect(ofDollar.map(({ at }) => Math.round((at.getTime() - start) / secondMs))).toEqual([0, 60, 120])
  expect(Object.keys(ofDollar[0]?.rates ?? {}).sort()).toEqual(rateCurrencies.filter((code) => code !== 'USD').sort())
})

test('no request of a round takes the place of one that a person waits for', async () => {
  const desk = await openDesk()
  const requests: unknown[] = []
  desk.intercept.before = ({ url, headers }) => {
    if (url?.includes('/v1/'))
      requests.push([new URL(url, 'http://service.test').pathname.split('/').at(-1), headers.priority])
    return false
  }
  await watchRates('sandbox')
  expect(requests).toEqual([
    ['accounts', 'u=7'],
    ['rates', 'u=7'],
    ['rates', 'u=7'],
  ])
})

test('a rate is stored with every digit that the service sent', async () => {
  const desk = await openDesk()
  desk.intercept.before = (request, response) => {
    if (!request.url?.includes('/rates')) return false
    response.setHeader('content-type', 'application/json')
    response.end('{"baseCurrency":"IDR","rates":{"GBP":4.605855e-5,"USD":0.00006134922984,"HKD":0.000478}}')
    return true
  }
  await sampleRates('sandbox', 'IDR', 0)
  const [sample] = await samplesOf(desk)
  expect(sample?.rates).toEqual({ GBP: '0.00004605855', USD: '0.00006134922984', HKD: '0.000478' })
})

test('a turn taken by a clock that ran ahead does not block sampling', async () => {
  const desk = await openDesk()
  await desk.db
    .insert(rateReadings)
    .values({ environment: 'sandbox', baseCurrency: 'USD', askedAt: new Date(Date.now() + dayMs) })
  await sampleRates('sandbox', 'USD', minuteMs)
  expect(await samplesOf(desk)).toHaveLength(1)
})

test('the first sample of a minute is stored for 30 days, those between for 25 hours', async () => {
  const desk = await openDesk()
  const start = Math.ceil(Date.now() / minuteMs) * minuteMs
  for (const second of [0, 5, 59, 60, 61]) {
    setClock(start + second * secondMs)
    await sampleRates('sandbox', 'USD', 0)
    await sampleRates('sandbox', 'HKD', 0)
  }
  const left = async (afterMs: number) => {
    setClock(start + afterMs)
    await deleteExpired(desk.db, retentionRules)
    return (await samplesOf(desk))
      .filter(({ baseCurrency }) => baseCurrency === 'USD')
      .map(({ at }) => (at.getTime() - start) / secondMs)
  }
  expect(await left(25 * hourMs)).toEqual([0, 5, 59, 60, 61])
  expect(await left(25 * hourMs + 2 * minuteMs)).toEqual([0, 60])
  expect(await left(30 * dayMs)).toEqual([0, 60])
  expect(await left(30 * dayMs + 30 * secondMs)).toEqual([60])
  expect(await left(31 * dayMs)).toEqual([])
  expect(await desk.db.select().from(rateReadings)).toEqual([])
})

test('an unresponsive service leaves no sample, and the next round continues', async () => {
  const desk = await openDesk()
  await watchRates('sandbox')
  await desk.stopService()
  setClock(Date.now() + 2 * minuteMs)
  await watchRates('sandbox')
  expect(await samplesOf(desk)).toHaveLength(2)
  await desk.startService()
  setClock(Date.now() + 2 * minuteMs)
  await watchRates('sandbox')
  expect(await samplesOf(desk)).toHaveLength(4)
})

test('a rate that is not above 0 is left out and counted; an unknown currency and decimal text are stored', async () => {
  const desk = await openDesk()
  let body: unknown
  desk.intercept.before = (request, response) => {
    if (!request.url?.includes('/rates')) return false
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return true
  }
  const rates = { HKD: 7.8, EUR: '0.86', XAU: 1e-12, zzz: 2, GBP: null, JPY: 0, SGD: -1, PHP: 'much', INR: {}, USD: 1 }
  body = { rates, more: [] }
  await sampleRates('sandbox', 'USD', 0)
  const [sample] = await samplesOf(desk)
  expect(sample).toMatchObject({ excluded: 5 })
  expect(sample?.rates).toEqual({ HKD: '7.8', EUR: '0.86', XAU: '0.000000000001', zzz: '2' })
  for (const wrong of [null, {}, { rates: 'none' }, { rates: null }, { baseCurrency: 'EUR', rates: { HKD: 9 } }]) {
    body = wrong
    await expect(sampleRates('sandbox', 'USD', 0)).rejects.toMatchObject({ code: 'SERVICE_REFUSED' })
  }
  expect(await samplesOf(desk)).toHaveLength(1)
})

test('funding accounts without a currency do not block sampling the others', async () => {
  const desk = await openDesk()
  desk.intercept.before = (request, response) => {
    if (!request.url?.endsWith('/accounts')) return false
    const accounts = [{ id: 'A_1' }, { id: 'A_2', currency: 'HKD' }, { id: 'A_3', currency: 7 }, null]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ accounts }))
    return true
  }
  await watchRates('sandbox')
  expect((await samplesOf(desk)).map(({ baseCurrency }) => baseCurrency).sort()).toEqual(['HKD', 'USD'])
})

test('the rates of the sandbox are those of its own clock', async () => {
  const desk = await openDesk()
  await sampleRates('sandbox', 'USD', 0)
  const [sample] = await samplesOf(desk)
  const possible = [-5, 0, 5].map((second) =>
    rateAt(new Date((sample?.at.getTime() ?? 0) + second * secondMs), 'USD', 'HKD').toFixed(),
  )
  expect(possible).toContain(sample?.rates.HKD)
})
