import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { exactSum } from '#lib/contract/exact-sum.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { expect, expectLive, test } from './fixtures.ts'
import { openPalette } from './palette.ts'
import type { ServiceCaller } from './service-caller.ts'

type Payout = {
  id: string
  xid: string | null
  status: string
  subStatus: string | null
  sourceCurrency: string
  sourceAmount: number
  destinationCurrency: string
  destinationAmount: number
  cancellationReason: string | null
  destination: { accountHolderName: string }
}

/** The console reads the payouts again when somebody looks, five seconds after the last time; a page asks every fifteen. */
const soon = { timeout: 30_000 }

async function payoutsOf(service: ServiceCaller): Promise<Payout[]> {
  const { body } = await service.get('/payouts', { pageSize: '100' })
  return (body as { payouts: Payout[] }).payouts
}

function isGivenBack({ status }: Payout): boolean {
  return ['cancelled', 'failed'].includes(status)
}

async function payoutThatIs(service: ServiceCaller, status: string): Promise<Payout> {
  const found = (await payoutsOf(service)).find((payout) => payout.status === status)
  if (!found) throw new Error(`the seed has a payout that is ${status}`)
  return found
}

/** Submits a payout as the service's other callers do. The last digits of its account number choose how it ends. */
async function submit(service: ServiceCaller, accountNumber: string): Promise<Payout> {
  const { accounts } = (await service.get('/accounts')).body as { accounts: { id: string; currency: string }[] }
  const quote = await service.post('/payouts/quote', {
    method: 'BANK_TRANSFER',
    accountId: accounts.find(({ currency }) => currency === 'HKD')?.id,
    sourceCurrency: 'HKD',
    sourceAmount: 1234.5,
    destinationCountry: 'PH',
    destinationCurrency: 'PHP',
  })
  const { status, body } = await service.post('/payouts', {
    quoteId: (quote.body as { id: string }).id,
    destination: { accountNumber, firstName: 'Grace', surname: 'Reyes', address: '6780 Ayala Avenue, Makati 1226' },
    purpose: 'salary',
    sourceOfFunds: 'business',
    xid: `e2e-${randomUUID()}`,
  })
  expect(status).toBe(200)
  return body as Payout
}

async function openList(page: Page, search = ''): Promise<Locator> {
  await page.goto(`/sandbox/payouts${search}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Payouts' })).toBeVisible()
  return page.getByRole('table', { name: 'Payouts' }).getByRole('row')
}

async function openPayout(page: Page, { id }: Payout): Promise<void> {
  await page.goto(`/sandbox/payouts/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: /^Payout to/ })).toBeVisible()
}

/** The stop where the payout is now. */
function stopNow(page: Page): Locator {
  return page
    .getByRole('list', { name: 'Status so far' })
    .getByRole('listitem')
    .and(page.locator('[aria-current="step"]'))
}

function life(page: Page): Locator {
  return page.getByRole('list', { name: 'What happened' }).getByRole('listitem')
}

test.beforeEach(async ({ service, signIn }) => {
  await service.control.reset()
  await signIn('operations')
})

test('the list has every payout, amounts with sign and label, and an unknown value as sent', async ({
  page,
  service,
}) => {
  const payouts = await payoutsOf(service)
  const rows = await openList(page)
  await expect(page.getByText(`${payouts.length} payouts`)).toBeVisible(soon)
  await expect(rows).toHaveCount(payouts.length + 1)
  for (const [status, source, destination] of [
    ['requested', 'set aside', 'to be paid'],
    ['completed', 'debited', 'paid'],
    ['cancelled', 'returned', 'not paid'],
    ['under-recall', 'outcome unknown', 'outcome unknown'],
  ] as const) {
    const place = payouts.findIndex((payout) => payout.status === status)
    const { sourceAmount, sourceCurrency, destinationAmount, destinationCurrency } = payouts[place] as Payout
    const row = rows.nth(place + 1)
    await expect(row).toContainText(`${formatAmount(-sourceAmount, sourceCurrency)}${sourceCurrency}${source}`, soon)
    await expect(row).toContainText(
      `${formatAmount(destinationAmount, destinationCurrency, { signed: true })}${destinationCurrency}${destination}`,
    )
  }
  await expect(rows.filter({ hasText: 'under-recall' })).toHaveCount(1)
  await expect(rows.filter({ hasText: 'AWAITING_LOCAL_CLEARING_WINDOW' })).toHaveCount(1)
  const hkd = payouts.filter((one) => one.sourceCurrency === 'HKD')
  const left = exactSum(hkd.filter((one) => !isGivenBack(one)).map((one) => one.sourceAmount))
  const foot = page.getByText('This page, from accounts').locator('..')
  await expect(foot).toContainText(`${formatAmount(`-${left}`, 'HKD')}HKD`)
})

