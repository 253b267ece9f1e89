import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { embedObjectPath, embedTypes, hasCardAccount, type EmbedObject } from '#lib/api/embed-view.ts'
import { routes } from '#lib/shared/routes.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { takePicture } from './every-look.ts'
import { expect, test } from './fixtures.ts'
import { helpDesk, helpDeskUrl, sign, url, viewIn } from './help-desk.ts'
import { findCard, type ServiceCaller } from './service-caller.ts'

/* Embedded views, from a second origin: the demo's help desk, and pages that the tests put there. */

const ask = 'Reload the page. If that doesn’t help, ask your Carddesk administrator.'
const refusal = `Carddesk refused this view. ${ask}`
/** As they are transferred, with the host page's own. */
const mostScriptBytes = 16_500

async function findObject(service: ServiceCaller): Promise<EmbedObject> {
  const { cardAccountId, cardId } = await findCard(service, 'active')
  return { environment: 'sandbox', type: 'card', id: cardId, cardAccountId }
}

/** The help desk without its token provider: its page lists the events that ask for a token. */
async function openHost(page: Page, object: EmbedObject): Promise<void> {
  await page.goto(`${helpDesk}/?type=`)
  await page.evaluate(({ environment, type, id }) => {
    const view = document.querySelector('carddesk-view') ?? document.body
    const reasons: string[] = []
    Reflect.set(window, 'reasons', reasons)
    view.addEventListener('carddesk-token-needed', (event) => reasons.push((event as CustomEvent).detail.reason))
    Reflect.set(view, 'tokenProvider', null)
    for (const [name, value] of Object.entries({ environment, type, id })) view.setAttribute(name, value)
  }, object)
  await expect.poll(() => reasonsOf(page)).toEqual(['missing'])
}

const reasonsOf = (page: Page) => page.evaluate(() => Reflect.get(window, 'reasons') as string[])

const giveToken = (page: Page, token: string) =>
  page.evaluate((given) => Reflect.set(document.querySelector('carddesk-view') ?? {}, 'token', given), token)

test('one click shows a card on a help desk’s page, live, with a link back to the console', async ({
  page,
  context,
  service,
  signIn,
}) => {
  const object = await findObject(service)
  await signIn('support')
  const sent = await page.goto(embedObjectPath(object))
  expect(await sent?.text(), 'the page arrives with the link, so that nothing moves').toContain('Preview embedded view')
  const opening = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Preview embedded view' }).click()
  const host = await opening
  expect(new URL(host.url()).origin).toBe(helpDesk)
  const view = viewIn(host)
  await expect(view.getByRole('heading', { level: 1 })).toHaveText(/^Card ending \d{4}$/)
  await expect(view.getByRole('region', { name: 'Status' })).toContainText('Active')
  const link = view.getByRole('link', { name: 'Open in Carddesk' })
  await expect(link).toHaveAttribute('href', embedObjectPath(object))
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  await service.post('/cards/lock', { cardAccountId: object.cardAccountId, cardId: object.id })
  await expect(view.getByRole('region', { name: 'Status' })).toContainText('Locked')
  await service.post('/cards/unlock', { cardAccountId: object.cardAccountId, cardId: object.id })
  await expect(view.getByRole('region', { name: 'Status' })).toContainText('Active')
  await host.goto(helpDesk)
  await expect(host.getByRole('complementary'), 'without an object').toContainText('Preview embedded view')
})

test('a customer is found by e-mail address or phone number, and leads to cards and declines and back', async ({
  page,
  service,
  signIn,
}) => {
  const { cardAccountId, cardId } = await findCard(service, 'active')
  const { body } = await service.get('/cards', { cardAccountId, cardId })
  const [{ cardEmail, mobile }] = (body as { cards: [{ cardEmail: string; mobile: string }] }).cards
  // A list of the console has the index read.
  await signIn('support')
  await page.goto(routes.cardAccounts('sandbox'))
  const requested: string[] = []
  page.on('request', (sent) => requested.push(sent.url()))
  for (const search of [{ email: cardEmail.toUpperCase() }, { phone: mobile.slice(4) }]) {
    const shown = new URLSearchParams({ environment: 'sandbox', type: 'customer' })
    await page.goto(`${helpDesk}/?${shown}`)
    await page.locator('carddesk-view').evaluate((view, named) => {
      Reflect.set(view, 'tokenProvider', (request: object) =>
        fetch('/token', { method: 'POST', body: JSON.stringify(request) }),
      )
      for (const [name, value] of Object.entries(named)) view.setAttribute(name, value)
    }, search)
    const view = viewIn(page)
    await expect(view.getByText(/^1 card account · found by/)).toBeVisible()
    const title = (await view.getByRole('heading', { level: 1 }).textContent()) ?? ''
    await view
      .getByRole('button', { name: /^Card ending/ })
      .first()
      .click()
    await expect(view.getByRole('heading', { level: 1 })).toHaveText(/^Card ending/)
    await expect(view.getByRole('heading', { level: 1 })).toBeFocused()
    await view.getByRole('definition').getByRole('button', { name: title }).click()
    await expect(view.locator('.kind')).toContainText('Card account')
    await view.getByRole('button', { name: /^Back to/ }).click()
    await view.getByRole('button', { name: /^Back to/ }).click()
    await expect(view.locator('.kind')).toContainText('Customer')
    await expect(view.getByRole('button', { name: /^Back to/ })).toHaveCount(0)
  }
  expect(requested.join(' ')).not.toContain(encodeURIComponent(cardEmail.toUpperCase()))
  expect(requested.join(' ')).not.toMatch(new RegExp(`${mobile.slice(4)}|@`))
})

