import type { Page } from '@playwright/test'
import { routes } from '#lib/shared/routes.ts'
import { actionButton, dialog, openCard, statusOf } from './card-screen.ts'
import { accountsOf, chargeFee, feesOf, openFees } from './fee-screen.ts'
import { expect, test } from './fixtures.ts'
import { fillForm, getQuote, hongKong, payoutsOf } from './payout-form.ts'
import { findCard, type ServiceCaller } from './service-caller.ts'
import { toasts } from './toast.ts'

test.beforeEach(async ({ service }) => {
  await service.control.reset()
})

test.afterEach(async ({ service }) => {
  await service.control.disarmFaults()
})

type Fault = Omit<Parameters<ServiceCaller['control']['armFault']>[0], 'path'>
type Target = { path: string; query?: Record<string, string> }

/** The response of an endpoint with each value that is not an object or a list changed. */
function withValues(change: (key: string, value: unknown) => unknown) {
  const changed = (key: string, value: unknown): unknown => {
    // Metadata is shown as it was sent, whatever it holds.
    if (key === 'xmetadata') return value
    if (Array.isArray(value)) return value.map((item) => changed(key, item))
    if (typeof value !== 'object' || value === null) return key.endsWith('PageToken') ? null : change(key, value)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, changed(name, item)]))
  }
  return async (service: ServiceCaller, { path, query }: Target): Promise<Fault> => {
    const { body } = await service.get(path, { ...query, pageSize: '100' })
    return { shape: { kind: 'body', value: changed('', body) } }
  }
}

const codes = /^(status|subStatus|type|intent|method|entryType|accountType|disputeStatus|identityType|network)$/
const always = (fault: Fault) => async (): Promise<Fault> => fault

type Kind = {
  title: string
  fault: (service: ServiceCaller, target: Target) => Promise<Fault>
  /** What the page says of a response that it needs; null where the page shows the records. */
  says: ((path: string) => RegExp) | null
}

/** What a service sends in place of its usual response. `npm run e2e` checks some of them: see `kindsFor`. */
const kinds: Kind[] = [
  { title: 'null everywhere', fault: withValues((key, value) => (key === 'id' ? value : null)), says: null },
  {
    title: 'numbers as text',
    fault: withValues((_, value) => (typeof value === 'number' ? String(value) : value)),
    says: null,
  },
  {
    title: 'unknown codes',
    fault: withValues((key, value) => (codes.test(key) && value !== null ? 'SOMETHING_NEW' : value)),
    says: null,
  },
  {
    title: 'the list under another key',
    fault: always({ shape: { kind: 'list-key' } }),
    says: (path) => new RegExp(`GET ${path} returned .*"data"`),
  },
  {
    title: 'an HTML page',
    fault: always({ shape: { kind: 'html' } }),
    says: (path) => new RegExp(`GET ${path} returned an HTML page`),
  },
  { title: 'a 401', fault: always({ status: 401 }), says: () => /access key|credential|Authentication/i },
  { title: 'a 404', fault: always({ status: 404 }), says: () => /no such|not found|isn’t available on this service/i },
  {
    title: 'an empty 200',
    fault: always({ shape: { kind: 'body' } }),
    says: (path) => new RegExp(`GET ${path} returned an empty body`),
  },
  {
    title: 'a 204',
    fault: always({ shape: { kind: 'no-content' } }),
    says: (path) => new RegExp(`GET ${path} returned an empty body`),
  },
  { title: 'a redirect', fault: always({ shape: { kind: 'redirect' } }), says: () => /redirected/ },
  { title: 'a 403', fault: always({ status: 403 }), says: () => /\w/ },
  {
    title: 'numbers where text belongs',
    fault: withValues((key, value) => (typeof value === 'string' && key !== 'id' ? 17 : value)),
    says: null,
  },
  {
    title: 'ids in upper case',
    fault: withValues((key, value) => (/[iI]d$/.test(key) ? upper(value) : value)),
    says: null,
  },
]

function upper(value: unknown): unknown {
  return typeof value === 'string' ? value.toUpperCase() : value
}

const isFull = process.env.E2E_LOOKS === 'full' || process.env.SUITES === 'full'
/** Of a page that shows what the console read before, or a part of which the endpoint is. */
const fewKinds = new Set(['null everywhere', 'the list under another key', 'a 401'])

/** The first seven kinds for a page that cannot do without the endpoint, three of them for another one. */
function kindsFor({ endpoint }: Screen): Kind[] {
  if (isFull) return kinds
  return endpoint === null ? kinds.filter(({ title }) => fewKinds.has(title)) : kinds.slice(0, 7)
}

type Screen = {
  url: string
  target: Target
  /** The path in the contract, which an error names. Null where the page shows what the console read before. */
  endpoint: string | null
}

