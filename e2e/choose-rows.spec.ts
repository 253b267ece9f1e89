import { takePicture } from './every-look.ts'
import { expect, test } from './fixtures.ts'
import { tabTo } from './keyboard.ts'

test.beforeEach(async ({ service, signIn }) => {
  await service.control.reset()
  await signIn('operations')
})

test('Shift-click chooses a range of fees; j, x and Space choose by keyboard', async ({ page }) => {
  await page.goto('/sandbox/fees?status=posted')
  const rows = page.getByRole('table', { name: 'Fees' }).locator('tbody tr')
  const bar = page.getByRole('region', { name: 'Selected fees' })
  await expect(rows.nth(5)).toBeVisible()
  await expect(async () => {
    await rows.nth(1).getByRole('checkbox').check()
    await expect(bar.getByText('1 fee selected')).toBeVisible({ timeout: 500 })
  }).toPass()
  await rows
    .nth(4)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await expect(bar.getByText('4 fees selected')).toBeVisible()
  await rows
    .nth(2)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await expect(bar.getByText('1 fee selected'), 'a range is also taken back').toBeVisible()
  await bar.getByRole('button', { name: 'Clear' }).click()
  await page.keyboard.press('j')
  await expect(rows.nth(0).getByRole('link').first()).toBeFocused()
  await page.keyboard.press('x')
  await expect(bar.getByText('1 fee selected')).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  await expect(bar.getByText('2 fees selected')).toBeVisible()
  await page.keyboard.press('x')
  await expect(bar.getByText('1 fee selected')).toBeVisible()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(rows.nth(1).getByRole('checkbox')).not.toBeChecked()
})

test('chosen cards are locked by one job and unlocked from its page; its rows lead to the cards', async ({ page }) => {
  await page.goto('/sandbox/cards?status=active')
  const rows = page.getByRole('table', { name: 'Cards' }).locator('tbody tr')
  const bar = page.getByRole('region', { name: 'Selected cards' })
  await expect(async () => {
    await rows.nth(0).getByRole('checkbox').check()
    await expect(bar).toBeVisible({ timeout: 500 })
  }).toPass()
  await rows
    .nth(2)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await bar.getByRole('button', { name: 'Lock…', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('heading', { name: 'Lock 3 cards?' })).toBeVisible()
  await dialog.getByLabel(/^Type the number of cards/).fill('3')
  await dialog.getByLabel('Reason').selectOption({ label: 'Suspected fraud' })
  await dialog.getByRole('button', { name: 'Lock 3 cards' }).click()
  await expect(page.getByRole('heading', { name: 'All 3 cards locked' })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('button', { name: 'Pause' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Cancel job…' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Unlock 3 cards…' }).click()
  await expect(dialog.getByRole('heading', { name: 'Unlock 3 cards?' })).toBeVisible()
  await dialog.getByLabel(/^Type the number of cards/).fill('3')
  await dialog.getByLabel('Reason').selectOption({ label: 'Done by mistake' })
  await dialog.getByRole('button', { name: 'Unlock 3 cards' }).click()
  await expect(page.getByRole('heading', { name: 'All 3 cards unlocked' })).toBeVisible({ timeout: 30_000 })
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'All 3 cards locked' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Unlock/ })).toHaveCount(0)
  await page.getByRole('table', { name: 'Rows of the job' }).locator('tbody tr').first().getByRole('link').click()
  await expect(page).toHaveURL(/\/card-accounts\/[^/]+\/cards\//)
})

