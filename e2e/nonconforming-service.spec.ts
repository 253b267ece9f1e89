import type { Page } from '@playwright/test'
import { endpointNames, endpointRow, type EndpointName } from '#lib/contract/endpoints.ts'
import { responseFields } from '#lib/contract/response-fields.ts'
import { shapeOptions } from '#lib/contract/sandbox.ts'
import { routes } from '#lib/shared/routes.ts'
import { openAction, dialog, openCard, readCardStatus } from './card-screen.ts'
import { readAccounts, chargeFee, readFees, openNewFee } from './fee-screen.ts'
import { expect, test } from './fixtures.ts'
import { isFull } from './full-run.ts'
import {
  actionKinds,
  fieldKinds,
  pageKinds,
  reported,
  type Fault,
  type PageKind,
  type Target,
} from './nonconforming-responses.ts'
import { confirmPayout, fillForm, getQuote, hongKong, readPayouts } from './payout-form.ts'
import { findCard, type ServiceCaller } from './service-caller.ts'
import { expectDone, toasts } from './toast.ts'

// The full form is long: its tests spread over the workers.
if (isFull) test.describe.configure({ mode: 'parallel' })

test.beforeEach(async ({ service }) => {
  await service.control.reset()
})

test.afterEach(async ({ service }) => {
  await service.control.disarmFaults()
})

