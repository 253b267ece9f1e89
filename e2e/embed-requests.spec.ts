import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from '@playwright/test'
import type { EmbedObject } from '#lib/api/embed-view.ts'
import type { HelpDeskPolicy } from '#lib/api/help-desk-requests.ts'
import { routes } from '#lib/shared/routes.ts'
import { setPolicy } from './approval-policy.ts'
import { takePicture } from './every-look.ts'
import { expect, test } from './fixtures.ts'
import { helpDesk, helpDeskUrl, sign, url, viewIn } from './help-desk.ts'
import { issueCard, type ServiceCaller } from './service-caller.ts'
import { signInByCookie } from './sign-in-by-cookie.ts'

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

/** Somebody at the desk, beside the agent. */
async function openDesk(browser: Browser, role: 'operations' | 'approver'): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: url })).newPage()
  await signInByCookie(page, role)
  return page
}

async function decide(page: Page, decision: 'Approve' | 'Decline', reason: string): Promise<void> {
  await page.getByRole('button', { name: `${decision}…` }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('textbox').fill(reason)
  await dialog.getByRole('button', { name: `${decision} request` }).click()
  await expect(dialog).toBeHidden()
}

test('an agent requests a lock and a new card, Operations decides in Carddesk, and the frame shows each outcome', async ({
  page,
  browser,
  service,
}) => {
  test.setTimeout(120_000)
  await setPolicy(url, [], everything)
  const object = await newCard(service)
  await page.goto(helpDeskUrl(object))
  const view = viewIn(page)
  const requests = view.getByRole('region', { name: 'Requests' })
  await requests.getByRole('button', { name: 'Lock card' }).click()
  const form = requests.getByRole('group', { name: 'Lock this card?' })
  await expect(form).toContainText('Nothing happens until Operations approves it.')
  await expect(form.getByLabel('Reason')).toBeFocused()
  await form.getByLabel('Reason').selectOption('Lost or stolen')
  await form.getByLabel('Note').fill('Lost it on the tram')
  // What is typed stays while the view is drawn again.
  await service.post('/cards/lock', { cardAccountId: object.cardAccountId, cardId: object.id })
  await expect(view.getByRole('region', { name: 'Status' })).toContainText('Locked')
  await service.post('/cards/unlock', { cardAccountId: object.cardAccountId, cardId: object.id })
  await expect(view.getByRole('region', { name: 'Status' })).toContainText('Active')
  await expect(form.getByLabel('Note')).toHaveValue('Lost it on the tram')
  await expect(form.getByLabel('Note')).toBeFocused()
  await takePicture(page, 'form')
  await form.getByRole('button', { name: 'Send request' }).click()
  await expect(requests.getByRole('listitem')).toContainText(/Lock card.*Ticket 1042 · Kim Lee .*Waits for approval/)
  await expect(requests.getByRole('button', { name: 'Lock card' })).toHaveCount(0)
  const replace = requests.getByRole('button', { name: 'Replace card' })
  await replace.click()
  await requests.getByRole('button', { name: 'Not now' }).click()
  await expect(replace).toBeFocused()
  await expect(view.getByText(/^Live · /)).toBeVisible()
  await replace.click()
  // Until the view shows the request, it is not offered again.
  const shown = Promise.withResolvers<void>()
  await page.route(/\/api\/embed\/view/, (route) => shown.promise.then(() => route.continue()).catch(() => undefined))
  await requests.getByRole('button', { name: 'Send request' }).click()
  await expect(requests.getByRole('group')).toContainText('Request sent')
  await expect(replace).toHaveCount(0)
  shown.resolve()
  await expect(requests.getByRole('listitem')).toHaveCount(2)
  await page.unrouteAll()
  await takePicture(page, 'waiting')

  const operator = await openDesk(browser, 'operations')
  await operator.goto(routes.approvals('sandbox'))
  const table = operator.getByRole('table', { name: 'Approvals' })
  await expect(table.getByRole('row').nth(1)).toContainText(/Kim Lee \(Demo help desk\)\s*Help desk, ticket 1042/)
  await takePicture(operator, 'approvals')
  await operator.goto(routes.overview('sandbox'))
  await operator.getByRole('listitem').filter({ hasText: 'Locks the card ending' }).getByRole('link').click()
  const effect = operator.getByRole('region', { name: 'Effect' })
  await expect(effect).toContainText('Ticket 1042: Lost it on the tram')
  await expect(effect).toContainText('Kim Lee (Demo help desk)')
  await operator.getByText('Technical details').click()
  await expect(operator.getByText(`"cardId":"${object.id}"`)).toBeVisible()
  await takePicture(operator, 'approval')
  await decide(operator, 'Approve', 'Called back')
  await expect(view.getByRole('region', { name: 'Status' })).toContainText('Locked')
  await expect(requests).toContainText('Approved and done')
  await operator.goto(routes.approvals('sandbox'))
  await operator.getByRole('table', { name: 'Approvals' }).getByRole('link').first().click()
  await decide(operator, 'Decline', 'The card was found')
  await expect(requests.getByRole('listitem').filter({ hasText: 'Replace card' })).toContainText(
    /The card was found\s*Declined/,
  )
  await takePicture(page, 'decided')
  await operator.context().close()
})

test('a lock at once, and a call back that Operations takes from its work', async ({ page, browser, service }) => {
  await setPolicy(url, [], { lock: 'immediate', 'call-back': 'hand-over' })
  const object = await newCard(service)
  await page.goto(helpDeskUrl(object))
  const view = viewIn(page)
  const requests = view.getByRole('region', { name: 'Requests' })
  await requests.getByRole('button', { name: 'Lock card' }).click()
  await expect(requests).toContainText('It happens at once.')
  await requests.getByRole('group').getByRole('button', { name: 'Lock card' }).click()
  await expect(view.getByRole('region', { name: 'Status' })).toContainText('Locked')
  await expect(requests.getByRole('listitem')).toContainText(/Lock card.*Done/)
  await requests.getByRole('button', { name: 'Call back' }).click()
  await requests.getByLabel('Note').fill('After 18:00')
  await requests.getByRole('button', { name: 'Send request' }).click()
  await expect(requests).toContainText('Waits for Operations')
  const operator = await openDesk(browser, 'operations')
  await operator.goto(routes.overview('sandbox'))
  const note = operator.getByRole('listitem').filter({ hasText: 'Call the customer back, ticket 1042. After 18:00' })
  await note.getByRole('button', { name: /^Take/ }).click()
  await expect(requests).toContainText('Taken by Operations')
  await operator.context().close()
})

test('a request that fails keeps its form, and is one however often it is sent', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/Failed to load resource|net::/)
  await setPolicy(url, [], everything)
  const object = await newCard(service)
  await page.goto(helpDeskUrl(object))
  const requests = viewIn(page).getByRole('region', { name: 'Requests' })
  const sent: string[] = []
  // The first response is lost after the request was made, the others come.
  await page.route('**/api/embed/requests?*', async (route) => {
    sent.push(route.request().postData() ?? '')
    if (sent.length > 1) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await requests.getByRole('button', { name: 'Call back' }).click()
  await requests.getByLabel('Note').fill('After 18:00')
  // A token that expired while the computer slept.
  await page.route('**/api/embed/view?*', (route) => route.fulfill({ status: 403, body: '' }), { times: 1 })
  const isRead = (status: number) =>
    page.waitForResponse((response) => response.url().includes('/api/embed/view?') && response.status() === status)
  const isRenewed = Promise.all([isRead(403), isRead(200)])
  await requests.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await isRenewed
  await expect(requests.getByLabel('Note')).toHaveValue('After 18:00')
  await requests.getByRole('button', { name: 'Send request' }).click()
  await expect(requests.getByRole('alert')).toHaveText('The request wasn’t sent. Try again.')
  await requests.getByRole('button', { name: 'Send request' }).click()
  await expect(requests.getByRole('group')).toHaveCount(0)
  expect(sent[1]).toBe(sent[0])
  await expect(requests.getByRole('listitem')).toHaveCount(1)
})

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

test('requests are accessible and not clipped at 280 px, in both languages and themes', async ({ page, service }) => {
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
    await takePicture(page, `form-${lang}`)
  }
})
