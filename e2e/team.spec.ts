import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { cardPath, dialog } from './card-screen.ts'
import { takePicture } from './every-look.ts'
import { readAccounts, chargeFee } from './fee-screen.ts'
import { expect, test } from './fixtures.ts'
import { tabTo } from './keyboard.ts'
import { confirmPayout, expectRunning, field, fillForm, getQuote, hongKong, readPayouts } from './payout-form.ts'
import { findCard } from './service-caller.ts'
import { signInByCookie } from './sign-in-by-cookie.ts'

test('a note handed over by the keyboard waits for its role, live on both screens, until it is marked done', async ({
  page,
  browser,
  baseURL,
  service,
  signIn,
  expectAccessibleInEveryLook,
}) => {
  const path = cardPath(await findCard(service, 'active'))
  const text = `<img src=x onerror="document.title='run'"> call back ${randomUUID().slice(0, 8)}`
  await signIn('operations')
  await page.goto('/sandbox')
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()

  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const support = await context.newPage()
  await signInByCookie(support, 'support')
  await support.goto(path)
  const notes = support.getByRole('region', { name: 'Notes' })
  await notes.getByRole('textbox', { name: 'Note' }).fill('The number is 4242 4242 4242 4242')
  await expect(notes.getByText('This looks like a card number. Use its last four digits.')).toBeVisible()
  await notes.getByRole('textbox', { name: 'Note' }).fill(text)
  await support.keyboard.press('Tab')
  await expect(notes.getByLabel('Hand over to')).toBeFocused()
  await notes.getByLabel('Hand over to').selectOption({ label: 'Everybody in Operations' })
  await tabTo(support, notes.getByRole('checkbox', { name: 'Pin' }))
  await support.keyboard.press('Space')
  await tabTo(support, notes.getByRole('button', { name: 'Add note' }))
  await support.keyboard.press('Enter')
  const written = notes.getByRole('listitem').filter({ hasText: text })
  await expect(written.getByText('Waits for Operations')).toBeVisible()
  await expect(written.getByText('Pinned')).toBeVisible()
  await expect(notes.getByRole('textbox', { name: 'Note' })).toHaveValue('')

  const item = page.getByRole('listitem').filter({ hasText: text })
  await expect(item).toBeVisible()
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /Home \d+ waiting/ }),
  ).toBeVisible()
  await expectAccessibleInEveryLook()
  await takePicture(page, 'waiting')
  await item.getByRole('button', { name: /^Mark done/ }).press('Enter')
  await expect(item).toBeHidden()
  await expect(page.getByRole('heading').and(page.locator(':focus')), 'the button is gone').toBeVisible()
  await expect(written.getByText(/by Olivia Poon/)).toBeVisible()
  await written.getByRole('button', { name: 'Answer' }).press('Enter')
  await expect(written.getByRole('textbox', { name: /^Answer to / })).toBeFocused()
  await written.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(written.getByRole('button', { name: 'Answer' })).toBeFocused()
  expect(await support.title()).not.toBe('run')
  await context.close()
})

test('a viewer reads the notes of an account and cannot write', async ({ page, service, signIn, expectAccessible }) => {
  const path = cardPath(await findCard(service, 'active')).replace(/\/cards\/.*/, '')
  const text = `For the file ${randomUUID().slice(0, 8)}`
  await signIn('support')
  await page.goto(path)
  const notes = page.getByRole('region', { name: 'Notes' })
  await notes.getByRole('textbox', { name: 'Note' }).fill(text)
  await notes.getByRole('textbox', { name: 'Note' }).press('Control+Enter')
  await expect(notes.getByRole('listitem').filter({ hasText: text })).toBeVisible()
  await page.evaluate(() => scrollTo(0, 0))
  await expectAccessible()
  await takePicture(page, 'account-notes')
  await signIn('viewer')
  await page.goto(path)
  await expect(notes.getByText(text)).toBeVisible()
  await expect(notes.getByRole('textbox')).toHaveCount(0)
  await expect(notes.getByRole('button', { name: 'Pin note' })).toHaveCount(0)
})

