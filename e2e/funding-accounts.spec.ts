import type { Locator, Page } from '@playwright/test'
import { formatAmount } from '#lib/shared/currency.ts'
import { expect, test } from './fixtures.ts'
import type { ServiceCaller } from './service-caller.ts'

type Account = { id: string; name: string; currency: string; balance: number; available: number }
type Entry = {
  id: string
  intent: string
  intentId: string
  intentRefId: string
  status: string
  asset: string
  amount: number
  balance: number | null
  description: string
  fromAccountNumber: string
}

async function accountsOf(service: ServiceCaller): Promise<Account[]> {
  return ((await service.get('/accounts')).body as { accounts: Account[] }).accounts
}

async function entriesOf(service: ServiceCaller, query: Record<string, string> = {}): Promise<Entry[]> {
  const { body } = await service.get('/accounts/transactions', { pageSize: '100', ...query })
  return (body as { transactions: Entry[] }).transactions
}

function rowsOf(page: Page): Locator {
  return page.getByRole('table', { name: 'Account ledger' }).getByRole('row')
}

async function openLedger(page: Page, search = ''): Promise<void> {
  await page.goto(`/sandbox/funding-accounts${search}`)
  // Behind an entry that is opened by its URL the page is inert.
  await expect(page.getByRole('heading', { level: 1, name: 'Funding accounts', includeHidden: true })).toBeVisible()
}

test.beforeEach(async ({ service, signIn }) => {
  await service.control.reset()
  await signIn('viewer')
})

test('each account shows what it holds, and narrows the ledger to itself', async ({ page, service }) => {
  const accounts = await accountsOf(service)
  await openLedger(page)
  const tiles = page.getByRole('region', { name: 'Accounts', exact: true })
  for (const { name, currency, balance, available } of accounts) {
    const tile = tiles.getByRole('button', { name: new RegExp(`^${name}`) })
    await expect(tile).toContainText(`Available ${formatAmount(available, currency)}${currency}`)
    await expect(tile).toContainText(`Balance ${formatAmount(balance, currency)}${currency}`)
  }
  const [first] = accounts
  const entries = await entriesOf(service, { accountId: first?.id ?? '' })
  const tile = tiles.getByRole('button', { name: new RegExp(`^${first?.name}`) })
  await tile.click()
  await expect(page).toHaveURL(new RegExp(`accountId=${first?.id}`))
  await expect(tile).toHaveAttribute('aria-pressed', 'true')
  await expect(rowsOf(page)).toHaveCount(Math.min(20, entries.length) + 1)
  await tile.click()
  await expect(page).not.toHaveURL(/accountId=/)
})

test('an entry’s amount is signed, its balance is there once it is posted, and its payout is a link', async ({
  page,
  service,
}) => {
  await openLedger(page)
  await page.getByRole('columnheader', { name: 'Amount' }).getByRole('button').focus()
  await expect(page.getByRole('tooltip', { name: '+ came in (API: credit), − went out (API: debit)' })).toBeVisible()
  const entries = (await entriesOf(service)).slice(0, 20)
  await expect(rowsOf(page)).toHaveCount(entries.length + 1)
  for (const [index, { amount, asset, balance, status, intent, intentId }] of entries.entries()) {
    const row = rowsOf(page).nth(index + 1)
    await expect(row).toContainText(`${formatAmount(amount, asset, { signed: true })}${asset}`)
    const after =
      balance === null ? (status === 'void' ? '–' : 'not posted yet') : `${formatAmount(balance, asset)}${asset}`
    await expect(row).toContainText(after)
    const link = row.getByRole('link', { name: /^Payout/ })
    await expect(link).toHaveCount(intent === 'payout' ? 1 : 0)
    if (intent === 'payout') await expect(link).toHaveAttribute('href', `/sandbox/payouts/${intentId}`)
  }
})

