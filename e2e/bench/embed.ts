import { chromium, type Browser } from 'playwright'
import { embedTypes, hasCardAccount, type EmbedObject } from '#lib/api/embed-view.ts'
import { findChromium } from '../browser.ts'
import { createServiceCaller, findCard, type ServiceCaller } from '../service-caller.ts'
import type { Desk } from './desk.ts'
import { kilobytes, time, type Figure } from './figure.ts'
import { toFigures, measure } from './live-screen.ts'

/** The headers of the responses count, too. */
const mostKilobytes = 20
const slowDown = 4
const mostMs = 1000
const extents = {
  whole: { types: embedTypes.length, visits: 5, changes: 12 },
  short: { types: 1, visits: 1, changes: 1 },
}
/** Between two changes: more than sixty in a minute are read later. */
const longestPauseMs = 2500

/**
 * The JavaScript that an embedded view of each type transfers, with the host page's `embed.js`; how long a view takes on a slow
 * machine; and how long a change takes until the frame shows it.
 */
export async function measureEmbeddedViews(desk: Desk): Promise<Figure[]> {
  const [server, browser] = [await desk.server(), await desk.browser()]
  const rounds = extents[desk.extent]
  const ids = await idsOf(createServiceCaller(server.access))
  const host = `http://embed.localhost:${server.port}`
  const figures: Figure[] = []
  for (const type of embedTypes.slice(0, rounds.types)) {
    const search = new URLSearchParams({ environment: 'sandbox', type, id: ids[type] })
    if (hasCardAccount(type)) search.set('cardAccountId', ids['card-account'])
    const bytes = await scriptBytes(browser, `${host}/?${search}`)
    figures.push(kilobytes(`JavaScript of the embedded view of a ${type}, transferred`, bytes, mostKilobytes))
  }
  const card = new URLSearchParams({
    environment: 'sandbox',
    type: 'card',
    id: ids.card,
    cardAccountId: ids['card-account'],
  })
  figures.push(await measureSlowly(`${host}/?${card}`, rounds.visits))
  return [...figures, ...(await measureChanges(desk, `${host}/?${card}`, ids))]
}

/** From the navigation of the host page until the view is shown, on a processor slowed down; the browser has nothing cached. */
async function measureSlowly(address: string, count: number): Promise<Figure> {
  // Host page and frame share a process then, which is the one that is slowed down.
  const args = ['--disable-site-isolation-trials', '--disable-features=IsolateOrigins,site-per-process', '--no-sandbox']
  const browser = await chromium.launch({ executablePath: findChromium(console.log), args })
  const times: number[] = []
  try {
    while (times.length < count) {
      const context = await browser.newContext()
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
      await page.addInitScript(() => {
        document.addEventListener('carddesk-shown', () => Reflect.set(window, 'shownMs', performance.now()))
      })
      await page.goto(address)
      const shown = await page.waitForFunction(() => Reflect.get(window, 'shownMs') as number | undefined)
      times.push((await shown.jsonValue()) ?? Number.NaN)
      await context.close()
    }
  } finally {
    await browser.close()
  }
  const median = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN
  return time(`embedded view of a card shown, ${slowDown} × slow-down, median of ${count}`, median, mostMs)
}

async function measureChanges(desk: Desk, address: string, ids: Record<string, string>): Promise<Figure[]> {
  const { access } = await desk.server()
  const page = await (await desk.browser()).newPage()
  const body = { cardAccountId: ids['card-account'], cardId: ids.card }
  const readings: Awaited<ReturnType<typeof measure>>[] = []
  try {
    await page.goto(address)
    await page
      .frameLocator('carddesk-view iframe')
      .getByText(/^Live · /)
      .waitFor()
    const frame = page.frames().at(-1)
    if (!frame) throw new Error('the page has no frame')
    for (let round = 0; round < extents[desk.extent].changes; round += 1)
      for (const path of ['/cards/lock', '/cards/unlock'])
        readings.push(await measure(frame, access, { path, body, element: '.status' }, longestPauseMs))
  } finally {
    await page.close()
  }
  return toFigures('the embedded view of the card', readings)
}

async function idsOf(service: ServiceCaller): Promise<Record<EmbedObject['type'], string>> {
  const { cardAccountId, cardId } = await findCard(service, 'active')
  const first = async (path: string, query: Record<string, string>, key: string) => {
    const { body } = await service.get(path, { pageSize: '1', ...query })
    const [found] = (body as Record<string, { id: string }[]>)[key] ?? []
    if (!found) throw new Error(`the seed has no ${key}`)
    return found.id
  }
  return {
    customer: cardAccountId,
    'card-account': cardAccountId,
    card: cardId,
    transaction: await first('/cardaccounts/transactions', { cardAccountId }, 'transactions'),
    payout: await first('/payouts', {}, 'payouts'),
  }
}

async function scriptBytes(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      if (request.resourceType() !== 'script') return
      sizes.push(
        request.sizes().then(({ responseHeadersSize, responseBodySize }) => responseHeadersSize + responseBodySize),
      )
    })
    await page.goto(address)
    await page
      .frameLocator('carddesk-view iframe')
      .getByText(/^Live · /)
      .waitFor()
    const bytes = await Promise.all(sizes)
    if (bytes.length === 0) throw new Error('no script was transferred')
    return bytes.reduce((sum, one) => sum + one, 0)
  } finally {
    await context.close()
  }
}