test('a page that gives no token is told so by the view', async ({ page, service, expectProblem }) => {
  expectProblem(/Carddesk/)
  await page.clock.install()
  await openHost(page, await findObject(service))
  await page.clock.runFor(10_000)
  await expect(viewIn(page).locator('main')).toHaveText(`The help desk got no access to Carddesk. ${ask}`)
})

test('a customer who is not found is said, and nothing of the customer before stays', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/404/)
  const { cardAccountId } = await findCard(service, 'active')
  await page.goto(
    `${helpDesk}/?${new URLSearchParams({ environment: 'sandbox', type: 'customer', id: cardAccountId })}`,
  )
  await expect(viewIn(page).locator('.kind')).toContainText('Customer')
  await page.locator('carddesk-view').evaluate((view) => {
    view.removeAttribute('id')
    view.setAttribute('email', 'nobody@example.com')
  })
  await expect(viewIn(page).locator('main')).toHaveText('No customer was found in Carddesk.')
  await page.locator('carddesk-view').evaluate((view, id) => {
    view.removeAttribute('email')
    view.setAttribute('id', id)
  }, cardAccountId)
  await expect(viewIn(page).locator('.kind')).toContainText('Customer')
  await page.locator('carddesk-view').evaluate((view) => {
    view.removeAttribute('id')
    view.setAttribute('email', '')
  })
  await expect(viewIn(page).locator('main'), 'a ticket without an address').toHaveText(
    'No customer was found in Carddesk.',
  )
})

/** Has the page list the reasons of `carddesk-error`. */
const watchErrors = (page: Page) =>
  page.addInitScript(() => {
    const errors: string[] = []
    Reflect.set(window, 'errors', errors)
    document.addEventListener('carddesk-error', (event) => errors.push((event as CustomEvent).detail.reason))
  })
const errorsOf = (page: Page) => page.evaluate(() => Reflect.get(window, 'errors') as string[])

test('a record that does not exist and a refused token are said to agents and to the host page', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/404|403/)
  const object = await findObject(service)
  await watchErrors(page)
  await page.goto(helpDeskUrl({ ...object, id: '5d1c7a52-0000-4000-8000-00000000dead' }))
  await expect(viewIn(page).locator('main')).toHaveText('There is no such record in Carddesk.')
  await expect.poll(() => errorsOf(page)).toEqual(['not-found'])
  await openHost(page, object)
  await giveToken(page, await sign(object, { sealingKey: Buffer.alloc(32, 1) }))
  await expect(viewIn(page).locator('main')).toHaveText(refusal)
  await expect.poll(() => errorsOf(page)).toEqual(['refused'])
})

test('a help desk whose token requests are wrong is not told that its customer does not exist', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/400|INVALID_PARAMETERS/)
  await watchErrors(page)
  const response = { code: 'INVALID_PARAMETERS', message: 'origin must be in EMBED_ALLOWED_ORIGINS' }
  await page.route('**/token', (route) => route.fulfill({ status: 400, json: response }))
  const named = { environment: 'sandbox', type: 'customer', email: 'olive@example.com' }
  await page.goto(`${helpDesk}/?${new URLSearchParams({ environment: named.environment, type: named.type })}`)
  await page.locator('carddesk-view').evaluate((view, { email }) => {
    Reflect.set(view, 'tokenProvider', () => fetch('/token', { method: 'POST' }))
    view.setAttribute('email', email)
  }, named)
  await expect(viewIn(page).locator('main')).toHaveText(`The help desk got no access to Carddesk. ${ask}`)
  expect(await errorsOf(page)).toEqual(['refused'])
})

test('a host whose tokens are all refused is told so, and its developer what they have to name', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/403|Carddesk:/)
  const object = await findObject(service)
  await watchErrors(page)
  const explained = page.waitForEvent('console', (message) => message.text().includes('Carddesk:'))
  const token = await sign(object, { origin: 'https://other.example.com' })
  await page.route('**/token', (route) => route.fulfill({ status: 201, json: { token } }))
  await page.goto(helpDeskUrl(object))
  await expect.poll(() => errorsOf(page)).toEqual(['refused'])
  await expect(viewIn(page).locator('main')).toHaveText(refusal)
  expect((await explained).text()).toContain(helpDesk)
})

