import type { Page } from '@playwright/test'
import { dialog } from './card-screen.ts'
import { readAccount, readAccounts, chargeFee, feeRows, readFees, figure, openFees, openNewFee } from './fee-screen.ts'
import { expect, test } from './fixtures.ts'
import { signInUnnoticed } from './sign-in-by-cookie.ts'
import { expectDone, toasts } from './toast.ts'

test.beforeEach(async ({ service }) => {
  await service.control.reset()
})

test('filters by intent and account give the service’s rows, stay in the URL, and apply to the totals', async ({
  page,
  service,
  signIn,
}) => {
  const [account, other] = await readAccounts(service)
  if (!account || !other) throw new Error('the seed has accounts')
  const fees = [await chargeFee(service, account, 10.1), await chargeFee(service, account, 20.2)]
  await chargeFee(service, account, 5, 'another-fee')
  await chargeFee(service, other, 7)
  await signIn('viewer')
  await openFees(page)
  const all = await readFees(service)
  await expect(page.getByText(new RegExp(`^1–50 of `))).toBeVisible()
  await expect(feeRows(page)).toHaveCount(Math.min(50, all.length))

  await page.getByRole('combobox', { name: 'Intent' }).selectOption({ label: 'E2e fee' })
  await expect(page).toHaveURL(/intent=e2e-fee/)
  await expect(feeRows(page)).toHaveCount(3)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByLabel('Find an account').fill(account.id)
  await page.getByRole('checkbox', { name: account.name }).check()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(new RegExp(`accountId=${account.id}`))
  await expect(feeRows(page)).toHaveCount(2)
  const totals = page.getByRole('region', { name: 'Totals' })
  await expect(totals.getByText(`−30.30`).first()).toBeVisible()
  await expect(page.getByText(/as of \d\d:\d\d:\d\d HKT/)).toBeVisible()
  await page.reload()
  await expect(feeRows(page)).toHaveCount(2)
  await expect(page.getByRole('combobox', { name: 'Intent' })).toHaveValue('e2e-fee')
  await expect(page.getByRole('button', { name: account.name })).toHaveAttribute('aria-pressed', 'true')

  await page.getByRole('searchbox', { name: 'Search fees' }).fill('4242 4242 4242 4242')
  await expect(page.getByText(/^This looks like a card number/)).toBeVisible()
  await expect(page).not.toHaveURL(/4242/)
  await page.getByRole('searchbox', { name: 'Search fees' }).fill(fees[0]?.id ?? '')
  await expect(feeRows(page)).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Search fees' }).fill('nobody-has-this')
  await expect(page.getByText('No fee matches these filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect(feeRows(page)).toHaveCount(Math.min(50, all.length))

  await openFees(page, '?dateRangeFrom=2001-01-01&dateRangeTo=2001-01-31')
  await expect(page.getByText('No fee matches these filters')).toBeVisible()
  await openFees(page, '?dateRangeFrom=never')
  await expect(page.getByText('Part of the address was not understood.')).toBeVisible()
})

test('waiving a fee by mouse shows fee, account and balance before and after, and every page is right at once', async ({
  page,
  service,
  signIn,
}) => {
  const [account] = await readAccounts(service)
  if (!account) throw new Error('the seed has accounts')
  const before = account.balance
  const fee = await chargeFee(service, account, 120.5)
  const charged = await readAccount(service, account.id)
  await signIn('operations')
  await openNewFee(page, fee)
  await page.getByRole('button', { name: /^Waive… Fee · e2e-fee/ }).click()
  const window = dialog(page)
  await expect(window.getByRole('button', { name: 'Keep fee' })).toBeFocused()
  await expect(window.getByRole('link', { name: account.name })).toBeVisible()
  await expect(window.getByText('−120.50')).toBeVisible()
  await expect(factOf(page, 'Balance now')).toHaveText(new RegExp(`^${figure(charged.balance, account.currency)}`))
  await expect(factOf(page, 'Expected balance')).toHaveText(new RegExp(`^${figure(before, account.currency)}`))
  await window.getByRole('button', { name: 'Waive fee' }).click()
  await expect(window.getByText('A reason must be given.')).toBeVisible()
  await window.getByLabel('Reason').selectOption({ label: 'Charged in error' })
  await window.getByLabel(/^Comment/).fill('Charged twice')
  await window.getByRole('button', { name: 'Waive fee' }).click()
  await expectDone(page, 'Fee waived')
  await expect(toasts(page).getByText(figure(charged.balance, account.currency)).first()).toBeVisible()
  await expect(toasts(page).getByText(figure(before, account.currency)).first()).toBeVisible()
  await expect(feeRows(page).getByRole('cell', { name: 'Void', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Waive… Fee/ })).toBeFocused()
  await expect(page.getByRole('button', { name: /^Waive… Fee/ })).toBeDisabled()
  expect((await readAccount(service, account.id)).balance).toBe(before)

  await page.goto(`/sandbox/card-accounts?q=${account.id}`)
  await expect(
    page.getByRole('row').filter({ hasText: account.name }).getByText(figure(before, account.currency)).first(),
  ).toBeVisible()
  await page.goto('/sandbox/audit')
  await expect(page.getByRole('row').filter({ hasText: 'Waive fee' }).first()).toContainText('Charged twice')
})

test('waiving a fee by keyboard alone, from the list through its details', async ({ page, service, signIn }) => {
  const [account] = await readAccounts(service)
  if (!account) throw new Error('the seed has accounts')
  const fee = await chargeFee(service, account, 33)
  await signIn('operations')
  await openNewFee(page, fee)
  const link = feeRows(page).getByRole('link').first()
  await expect(link).toBeVisible()
  await expect(async () => {
    await page.keyboard.press('j')
    await expect(link).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('Enter')
  const details = page.getByRole('dialog')
  await expect(details.getByText('Caused by')).toBeVisible()
  const trigger = details.getByRole('button', { name: /^Waive…/ })
  await tabTo(page, trigger)
  await page.keyboard.press('Enter')
  const window = dialog(page)
  await expect(window.getByRole('button', { name: 'Keep fee' })).toBeFocused()
  await expect(factOf(page, 'Expected balance')).toBeVisible()
  await tabTo(page, window.getByLabel(/^Reason/))
  await page.keyboard.type('Goodwill')
  await page.keyboard.press('Tab')
  await page.keyboard.type('A good customer')
  await page.keyboard.press('Enter')
  await expect(window, 'Enter in a field does nothing').toBeVisible()
  await tabTo(page, window.getByRole('button', { name: 'Waive fee' }))
  await page.keyboard.press('Enter')
  await expectDone(page, 'Fee waived')
  await expect(trigger).toBeFocused()
  await expect(details.getByText('Void', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await expect(link).toBeFocused()
  expect((await readAccount(service, account.id)).balance).toBe(account.balance)
})

test('a fee that is already void and an unknown fee each get their own message', async ({
  page,
  service,
  signIn,
  expectProblem,
}) => {
  const [account] = await readAccounts(service)
  if (!account) throw new Error('the seed has accounts')
  const fee = await chargeFee(service, account, 5)
  await signIn('operations')
  await openNewFee(page, fee)
  const waive = page.getByRole('button', { name: /^Waive… Fee/ })
  await expect(waive).toBeVisible()
  // No live update reaches the page: its next read shows the change.
  await page.route('**/api/sandbox/live*', (route) => route.abort())
  await page.route('**/api/sandbox/fees?*', (route) => route.abort())
  expectProblem(/ERR_FAILED/)
  await service.post('/fees/waive', { id: fee.id })
  await waive.click()
  await expect(dialog(page).getByText(/^This fee is void already/)).toBeVisible()
  await expect(dialog(page).getByText(/Nothing was changed\./)).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Waive fee' })).toBeDisabled()
  await dialog(page).getByRole('button', { name: 'Keep fee' }).click()

  await page.unrouteAll({ behavior: 'ignoreErrors' })
  expectProblem(/404/)
  // The dialog is open at once, and the page behind it is inert.
  await page.goto('/sandbox/fees?open=11111111-1111-4111-8111-111111111111')
  await expect(page.getByRole('dialog').getByText(/There is no such fee in this environment\./)).toBeVisible()
})

test('a response lost after the effect: one waiver, and the dialog shows the result', async ({
  page,
  service,
  signIn,
}) => {
  const [account] = await readAccounts(service)
  if (!account) throw new Error('the seed has accounts')
  const fee = await chargeFee(service, account, 44)
  await signIn('operations')
  await openNewFee(page, fee)
  await page.getByRole('button', { name: /^Waive… Fee/ }).click()
  await expect(factOf(page, 'Expected balance')).toBeVisible()
  await service.control.armFault({ path: '/fees/waive', status: 0, times: 9, after: true })
  await dialog(page).getByLabel('Reason').selectOption({ label: 'Goodwill' })
  await dialog(page).getByRole('button', { name: 'Waive fee' }).click()
  await expectDone(page, 'Fee waived', 40_000)
  await service.control.disarmFaults()
  expect((await readAccount(service, account.id)).balance).toBe(account.balance)
})

test('a viewer sees the fees but cannot waive them; the server refuses it too', async ({
  page,
  service,
  signIn,
  expectProblem,
}) => {
  // The open page still polls what only the first person may read, also with the session that the second sign-in ends.
  expectProblem(/40[13]|503/)
  const [account] = await readAccounts(service)
  if (!account) throw new Error('the seed has accounts')
  const fee = await chargeFee(service, account, 5)
  await signIn('operations')
  await openNewFee(page, fee)
  await page.getByRole('button', { name: /^Waive… Fee/ }).click()
  await expect(factOf(page, 'Expected balance')).toBeVisible()
  // Another person is signed in by now: the button of the open dialog is all that is left of the first one's rights.
  await signInUnnoticed(page, 'viewer')
  await dialog(page).getByLabel('Reason').selectOption({ label: 'Goodwill' })
  await dialog(page).getByRole('button', { name: 'Waive fee' }).click()
  await expect(dialog(page).getByText('An admin can change your role.')).toBeVisible()
  expect((await readFees(service, { feeId: fee.id }))[0]?.status).toBe('posted')
  await openFees(page, '?intent=e2e-fee')
  await expect(feeRows(page)).toHaveCount(1)
  await expect(page.getByRole('button', { name: /^Waive/ })).toHaveCount(0)
  await expect(page.getByRole('checkbox')).toHaveCount(0)
})

test('many at once: chosen over pages, previewed, typed, one by one, with a result per row', async ({
  page,
  service,
  signIn,
}) => {
  test.setTimeout(120_000)
  const accounts = (await readAccounts(service)).filter(({ currency }) => currency === 'HKD').slice(0, 3)
  const charged = []
  for (let index = 0; index < 6; index += 1) {
    for (const account of accounts) charged.push(await chargeFee(service, account, index + 0.1))
  }
  await signIn('operations')
  await openFees(page, '?intent=e2e-fee')
  await expect(feeRows(page)).toHaveCount(18)
  await page.getByRole('checkbox', { name: 'Choose all rows of this page' }).check()
  const bar = page.getByRole('region', { name: 'Selected fees' })
  await expect(bar.getByText('18 fees selected')).toBeVisible()
  await page
    .getByRole('checkbox', { name: /^Choose Fee/ })
    .first()
    .uncheck()
  await expect(bar.getByText('17 fees selected')).toBeVisible()
  await expect(bar.getByRole('button', { name: 'Waive 17…' })).toBeVisible()
  await bar.getByRole('button', { name: 'All 18 waivable' }).click()
  await service.post('/fees/waive', { id: charged[0]?.id })
  await bar.getByRole('button', { name: /^Waive 1[78]…$/ }).click()
  const window = dialog(page)
  await expect(window.getByRole('button', { name: 'Keep fees' })).toBeFocused()
  await expect(window.getByText(/1 fee is void already/)).toBeVisible()
  await expect(window.getByText('17 fees in HKD, returned')).toBeVisible()
  for (const { id, name } of accounts) {
    const { balance } = await readAccount(service, id)
    await expect(window.getByRole('listitem').filter({ hasText: name })).toContainText(figure(balance, 'HKD'))
  }
  const confirm = window.getByRole('button', { name: 'Waive 17 fees' })
  await expect(confirm).toBeDisabled()
  await window.getByLabel(/^Type the number of fees/).fill('17')
  await confirm.click()
  await expect(window.getByText('A reason must be given.')).toBeVisible()
  await window.getByLabel('Reason').selectOption({ label: 'Other (say what)' })
  await window.getByLabel('Comment').fill('Campaign of November')
  await service.post('/fees/waive', { id: charged[1]?.id })
  await confirm.click()
  await expect(window.getByText('Nothing was started.', { exact: true })).toBeVisible()
  await expect(window.getByText('16 fees in HKD, returned')).toBeVisible()
  await window.getByLabel(/^Type the number of fees/).fill('16')
  await window.getByRole('button', { name: 'Waive 16 fees' }).click()
  await expect(page).toHaveURL(/\/sandbox\/bulk-jobs\//)
  await expect(page.getByRole('heading', { level: 1, name: 'Waive 16 fees' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'All 16 fees waived' })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('“Campaign of November”')).toBeVisible()
  for (const { id, balance } of accounts) expect((await readAccount(service, id)).balance).toBe(balance)
})

const places: Record<string, (page: Page) => Promise<void>> = {
  'no fee that matches, with a problem in a filter': async (page) => {
    await openFees(page, '?intent=nobody&xid=nobody')
    await page.getByRole('searchbox', { name: 'Search fees' }).fill('4242 4242 4242 4242')
    await expect(page.getByText(/^This looks like a card number/)).toBeVisible()
  },
  'the choice of accounts': async (page) => {
    await page.getByRole('button', { name: /^Account/ }).click()
    await expect(page.getByRole('list', { name: 'Accounts found' }).getByRole('checkbox').first()).toBeVisible()
  },
  'fees that are chosen': async (page) => {
    await page.getByRole('checkbox', { name: 'Choose all rows of this page' }).check()
    await expect(page.getByRole('region', { name: 'Selected fees' })).toBeVisible()
  },
  'the details of a fee': async (page) => {
    await feeRows(page).getByRole('link').first().click()
    await expect(page.getByRole('dialog').getByText('Caused by')).toBeVisible()
  },
  'the dialog of waiving one': async (page) => {
    await page
      .getByRole('button', { name: /^Waive… Fee/ })
      .first()
      .click()
    await expect(factOf(page, 'Expected balance')).toBeVisible()
  },
  'the answer of a waiver': async (page) => {
    await page
      .getByRole('button', { name: /^Waive… Fee/ })
      .first()
      .click()
    await expect(factOf(page, 'Expected balance')).toBeVisible()
    await dialog(page).getByLabel('Reason').selectOption({ label: 'Goodwill' })
    await dialog(page).getByRole('button', { name: 'Waive fee' }).click()
    await expectDone(page, 'Fee waived')
  },
  'the dialog of waiving many': async (page) => {
    await page.getByRole('checkbox', { name: 'Choose all rows of this page' }).check()
    await page
      .getByRole('region', { name: 'Selected fees' })
      .getByRole('button', { name: /^Waive \d+…$/ })
      .click()
    await expect(dialog(page).getByText('Effect per account', { exact: true })).toBeVisible()
  },
}

for (const [name, open] of Object.entries(places)) {
  test(`${name}: axe finds nothing in any look, and nothing scrolls sideways`, async ({
    page,
    service,
    signIn,
    expectAccessibleInEveryLook,
  }) => {
    const [account] = await readAccounts(service)
    if (account) for (const amount of [1, 2.5]) await chargeFee(service, account, amount)
    await signIn('operations')
    await openFees(page)
    await expect(feeRows(page).first()).toBeVisible()
    await open(page)
    await expectAccessibleInEveryLook()
  })
}

/** What a dialog says behind a label. */
function factOf(page: Page, label: string) {
  return dialog(page)
    .getByRole('definition')
    .and(page.locator(`dt:text-is("${label}") + dd`))
}

/** Presses Tab until the element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, target: ReturnType<Page['getByRole']>): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reached ${target}`)
}