test('a payout prints as a receipt without the frame and without missing facts', async ({
  page,
  service,
  signIn,
  expectAccessibleInEveryLook,
}) => {
  await signIn('operations')
  const payout = (await readPayouts(service)).find(({ xid }) => xid === null)
  await page.goto(`/sandbox/payouts/${payout?.id}`)
  await page.getByRole('link', { name: /^(Receipt|Confirmation)$/ }).click()
  const receipt = page.getByRole('article', { name: /^(Receipt|Confirmation) of the payout to/ })
  await expect(receipt.getByText(payout?.id ?? '')).toBeVisible()
  await expect(receipt.getByText(/^As of/)).toBeVisible()
  await expect(receipt.getByText('Not provided')).toHaveCount(0)
  await page.getByRole('link', { name: 'Show in Chinese' }).click()
  await expect(page.getByRole('article', { name: /^付款(收據|確認書)：/ })).toHaveAttribute('lang', 'zh-Hant-HK')
  await page.getByRole('link', { name: 'Show in English' }).click()
  await expect(receipt).toBeVisible()
  await expectAccessibleInEveryLook()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toBeHidden()
  await expect(page.getByRole('banner')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toBeHidden()
  await expect(receipt).toBeVisible()
  expect(await receipt.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(255, 255, 255)')
  await takePicture(page, 'receipt-print')
})

test('a payout is repeated with one press: the same entry, a new quote, a new payout', async ({
  page,
  service,
  signIn,
}) => {
  await signIn('operations')
  await fillForm(page, hongKong)
  await getQuote(page, 'You send', '120')
  await submitQuote(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Payout to Maria Santos' })).toBeVisible()
  const before = await readPayouts(service)
  await page.getByRole('link', { name: 'Repeat payout' }).click()
  await expect(page.getByText('Copied from the payout to Maria Santos.')).toBeVisible()
  await expect(field(page, 'Account number')).toHaveValue('004-123456-789')
  await expect(field(page, 'You send')).toHaveValue('120')
  expect(page.url()).not.toContain('Maria')
  await takePicture(page, 'repeat')
  await page.getByRole('button', { name: 'Get quote' }).click()
  await expectRunning(page)
  await submitQuote(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Payout to Maria Santos' })).toBeVisible()
  await expect.poll(async () => (await readPayouts(service)).length).toBe(before.length + 1)
})

async function submitQuote(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Submit…' }).click()
  await confirmPayout(page)
  await dialog(page).getByRole('button', { name: 'Submit payout' }).click()
}

test('a note on a fee is written by the keyboard, and is on its transaction and its account, too', async ({
  page,
  service,
  signIn,
  expectAccessibleInEveryLook,
}) => {
  const [account] = await readAccounts(service)
  if (!account) throw new Error('the seed has accounts')
  const fee = await chargeFee(service, account, 12)
  const text = `Asked for goodwill ${randomUUID().slice(0, 8)}`
  const later = `Waived before ${randomUUID().slice(0, 8)}`
  await signIn('operations')
  await page.goto(`/sandbox/fees?open=${fee.id}`)
  const drawer = page.getByRole('dialog')
  const notes = drawer.getByRole('region', { name: 'Notes' })
  await expect(notes.getByRole('textbox', { name: 'Note' })).toBeVisible()
  await tabTo(page, notes.getByRole('textbox', { name: 'Note' }))
  await page.keyboard.type(text)
  await page.keyboard.press('Control+Enter')
  await expect(notes.getByRole('listitem').filter({ hasText: text })).toBeVisible()
  await expectAccessibleInEveryLook()
  await takePicture(page, 'fee-notes')
  await drawer.locator('a[href*="/transactions/"]').first().click()
  await expect(page.getByRole('region', { name: 'What happened' })).toBeVisible()
  const written = page.getByRole('region', { name: 'Notes' }).getByRole('listitem').filter({ hasText: text })
  await expect(written.getByRole('link', { name: 'E2e fee · 12.00 HKD' })).toHaveAttribute(
    'href',
    `/sandbox/fees?open=${fee.id}`,
  )
  await page.getByRole('textbox', { name: 'Note' }).fill(later)
  await page.getByRole('textbox', { name: 'Note' }).press('Control+Enter')
  await expect(page.getByRole('listitem').filter({ hasText: later })).toBeVisible()
  await expectAccessibleInEveryLook()
  await takePicture(page, 'transaction-notes')
  await page.goto(`/sandbox/card-accounts/${account.id}`)
  await expect(written).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: later })).toBeVisible()
})
