import { dialog } from './card-screen.ts'
import { takePicture, takePictures } from './every-look.ts'
import { expect, test } from './fixtures.ts'
import { confirmPayout, fillForm, getQuote, hongKong, readPayouts } from './payout-form.ts'

test.afterEach(async ({ service }) => {
  await service.control.disarmFaults()
})

test('a payout whose outcome is not known has a page, is named where the next one is made, and is settled by a person', async ({
  page,
  service,
  signIn,
  expectAccessibleInEveryLook,
}) => {
  test.setTimeout(240_000)
  const before = (await readPayouts(service)).length
  await signIn('operations')
  await fillForm(page, hongKong)
  await getQuote(page, 'You send', '777')
  await service.control.armFault({ path: '/payouts', method: 'POST', shape: { kind: 'no-effect' }, times: 'always' })
  await page.getByRole('button', { name: 'Submit…' }).click()
  await confirmPayout(page)
  await dialog(page).getByRole('button', { name: 'Submit payout' }).click()
  await expect(dialog(page).getByText('Not confirmed yet')).toBeVisible({ timeout: 30_000 })
  await expect(dialog(page)).not.toContainText(/start again|does not exist/)
  await expect(dialog(page).getByText(/lists no payout with the ID that it gave/)).toBeVisible()
  await takePicture(page, 'dialog')
  await dialog(page).getByRole('button', { name: 'Close' }).click()

  await service.control.advanceClock('PT10M')
  await expect(page.getByRole('img', { name: 'The quote has expired' })).toBeVisible()
  await expect(page.getByText('The last submission isn’t confirmed yet.').first()).toBeVisible()
  await expect(page.getByText('Nothing was sent'), 'nobody knows that').toHaveCount(0)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Payouts' }).click()
  await expect(dialog(page)).toContainText('It isn’t known yet whether it was made.')
  await takePicture(page, 'leave')
  await dialog(page).getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByText(/payouts? sent, outcome not known\./)).toBeVisible()
  // Payouts of other tests may be named beside it.
  const notice = page.getByRole('link', { name: '777.00 HKD to Maria Santos' })
  await expect(notice).toBeVisible()
  await takePicture(page, 'payouts')
  await page.goto('/sandbox')
  await page
    .getByRole('region', { name: /Outcome not known/ })
    .getByRole('link', { name: '777.00 HKD to Maria Santos' })
    .click()
  await expect(page).toHaveURL(/\/sandbox\/operations\//)
  await expect(page.getByRole('heading', { level: 1, name: '777.00 HKD to Maria Santos' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'What each check found' })).toContainText('lists no payout')
  await expect(page.getByText('004-123456-789').first()).toBeVisible()
  await expectAccessibleInEveryLook()
  await takePictures(page, 'operation')

  const operation = page.url()
  await service.control.disarmFaults()
  await fillForm(page, hongKong)
  await getQuote(page, 'You send', '777')
  const quote = page.getByRole('region', { name: 'Quote', exact: true })
  await expect(quote.getByText('This may pay twice.')).toBeVisible()
  await takePicture(page, 'warning')
  await page.getByRole('button', { name: 'Submit…' }).click()
  await dialog(page)
    .getByLabel(/^Type the last four digits/)
    .fill('6789')
  await expect(dialog(page).getByRole('button', { name: 'Submit payout' })).toBeDisabled()
  await takePicture(page, 'warning-dialog')
  await dialog(page).getByRole('button', { name: 'Go back' }).click()
  expect(await readPayouts(service)).toHaveLength(before)

  page.on('dialog', (asked) => void asked.accept())
  await page.goto(operation)
  await page.getByRole('button', { name: 'It was not made…' }).click()
  await expect(page.getByRole('button', { name: 'Not sure' }), 'one press alone ends no warning').toBeFocused()
  await page.getByRole('button', { name: 'Yes, it was not made' }).click()
  await expect(page.getByText(/Not found at the card service by Olivia Poon/)).toBeVisible()
  await page.goto('/sandbox/payouts')
  await expect(page.getByRole('heading', { level: 1, name: 'Payouts' })).toBeVisible()
  await expect(notice).toBeHidden()
})