/** Every page with each endpoint that it reads. */
async function screensOf(service: ServiceCaller): Promise<Record<string, Screen>> {
  const ids = await findCard(service, 'active')
  const { cardAccountId } = ids
  const query = { cardAccountId }
  const { body } = await service.get('/cardaccounts/transactions', query)
  const [transaction] = (body as { transactions: { id: string }[] }).transactions
  const [payout] = await payoutsOf(service)
  if (!transaction || !payout) throw new Error('the seed has a payout, and the account a transaction')
  const account = routes.cardAccount('sandbox', cardAccountId)
  return {
    overview: { url: routes.overview('sandbox'), target: { path: '/cardaccounts' }, endpoint: null },
    'overview, its value': {
      url: routes.overview('sandbox'),
      target: { path: '/cardaccounts/aggregate-balance' },
      endpoint: null,
    },
    'card accounts': { url: routes.cardAccounts('sandbox'), target: { path: '/cardaccounts' }, endpoint: null },
    'card account': { url: account, target: { path: '/cardaccounts' }, endpoint: '/cardaccounts' },
    'card account, its cards': { url: account, target: { path: '/cards', query }, endpoint: '/cards' },
    'card account, its transactions': {
      url: `${account}?tab=transactions`,
      target: { path: '/cardaccounts/transactions', query },
      endpoint: null,
    },
    card: {
      url: routes.card('sandbox', cardAccountId, ids.cardId),
      target: { path: '/cards', query },
      endpoint: '/cards',
    },
    transaction: {
      url: routes.transaction('sandbox', cardAccountId, transaction.id),
      target: { path: '/cardaccounts/transactions', query },
      endpoint: '/cardaccounts/transactions',
    },
    fees: { url: routes.fees('sandbox'), target: { path: '/fees' }, endpoint: '/fees' },
    payouts: { url: routes.payouts('sandbox'), target: { path: '/payouts' }, endpoint: null },
    payout: { url: routes.payout('sandbox', payout.id), target: { path: '/payouts' }, endpoint: '/payouts' },
    'new payout': { url: routes.newPayout('sandbox'), target: { path: '/accounts' }, endpoint: null },
    'funding accounts': {
      url: routes.fundingAccounts('sandbox'),
      target: { path: '/accounts' },
      endpoint: '/accounts',
    },
    'funding accounts, their ledger': {
      url: routes.fundingAccounts('sandbox'),
      target: { path: '/accounts/transactions' },
      endpoint: null,
    },
    rates: { url: routes.rates('sandbox'), target: { path: '/rates', query: { baseCurrency: 'HKD' } }, endpoint: null },
    'identity case': {
      url: routes.identityCase('sandbox', cardAccountId),
      target: { path: '/cardaccounts/client-identity', query },
      endpoint: null,
    },
    'open account': {
      url: routes.openAccount('sandbox'),
      target: { path: '/cardaccounts/occupations' },
      endpoint: null,
    },
    webhooks: { url: routes.webhooks('sandbox'), target: { path: '/webhooks' }, endpoint: null },
    'webhooks, their statistics': {
      url: routes.webhooks('sandbox'),
      target: { path: '/webhooks/stats' },
      endpoint: null,
    },
  }
}

const screens = [
  'overview',
  'overview, its value',
  'card accounts',
  'card account',
  'card account, its cards',
  'card account, its transactions',
  'card',
  'transaction',
  'fees',
  'payouts',
  'payout',
  'new payout',
  'funding accounts',
  'funding accounts, their ledger',
  'rates',
  'webhooks',
  'webhooks, their statistics',
  ...(isFull ? ['identity case', 'open account'] : []),
]

