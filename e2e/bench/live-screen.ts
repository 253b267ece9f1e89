import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Frame, Page } from 'playwright'
import { signRequest } from '#lib/signing/request-token.ts'
import type { ServiceAccess } from '../server.ts'
import { createServiceCaller, listCards, type ServiceCaller } from '../service-caller.ts'
import { signInByCookie } from '../sign-in-by-cookie.ts'
import type { Desk } from './desk.ts'
import { time, type Figure } from './figure.ts'

const extents = {
  whole: { cardCount: 16, chargedAccounts: 10, chargesEach: 4 },
  short: { cardCount: 1, chargedAccounts: 1, chargesEach: 1 },
}
type Counts = (typeof extents)['whole']
/** Between two changes, so that some come while the screen is still busy with the one before. */
const shortPauseMs = 600
/** An open screen: what a page loads at first is there. */
const settledMs = 1500
const mostMs = 300

/** A change by the service's own interface, and what has to show it: an element, or the row that links to `rowId`. */
type Change = { path: string; body: object } & ({ rowId: string } | { element: string })
/** Milliseconds of the page's own clock. */
type Reading = { bareMs: number; sentMs: number; respondedMs: number; shownMs: number }
type Card = { cardAccountId: string; cardId: string }

/**
 * The page itself calls the service by the signed interface and sees its row change, so that one clock measures both. The call
 * is sent before its event is delivered: what holds from there holds for the delivery too.
 */
export async function measureLiveScreen(desk: Desk): Promise<Figure[]> {
  const { url, access } = await desk.server()
  const page = await (await desk.browser()).newPage({ baseURL: url })
  await signInByCookie(page, 'viewer')
  const service = createServiceCaller(access)
  const counts = extents[desk.extent]
  return [
    ...toFigures('a card’s row on its account’s page', await lockCards(page, access, service, counts)),
    ...toFigures('an account’s row in the list', await chargeAccounts(page, access, service, counts)),
  ]
}

async function lockCards(
  page: Page,
  access: ServiceAccess,
  service: ServiceCaller,
  { cardCount }: Counts,
): Promise<Reading[]> {
  const readings: Reading[] = []
  for (const cards of await activeCards(service, cardCount)) {
    await open(page, `/sandbox/card-accounts/${cards[0]?.cardAccountId}`)
    for (const action of ['lock', 'unlock'])
      for (const card of cards)
        readings.push(await measure(page, access, { path: `/cards/${action}`, body: card, rowId: card.cardId }))
  }
  return readings
}

/** The active cards that the pages of accounts show, about `cardCount` in all, an account each. */
async function activeCards(service: ServiceCaller, cardCount: number): Promise<Card[][]> {
  const found: Card[][] = []
  for (const { id: cardAccountId } of await listAccounts(service)) {
    const shown = (await listCards(service, cardAccountId)).slice(0, 8)
    const active = shown.filter(({ status }) => status === 'active').map(({ id }) => ({ cardAccountId, cardId: id }))
    if (active.length > 0) found.push(active)
    if (found.flat().length >= cardCount) break
  }
  return found
}

async function chargeAccounts(
  page: Page,
  access: ServiceAccess,
  service: ServiceCaller,
  { chargedAccounts, chargesEach }: Counts,
): Promise<Reading[]> {
  await open(page, '/sandbox/card-accounts')
  const charges: Change[] = []
  for (const { id: cardAccountId, currency, available } of await listAccounts(service)) {
    const isShown = (await page.locator(`main a[href$="${cardAccountId}"]`).count()) > 0
    const card = (await listCards(service, cardAccountId)).find(({ status }) => status === 'active')
    if (!isShown || !card || available < 1000) continue
    const body = { cardAccountId, cardId: card.id, amount: 1, currency }
    charges.push({ path: '/cards/simulate-authorization', body, rowId: cardAccountId })
    if (charges.length === chargedAccounts) break
  }
  const readings: Reading[] = []
  for (let round = 0; round < chargesEach; round += 1)
    for (const charge of charges) readings.push(await measure(page, access, charge))
  return readings
}

async function listAccounts(service: ServiceCaller): Promise<{ id: string; currency: string; available: number }[]> {
  const { body } = await service.get('/cardaccounts', { pageSize: '100' })
  return (body as { cardaccounts: { id: string; currency: string; available: number }[] }).cardaccounts
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.locator('output[data-live="live"]').waitFor({ state: 'attached' })
  await delay(settledMs)
}

export async function measure(
  page: Page | Frame,
  access: ServiceAccess,
  { path, body, ...shown }: Change,
  longestPauseMs = shortPauseMs,
): Promise<Reading> {
  const { pathname } = new URL(`${access.baseUrl}${path}`)
  const text = JSON.stringify(body)
  const token = await signRequest({
    accessKey: access.accessKey,
    privateKey: createPrivateKey(readFileSync(access.privateKeyFile, 'utf8')),
    method: 'POST',
    uri: pathname,
    body: Buffer.from(text),
    now: Date.now() / 1000,
  })
  await delay(Math.random() * longestPauseMs)
  return page.evaluate(
    async ({ pathname, token, text, shown: { rowId, element = '' } }) => {
      const main = document.querySelector('main')
      const rowText = () =>
        (rowId ? main?.querySelector(`a[href$="${rowId}"]`)?.closest('li, tr') : main?.querySelector(element))
          ?.textContent
      const before = rowText()
      if (!main || !before) throw new Error(`the page has ${rowId ?? element}`)
      const shown = new Promise<number>((resolve, reject) => {
        const observer = new MutationObserver(() => {
          if (rowText() === before) return
          observer.disconnect()
          resolve(performance.now())
        })
        observer.observe(main, { subtree: true, childList: true, characterData: true })
        setTimeout(() => reject(new Error(`${rowId ?? element} does not change`)), 20_000)
      })
      const bareMs = performance.now()
      await (await fetch('/api/health')).text()
      const sentMs = performance.now()
      const response = await fetch(pathname, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: text,
      })
      const respondedMs = performance.now()
      if (response.status !== 200) throw new Error(`${pathname} returned ${response.status}`)
      return { bareMs, sentMs, respondedMs, shownMs: await shown }
    },
    { pathname, token, text, shown: { rowId: undefined, element: undefined, ...shown } },
  )
}

/** The bare handler is asked just before each change: how long it takes shows how busy the machine is with other things. */
export function toFigures(row: string, readings: readonly Reading[]): Figure[] {
  const bare = readings.map(({ bareMs, sentMs }) => sentMs - bareMs)
  const fromSent = readings.map(({ sentMs, shownMs }) => shownMs - sentMs)
  const fromResponse = readings.map(({ respondedMs, shownMs }) => Math.max(0, shownMs - respondedMs))
  const figure = (name: string, values: number[], share: number) => ({
    ...time(name, at(values, share), mostMs),
    reference: `${Math.round(at(bare, share))} ms bare handler`,
  })
  return [
    figure(`webhook’s cause sent → ${row} changed, median of ${readings.length}`, fromSent, 0.5),
    figure(`webhook’s cause sent → ${row} changed, p99`, fromSent, 0.99),
    figure(`webhook’s cause answered → ${row} changed, p99`, fromResponse, 0.99),
  ]
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