test('a view that Carddesk no longer answers says how old it is, and is live again afterwards', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/Failed to load resource|net::/)
  const object = await findObject(service)
  await watchErrors(page)
  await page.goto(helpDeskUrl(object))
  const view = viewIn(page)
  await expect(view.getByText(/^Live · /)).toBeVisible()
  await page.route('**/api/embed/view?*', (route) => route.abort())
  await expect(view.locator('.state')).toHaveText(
    /^Carddesk isn’t responding\. Trying again\. Data from .+, less than a minute ago$/,
    { timeout: 15_000 },
  )
  await expect(view.getByText('Live')).toHaveCount(0)
  await expect(view.getByRole('status')).toHaveText('The data may be out of date')
  expect(await errorsOf(page)).toEqual(['unreachable'])
  await page.unroute('**/api/embed/view?*')
  await expect(view.getByText(/^Live · /)).toBeVisible({ timeout: 20_000 })
  await expect(view.getByRole('status')).toHaveText('The data is live')
})

test('a view whose first read fails tells its host once that it is shown', async ({ page, service, expectProblem }) => {
  expectProblem(/Failed to load resource|net::/)
  const object = await findObject(service)
  await page.addInitScript(() => {
    const events: string[] = []
    Reflect.set(window, 'events', events)
    document.addEventListener('carddesk-shown', ({ type }) => events.push(type))
  })
  await page.route('**/api/embed/view?*', (route) => route.abort())
  await page.goto(helpDeskUrl(object))
  const view = viewIn(page)
  await expect(view.locator('main')).toHaveText('Carddesk isn’t responding. Trying again.')
  await page.unroute('**/api/embed/view?*')
  await expect(view.getByText(/^Live · /)).toBeVisible({ timeout: 20_000 })
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'events') as string[])).toEqual(['carddesk-shown'])
})

test('a page that may not show the view says so after a while, and names the setting to its developer', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/frame-ancestors|EMBED_ALLOWED_ORIGINS/)
  const object = await findObject(service)
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  await watchErrors(page)
  await page.goto(await startForeignSite())
  await page.addScriptTag({ url: `${url}/embed.js` })
  await page.evaluate(({ environment, type, id }) => {
    const view = document.createElement('carddesk-view')
    for (const [name, value] of Object.entries({ environment, type, id })) view.setAttribute(name, value)
    document.body.append(view)
  }, object)
  await expect(page.getByRole('status')).toHaveText(
    'Carddesk doesn’t allow this page to show it. Ask your Carddesk administrator.',
    { timeout: 20_000 },
  )
  expect(await errorsOf(page)).toEqual(['not-allowed'])
  expect(problems.join(' ')).toContain('EMBED_ALLOWED_ORIGINS')
})

