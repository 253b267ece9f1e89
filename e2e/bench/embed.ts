import type { Browser } from 'playwright'
import { embedTypes, hasCardAccount, type EmbedObject } from '#lib/shared/embed-view.ts'
import { createServiceCaller, findCard, type ServiceCaller } from '../service-caller.ts'
import type { Desk } from './desk.ts'
import { kilobytes, type Figure } from './figure.ts'

/** The headers of the responses count, too. */
const mostKilobytes = 20

/** The JavaScript that an embedded view of each type transfers, with the host page's `embed.js`. */
export async function measureEmbeddedViews(desk: Desk): Promise<Figure[]> {
  const [server, browser] = [await desk.server(), await desk.browser()]
  const ids = await idsOf(createServiceCaller(server.access))
  const host = `http://embed.localhost:${server.port}`
  const figures: Figure[] = []
  for (const type of embedTypes) {
    const search = new URLSearchParams({ environment: 'sandbox', type, id: ids[type] })
    if (hasCardAccount(type)) search.set('cardAccountId', ids['card-account'])
    const bytes = await scriptBytes(browser, `${host}/?${search}`)
    figures.push(kilobytes(`JavaScript of the embedded view of a ${type}, transferred`, bytes, mostKilobytes))
  }
  return figures
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
