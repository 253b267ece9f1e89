import { setTimeout } from 'node:timers/promises'
import type { Browser, Locator, Page } from 'playwright'
import { createServiceCaller, findCard, type ServiceCaller } from '../service-caller.ts'
import { signInByCookie, signInCookie } from '../sign-in-by-cookie.ts'
import type { Desk } from './desk.ts'
import { kilobytes, time, type Figure } from './figure.ts'
import { filled } from './scale-lists.ts'

const slowDown = 4
const extents = { whole: { visitsEach: 2, haste: 1 }, short: { visitsEach: 1, haste: 10 } }
const mostLcpMs = 1000
const mostInpMs = 100
const mostCls = 0.01
/** What a page loads at first is there, and what it does then is done. */
const settledMs = 1500

/** In short: a page for each thing that is done. */
const oneOfEach = ['sign-in', 'overview', 'card accounts', 'fees', 'new payout', 'webhooks']

/** A page, and what somebody does on it at once: each step is one interaction or more. */
type Place = { name: string; path: string; act: (page: Page, pause: Pause) => Promise<void> }
/** Between two steps, as a person pauses; in short a tenth of it. */
type Pause = (ms: number) => Promise<void>
type Reading = { name: string; scriptBytes: number; lcpMs: number; cls: number; inpMs: number }

/**
 * Each page in a browser context of its own, on a processor that is four times slower: what it transfers, when its largest
 * part is painted, how much moves about, and how long the slowest interaction takes to be painted; the slower of two
 * visits, since the server and the browser share the machine.
 */
export async function measurePages(desk: Desk): Promise<Figure[]> {
  const [server, browser] = [await desk.server(), await desk.browser()]
  const { visitsEach, haste } = extents[desk.extent]
  const pause: Pause = (ms) => setTimeout(ms / haste)
  // Until then pages show figures that change as they are read.
  await filled(server)
  const cookie = await signInCookie(server.url, 'operations')
  const readings: Reading[] = []
  for (const place of await placesOf(createServiceCaller(server.access))) {
    if (desk.extent === 'short' && !oneOfEach.includes(place.name)) continue
    // A server that has just been started makes its first pages slowly; that is no work of the browser.
    await (await fetch(`${server.url}${place.path}`, { headers: { cookie } })).arrayBuffer()
    const visits: Reading[] = []
    while (visits.length < visitsEach) visits.push(await visit(browser, server.url, place, pause))
    const reading = slowestOf(visits)
    readings.push(reading)
    print(reading)
  }
  return figuresOf(readings)
}

async function placesOf(service: ServiceCaller): Promise<Place[]> {
  const { cardAccountId, cardId } = await findCard(service, 'active')
  const account = `/sandbox/card-accounts/${cardAccountId}`
  const { body } = await service.get('/payouts')
  const [payout] = (body as { payouts: { id: string }[] }).payouts
  return [
    { name: 'sign-in', path: '/sign-in', act: (page) => page.keyboard.press('Tab') },
    { name: 'overview', path: '/sandbox', act: usePalette },
    { name: 'card accounts', path: '/sandbox/card-accounts', act: typeInSearch },
    { name: 'card account', path: account, act: (page, pause) => openDialog(page, pause, /^Actions on card ending/) },
    { name: 'card', path: `${account}/cards/${cardId}`, act: (page, pause) => openDialog(page, pause, 'Lock') },
    { name: 'limits', path: '/sandbox/card-accounts/limits', act: usePalette },
    { name: 'fees', path: '/sandbox/fees', act: chooseAll },
    { name: 'payouts', path: '/sandbox/payouts', act: typeInSearch },
    { name: 'payout', path: `/sandbox/payouts/${payout?.id}`, act: usePalette },
    { name: 'new payout', path: '/sandbox/payouts/new?country=HK&currency=HKD', act: typeInForm },
    { name: 'rates', path: '/sandbox/rates', act: usePalette },
    { name: 'banks', path: '/sandbox/banks?country=HK', act: usePalette },
    { name: 'funding accounts', path: '/sandbox/funding-accounts', act: usePalette },
    { name: 'bulk jobs', path: '/sandbox/bulk-jobs', act: usePalette },
    { name: 'webhooks', path: '/sandbox/webhooks', act: (page, pause) => openDialog(page, pause, 'Add webhook') },
    { name: 'event inbox', path: '/sandbox/webhooks/inbox', act: usePalette },
    { name: 'audit', path: '/sandbox/audit', act: usePalette },
  ]
}

/** Finding something is work for the page's own thread: it is done before the press, which is at a place. */
async function press(page: Page, pause: Pause, target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error('what is pressed is on the screen')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await pause(300)
  // About as long as a finger holds a key.
  await page.mouse.down()
  await pause(80)
  await page.mouse.up()
  await pause(500)
}

async function usePalette(page: Page, pause: Pause): Promise<void> {
  await page.keyboard.press('Control+k')
  await pause(800)
  await page.keyboard.type('fees', { delay: 120 })
  await page.keyboard.press('Escape')
}