test('other origins load the script with its digest, and as a module', async ({ page, request }) => {
  const script = readFileSync(path.join(import.meta.dirname, '..', 'public', 'embed.js'))
  const integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`
  for (const file of ['embed.js', 'embed.mjs']) {
    const headers = (await request.get(`/${file}`)).headers()
    expect(headers['access-control-allow-origin'], file).toBe('*')
    expect(headers['cross-origin-resource-policy'], file).toBe('cross-origin')
  }
  const foreign = await startForeignSite()
  await page.goto(foreign)
  await page.evaluate(
    ([src, digest]) =>
      new Promise((resolve, reject) => {
        const element = Object.assign(document.createElement('script'), { src, integrity: digest, crossOrigin: '' })
        element.addEventListener('load', resolve)
        element.addEventListener('error', reject)
        document.head.append(element)
      }),
    [`${url}/embed.js`, integrity],
  )
  await page.goto(foreign)
  const name = await page.evaluate(async (src) => {
    const { CarddeskView } = await import(src)
    return customElements.getName(CarddeskView)
  }, `${url}/embed.mjs`)
  expect(name).toBe('carddesk-view')
})

test('a frame is titled by its object, changes are announced, ids can be copied, and the link can be left out', async ({
  page,
  context,
  service,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const object = await findObject(service)
  await page.goto(helpDeskUrl(object))
  const view = viewIn(page)
  const heading = await view.getByRole('heading', { level: 1 }).textContent()
  await expect(page.locator('carddesk-view iframe')).toHaveAttribute('title', `Carddesk: c${heading?.slice(1)}`)
  await expect(view.getByText(/^Live · /)).toBeVisible()
  await expect(view.getByRole('status')).toHaveText('')
  await view.getByRole('button', { name: 'Copy Card ID' }).click()
  await expect(view.getByRole('status')).toHaveText('Card ID copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(object.id)
  await service.post('/cards/lock', { cardAccountId: object.cardAccountId, cardId: object.id })
  await expect(view.getByRole('status')).toHaveText(`${heading}: Locked`)
  await expect(view.getByRole('button', { name: 'Copy Card ID' }), 'drawn anew, it has the focus').toBeFocused()
  await service.post('/cards/unlock', { cardAccountId: object.cardAccountId, cardId: object.id })
  await expect(view.getByRole('status')).toHaveText(`${heading}: Active`)
  await expect(view.getByRole('link', { name: 'Open in Carddesk' })).toBeVisible()
  await page.locator('carddesk-view').evaluate((element) => element.setAttribute('no-link', ''))
  await expect(view.getByRole('link', { name: 'Open in Carddesk' })).toBeHidden()
})

test('the code that support copies shows the view on the host’s page, and leaves no token in its document', async ({
  page,
  context,
  service,
  signIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const object = await findObject(service)
  await signIn('support')
  await page.goto(embedObjectPath(object))
  await page.getByRole('button', { name: 'Embed…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Copy embed code' }).click()
  await expect(page.getByText('Embed code copied.')).toBeVisible()
  const code = await page.evaluate(() => navigator.clipboard.readText())
  expect(code).toContain(`<script src="${url}/embed.js" defer></script>`)
  const tokenFirst = code.replace(/(<carddesk-view)(.*)( token="[^"]+")/, '$1$3$2')
  expect(tokenFirst).not.toBe(code)
  for (const written of [code, tokenFirst]) {
    await page.goto(helpDesk)
    await page.evaluate((html) => {
      document.querySelector('carddesk-view')?.remove()
      document.querySelector('aside')?.insertAdjacentHTML('beforeend', html)
    }, written)
    await expect(viewIn(page).getByRole('heading', { level: 1 })).toHaveText(/^Card ending \d{4}$/)
    expect(await page.content()).not.toContain('eyJ')
  }
})

/** The HTML of a host in docs/embedding.md, for this console and object. */
function documentedHost(title: string, { id }: EmbedObject): string {
  const docs = readFileSync(path.join(import.meta.dirname, '..', 'docs', 'embedding.md'), 'utf8')
  const html = new RegExp(`## ${title}\\n[^]*?\`\`\`html\\n([^]*?)\`\`\``).exec(docs)?.[1] ?? ''
  return html
    .replaceAll('https://carddesk.example.com', url)
    .replaceAll('environment="production"', 'environment="sandbox"')
    .replace('id="…"', `id="${id}"`)
}

/** The page of the Zendesk app, with its script in it. */
function zendeskHost(): string {
  const read = (file: string) =>
    readFileSync(path.join(import.meta.dirname, '..', 'docs', 'examples', 'zendesk', 'assets', file), 'utf8')
  // As Zendesk serves it: the script runs once the page is there.
  const page = read('iframe.html').replace('<script src="app.js" defer></script>', '')
  return page.replace('</body>', `<script>{${read('app.js')}}</script></body>`).replace('<!doctype html>', '')
}

test.describe('hosts of the docs', () => {
  // The demo's help desk allows no scripts within its page, and these hosts take its place.
  test.use({ bypassCSP: true })

  test('the hosts that the docs describe for plain HTML and Zendesk show the view', async ({ page, service }) => {
    const object = await findObject(service)
    const requested: unknown[] = []
    // Its own script shares the names of a page that is written in its place.
    await page.route(`${helpDesk}/help-desk.js`, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
    const open = async (host: string, kind: RegExp) => {
      await page.goto(helpDesk)
      await page.evaluate((html) => {
        document.open()
        document.write(`<!doctype html><title>Host</title>${html}`)
        document.close()
      }, host)
      await expect(viewIn(page).locator('.kind')).toHaveText(kind)
    }
    await page.route(`${helpDesk}/carddesk-token`, async (route) => {
      requested.push(route.request().postDataJSON())
      await route.fulfill({ json: { token: await sign(object) } })
    })
    await open(documentedHost('Plain HTML', object), /^Card/)
    expect(requested).toEqual([{ environment: 'sandbox', type: 'card', id: object.id, reason: 'missing' }])

    const email = 'olive@example.com'
    await page.exposeFunction('createToken', (data: string) => {
      requested.push(JSON.parse(data))
      const customer = { cardAccountIds: [object.cardAccountId ?? ''], foundBy: 'email' as const }
      return sign({ ...object, type: 'customer', id: object.cardAccountId ?? '', cardAccountId: null }, { customer })
    })
    await page.route('https://static.zdassets.com/**', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `window.ZAFClient = { init: () => ({
          metadata: async () => ({ settings: { carddesk_url: '${url}', environment: 'sandbox', external_id_field: '' } }),
          get: async (names) => {
            const known = {
              'ticket.requester.email': '${email}',
              'currentUser.locale': 'zh-TW',
              'currentUser.timeZone': { ianaName: 'Asia/Taipei' },
            }
            return Object.fromEntries(names.map((name) => [name, known[name]]))
          },
          request: async ({ data }) => ({ token: await createToken(data) }),
          invoke: async (name, { height }) => { window.resizedTo = height },
        }) }`,
      }),
    )
    await open(zendeskHost(), /^客戶/)
    expect(requested[1]).toEqual({
      environment: 'sandbox',
      type: 'customer',
      email,
      reason: 'missing',
      origin: helpDesk,
    })
    const fits = () =>
      page.evaluate(() => {
        const { offsetHeight } = document.querySelector<HTMLElement>('carddesk-view') ?? document.body
        return offsetHeight > 160 && Reflect.get(window, 'resizedTo') === `${offsetHeight}px`
      })
    await expect.poll(fits).toBe(true)
  })
})

