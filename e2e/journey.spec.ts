import type { Page } from '@playwright/test'
import {
  actByMouse,
  actionButton,
  openAction,
  readCard,
  cardPath,
  dialog,
  expectStatus,
  readCardNumber,
  readCardStatus,
} from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { tabTo } from './keyboard.ts'
import { openPalette } from './palette.ts'
import { findCard, listCards, type ServiceCaller } from './service-caller.ts'
import { expectDone } from './toast.ts'

/** An account with an active card, by the name that people see. */
async function accountWithActiveCard(service: ServiceCaller) {
  const ids = await findCard(service, 'active')
  const { body } = await service.get('/cardaccounts', { cardAccountId: ids.cardAccountId })
  const [account] = (body as { cardaccounts: { name: string }[] }).cardaccounts
  const card = (await listCards(service, ids.cardAccountId)).find(({ id }) => id === ids.cardId)
  if (!account || !card) throw new Error('the seed has an account with an active card')
  return { ...ids, name: account.name, last4: card.last4 }
}

test.beforeEach(async ({ service }) => {
  await service.control.reset()
})

test('by mouse: from the sign-in page to a card that is locked, unlocked, suspended, unsuspended and cancelled', async ({
  page,
  service,
}) => {
  const target = await accountWithActiveCard(service)
  await page.goto('/')
  await page.getByRole('button', { name: /Operations/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Accounts' }).click()
  await page.getByRole('searchbox', { name: 'Search card accounts' }).fill(target.last4)
  await page.getByRole('link', { name: target.name }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: target.name })).toBeVisible()
  await page
    .getByRole('link', { name: new RegExp(`^Card ending ${target.last4}`) })
    .first()
    .click()
  await expect(page).toHaveURL(new RegExp(`${cardPath(target)}$`))

  for (const [action, label, status, reason] of [
    ['Lock', 'Locked', 'locked', null],
    ['Unlock', 'Active', 'active', 'Card was found'],
    ['Suspend', 'Suspended', 'suspended', 'Suspected fraud'],
    ['Unsuspend', 'Active', 'active', 'The case is resolved'],
  ] as const) {
    await actByMouse(page, action, reason === null ? {} : { choose: { Reason: reason } })
    await expectStatus(page, label)
    expect(await readCardStatus(service, target)).toBe(status)
  }
  await actByMouse(page, 'Cancel card', {
    choose: { Reason: 'Lost or stolen' },
    fill: { 'Type the last four digits': target.last4 },
  })
  await expectStatus(page, 'Cancelled')
  expect(await readCardStatus(service, target)).toBe('cancelled')
  await expect(page.getByRole('region', { name: 'What happened' }).getByText(/lost or stolen/)).toBeVisible()
})

test('by mouse: a card that waits for activation is activated with its own digits, and its PIN is changed', async ({
  page,
  service,
  signIn,
}) => {
  const ids = await findCard(service, 'pending-activation')
  const [number, card] = [await readCardNumber(service, ids), await readCard(service, ids)]
  await signIn('operations')
  await page.goto(cardPath(ids))

  await openAction(page, 'Activate')
  await dialog(page).getByRole('button', { name: 'Activate card' }).click()
  await expect(dialog(page).getByText('The last six digits of the card number must be 6 digits.')).toBeVisible()
  expect(await readCardStatus(service, ids), 'nothing was sent').toBe('pending-activation')
  await dialog(page).getByRole('button', { name: 'Not now' }).click()

  await actByMouse(page, 'Activate', {
    fill: { 'Last six digits of the card number': number.slice(-6) },
    choose: { 'Expiry month': String(card.expiryMonth).padStart(2, '0'), 'Expiry year': String(card.expiryYear) },
  })
  await expectStatus(page, 'Active')
  expect(await readCardStatus(service, ids)).toBe('active')

  await openAction(page, 'Change PIN')
  await dialog(page).getByLabel('New PIN', { exact: true }).fill('135790')
  await dialog(page).getByLabel('New PIN again').fill('135791')
  await dialog(page).getByLabel('Reason').selectOption({ label: 'Cardholder request' })
  await dialog(page).getByRole('button', { name: 'Change PIN' }).click()
  await expect(dialog(page).getByText('The two entries differ.')).toBeVisible()
  await dialog(page).getByLabel('New PIN again').fill('135790')
  await dialog(page).getByRole('button', { name: 'Change PIN' }).click()
  await expectDone(page, 'PIN changed')
  expect(await page.content()).not.toContain('135790')
})

test('wrong digits return to the form with an error at their field, and correct ones are sent', async ({
  page,
  service,
  signIn,
}) => {
  const ids = await findCard(service, 'pending-activation')
  const card = await readCard(service, ids)
  await signIn('operations')
  await page.goto(cardPath(ids))
  await openAction(page, 'Activate')
  const wrong = String((Number(card.last4) + 1) % 10_000).padStart(4, '0')
  await dialog(page).getByLabel('Last six digits of the card number').fill(`00${wrong}`)
  await dialog(page).getByLabel('Expiry month').selectOption(String(card.expiryMonth))
  await dialog(page).getByLabel('Expiry year').selectOption(String(card.expiryYear))
  await dialog(page).getByRole('button', { name: 'Activate card' }).click()
  await expect(dialog(page).getByText(/Nothing was changed\./)).toBeVisible()
  await expect(dialog(page).getByText('CARD_NUMBER_MISMATCH')).toBeVisible()
  expect(await readCardStatus(service, ids)).toBe('pending-activation')

  const digits = dialog(page).getByLabel('Last six digits of the card number')
  await expect(digits).toBeFocused()
  await expect(digits).toHaveAccessibleDescription(/does not match this card/)
  await expect(dialog(page).getByLabel('Expiry month')).toHaveValue(String(card.expiryMonth))
  await digits.fill((await readCardNumber(service, ids)).slice(-6))
  await dialog(page).getByRole('button', { name: 'Activate card' }).click()
  await expectDone(page, 'Card activated')
  expect(await readCardStatus(service, ids)).toBe('active')
})