/** In the short form null and one other kind for each page, so that together they try most kinds. */
function kindsFor(position: number, endpoint: EndpointName | undefined): readonly PageKind[] {
  const isPaged = endpoint && responseFields(endpointRow(endpoint)).some(({ path }) => path === 'nextPageToken')
  if (isFull) return pageKinds.filter(({ shape }) => isPaged || !shape?.endsWith('-token'))
  const [first, ...others] = pageKinds
  return [first, others[position % others.length]].filter((kind) => kind !== undefined)
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
  const [payout] = await readPayouts(service)
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
    fees: { url: routes.fees('sandbox'), target: { path: '/fees' }, endpoint: null },
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
    'open account, its positions': {
      url: routes.openAccount('sandbox'),
      target: { path: '/cardaccounts/positions' },
      endpoint: null,
    },
    identities: { url: routes.identity('sandbox'), target: { path: '/cardaccounts' }, endpoint: null },
    limits: { url: routes.limits('sandbox'), target: { path: '/cardaccounts' }, endpoint: null },
    receipt: { url: routes.payoutReceipt('sandbox', payout.id), target: { path: '/payouts' }, endpoint: '/payouts' },
    'new payout, its banks': {
      url: `${routes.newPayout('sandbox')}?country=HK&currency=HKD`,
      target: { path: '/payouts/HK/banks' },
      endpoint: null,
    },
    'new payout, its rate': {
      url: `${routes.newPayout('sandbox')}?country=HK&currency=HKD`,
      target: { path: '/rates', query: { baseCurrency: 'HKD' } },
      endpoint: null,
    },
    'banks of a country': {
      url: routes.banks('sandbox', { country: 'HK' }),
      target: { path: '/payouts/HK/banks' },
      endpoint: null,
    },
    'a bank': {
      url: routes.banks('sandbox', { wireCode: 'HSBCHKHH' }),
      target: { path: '/banks', query: { wireCode: 'HSBCHKHH' } },
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

/** Pages that only the full form opens. */
const fullScreens = [
  'identity case',
  'identities',
  'open account',
  'open account, its positions',
  'limits',
  'receipt',
  'new payout, its banks',
  'new payout, its rate',
  'banks of a country',
  'a bank',
]

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
  ...(isFull ? fullScreens : []),
]

/** The page is there, with its heading or with what went wrong, and nothing of it is still loading. */
async function expectShown(page: Page): Promise<void> {
  const main = page.locator('#main, main').first()
  await expect(main.getByRole('heading', { level: 1 }).or(main.getByRole('alert')).first()).toBeVisible()
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

/** How many amounts of 0.00 the page shows. */
async function zerosOn(page: Page): Promise<number> {
  return (await page.locator('body').innerText()).match(/(?<![\d.,])0\.00\b/g)?.length ?? 0
}

/** What only a defect of the page shows. */
const leaks = /\bNaN\b|\bundefined\b|(?<!\(|returned |Renamed\n)\bnull\b|Invalid Date|\[object Object\]|\b1970\b/

type Visit = { page: Page; service: ServiceCaller; screen: Screen; usualZeros: number }

/** Opens the page while its endpoint responds like this, and checks that it invents nothing. */
async function visit(
  { page, service, screen, usualZeros }: Visit,
  { title, fault, says, invents }: { title: string; fault: Fault; says: RegExp | null; invents: boolean },
): Promise<void> {
  const { path } = screen.target
  const armed = await service.control.armFault({ path, method: 'GET', times: 'always', background: true, ...fault })
  expect(armed.status, JSON.stringify(armed.body)).toBe(200)
  try {
    const response = await page.goto(screen.url)
    expect(response?.status(), title).toBeLessThan(500)
    await expectShown(page)
    if (says) await expect(page.locator('body'), title).toContainText(says)
    expect(await page.locator('body').innerText(), title).not.toMatch(leaks)
    if (!invents) expect(await zerosOn(page), `${title}: amounts of 0.00`).toBeLessThanOrEqual(usualZeros)
  } finally {
    await service.control.disarmFaults()
  }
}

/** Tries each case, so that one run shows all that is wrong. In the short form the first failure ends the test. */
async function tryEach<Case extends { title: string }>(
  cases: readonly Case[],
  attempt: (one: Case) => Promise<void>,
): Promise<void> {
  const failed: string[] = []
  for (const one of cases) {
    await test.step(one.title, async () => {
      if (!isFull) return attempt(one)
      await attempt(one).catch((error: unknown) => failed.push(reported(`${one.title}: ${String(error)}`)))
    })
  }
  expect(failed.join('\n\n')).toBe('')
}

/** What the service sends cannot be shown: the browser's own requests get a 502 or 503, and the browser logs them. */
function expectFailedReads(expectProblem: (pattern: RegExp) => void): void {
  expectProblem(/^50[23]: .*\/api\//)
  expectProblem(/^console error: Failed to load resource: .*\/api\//)
  expectProblem(/^console error: Failed to load resource: the server responded with a status of 404/)
}

/** Pages that read many records one by one, or page by page. */
const requestsPerVisit = 12

for (const [position, name] of screens.entries()) {
  test(`${name}: shows what a nonconforming service provides, and invents nothing`, async ({
    page,
    service,
    signIn,
    expectProblem,
  }) => {
    test.setTimeout(300_000)
    expectFailedReads(expectProblem)
    const screen = (await screensOf(service))[name]
    if (!screen) throw new Error(`there is no screen ${name}`)
    await signIn('operations')
    await page.goto(screen.url)
    await expectShown(page)
    const usualZeros = await zerosOn(page)
    const kinds = kindsFor(position, endpointAt(screen.target.path))
    const since = Date.now()
    await tryEach(kinds, async ({ title, fault, says, invents = true }) => {
      const nonconforming = await fault(service, screen.target)
      const sentence = screen.endpoint && says ? says(screen.endpoint) : null
      await visit({ page, service, screen, usualZeros }, { title, fault: nonconforming, says: sentence, invents })
    })
    if (!isFull) return
    const requests = await service.control.countRequests(screen.target.path, since)
    expect(requests, 'requests of all visits').toBeLessThanOrEqual(kinds.length * requestsPerVisit)
  })
}

const readingEndpoints = endpointNames.filter((name) => endpointRow(name).method === 'GET')

function endpointAt(path: string): EndpointName | undefined {
  return readingEndpoints.find((name) =>
    new RegExp(`^${endpointRow(name).path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
}

test('every endpoint that reads and every kind of fault has a page or an action', async ({ service }) => {
  const paths = Object.values(await screensOf(service)).map(({ target }) => target.path)
  const notOnPages: EndpointName[] = ['ping', 'getCardSensitiveInfo']
  const missing = readingEndpoints.filter(
    (name) => !notOnPages.includes(name) && !paths.some((path) => endpointAt(path) === name),
  )
  expect(missing).toEqual([])
  const tried = [...pageKinds, ...actionKinds].flatMap(({ shape }) => shape ?? [])
  expect(Object.keys(shapeOptions).filter((kind) => !tried.includes(kind))).toEqual([])
})

for (const name of isFull ? screens : []) {
  test(`${name}: shows the rest of records with nonconforming fields`, async ({
    page,
    service,
    signIn,
    expectProblem,
  }) => {
    test.setTimeout(300_000)
    expectFailedReads(expectProblem)
    const screen = (await screensOf(service))[name]
    const endpoint = screen && endpointAt(screen.target.path)
    if (!endpoint) throw new Error(`no endpoint is behind ${name}`)
    await signIn('operations')
    await page.goto(screen.url)
    await expectShown(page)
    const usualZeros = await zerosOn(page)
    await tryEach(fieldKinds(endpoint), async ({ title, fault }) => {
      const given = await fault(service, screen.target)
      await visit({ page, service, screen, usualZeros }, { title, fault: given, says: null, invents: true })
    })
  })
}

test('pages of records whose ids are no UUIDs open, and their actions reach the record', async ({
  page,
  service,
  signIn,
}) => {
  await service.control.setModes({ idForm: 'in-braces' })
  const { cardAccountId, cardId } = await findCard(service, 'active')
  const [payout] = await readPayouts(service)
  await signIn('operations')
  await page.goto(routes.cardAccount('sandbox', cardAccountId))
  await page
    .getByRole('link', { name: /ending/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: /^Card ending/ })).toBeVisible()
  await openCard(page, { cardAccountId: encodeURIComponent(cardAccountId), cardId: encodeURIComponent(cardId) })
  await openAction(page, 'Lock')
  await dialog(page).getByRole('button', { name: 'Lock card', exact: true }).click()
  await expectDone(page, 'Card locked')
  expect(await readCardStatus(service, { cardAccountId, cardId })).toBe('locked')
  await page.goto(routes.payout('sandbox', payout?.id ?? ''))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Page not found')).toHaveCount(0)
})

test('a card that the service says it locked, and did not, is not shown as locked', async ({
  page,
  service,
  signIn,
}) => {
  const ids = await findCard(service, 'active')
  await signIn('operations')
  await openCard(page, ids)
  await service.control.armFault({ path: '/cards/lock', shape: { kind: 'no-effect' }, times: 'always' })
  await openAction(page, 'Lock')
  await dialog(page).getByRole('button', { name: 'Lock card', exact: true }).click()
  await expectNotConfirmed(page)
  expect(await readCardStatus(service, ids)).toBe('active')
})

test('a fee that the service says it waived, and did not, is not shown as waived', async ({
  page,
  service,
  signIn,
}) => {
  const [account] = await readAccounts(service)
  if (!account) throw new Error('the seed has accounts')
  const fee = await chargeFee(service, account, 12)
  await signIn('operations')
  await openNewFee(page, fee)
  await service.control.armFault({ path: '/fees/waive', shape: { kind: 'no-effect' }, times: 'always' })
  await page.getByRole('button', { name: /^Waive… Fee · e2e-fee/ }).click()
  await dialog(page).getByLabel('Reason').selectOption({ label: 'Goodwill' })
  await dialog(page).getByRole('button', { name: 'Waive fee' }).click()
  await expectNotConfirmed(page)
  expect(await readFees(service, { feeId: fee.id })).toMatchObject([{ status: 'posted' }])
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
  const before = await readPayouts(service)
  await signIn('operations')
  await fillForm(page, hongKong)
  await getQuote(page, 'You send', '1250.5')
  await service.control.armFault({ path: '/payouts', method: 'POST', shape: { kind: 'no-effect' }, times: 'always' })
  await page.getByRole('button', { name: 'Submit…' }).click()
  await confirmPayout(page)
  await dialog(page).getByRole('button', { name: 'Submit payout' }).click()
  await expectNotConfirmed(page)
  expect(await readPayouts(service)).toHaveLength(before.length)
})

async function expectNotConfirmed(page: Page): Promise<void> {
  await expect(dialog(page).getByText(/^Not confirmed yet/)).toBeVisible({ timeout: 20_000 })
  await expect(toasts(page).getByText(/submitted|locked|set|waived/)).toHaveCount(0)
}