test.describe('a host whose Carddesk is down', () => {
  test.use({ bypassCSP: true })

  test('says so by the line that the docs give', async ({ page, expectProblem }) => {
    expectProblem(/Failed to load resource|net::/)
    const docs = readFileSync(path.join(import.meta.dirname, '..', 'docs', 'embedding.md'), 'utf8')
    const [line = ''] = /<script src=[^`]*onerror=[^`]*<\/script>/.exec(docs) ?? []
    await page.goto(helpDesk)
    await page.route('**/embed.js', (route) => route.abort())
    await page.evaluate(
      (html) => {
        document.open()
        document.write(`<!doctype html><title>Host</title><carddesk-view></carddesk-view>${html}`)
        document.close()
      },
      line.replace('https://carddesk.example.com', url),
    )
    await expect(page.locator('carddesk-view')).toHaveText('Carddesk isn’t responding.')
  })
})

test('the token of a view is renewed ahead of expiry in the same frame, which keeps what it shows', async ({
  page,
  service,
}) => {
  const object = await findObject(service)
  const created: string[] = []
  const used: string[] = []
  page.on('response', async (response) => {
    if (response.url().endsWith('/token')) created.push(((await response.json()) as { token: string }).token)
  })
  page.on('request', (request) => {
    if (request.url().includes('/api/embed/view')) used.push(request.headers().authorization ?? '')
  })
  await page.clock.install()
  await page.goto(helpDeskUrl(object))
  const heading = viewIn(page).getByRole('heading', { level: 1 })
  await expect(heading).toBeVisible()
  await heading.evaluate((element) => element.setAttribute('data-same', 'yes'))
  await page.clock.fastForward(9 * minuteMs + 1000)
  await expect.poll(() => created.length).toBe(2)
  await expect.poll(() => used.at(-1)).toBe(`Bearer ${created[1]}`)
  await expect(heading).toHaveAttribute('data-same', 'yes')
  expect([...used, page.url(), ...page.frames().map((frame) => frame.url())].join(' ')).not.toMatch(/[?#&][^ ]*eyJ/)
})

test('the frame is as high as its content: it grows and shrinks with the object, the width and the text', async ({
  page,
  service,
}) => {
  const object = await findObject(service)
  await page.setViewportSize({ width: 480, height: 900 })
  await page.goto(helpDeskUrl(object))
  await expect(viewIn(page).getByRole('heading', { level: 1 })).toBeVisible()
  const heights = () =>
    page.evaluate(() => document.querySelector('carddesk-view')?.shadowRoot?.querySelector('iframe')?.clientHeight ?? 0)
  const content = () =>
    viewIn(page)
      .locator('main')
      .evaluate((main) => Math.ceil(main.getBoundingClientRect().height))
  const fitted = async () => {
    await expect.poll(async () => (await heights()) - (await content())).toBe(0)
    return heights()
  }
  // The font changes the height once more.
  await viewIn(page)
    .locator('main')
    .evaluate(async () => void (await document.fonts.ready))
  const wide = await fitted()
  await page.setViewportSize({ width: 320, height: 900 })
  await expect.poll(fitted).toBeGreaterThan(wide)
  await page.setViewportSize({ width: 480, height: 900 })
  await expect.poll(fitted).toBe(wide)

  const main = viewIn(page).locator('main')
  await main.evaluate((element) => {
    const more = Object.assign(document.createElement('p'), { id: 'more', textContent: 'More' })
    more.style.height = '300px'
    element.append(more)
  })
  await expect.poll(fitted).toBeGreaterThan(wide + 290)
  await main.locator('#more').evaluate((element) => element.remove())
  await expect.poll(fitted).toBe(wide)

  await page.locator('carddesk-view').evaluate((view, id) => {
    view.setAttribute('type', 'card-account')
    view.setAttribute('id', id)
  }, object.cardAccountId ?? '')
  await expect(viewIn(page).getByRole('heading', { level: 1 })).not.toHaveText(/^Card ending/)
  await expect.poll(fitted).not.toBe(wide)
})

test('an expired token requests another from the host, and shows a message until it arrives', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/403/)
  const object = await findObject(service)
  await openHost(page, object)
  await giveToken(page, await sign(object, { now: new Date(Date.now() - 11 * minuteMs) }))
  await expect(viewIn(page).locator('main')).toHaveText(`This view has expired. ${ask}`)
  await expect.poll(() => reasonsOf(page)).toEqual(['missing', 'refused'])
  await giveToken(page, await sign(object))
  await expect(viewIn(page).getByRole('heading', { level: 1 })).toBeVisible()
})