/** Opens an action from its button, chooses a reason by its first letter, confirms it and closes the result: keys alone. */
async function actByKeyboard(page: Page, label: string, confirm: string, reasonKey: string | null): Promise<void> {
  await chooseByKeyboard(page, label)
  await expect(dialog(page)).toBeVisible()
  await expect(dialog(page).getByRole('button').first(), 'the focus starts on what changes nothing').toBeFocused()
  if (reasonKey !== null) {
    await tabTo(page, dialog(page).getByLabel('Reason'))
    await page.keyboard.press(reasonKey)
  }
  await tabTo(page, dialog(page).getByRole('button', { name: confirm, exact: true }))
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toBeHidden()
  const actions = page.getByRole('group', { name: 'Actions on this card' })
  await expect(actions.locator(':focus'), 'the focus is back where it came from').toBeVisible()
}

/** Opens an action from its button, or from the menu where it has none. */
async function chooseByKeyboard(page: Page, label: string): Promise<void> {
  const actions = page.getByRole('group', { name: 'Actions on this card' })
  const button = actions.getByRole('button', { name: label, exact: true })
  if (await button.isVisible()) await tabTo(page, button)
  else {
    await tabTo(page, actions.getByRole('button', { name: 'More', exact: true }))
    await page.keyboard.press('Enter')
    await expect(actions.getByRole('menu')).toBeVisible()
    // A space would choose the item.
    await page.keyboard.type(label.split(' ')[0] ?? label)
  }
  await page.keyboard.press('Enter')
}

test('by keyboard alone: the same journey', async ({ page, service }) => {
  const target = await accountWithActiveCard(service)
  await page.goto('/')
  await tabTo(page, page.getByRole('button', { name: /Operations/ }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await tabTo(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Accounts' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Card accounts' })).toBeVisible()
  // The page may be there before it listens.
  await expect(async () => {
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox', { name: 'Search card accounts' })).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.type(target.last4)
  await expect(page).toHaveURL(new RegExp(`q=${target.last4}`))
  await expect(page.getByRole('link', { name: target.name }).first()).toBeVisible()
  await tabTo(page, page.getByRole('link', { name: target.name }).first())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: target.name })).toBeVisible()
  await tabTo(page, page.getByRole('link', { name: new RegExp(`^Card ending ${target.last4}`) }).first())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${cardPath(target)}$`))

  for (const [action, confirm, label, reasonKey] of [
    ['Lock', 'Lock card', 'Locked', null],
    ['Unlock', 'Unlock card', 'Active', 'D'],
    ['Suspend', 'Suspend card', 'Suspended', 'S'],
    ['Unsuspend', 'Unsuspend card', 'Active', 'T'],
  ] as const) {
    await actByKeyboard(page, action, confirm, reasonKey)
    await expectStatus(page, label)
  }

  await chooseByKeyboard(page, 'Cancel card')
  await tabTo(page, dialog(page).getByLabel('Reason'))
  await page.keyboard.press('L')
  await tabTo(page, dialog(page).getByLabel('Type the last four digits'))
  await page.keyboard.type(target.last4)
  await page.keyboard.press('Enter')
  expect(await readCardStatus(service, target), 'Enter in a field destroys nothing').toBe('active')
  await tabTo(page, dialog(page).getByRole('button', { name: 'Cancel card', exact: true }))
  await page.keyboard.press('Enter')
  await expectDone(page, 'Card cancelled')
  await expectStatus(page, 'Cancelled')
  expect(await readCardStatus(service, target)).toBe('cancelled')
})

test('a card is locked from its account’s page, and the focus stays on the page once the button is gone', async ({
  page,
  service,
  signIn,
}) => {
  const target = await findCard(service, 'active')
  await signIn('operations')
  await page.goto(`/sandbox/card-accounts/${target.cardAccountId}`)
  await page.getByRole('button', { name: 'Lock card', exact: true }).click()
  await page.getByRole('menuitem').first().click()
  await dialog(page).getByRole('button', { name: 'Lock card' }).click()
  await expectDone(page, 'Card locked')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('one palette entry locks the open card', async ({ page, service, signIn }) => {
  const target = await accountWithActiveCard(service)
  await signIn('support')
  await page.goto(cardPath(target))
  await expect(actionButton(page, 'Lock')).toBeEnabled()
  await (await openPalette(page)).fill('lock')
  await page.getByRole('option', { name: 'Lock', exact: true }).click()
  await dialog(page).getByRole('button', { name: 'Lock card' }).click()
  await expectDone(page, 'Card locked')
  await expect(page.getByRole('heading', { level: 1 }), 'the palette that opened it is gone').toBeFocused()
  expect(await readCardStatus(service, target)).toBe('locked')
})

test('the palette finds a card by its last four digits', async ({ page, service, signIn }) => {
  const target = await accountWithActiveCard(service)
  await signIn('viewer')
  await page.goto('/sandbox')
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await (await openPalette(page)).fill(target.last4)
  await page
    .getByRole('option', { name: `Card ending ${target.last4}` })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: `Card ending ${target.last4}` })).toBeVisible()
})
