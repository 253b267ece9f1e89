import { setPolicy } from './approval-policy.ts'
import { actionButton, openAction, cardPath, dialog, openCard } from './card-screen.ts'
import { takePicture } from './every-look.ts'
import { expect, expectLive, test } from './fixtures.ts'
import { confirmPayout, fillForm, getQuote, hongKong } from './payout-form.ts'
import { findCard } from './service-caller.ts'

/* What a working day on the console needs: figures that compare, one sentence for a refusal, edges that hold. */

test.beforeEach(async ({ service }) => {
  await service.control.reset()
})

test('the largest disputes are ranked by value, with the rates used and a link to the others', async ({
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
  await expect(page.getByText('Only Support, Operations and QA can do this.').first()).toBeVisible()
  for (const path of ['/sandbox/payouts', '/sandbox/payouts/new', '/sandbox/webhooks', cardPath(ids)]) {
    await page.goto(path)
    await expect(page.getByText('Only Operations and QA can do this.').first()).toBeAttached()
    await expect(page.getByText(/[Yy]our role/)).toHaveCount(0)
  }
})

test('the sign-in page says what each role does', async ({ page }) => {
  await page.goto('/sign-in')
  for (const [role, does] of [
    ['Viewer', 'Sees accounts'],
    ['Support', 'Helps cardholders'],
    ['Operations', 'Runs cards'],
    ['Approver', 'Approves what takes a second person'],
    ['QA', 'Tests everything'],
    ['Admin', 'Manages staff'],
  ]) {
    await expect(page.getByRole('button', { name: new RegExp(`^${role} .*${does}`) })).toBeVisible()
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
  await openAction(page, 'Cancel card')
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
  await takePicture(page, 'forced-colours')
  const main = page.getByRole('navigation', { name: 'Main' })
  await expect(main.getByRole('link', { name: 'Fees' })).toHaveCSS('outline-style', 'solid')
  await expect(main.getByRole('link', { name: 'Payouts' })).toHaveCSS('outline-style', 'none')
})

test('the header says Polling while the live feed is gone, changes still appear, and Live once it is back', async ({
  page,
  service,
  signIn,
  expectProblem,
}) => {
  test.setTimeout(120_000)
  expectProblem(/ERR_FAILED/)
  // The page's own stream, so that it can be ended as a proxy would end it.
  await page.addInitScript(() => {
    const streams: EventSource[] = []
    Reflect.set(window, 'streams', streams)
    window.EventSource = class extends EventSource {
      constructor(url: string | URL) {
        super(url)
        streams.push(this)
      }
    }
  })
  const ids = await findCard(service, 'active')
  await signIn('operations')
  await openCard(page, ids)
  await expectLive(page)
  await page.route('**/api/sandbox/live**', (route) => route.abort())
  await page.evaluate(() => {
    for (const stream of Reflect.get(window, 'streams') as EventSource[]) {
      stream.close()
      stream.dispatchEvent(new Event('error'))
    }
  })
  const mark = page.locator('output[data-live]')
  await expect(mark).toContainText('Polling')
  await service.post('/cards/lock', ids)
  await expect(actionButton(page, 'Unlock')).toBeEnabled({ timeout: 45_000 })
  await expect(mark).toContainText('Polling')
  await takePicture(page, 'polling')
  await page.unroute('**/api/sandbox/live**')
  await expect(mark).toHaveAttribute('data-live', 'live', { timeout: 45_000 })
})

test('a healthy webhook takes a few lines, and its details are one press away', async ({
  page,
  signIn,
  expectAccessible,
}) => {
  await signIn('operations')
  await page.goto('/sandbox/webhooks')
  const panel = page.getByRole('region', { name: 'carddesk-inbox' })
  await expect(panel.getByText('Healthy', { exact: true })).toBeVisible({ timeout: 20_000 })
  await expect(panel.getByText('Carddesk inbox', { exact: true })).toBeVisible()
  // The sandbox of another test may have begun anew: until its first delivery the panel is open.
  const details = panel.getByRole('button', { name: 'Details' })
  await expect(details).toBeVisible({ timeout: 20_000 })
  expect((await panel.boundingBox())?.height).toBeLessThan(190)
  await expect(panel.getByRole('img', { name: /^Queue of/ })).toHaveCount(0)
  await panel.getByRole('button', { name: 'Remove…' }).focus()
  await expect(page.getByRole('tooltip').filter({ hasText: 'so it can’t be removed' })).toBeVisible()
  await details.click()
  await expect(panel.getByRole('img', { name: /^Queue of/ })).toBeVisible()
  await expect(page).toHaveURL(/webhook=/)
  await expect(details).toHaveAttribute('aria-expanded', 'true')
  await expectAccessible()
})

test('the submit dialog says when a policy holds a payout; waiting work leads to its approval', async ({
  page,
  baseURL,
  signIn,
}) => {
  await setPolicy(baseURL ?? '', [{ topic: 'payouts', when: 'amount', amount: '10000', currency: 'HKD' }])
  try {
    await signIn('operations')
    await fillForm(page, hongKong)
    await getQuote(page, 'You send', '9999')
    await page.getByRole('button', { name: 'Submit…' }).click()
    await expect(dialog(page).getByText(/^Funds leave the account immediately/)).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Go back' }).click()
    await getQuote(page, 'You send', '12000')
    await page.getByRole('button', { name: 'Submit…' }).click()
    await expect(
      dialog(page).getByText('Ada Ng (Approver) must approve it within 24 hours. Funds leave the account after that.'),
    ).toBeVisible()
    await confirmPayout(page)
    await dialog(page).getByRole('button', { name: 'Ask for approval' }).click()
    await expect(dialog(page).getByText('Waiting for approval')).toBeVisible()
    await signIn('approver')
    await page.goto('/sandbox')
    await page
      .getByRole('region', { name: /Waiting for approval/ })
      .getByRole('link')
      .first()
      .click()
    await expect(page).toHaveURL(/\/sandbox\/approvals\//)
    await page.getByRole('button', { name: /^Decline/ }).click()
    await dialog(page).getByLabel('Reason').fill('Browser test')
    await dialog(page)
      .getByRole('button', { name: /^Decline/ })
      .click()
    await expect(page.getByText('Declined').first()).toBeVisible()
  } finally {
    await setPolicy(baseURL ?? '', [])
  }
})

test('a merchant’s country has one name, and the sandbox’s rates have 30 days', async ({ page, service, signIn }) => {
  await signIn('viewer')
  await openCard(page, await findCard(service, 'active'))
  const rows = page.getByRole('table', { name: 'Transactions' }).getByRole('row')
  await expect(rows.filter({ hasText: / · Hong Kong/ }).first()).toBeVisible()
  await expect(rows.getByText(/ · [A-Z]{2}$/)).toHaveCount(0)
  await page.goto('/sandbox/rates?base=USD&currency=HKD&range=30d')
  await expect(page.getByText('in the last 30 days')).toBeVisible()
  await expect(page.getByText('No samples')).toHaveCount(0)
})