test('the rows that a job refused are retried by a job of just them', async ({ page, service }) => {
  await service.control.armFault({ path: '/cards/lock', status: 400, times: 1 })
  await page.goto('/sandbox/cards?status=active')
  const rows = page.getByRole('table', { name: 'Cards' }).locator('tbody tr')
  const bar = page.getByRole('region', { name: 'Selected cards' })
  await expect(async () => {
    await rows.nth(0).getByRole('checkbox').check()
    await expect(bar).toBeVisible({ timeout: 500 })
  }).toPass()
  await rows.nth(1).getByRole('checkbox').check()
  await bar.getByRole('button', { name: 'Lock…', exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel(/^Type the number of cards/).fill('2')
  await dialog.getByLabel('Reason').selectOption({ label: 'Suspected fraud' })
  await dialog.getByRole('button', { name: 'Lock 2 cards' }).click()
  await expect(page.getByRole('heading', { name: '1 of 2 cards locked, 1 refused' })).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Retry 1 refused…' }).click()
  await expect(dialog.getByRole('heading', { name: 'Lock 1 card?' })).toBeVisible()
  await dialog.getByLabel(/^Type the number of cards/).fill('1')
  await dialog.getByLabel('Reason').selectOption({ label: 'Suspected fraud' })
  await dialog.getByRole('button', { name: 'Lock 1 card' }).click()
  await expect(page.getByRole('heading', { name: '1 of 1 cards locked' })).toBeVisible({ timeout: 30_000 })
})

test('one limit is set on chosen accounts by the keyboard: a preview, a reason, and a job with a result each', async ({
  page,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  await page.goto('/sandbox/card-accounts?accountType=credit&currency=HKD')
  const rows = page.getByRole('table', { name: 'Card accounts' }).locator('tbody tr')
  const bar = page.getByRole('region', { name: 'Selected accounts' })
  await expect(rows.nth(1)).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  await expect(bar.getByText('2 accounts selected')).toBeVisible()
  await expectAccessible()
  await takePicture(page, 'accounts-chosen')
  await tabTo(page, bar.getByRole('button', { name: 'Set limit…' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('heading', { name: 'Set limit of accounts' })).toBeVisible()
  await expect(dialog.getByLabel('New limit')).toBeFocused()
  await page.keyboard.type('123,456')
  await expect(dialog.getByRole('heading', { name: 'Set limit of 2 accounts?' })).toBeVisible()
  await tabTo(page, dialog.getByLabel('Reason'))
  await dialog.getByLabel('Reason').selectOption({ label: 'Credit review' })
  await dialog.getByLabel(/^Type the number of accounts/).fill('2')
  await expectAccessibleInEveryLook()
  await takePicture(page, 'set-limit-of-many')
  await tabTo(page, dialog.getByRole('button', { name: 'Set limit of 2 accounts' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'All 2 limits set' })).toBeVisible({ timeout: 30_000 })
  const limits = page.getByRole('table', { name: 'Rows of the job' }).getByText('123,456.00')
  await expect(limits.filter({ visible: true })).toHaveCount(2)
})

test('everything that a filter matches is tagged; a row that changed meanwhile is refused, and its retry keeps the change', async ({
  page,
  service,
  expectAccessibleInEveryLook,
}) => {
  await page.goto('/sandbox/card-accounts?accountType=credit&currency=USD')
  const rows = page.getByRole('table', { name: 'Card accounts' }).locator('tbody tr')
  const bar = page.getByRole('region', { name: 'Selected accounts' })
  await expect(async () => {
    await rows.nth(0).getByRole('checkbox').check()
    await expect(bar).toBeVisible({ timeout: 500 })
  }).toPass()
  await bar.getByRole('button', { name: /^All \d+ that match$/ }).click()
  const href = await rows.nth(0).getByRole('link').first().getAttribute('href')
  await bar.getByRole('button', { name: 'Tag…' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Key').fill('campaign')
  await dialog.getByLabel('Value').fill('winter')
  const heading = dialog.getByRole('heading', { name: /^Tag \d+ accounts\?$/ })
  await expect(heading).toBeVisible()
  const count = /\d+/.exec((await heading.textContent()) ?? '')?.[0] ?? ''
  await dialog.getByLabel(/^Type the number of accounts/).fill(count)
  await expectAccessibleInEveryLook()
  await takePicture(page, 'tag-many')
  const id = href?.split('/').at(-1) ?? ''
  // Where the account is read again between the change and the start, the start shows the preview anew.
  let round = 0
  await expect(async () => {
    const changed = { target: { type: 'cardaccount', id }, xmetadata: { added: `meanwhile ${(round += 1)}` } }
    expect((await service.post('/xmetadata/set', changed)).status).toBe(200)
    await dialog.getByRole('button', { name: `Tag ${count} accounts` }).click()
    await expect(page).toHaveURL(/\/bulk-jobs\//, { timeout: 8_000 })
  }).toPass()
  await expect(page.getByRole('heading', { name: /records tagged, 1 refused$/ })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('The metadata was changed meanwhile.', { exact: false })).toBeVisible()
  await takePicture(page, 'tag-refused')
  await page.getByRole('button', { name: 'Retry 1 refused…' }).click()
  await dialog.getByLabel(/^Type the number of accounts/).fill('1')
  await dialog.getByRole('button', { name: 'Tag 1 account' }).click()
  await expect(page.getByRole('heading', { name: '1 of 1 records tagged' })).toBeVisible({ timeout: 30_000 })
  const { body } = await service.get('/cardaccounts', { cardAccountId: id })
  const [account] = (body as { cardaccounts: { xmetadata: unknown }[] }).cardaccounts
  expect(account?.xmetadata).toEqual({ added: expect.stringMatching('meanwhile'), campaign: 'winter' })
})