test('a host that has no token shows a message for its agents, and the view as soon as there is one', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/503/)
  const object = await findObject(service)
  let responses = 0
  const explained = page.waitForEvent('console', (message) => message.text().includes('Carddesk:'))
  await page.route('**/token', (route) => ((responses += 1) > 1 ? route.continue() : route.fulfill({ status: 503 })))
  await page.goto(helpDeskUrl(object))
  await expect(viewIn(page).locator('main')).toHaveText(`The help desk got no access to Carddesk. ${ask}`)
  await expect(viewIn(page).getByRole('heading', { level: 1 })).toBeVisible()
  expect(responses).toBe(2)
  expect((await explained).text()).toBe('Carddesk: the token endpoint responds HTTP 503')
})

test('a forged token, one of another object and one of another origin show the same message, and nothing else', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/403/)
  const object = await findObject(service)
  await openHost(page, object)
  const other = { ...object, type: 'card-account' as const, id: object.cardAccountId ?? '', cardAccountId: null }
  const tokens = [
    await sign(object, { sealingKey: Buffer.alloc(32, 1) }),
    await sign(other),
    await sign(object, { origin: 'https://other.example.com' }),
  ]
  for (const token of tokens) {
    await giveToken(page, await sign(object))
    await expect(viewIn(page).getByRole('heading', { level: 1 })).toBeVisible()
    await viewIn(page)
      .locator('#news')
      .evaluate((news) => (news.textContent = 'Card ending 4242: Cancelled'))
    await giveToken(page, token)
    await expect(viewIn(page).locator('main')).toHaveText(refusal)
    await expect(viewIn(page).locator('#news')).toHaveText('')
  }
})

