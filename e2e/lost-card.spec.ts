import { setPolicy } from './approval-policy.ts'
import { actionButton, dialog, expectStatus, openAction, openCard, openMore, readCardStatus } from './card-screen.ts'
import { takePictures } from './every-look.ts'
import { expect, test } from './fixtures.ts'
import { findCard, listCards } from './service-caller.ts'
import { expectDone } from './toast.ts'

test('a lost card is stopped and replaced by one action, and both cards lead to each other', async ({
  page,
  service,
  signIn,
}) => {
  // One of the seed, since a new card has no limits that could be left behind.
  await service.control.reset()
  const ids = await findCard(service, 'active')
  const before = await listCards(service, ids.cardAccountId)
  const card = before.find(({ id }) => id === ids.cardId)
  await signIn('operations')
  await openCard(page, ids)
  await takePictures(page, 'card-active')
  await openMore(page)
  await takePictures(page, 'card-more')
  await page.keyboard.press('Escape')
  await openAction(page, 'Lost or stolen')
  await expect(dialog(page).getByText('The new card won’t have these limits.')).toBeVisible()
  await dialog(page)
    .getByLabel(/^Type the last four digits/)
    .fill(card?.last4 ?? '')
  await takePictures(page, 'lost-dialog')
  await dialog(page).getByRole('button', { name: 'Cancel and replace card' }).dblclick()
  await expectDone(page, 'Replacement issued')
  await expectStatus(page, 'Cancelled')
  expect(await readCardStatus(service, ids)).toBe('cancelled')
  const after = await listCards(service, ids.cardAccountId)
  expect(after).toHaveLength(before.length + 1)
  const made = after.find(({ id }) => !before.some((one) => one.id === id))
  await takePictures(page, 'card-replaced')
  await page
    .getByRole('main')
    .getByRole('link', { name: `card ending ${made?.last4}` })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: `Card ending ${made?.last4}` })).toBeVisible()
  await expect(page.getByText('Replaces card ending')).toBeVisible()
  await takePictures(page, 'card-new')
})

test('under a policy the dialog names who approves, locks the card at once, and the wait shows on card and account', async ({
  page,
  service,
  signIn,
  baseURL,
}) => {
  await setPolicy(baseURL ?? '', [{ topic: 'cancellations', when: 'always' }])
  try {
    const ids = await findCard(service, 'active')
    const card = (await listCards(service, ids.cardAccountId)).find(({ id }) => id === ids.cardId)
    await signIn('operations')
    await openCard(page, ids)
    await openAction(page, 'Cancel card')
    await expect(
      dialog(page).getByText('Ada Ng (Approver) must approve it within 24 hours.', { exact: false }),
    ).toBeVisible()
    await expect(dialog(page).getByLabel('Lock the card now')).toBeChecked()
    await dialog(page).getByLabel('Reason').selectOption({ label: 'Suspected fraud' })
    await dialog(page)
      .getByLabel(/^Type the last four digits/)
      .fill(card?.last4 ?? '')
    await takePictures(page, 'cancel-dialog')
    await dialog(page).getByRole('button', { name: 'Ask for approval' }).click()
    await expect(dialog(page).getByText('Waiting for approval')).toBeVisible()
    await takePictures(page, 'cancel-waiting')
    expect(await readCardStatus(service, ids)).toBe('locked')
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await expectStatus(page, 'Locked')
    await expect(page.getByText('Cancellation waiting', { exact: true }).first()).toBeVisible()
    await openMore(page)
    await expect(actionButton(page, 'Cancel card')).toBeDisabled()
    await page.keyboard.press('Escape')
    await takePictures(page, 'card-waiting')
    await openAction(page, 'Unlock')
    await expect(dialog(page)).toContainText('Its cancellation waits for an approval.')
    await dialog(page).getByRole('button', { name: 'Unlock card' }).click()
    await expect(dialog(page)).toContainText('A reason must be given.')
    await takePictures(page, 'unlock-dialog')
    await dialog(page).getByRole('button', { name: 'Keep it locked' }).click()
    await page.goto(`/sandbox/card-accounts/${ids.cardAccountId}`)
    await expect(page.getByText('Cancellation waiting', { exact: true })).toBeVisible()
    await takePictures(page, 'account-waiting')

    await page.goto(`/sandbox/cards?status=locked&q=${card?.last4}`)
    const chosen = page.getByRole('region', { name: 'Selected cards' })
    await expect(async () => {
      await page.getByRole('table', { name: 'Cards' }).locator('tbody tr').first().getByRole('checkbox').check()
      await expect(chosen).toBeVisible({ timeout: 500 })
    }).toPass()
    await chosen.getByRole('button', { name: 'Unlock…', exact: true }).click()
    await expect(dialog(page)).toContainText('1 card waits for its cancellation (unlock it on its own page).')
    await takePictures(page, 'bulk-unlock-dialog')
    await dialog(page).getByRole('button', { name: 'Change nothing' }).click()

    await openCard(page, ids)
    await page.getByRole('link', { name: 'View request' }).first().click()
    await page.getByRole('button', { name: 'Withdraw request…' }).click()
    await expect(dialog(page)).toContainText('The card stays locked.')
    await dialog(page).getByRole('button', { name: 'Withdraw request' }).click()
    await expect(dialog(page)).toBeHidden()
    await expect(page.getByRole('main').getByText('The card stays locked.')).toBeVisible()
    await takePictures(page, 'withdrawn')
    expect(await readCardStatus(service, ids)).toBe('locked')
  } finally {
    await setPolicy(baseURL ?? '', [])
  }
})
