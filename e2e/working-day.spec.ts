import { actionButton, cardPath, dialog, openCard } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { findCard } from './service-caller.ts'

/* What a working day on the console needs: figures that compare, one sentence for a refusal, edges that hold. */

test.beforeEach(async ({ service }) => {
  await service.control.reset()
})

test('the largest disputes are ranked by value, say at which rates, and lead to the others', async ({
  page,
  signIn,
}) => {
  await signIn('viewer')
  await page.goto('/sandbox')
  const item = page.getByRole('listitem').filter({ hasText: 'accounts with disputes' })
  await expect(item.getByText(/^Largest first, valued in USD/)).toBeVisible()
  const rest = item.getByRole('link', { name: /^and \d+ more$/ })
  await rest.click()
  await expect(page).toHaveURL(/disputed=yes/)
})

test('the newest balance of the ledger is the account’s, and is in sight at 1440 px', async ({
  page,
  service,
  signIn,
}) => {
  await signIn('viewer')
  await page.setViewportSize({ width: 1440, height: 900 })
  const { body } = await service.get('/accounts')
  for (const { id, balance } of (body as { accounts: { id: string; balance: number }[] }).accounts) {
    await page.goto(`/sandbox/funding-accounts?accountId=${id}&status=posted`)
    const table = page.getByRole('table', { name: 'Account ledger' })
    await expect(table.getByRole('columnheader', { name: 'Balance after' })).toBeInViewport({ ratio: 1 })
    await expect(table.getByRole('row').nth(1).getByRole('cell').last()).toContainText(
      balance.toLocaleString('en-HK', { minimumFractionDigits: 2 }),
    )
  }
})

test('rates have six significant digits, with every digit in their title', async ({ page, signIn }) => {
  await signIn('viewer')
  await page.goto('/sandbox/rates?base=USD')
  const rate = page.getByRole('row', { name: /^HKD/ }).locator('[title]').first()
  await expect(rate).toHaveText(/^\d\.\d{1,5}$/)
  await expect(rate).toHaveAttribute('title', /^\d\.\d+$/)
})

test('a person without the permission reads which role can, on every page alike', async ({ page, service, signIn }) => {
  const ids = await findCard(service, 'active')
  await signIn('viewer')
  await openCard(page, ids)
  await expect(page.getByText('Only Support and Operations can do this.').first()).toBeVisible()
  for (const path of ['/sandbox/payouts', '/sandbox/payouts/new', '/sandbox/webhooks', cardPath(ids)]) {
    await page.goto(path)
    await expect(page.getByText('Only Operations can do this.').first()).toBeAttached()
    await expect(page.getByText(/[Yy]our role/)).toHaveCount(0)
  }
})

test('the sign-in page says what each role does', async ({ page }) => {
  await page.goto('/sign-in')
  for (const role of ['Viewer', 'Support', 'Operations', 'Approver', 'QA', 'Admin']) {
    await expect(page.getByRole('button', { name: new RegExp(`^${role} .*View `) })).toBeVisible()
  }
})

test('a cancelled card shows no limits', async ({ page, service, signIn }) => {
  await signIn('viewer')
  await openCard(page, await findCard(service, 'cancelled'))
  await expect(page.getByRole('region', { name: 'Details' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Limits' })).toHaveCount(0)
})

test('the cancel dialog is whole at 200 % zoom, and no alert on the page is empty', async ({
  page,
  service,
  signIn,
}) => {
  await signIn('operations')
  await page.setViewportSize({ width: 640, height: 400 })
  await openCard(page, await findCard(service, 'active'))
  await actionButton(page, 'Cancel card').click()
  const confirm = dialog(page).getByRole('button', { name: 'Cancel card' })
  await confirm.scrollIntoViewIfNeeded()
  await expect(confirm).toBeInViewport({ ratio: 1 })
  const empty = await page
    .getByRole('alert')
    .evaluateAll((alerts) =>
      alerts.filter((alert) => alert.id !== '__next-route-announcer__' && alert.textContent === ''),
    )
  expect(empty).toEqual([])
})

test('forced colours keep the current page, the status dots and the checkboxes apart', async ({ page, signIn }) => {
  await signIn('operations')
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/sandbox/fees')
  const box = page.getByRole('checkbox').nth(1)
  await box.check()
  await expect(box).toBeChecked()
  await page.screenshot({ path: test.info().outputPath('forced-colours.png') })
  const main = page.getByRole('navigation', { name: 'Main' })
  await expect(main.getByRole('link', { name: 'Fees' })).toHaveCSS('outline-style', 'solid')
  await expect(main.getByRole('link', { name: 'Payouts' })).toHaveCSS('outline-style', 'none')
})