test.describe('messages of other windows and origins', () => {
  test('of other windows than the host’s and the view’s are ignored', async ({ page, service }) => {
    const object = await findObject(service)
    await page.goto(helpDeskUrl(object))
    await expect(viewIn(page).getByRole('heading', { level: 1 })).toBeVisible()
    const height = () => page.locator('carddesk-view iframe').evaluate((frame) => frame.clientHeight)
    const tokens: (string | undefined)[] = []
    page.on('request', (sent) => {
      if (sent.url().includes('/api/embed/view')) tokens.push(sent.headers().authorization)
    })
    await page.evaluate(() => {
      window.postMessage({ source: 'carddesk', kind: 'size', height: 9999 }, '*')
      document.body.append(document.createElement('iframe'))
    })
    await page
      .frames()
      .at(-1)
      ?.evaluate(() => {
        const view = window.parent.document.querySelector('carddesk-view')?.shadowRoot?.querySelector('iframe')
        const message = {
          source: 'carddesk-host',
          kind: 'show',
          token: 'x',
          environment: 'sandbox',
          type: 'card',
          id: 'x',
        }
        view?.contentWindow?.postMessage(message, '*')
      })
    // A message that counted would be read with its token before the view's own next poll.
    await expect.poll(() => tokens.length).toBeGreaterThan(0)
    expect(tokens).not.toContain('Bearer x')
    await expect(viewIn(page).getByRole('heading', { level: 1 })).toBeVisible()
    // The view sizes itself by its own text, which its polls change a little.
    expect(await height()).toBeLessThan(5000)
  })

  test.describe('where no policy keeps the other origin out', () => {
    test.use({ bypassCSP: true })

    test('a host ignores the view’s window once another origin is in it', async ({ page, service }) => {
      await page.goto(helpDeskUrl(await findObject(service)))
      await expect(viewIn(page).getByRole('heading', { level: 1 })).toBeVisible()
      const foreign = await startForeignSite()
      await page.evaluate((src) => {
        window.addEventListener(
          'message',
          ({ data }) => data.height === 9999 && Reflect.set(window, 'hasArrived', true),
        )
        document.querySelector('carddesk-view')?.shadowRoot?.querySelector('iframe')?.setAttribute('src', src)
      }, `${foreign}/`)
      await expect.poll(() => page.frames().at(-1)?.url()).toBe(`${foreign}/`)
      await page
        .frames()
        .at(-1)
        ?.evaluate(() => window.parent.postMessage({ source: 'carddesk', kind: 'size', height: 9999 }, '*'))
      await expect.poll(() => page.evaluate(() => Reflect.get(window, 'hasArrived'))).toBe(true)
      const height = page.locator('carddesk-view iframe').evaluate((frame) => frame.clientHeight)
      expect(await height).toBeLessThan(5000)
    })
  })

  test('a view ignores a host of another origin, also where no policy keeps that one from framing it', async ({
    page,
  }) => {
    await page.route(`${url}/embed`, async (route) => {
      const response = await route.fetch()
      const { 'content-security-policy': _, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    const tokens: (string | undefined)[] = []
    page.on('request', (sent) => {
      if (sent.url().includes('/api/embed/view')) tokens.push(sent.headers().authorization)
    })
    await page.goto(await startForeignSite())
    await page.evaluate((src) => {
      const frame = Object.assign(document.createElement('iframe'), { src })
      return new Promise((resolve) => {
        frame.addEventListener('load', resolve)
        document.body.append(frame)
      })
    }, `${url}/embed`)
    const view = page.frames().at(-1)
    expect(view?.url()).toBe(`${url}/embed`)
    await view?.evaluate(() => window.addEventListener('message', () => Reflect.set(window, 'hasArrived', true)))
    await page.evaluate(() => {
      const message = {
        source: 'carddesk-host',
        kind: 'show',
        token: 'x',
        environment: 'sandbox',
        type: 'card',
        id: 'x',
      }
      window.frames[0]?.postMessage(message, '*')
    })
    await expect.poll(() => view?.evaluate(() => Reflect.get(window, 'hasArrived'))).toBe(true)
    // What the message would have requested comes before this.
    await Promise.all([
      page.waitForRequest(/api\/health\/live/),
      view?.evaluate(() => fetch('/api/health/live').then(() => undefined)),
    ])
    expect(tokens).toEqual([])
  })
})

test('only allowed origins frame the view, and none frames a page of the console', async ({
  page,
  request,
  expectProblem,
}) => {
  expectProblem(/frame-ancestors|X-Frame-Options|ERR_BLOCKED_BY_RESPONSE/i)
  const headers = (await request.get('/embed')).headers()
  expect(headers['content-security-policy']).toMatch(new RegExp(`frame-ancestors ${helpDesk}$`))
  expect(headers['x-frame-options']).toBeUndefined()
  const isShown = async (host: string, framed: string) => {
    await page.goto(host)
    await page.evaluate((src) => {
      document.querySelector('iframe, carddesk-view')?.remove()
      return new Promise((resolve) => {
        const frame = Object.assign(document.createElement('iframe'), { src })
        frame.addEventListener('load', resolve)
        document.body.append(frame)
      })
    }, `${url}${framed}`)
    return page.frames().at(-1)?.url() === `${url}${framed}`
  }
  const foreign = await startForeignSite()
  expect(await isShown(helpDesk, '/embed')).toBe(true)
  expect(await isShown(foreign, '/embed')).toBe(false)
  for (const address of ['/sign-in', '/api/health', '/embed.js']) {
    expect(await isShown(helpDesk, address), address).toBe(false)
  }
})

/** A site of an origin that may not show views. It ends with the test's process. */
async function startForeignSite(): Promise<string> {
  const site = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Foreign</title>')
  })
  await once(site.listen(0, '127.0.0.1').unref(), 'listening')
  return `http://foreign.localhost:${(site.address() as AddressInfo).port}`
}

test('the help desk’s origin serves no page of the console, and no session opens embedded data', async ({
  page,
  signIn,
  service,
  expectProblem,
}) => {
  expectProblem(/404/)
  await page.goto(helpDesk)
  for (const address of ['/sandbox', '/api/health']) {
    expect(await page.evaluate(async (path) => (await fetch(path)).status, address), address).toBe(404)
  }
  await signIn('operations')
  const { environment, type, id } = await findObject(service)
  const search = new URLSearchParams({ environment, type, id })
  const read = await page.request.get(`/api/embed/view?${search}`, { headers: { 'x-carddesk-host': helpDesk } })
  expect(read.status()).toBe(403)
  expect((await page.request.post('/api/embed/tokens', { data: {} })).status()).toBe(401)
})

test('a view is accessible at 320 and 480 px in both themes, and transfers little JavaScript', async ({
  page,
  service,
}) => {
  test.setTimeout(120_000)
  const object = await findObject(service)
  let scriptBytes = 0
  page.on('requestfinished', async (request) => {
    if (request.resourceType() !== 'script') return
    scriptBytes += (await request.sizes()).responseBodySize
  })
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    for (const width of [320, 480]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(helpDeskUrl(object, { theme }))
      const view = viewIn(page)
      await expect(view.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(view.getByText(/^Live · /)).toBeVisible()
      const frame = page.frames().at(-1)
      const overflow = await frame?.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, `${theme}, ${width} px`).toBeLessThanOrEqual(0)
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
        .analyze()
      expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => node.html) }))).toEqual([])
    }
  }
  // The four pages together: from the second one on the browser has the scripts.
  await expect.poll(() => scriptBytes).toBeGreaterThan(1000)
  expect(scriptBytes).toBeLessThan(mostScriptBytes)
})