test('filters give exactly the matching payouts and totals, stay in the URL, and can be cleared', async ({
  page,
  service,
}) => {
  const payouts = await payoutsOf(service)
  const expected = payouts.filter((payout) => isGivenBack(payout) && payout.sourceCurrency === 'USD')
  const rows = await openList(page)
  await expect(rows.filter({ hasText: 'under-recall' })).toHaveCount(1, soon)
  await page.getByRole('button', { name: /^Status/ }).click()
  await expect(page.getByRole('menuitemcheckbox', { name: 'under-recall' })).toBeVisible()
  await page.getByRole('menuitemcheckbox', { name: 'Cancelled' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Failed' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Sent in' }).selectOption('USD')
  await expect(page.getByText(`${expected.length} match`)).toBeVisible()
  await expect(rows).toHaveCount(expected.length + 1)
  await expect(page.getByText('This page, from accounts').locator('..')).toContainText(`${formatAmount('0', 'USD')}USD`)
  await expect(page).toHaveURL(/status=cancelled,failed/)
  await page.reload()
  await expect(page.getByText(`${expected.length} match`)).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Sent in' })).toHaveValue('USD')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByText(`${payouts.length} payouts`)).toBeVisible()
})

test('amounts are sorted within one currency only, and the sort stays in the URL', async ({ page, service }) => {
  const pesos = (await payoutsOf(service)).filter(({ destinationCurrency }) => destinationCurrency === 'PHP')
  const amounts = pesos.map((one) => one.destinationAmount).toSorted((one, other) => other - one)
  const rows = await openList(page)
  const table = page.getByRole('table', { name: 'Payouts' })
  await expect(rows.filter({ hasText: 'under-recall' })).toHaveCount(1, soon)
  const header = table.getByRole('button', { name: 'To the beneficiary' })
  // Without a currency the header only says why. Were this click to sort, the next one would turn the order around.
  await expect(async () => {
    await header.blur()
    await header.focus()
    const hint = page.getByRole('tooltip', { name: 'Choose a currency to sort by amount' })
    await expect(hint).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await header.click()
  await page.getByRole('combobox', { name: 'Received in' }).selectOption('PHP')
  await expect(page).toHaveURL(/PHP/)
  await header.click()
  await expect(page).toHaveURL(/sort=-destinationAmount/)
  for (const [place, amount] of amounts.entries()) {
    await expect(rows.nth(place + 1)).toContainText(formatAmount(amount, 'PHP', { signed: true }))
  }
  await page.goto('/sandbox/payouts?sort=-destinationAmount&status=requested&dateRangeFrom=nonsense')
  await expect(page.getByText('Part of the address was not understood.')).toBeVisible()
  await expect(rows).toHaveCount(2)
})

test('/ searches, j and k walk the rows, Enter opens one; a card number is not searched for', async ({
  page,
  service,
}) => {
  const payouts = await payoutsOf(service)
  const rows = await openList(page)
  await expect(rows.nth(2)).toContainText(payouts[1]?.destination.accountHolderName ?? '', soon)
  const search = page.getByRole('searchbox', { name: 'Search payouts' })
  // The served page is there before it listens.
  await expect(async () => {
    await page.keyboard.press('/')
    await expect(search).toBeFocused({ timeout: 500 })
  }).toPass()
  await search.fill('4242 4242 4242 4242')
  await expect(page.getByText(/looks like a card number/)).toBeVisible()
  await expect(page).not.toHaveURL(/4242/)
  const [found] = payouts.filter(({ xid }) => xid !== null)
  await search.fill(found?.xid ?? '')
  await expect(rows).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(rows).toHaveCount(payouts.length + 1)
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await expect(rows.nth(1).getByRole('link')).toBeFocused()
  await page.keyboard.press('j')
  await expect(rows.nth(2).getByRole('link')).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  const name = payouts[0]?.destination.accountHolderName ?? ''
  await expect(page.getByRole('heading', { level: 1, name: `Payout to ${name}` })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/sandbox/payouts/${payouts[0]?.id}$`))
})

test('a payout that moves on while its page is open changes without a reload, and its life keeps every state', async ({
  page,
  service,
}) => {
  const payout = await submit(service, '004-123-456789')
  await openPayout(page, payout)
  await expect(stopNow(page)).toContainText('Requested')
  await page.evaluate(() => Reflect.set(window, 'isSamePage', true))
  await expectLive(page)
  await service.control.advanceClock('PT2M')
  await expect(stopNow(page)).toContainText('Processing')
  await expect(page.getByRole('main').getByText('on its way', { exact: true })).toBeVisible()
  await service.control.advanceClock('PT10M')
  await expect(stopNow(page)).toContainText('Completed')
  expect(await page.evaluate(() => Reflect.get(window, 'isSamePage') as boolean)).toBe(true)
  await expect(life(page)).toHaveCount(3)
  for (const [place, labels] of [
    ['Completed', 'Order completed', 'payout.updated'],
    ['Processing', 'Sent to bank', 'payout.updated'],
    ['Requested', 'Under AML review', 'payout.created'],
  ].entries()) {
    for (const label of labels) await expect(life(page).nth(place)).toContainText(label)
  }
  await life(page).last().getByRole('link', { name: 'payout.created' }).click()
  const delivery = page.getByRole('dialog')
  await expect(delivery.getByText(`"id": "${payout.id}"`)).toBeVisible()
  await delivery.getByRole('link', { name: /^Payout / }).click()
  await expect(stopNow(page)).toContainText('Completed')
})

test('a payout that somebody else submits appears in an open list by its event, and is cancelled there with its reason', async ({
  page,
  service,
}) => {
  const rows = await openList(page)
  await expect(rows.filter({ hasText: 'under-recall' })).toHaveCount(1, soon)
  await expectLive(page)
  const payout = await submit(service, '004-123-459001')
  const row = rows.filter({ hasText: payout.xid ?? '' })
  await expect(row).toContainText('Requested')
  await service.control.advanceClock('PT2M')
  await expect(row).toContainText('Cancelled')
  await expect(row).toContainText('returned')
  await row.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payout to Grace Reyes' })).toBeVisible()
  const [now] = (await payoutsOf(service)).filter(({ id }) => id === payout.id)
  await expect(page.getByText(`Why it was cancelled:${now?.cancellationReason}`)).toBeVisible()
  await expect(life(page).first()).toContainText(`Reason: ${now?.cancellationReason}`)
  await expect(page.getByRole('region', { name: 'Amounts' })).toContainText('returned')
})

test('an unknown status and sub-status are shown as sent and marked unknown', async ({ page, service }) => {
  await openPayout(page, await payoutThatIs(service, 'under-recall'))
  await expect(stopNow(page)).toContainText('under-recall')
  await expect(page.getByText('under-recall. Shown as the card service sent it.')).toBeVisible()
  const odd = (await payoutsOf(service)).find(({ subStatus }) => subStatus === 'AWAITING_LOCAL_CLEARING_WINDOW')
  await openPayout(page, odd as Payout)
  await expect(stopNow(page)).toContainText('Processing')
  await expect(page.getByText(/^AWAITING_LOCAL_CLEARING_WINDOW\. Unknown sub-status/)).toBeVisible()
})

test('the palette finds a payout by its external ID and leads to it', async ({ page, service }) => {
  const payout = (await payoutsOf(service)).find(({ xid }) => xid !== null)
  if (!payout?.xid) throw new Error('the seed has a payout with an external ID')
  await openList(page)
  await (await openPalette(page)).fill(payout.xid)
  await page.getByRole('option', { name: /^Payout to/ }).click()
  await expect(page).toHaveURL(new RegExp(`/sandbox/payouts/${payout.id}$`))
})

test('a person with the permission is offered a payout; others see why not', async ({ page, signIn }) => {
  await openList(page)
  await expect(page.getByRole('link', { name: 'New payout' })).toHaveAttribute('href', '/sandbox/payouts/new')
  await signIn('viewer')
  await openList(page)
  await expect(page.getByRole('button', { name: 'New payout' })).toBeDisabled()
  await expect(page.getByText('Only Operations and QA can do this.')).toBeVisible()
})

test('an unknown payout shows the not-found page', async ({ page, expectProblem }) => {
  expectProblem(/404/)
  for (const id of [randomUUID(), 'not-an-id']) {
    await page.goto(`/sandbox/payouts/${id}`)
    await expect(page.getByRole('heading', { level: 1, name: /not/i })).toBeVisible()
  }
})

const looks: { name: string; open: (page: Page, service: ServiceCaller) => Promise<void> }[] = [
  {
    name: 'the payouts, none matching',
    open: async (page) => {
      await openList(page, '?q=nobody-is-called-this')
      await expect(page.getByText('No payout matches these filters')).toBeVisible()
    },
  },
  {
    name: 'the choice of statuses',
    open: async (page) => {
      const rows = await openList(page, '?status=cancelled')
      await expect(rows.filter({ hasText: 'Cancelled' })).not.toHaveCount(0, soon)
      await page.getByRole('button', { name: /^Status/ }).click()
      await expect(page.getByRole('menu')).toBeVisible()
    },
  },
  {
    name: 'a cancelled payout',
    open: async (page, service) => openPayout(page, await payoutThatIs(service, 'cancelled')),
  },
  {
    name: 'a payout of an unknown status',
    open: async (page, service) => openPayout(page, await payoutThatIs(service, 'under-recall')),
  },
  {
    name: 'a payout under way',
    open: async (page, service) => openPayout(page, await payoutThatIs(service, 'processing')),
  },
]

for (const { name, open } of looks) {
  test(`${name}: axe finds nothing in any look, and nothing scrolls sideways`, async ({
    page,
    service,
    expectAccessibleInEveryLook,
  }) => {
    test.slow()
    await open(page, service)
    await expectAccessibleInEveryLook()
  })
}