/** The page is there, with its heading or with what went wrong, and nothing of it is still loading. */
async function expectShown(page: Page): Promise<void> {
  const main = page.locator('#main, main').first()
  await expect(main.getByRole('heading', { level: 1 }).or(main.getByRole('alert')).first()).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

/** With these a page shows no more amounts of 0.00 than usual. With unknown codes the sums of the known ones are of nothing. */
const withoutZeros = new Set(['null everywhere', 'numbers as text'])

/** How many amounts of 0.00 the page shows. */
async function zerosOn(page: Page): Promise<number> {
  return (await page.locator('body').innerText()).match(/(?<![\d.,])0\.00\b/g)?.length ?? 0
}

for (const name of screens) {
  test(`${name}: shows what an odd service provides, and invents nothing`, async ({
    page,
    service,
    signIn,
    expectProblem,
  }) => {
    test.setTimeout(180_000)
    // What the service sends cannot be shown: the browser's own requests get a 502 or 503, and the browser logs them.
    expectProblem(/^50[23]: .*\/api\//)
    expectProblem(/^console error: Failed to load resource: .*\/api\//)
    expectProblem(/^console error: Failed to load resource: the server responded with a status of 404/)
    const screen = (await screensOf(service))[name]
    if (!screen) throw new Error(`there is no screen ${name}`)
    await signIn('operations')
    await page.goto(screen.url)
    await expectShown(page)
    const usualZeros = await zerosOn(page)
    for (const { title, fault, says } of kindsFor(screen)) {
      await test.step(title, async () => {
        const { path } = screen.target
        const odd = await fault(service, screen.target)
        const armed = await service.control.armFault({ path, method: 'GET', times: 'always', background: true, ...odd })
        expect(armed.status, JSON.stringify(armed.body)).toBe(200)
        const response = await page.goto(screen.url)
        expect(response?.status(), title).toBeLessThan(500)
        await expectShown(page)
        if (screen.endpoint && says) await expect(page.locator('body'), title).toContainText(says(screen.endpoint))
        const text = await page.locator('body').innerText()
        expect(text, title).not.toMatch(/\bNaN\b|\bundefined\b|(?<!\()\bnull\b|Invalid Date|\[object Object\]|\b1970\b/)
        if (withoutZeros.has(title)) {
          expect(await zerosOn(page), `${title}: amounts of 0.00`).toBeLessThanOrEqual(usualZeros)
        }
        await service.control.disarmFaults()
      })
    }
  })
}

test('a card that the service says it locked, and did not, is not shown as locked', async ({
  page,
  service,
  signIn,
}) => {
  const ids = await findCard(service, 'active')
  await signIn('operations')
  await openCard(page, ids)
  await service.control.armFault({ path: '/cards/lock', shape: { kind: 'no-effect' }, times: 'always' })
  await actionButton(page, 'Lock').click()
  await dialog(page).getByRole('button', { name: 'Lock card', exact: true }).click()
  await expectNotConfirmed(page)
  expect(await statusOf(service, ids)).toBe('active')
})

test('a fee that the service says it waived, and did not, is not shown as waived', async ({
  page,
  service,
  signIn,
}) => {
  const [account] = await accountsOf(service)
  if (!account) throw new Error('the seed has accounts')
  const { id } = await chargeFee(service, account, 12)
  await signIn('operations')
  await openFees(page, '?intent=e2e-fee')
  await service.control.armFault({ path: '/fees/waive', shape: { kind: 'no-effect' }, times: 'always' })
  await page.getByRole('button', { name: /^Waive… Fee · e2e-fee/ }).click()
  await dialog(page).getByLabel('Reason').selectOption({ label: 'Goodwill' })
  await dialog(page).getByRole('button', { name: 'Waive fee' }).click()
  await expectNotConfirmed(page)
  expect(await feesOf(service, { feeId: id })).toMatchObject([{ status: 'posted' }])
})

test('a limit that the service refuses with a 200 is not shown as set', async ({ page, service, signIn }) => {
  const { body } = await service.get('/cardaccounts', { pageSize: '100' })
  const accounts = (body as { cardaccounts: { id: string; name: string; accountType: string }[] }).cardaccounts
  const account = accounts.find(({ accountType }) => accountType === 'credit')
  if (!account) throw new Error('the seed has a credit account')
  await signIn('operations')
  await page.goto(routes.cardAccount('sandbox', account.id))
  const shape = { kind: 'unsuccessful', error: 'Above the maximum of the program' }
  await service.control.armFault({ path: '/cardaccounts/fixed-limit', shape, times: 'always' })
  await page.getByRole('button', { name: 'Set limit…' }).click()
  await dialog(page).getByLabel('New limit').fill('98,765.40')
  await dialog(page).getByLabel('Reason').selectOption({ label: 'Credit review' })
  await dialog(page).getByRole('button', { name: 'Set limit' }).click()
  await expect(dialog(page).getByText(/Nothing was changed\./)).toBeVisible()
  await expect(dialog(page)).toContainText('Above the maximum of the program')
})

test('a payout that the service says it made, and did not, is not shown as submitted', async ({
  page,
  service,
  signIn,
}) => {
  const before = await payoutsOf(service)
  await signIn('operations')
  await fillForm(page, hongKong)
  await getQuote(page, 'You send', '1250.5')
  await service.control.armFault({ path: '/payouts', method: 'POST', shape: { kind: 'no-effect' }, times: 'always' })
  await page.getByRole('button', { name: 'Submit…' }).click()
  await dialog(page)
    .getByLabel(/^Type the last four digits/)
    .fill('6789')
  await dialog(page).getByRole('button', { name: 'Submit payout' }).click()
  await expectNotConfirmed(page)
  expect(await payoutsOf(service)).toHaveLength(before.length)
})

async function expectNotConfirmed(page: Page): Promise<void> {
  await expect(dialog(page).getByText(/^Not confirmed yet/)).toBeVisible({ timeout: 20_000 })
  await expect(toasts(page).getByText(/submitted|locked|set|waived/)).toHaveCount(0)
}