test('filters give exactly the matching entries, stay in the URL, and pages turn', async ({ page, service }) => {
  await openLedger(page)
  await page.getByRole('combobox', { name: 'Intent' }).selectOption({ label: 'Top-up' })
  await expect(page).toHaveURL(/intent=topup/)
  await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Void' })
  const expected = await entriesOf(service, { intent: 'topup', status: 'void' })
  await expect(rowsOf(page)).toHaveCount(expected.length + 1)
  await expect(page).toHaveURL(/intent=topup/)
  await expect(page).toHaveURL(/status=void/)
  await page.reload()
  await expect(rowsOf(page)).toHaveCount(expected.length + 1)
  const days = page.getByRole('dialog', { name: 'Date' })
  await expect(async () => {
    await page.getByRole('button', { name: /^Date/ }).click()
    await expect(days).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await days.getByLabel('From').fill('01/02/2030')
  await expect(days.getByText('Not a date. Use YYYY-MM-DD.')).toBeVisible()
  await days.getByLabel('From').fill('2030-01-01')
  await expect(page.getByText('No entry matches these filters')).toBeVisible()
  await days.getByRole('button', { name: 'Last 7 days' }).click()
  await expect(days).toBeHidden()
  await expect(page).toHaveURL(/dateRangeFrom=\d{4}-\d\d-\d\d&dateRangeTo=\d{4}-\d\d-\d\d/)
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  const all = await entriesOf(service)
  await expect(page.getByText('1–20')).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText(`21–${Math.min(40, all.length)}`)).toBeVisible()
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect(page.getByText('1–20')).toBeVisible()
})

test('by keyboard: an entry opens whole with Enter, and the focus is back on its row afterwards', async ({
  page,
  service,
}) => {
  const [entry] = await entriesOf(service)
  await openLedger(page)
  const link = rowsOf(page).nth(1).getByRole('link').first()
  await expect(async () => {
    await page.keyboard.press('j')
    await expect(link).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog')
  await expect(drawer).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`open=${entry?.id}`))
  // A viewer sees the end of an account's number.
  await expect(drawer).toContainText(`•••• ${entry?.fromAccountNumber.slice(-4)}`)
  await expect(drawer).not.toContainText(entry?.fromAccountNumber ?? '')
  await expect(drawer).toContainText(entry?.description ?? '')
  await expect(drawer.getByTitle(entry?.intentRefId ?? '')).toBeVisible()
  await expect(drawer.getByText('No metadata is set.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(page).not.toHaveURL(/open=/)
  await expect(link).toBeFocused()
})

test('an unknown account in the URL is named as such, and the rest of the page works', async ({ page }) => {
  await openLedger(page, '?accountId=11111111-1111-4111-8111-111111111111')
  await expect(page.getByText('No entry matches these filters')).toBeVisible()
  await expect(page.getByText('This environment has no funding account with this ID.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^HKD operating account/ })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect(rowsOf(page)).toHaveCount(21)
})

test('the totals follow the filter: what an account has posted is its balance', async ({ page, service }) => {
  const totals = page.getByRole('region', { name: 'Totals' })
  for (const { id, currency, balance } of await accountsOf(service)) {
    await openLedger(page, `?accountId=${id}&status=posted`)
    const own = await entriesOf(service, { accountId: id, status: 'posted' })
    await expect(totals.getByRole('listitem')).toHaveCount(1)
    await expect(totals).toContainText(
      `Not void · ${own.length} entries${formatAmount(balance, currency, { signed: true })}${currency}`,
    )
  }
})

test('an amount, a currency and a text narrow the ledger, which is sorted by amount within one currency', async ({
  page,
  service,
}) => {
  const all = await entriesOf(service)
  const payout = all.find(({ intent }) => intent === 'payout')
  await openLedger(page, `?q=${payout?.intentId}`)
  const same = all.filter(({ intentId }) => intentId === payout?.intentId)
  await expect(rowsOf(page)).toHaveCount(same.length + 1)
  await openLedger(page, '?currency=HKD&amountFrom=50000&sort=-amount')
  const large = all.filter(({ asset, amount }) => asset === 'HKD' && Math.abs(amount) >= 50_000)
  const sorted = large.toSorted((one, other) => other.amount - one.amount)
  await expect(rowsOf(page)).toHaveCount(large.length + 1)
  for (const [index, { amount, asset }] of sorted.entries()) {
    await expect(rowsOf(page).nth(index + 1)).toContainText(formatAmount(amount, asset, { signed: true }))
  }
})

test('an entry that is not on the page is opened by its URL', async ({ page, service }) => {
  const last = (await entriesOf(service)).at(-1)
  await openLedger(page, `?open=${last?.id}`)
  await expect(page.getByRole('dialog').getByText(last?.description ?? '')).toBeVisible()
})

test(`an entry of the ledger: axe finds nothing in any look`, async ({
  page,
  service,
  expectAccessibleInEveryLook,
}) => {
  const [entry] = await entriesOf(service)
  await openLedger(page, `?open=${entry?.id}`)
  await expect(page.getByRole('dialog').getByText('No metadata is set.')).toBeVisible()
  await expectAccessibleInEveryLook()
})
