import { AxeBuilder } from '@axe-core/playwright'
import type { EmbedObject } from '#lib/shared/embed-view.ts'
import type { HelpDeskPolicy } from '#lib/shared/help-desk-requests.ts'
import { setPolicy } from './approval-policy.ts'
import { expect, test } from './fixtures.ts'
import { helpDesk, helpDeskUrl, sign, url, viewIn } from './help-desk.ts'
import { issueCard, type ServiceCaller } from './service-caller.ts'

/* What an agent requests from the ticket of a help desk on another origin, and what the desk makes of it. */

const everything: HelpDeskPolicy = {
  lock: 'approval',
  replace: 'approval',
  waive: 'approval',
  'call-back': 'hand-over',
}

async function newCard(service: ServiceCaller): Promise<EmbedObject> {
  const { id, cardAccountId } = await issueCard(service)
  return { environment: 'sandbox', type: 'card', id, cardAccountId }
}

test.afterEach(() => setPolicy(url, []))

test('nothing but the frame itself sends a request: not its host, not a page that frames it, not another origin', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/CORS|connect-src|Content Security Policy|Failed to load|ERR_/i)
  await setPolicy(url, [], everything)
  const object = await newCard(service)
  const token = await sign(object, {
    creator: { kind: 'key', id: '5d1c7a52-0000-4000-8000-0000000000ee' },
    ticketOrigin: { agent: { name: 'Kim Lee', email: 'kim@help.example.com' }, ticket: '1' },
  })
  const search = new URLSearchParams({
    environment: 'sandbox',
    type: 'card',
    id: object.id,
    cardAccountId: object.cardAccountId ?? '',
  })
  const address = `${url}/api/embed/requests?${search}`
  const ask = () => ({ requestId: crypto.randomUUID(), kind: 'call-back', note: '' })
  // The host's page has the token: with it it asks as a script and as a form.
  await page.goto(helpDesk)
  for (const contentType of ['application/json', 'text/plain']) {
    const outcome = await page.evaluate(
      ([to, body, bearer, type, host]) =>
        fetch(to, {
          method: 'POST',
          headers: { authorization: `Bearer ${bearer}`, 'content-type': type, 'x-carddesk-host': host },
          body,
        }).then(
          ({ status }) => String(status),
          () => 'not sent',
        ),
      [address, JSON.stringify(ask()), token, contentType, helpDesk] as const,
    )
    expect(outcome, contentType).toBe('not sent')
  }
  const headers = { authorization: `Bearer ${token}`, 'x-carddesk-host': helpDesk, 'content-type': 'application/json' }
  for (const origin of [helpDesk, 'null', 'https://evil.example']) {
    const response = await page.request.post(address, { data: ask(), headers: { ...headers, origin } })
    expect(response.status(), origin).toBe(403)
  }
  expect((await page.request.get(address, { headers })).status()).toBe(405)
  expect((await page.request.post(address, { data: ask(), headers: { ...headers, origin: url } })).status()).toBe(201)
  // Its own page, opened or framed by anything else, has no token and draws no request.
  await page.goto(`${url}/embed`)
  await expect(page.locator('main')).toHaveText('This page is for help desks.')
  const policy = (await page.request.get(`${url}/embed`)).headers()['content-security-policy']
  expect(policy).toMatch(new RegExp(`frame-ancestors ${helpDesk}$`))
})

test('requests are accessible and not clipped at 280 px, in both languages and themes', async ({
  page,
  service,
}, testInfo) => {
  test.setTimeout(120_000)
  await setPolicy(url, [], everything)
  const object = await newCard(service)
  for (const [lang, theme, lock] of [
    ['en', 'light', 'Lock card'],
    ['zh-Hant', 'dark', '鎖卡'],
  ] as const) {
    await page.emulateMedia({ colorScheme: theme })
    // The help desk's page has 34 px around the view.
    await page.setViewportSize({ width: 314, height: 900 })
    await page.goto(helpDeskUrl(object, { lang, theme }))
    await viewIn(page).getByRole('button', { name: lock }).click()
    await expect(viewIn(page).getByRole('group')).toBeVisible()
    const frame = page.frames().at(-1)
    const overflow = await frame?.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, lang).toBeLessThanOrEqual(0)
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
      .analyze()
    expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => node.html) }))).toEqual([])
    await page.screenshot({ path: testInfo.outputPath(`form-${lang}.png`), fullPage: true })
  }
})