test('a view is in the language and time zone of its attributes, which may change', async ({
  page,
  context,
  service,
  expectProblem,
}) => {
  expectProblem(/is not a time zone/)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  const object = await findObject(service)
  await page.goto(helpDeskUrl(object, { lang: 'zh-HK', 'time-zone': 'Asia/Tokyo' }))
  const view = viewIn(page)
  await expect(view.getByRole('heading', { level: 1 })).toHaveText(/^尾號 \d{4} 的卡$/)
  await expect(view.locator('html')).toHaveAttribute('lang', 'zh-Hant-HK')
  await expect(view.getByRole('region', { name: '狀態' })).toContainText('有效')
  await expect(view.getByText(/^即時 · \d\d:\d\d:\d\d GMT\+9$/)).toBeVisible()
  await expect(view.getByRole('link', { name: '在 Carddesk 開啟' })).toBeVisible()
  await expect(page.locator('carddesk-view iframe')).toHaveAttribute('title', /^Carddesk: 尾號 \d{4} 的卡$/)
  await view.getByRole('button', { name: '複製卡編號' }).click()
  await expect(view.getByRole('status')).toHaveText('已複製卡編號')
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa']).analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
  await page.locator('carddesk-view').evaluate((element) => element.setAttribute('lang', 'fr'))
  await expect(view.getByRole('heading', { level: 1 })).toHaveText(/^Card ending \d{4}$/)
  await expect(view.getByText(/^Live · .* GMT\+9$/)).toBeVisible()
  await page.locator('carddesk-view').evaluate((element) => element.setAttribute('time-zone', 'Mars/Base'))
  await expect(view.getByText(/^Live · .* HKT$/)).toBeVisible()
  expect(problems.join(' ')).toContain('time-zone="Mars/Base" is not a time zone of the IANA database')
})

/** One object of each type: the card's account, its newest transaction, and a payout. */
async function findObjects(service: ServiceCaller): Promise<EmbedObject[]> {
  const { cardAccountId, cardId } = await findCard(service, 'active')
  const first = async (path: string, query: Record<string, string>, key: string) => {
    const { body } = await service.get(path, { pageSize: '1', ...query })
    return (body as Record<string, { id: string }[]>)[key]?.[0]?.id ?? ''
  }
  const ids = {
    customer: cardAccountId,
    'card-account': cardAccountId,
    card: cardId,
    transaction: await first('/cardaccounts/transactions', { cardAccountId }, 'transactions'),
    payout: await first('/payouts', {}, 'payouts'),
  }
  return embedTypes.map((type) => ({
    environment: 'sandbox',
    type,
    id: ids[type],
    cardAccountId: hasCardAccount(type) ? cardAccountId : null,
  }))
}

/** The texts of a document that are wider than their element or than the page, or have no room for a word. */
function findClippedTexts(): string[] {
  const withText = [...document.querySelectorAll('main *')].filter((element) =>
    [...element.childNodes].some(({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim()),
  )
  return withText
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      const isInline = getComputedStyle(element).display === 'inline'
      const isWider = !isInline && element.scrollWidth > element.clientWidth
      const isSqueezed = (element.textContent ?? '').length > 4 && width < 24
      return isWider || isSqueezed || left < 0 || right > innerWidth
    })
    .map((element) => `${element.className}: ${element.textContent}`)
}

test('no text is clipped at 280 px, in either language', async ({ page, service }) => {
  test.setTimeout(120_000)
  // The help desk's page has 34 px around the view.
  await page.setViewportSize({ width: 314, height: 900 })
  for (const object of await findObjects(service)) {
    for (const lang of ['en', 'zh-Hant']) {
      await page.goto(helpDeskUrl(object, { lang, 'time-zone': 'America/Argentina/Buenos_Aires' }))
      await expect(viewIn(page).getByText(/^(?:Live|即時) · /)).toBeVisible()
      const frame = page.frames().at(-1)
      expect(await frame?.evaluate(() => innerWidth)).toBe(280)
      expect(await frame?.evaluate(findClippedTexts), `${object.type}, ${lang}`).toEqual([])
      await takePicture(page, `${object.type}-${lang}`)
    }
  }
  const frame = page.frames().at(-1)
  await frame?.evaluate(() => {
    const text = Object.assign(document.createElement('p'), { textContent: '可用結餘'.repeat(20) })
    text.style.whiteSpace = 'nowrap'
    document.querySelector('main')?.append(text)
  })
  expect((await frame?.evaluate(findClippedTexts))?.join(' ')).toContain('可用結餘可用結餘')
})

test('an admin creates and revokes a key, which is shown once', async ({
  page,
  signIn,
  request,
  service,
  expectAccessibleInEveryLook,
}) => {
  const object = await findObject(service)
  const name = `Zendesk ${randomUUID().slice(0, 8)}`
  await signIn('admin')
  await page.goto('/settings/embedding')
  await page.getByRole('button', { name: 'Create key…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const secret = (await dialog.getByText(/^cde_/).textContent()) ?? ''
  await expect(dialog.getByRole('button', { name: 'Copy key' }), 'a second Enter keeps the key in sight').toBeFocused()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('Active')
  await expect(page.getByText(secret)).toBeHidden()
  const create = () =>
    request.post('/api/embed/tokens', {
      headers: { authorization: `Bearer ${secret}` },
      data: { ...object, origin: helpDesk },
    })
  expect((await create()).status()).toBe(201)
  await expectAccessibleInEveryLook()
  await page.getByRole('button', { name: `Revoke ${name}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('Revoked')
  expect((await create()).status()).toBe(401)
})