async function typeInSearch(page: Page, pause: Pause): Promise<void> {
  await page.keyboard.press('/')
  await page.keyboard.type('chan', { delay: 120 })
  await pause(1000)
  await press(page, pause, page.getByRole('button', { name: 'Columns and density' }))
}

async function openDialog(page: Page, pause: Pause, name: string | RegExp): Promise<void> {
  await press(page, pause, page.getByRole('button', { name }).first())
  await page.keyboard.press('Escape')
}

async function chooseAll(page: Page, pause: Pause): Promise<void> {
  const boxes = page.getByRole('checkbox', { name: /^Choose/ })
  for (const at of [1, 2, 0]) await press(page, pause, boxes.nth(at))
  await press(page, pause, page.getByRole('button', { name: /^Waive \d+…$/ }))
}

async function typeInForm(page: Page, pause: Pause): Promise<void> {
  await press(page, pause, page.getByLabel('First name', { exact: true }))
  await page.keyboard.type('Maria', { delay: 120 })
}

async function visit(browser: Browser, url: string, { name, path, act }: Place, pause: Pause): Promise<Reading> {
  const context = await browser.newContext({ baseURL: url })
  try {
    const page = await context.newPage()
    if (name !== 'sign-in') await signInByCookie(page, 'operations')
    const scripts = new Map<string, number>()
    const client = await context.newCDPSession(page)
    await client.send('Network.enable')
    await client.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
    client.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Script') scripts.set(requestId, 0)
    })
    client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) scripts.set(requestId, encodedDataLength)
    })
    await page.addInitScript(observe)
    await page.goto(path)
    await pause(settledMs)
    const scriptBytes = [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0)
    const { lcpMs, cls } = await page.evaluate(readObserved)
    await act(page, pause)
    await pause(500)
    const { inpMs } = await page.evaluate(readObserved)
    return { name, scriptBytes, lcpMs, cls, inpMs }
  } finally {
    await context.close()
  }
}

type Observed = { lcpMs: number; cls: number; inpMs: number }

/** Runs in the page: the browser's own figures, as they come. */
function observe(): void {
  const observed: Observed = { lcpMs: 0, cls: 0, inpMs: 0 }
  Reflect.set(window, 'observed', observed)
  const watch = (type: string, take: (entry: PerformanceEntry) => void) => {
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(take))
    observer.observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
  }
  watch('largest-contentful-paint', ({ startTime }) => (observed.lcpMs = startTime))
  watch('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
    if (!hadRecentInput) observed.cls += value
  })
  watch('event', (entry) => {
    const { interactionId } = entry as PerformanceEntry & { interactionId: number }
    if (interactionId > 0) observed.inpMs = Math.max(observed.inpMs, entry.duration)
  })
}

function readObserved(): Observed {
  return Reflect.get(window, 'observed') as Observed
}

function print({ name, scriptBytes, lcpMs, cls, inpMs }: Reading): void {
  const figures = [`LCP ${Math.round(lcpMs)} ms`, `INP ${inpMs} ms`, `CLS ${cls.toFixed(3)}`]
  console.log(`  ${name.padEnd(18)}${Math.round(scriptBytes / 1000)} kB  ${figures.join('  ')}`)
}

function figuresOf(readings: readonly Reading[]): Figure[] {
  const signIn = readings.filter(({ name }) => name === 'sign-in')
  const others = readings.filter(({ name }) => name !== 'sign-in')
  const heaviest = worst(others, 'scriptBytes')
  const [lcp, cls, inp] = [worst(readings, 'lcpMs'), worst(readings, 'cls'), worst(readings, 'inpMs')]
  const slow = `at ${slowDown} × CPU slow-down`
  return [
    kilobytes('JavaScript of the sign-in page, transferred', worst(signIn, 'scriptBytes').scriptBytes, 140),
    kilobytes(`JavaScript of the heaviest page (${heaviest.name}), transferred`, heaviest.scriptBytes, 230),
    time(`largest paint ${slow}, the slowest page (${lcp.name})`, lcp.lcpMs, mostLcpMs),
    time(`interaction to paint ${slow}, the slowest page (${inp.name})`, inp.inpMs, mostInpMs),
    {
      figure: `layout shift ${slow}, the worst page (${cls.name})`,
      measured: cls.cls.toFixed(3),
      reference: '–',
      ratio: '–',
      bar: `≤ ${mostCls}`,
      isReached: cls.cls <= mostCls,
    },
  ]
}

function slowestOf(visits: readonly Reading[]): Reading {
  const most = (of: Exclude<keyof Reading, 'name'>) => Math.max(...visits.map((visit) => visit[of]))
  return {
    name: visits[0]?.name ?? '',
    scriptBytes: most('scriptBytes'),
    lcpMs: most('lcpMs'),
    cls: most('cls'),
    inpMs: most('inpMs'),
  }
}

function worst(readings: readonly Reading[], of: Exclude<keyof Reading, 'name'>): Reading {
  const [first, ...rest] = readings
  if (!first) throw new Error('there is a reading')
  return rest.reduce((found, reading) => (reading[of] > found[of] ? reading : found), first)
}
