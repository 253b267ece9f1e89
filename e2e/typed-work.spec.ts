import { randomUUID } from 'node:crypto'
import { routes } from '#lib/shared/routes.ts'
import { dialog, openAction, openCard } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { openPalette } from './palette.ts'
import { confirmPayout, fillForm, getQuote, hongKong, openForm } from './payout-form.ts'
import { findCard } from './service-caller.ts'
import { toasts } from './toast.ts'

/* What a person typed is never thrown away unasked: by Escape, a press outside, a link, the palette or the back button. */

const rejectedCase = '/sandbox/identity?status=rejected'

test('Escape and the back button ask before the form of an identity is lost, and keep every field', async ({
  page,
  signIn,
  expectAccessible,
}) => {
  await signIn('operations')
  await page.goto('/sandbox/payouts')
  await page.goto(rejectedCase)
  await page.getByRole('table').getByRole('link').first().click()
  await page.getByRole('button', { name: 'Resubmit…' }).click()
  const form = page.getByRole('alertdialog', { name: /^Resubmit the identity of/ })
  const field = form.getByLabel('First name')
  await expect(field, 'the focus starts on the first text').toBeFocused()
  await field.fill('Tai Man Typed')
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' })
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused()
  await expectAccessible()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(field).toHaveValue('Tai Man Typed')
  // The page stays, so there is no navigation to wait for.
  await page.evaluate(() => history.back())
  await page.getByRole('button', { name: 'Stay' }).click()
  await expect(field).toHaveValue('Tai Man Typed')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toHaveCount(0)
  await field.focus()
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(form).toBeHidden()
})

test('the switch of the environment asks before a form is lost', async ({ page, signIn }) => {
  await signIn('operations')
  const form = await openForm(page)
  const surname = form.getByRole('textbox', { name: 'Surname' })
  await surname.fill('Typed')
  await page.getByRole('button', { name: /^Environment:/ }).click()
  await page.getByRole('menuitemradio', { name: /^Production/ }).click()
  await page.getByRole('alertdialog', { name: 'Leave this payout?' }).getByRole('button', { name: 'Stay' }).click()
  await expect(surname).toHaveValue('Typed')
})

test('a press outside asks where a dialog holds typed text, and closes one that holds none', async ({
  page,
  signIn,
}) => {
  await signIn('operations')
  await page.goto('/sandbox/fees?status=void')
  const open = async () => {
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByRole('menuitem', { name: /^Save/ }).click()
    return page.getByRole('dialog', { name: 'Save this view?' })
  }
  const empty = await open()
  await expect(empty).toBeVisible()
  await page.mouse.click(5, 300)
  await expect(empty).toBeHidden()
  const window = await open()
  await window.getByLabel('Name').fill('Waived this month')
  await page.mouse.click(5, 300)
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(window.getByLabel('Name')).toHaveValue('Waived this month')
  await window.getByRole('button', { name: 'Cancel' }).click()
  await expect(window, 'the button of the form itself is not asked again').toBeHidden()
})

test('Escape closes the palette, whatever was typed into it', async ({ page, signIn }) => {
  await signIn('viewer')
  await page.goto('/sandbox/banks?country=HK')
  const field = await openPalette(page)
  await field.pressSequentially('fees')
  await field.press('Escape')
  await expect(field).toBeHidden()
})

test('the back button asks each time, also before a page that was left to before', async ({ page, signIn }) => {
  await signIn('operations')
  await page.goto(routes.cardAccounts('sandbox'))
  for (const lines of ['first,1', 'second,2']) {
    await page.getByRole('link', { name: 'Set limits by CSV' }).last().click()
    await page.getByRole('textbox', { name: /Paste the lines/ }).pressSequentially(lines)
    await page.evaluate(() => history.back())
    await page
      .getByRole('alertdialog', { name: 'Leave this list of limits?' })
      .getByRole('button', { name: 'Leave' })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: 'Card accounts' })).toBeVisible()
  }
})

test('a half-written note is there again after other pages, and a saved one is not', async ({
  page,
  service,
  signIn,
}) => {
  const ids = await findCard(service, 'active')
  await signIn('support')
  await openCard(page, ids)
  const notes = page.getByRole('region', { name: 'Notes' })
  await notes.getByLabel('Note', { exact: true }).fill('Asked twice about the ATM')
  await page.getByRole('link', { name: 'Payouts' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payouts' })).toBeVisible()
  await page.goBack()
  await expect(notes.getByLabel('Note', { exact: true })).toHaveValue('Asked twice about the ATM')
  await notes.getByLabel('Note', { exact: true }).fill('Asked three times about the ATM')
  const questions: string[] = []
  page.on('dialog', (dialog) => {
    questions.push(dialog.type())
    void dialog.dismiss()
  })
  await page.evaluate(() => location.reload())
  await expect.poll(() => questions).toEqual(['beforeunload'])
  await expect(notes.getByLabel('Note', { exact: true })).toHaveValue('Asked three times about the ATM')
  await notes.getByRole('button', { name: 'Add note' }).click()
  await expect(notes.getByText('Asked three times about the ATM')).toBeVisible()
  await page.getByRole('link', { name: 'Payouts' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payouts' })).toBeVisible()
  await page.goBack()
  await expect(notes.getByLabel('Note', { exact: true })).toHaveValue('')
})

test('a note whose response is lost says so, and leaves the form once the list has it', async ({
  page,
  service,
  signIn,
  expectProblem,
}) => {
  expectProblem(/ERR_FAILED/)
  const ids = await findCard(service, 'active')
  await signIn('support')
  await openCard(page, ids)
  const notes = page.getByRole('region', { name: 'Notes' })
  const field = notes.getByLabel('Note', { exact: true })
  // Thirteen digits may be those of a card number.
  const text = `Moved to Kwun Tong ${randomUUID().slice(0, 8)}`
  let isSaved = false
  await page.route('**/card-accounts/**', async (route) => {
    if (!route.request().postData()?.includes('addNote')) return route.fallback()
    if (isSaved) await route.fetch()
    await route.abort()
  })
  const lost = notes.getByText('Carddesk did not respond, so we don’t know if this began.')
  await field.fill(text)
  await notes.getByRole('button', { name: 'Add note' }).click()
  await expect(lost).toBeVisible()
  await expect(field).toHaveValue(text)
  isSaved = true
  await notes.getByRole('button', { name: 'Add note' }).click()
  await expect(notes.getByRole('listitem').filter({ hasText: text })).toHaveCount(1)
  await expect(field).toHaveValue('')
  await expect(lost).toBeHidden()
})

test('what is typed while a note is being saved stays as the next one', async ({ page, service, signIn }) => {
  const ids = await findCard(service, 'active')
  await signIn('support')
  await openCard(page, ids)
  const notes = page.getByRole('region', { name: 'Notes' })
  const field = notes.getByLabel('Note', { exact: true })
  const text = `Moved to Sha Tin ${randomUUID().slice(0, 8)}`
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/card-accounts/**', async (route) => {
    if (route.request().postData()?.includes('addNote')) await released
    await route.fallback()
  })
  await field.fill(text)
  const add = notes.getByRole('button', { name: 'Add note' })
  await add.click()
  await expect(add).toHaveAttribute('aria-busy', 'true')
  await field.fill('Typed meanwhile')
  release()
  await expect(notes.getByRole('listitem').filter({ hasText: text })).toHaveCount(1)
  await expect(add).not.toHaveAttribute('aria-busy', 'true')
  await expect(field).toHaveValue('Typed meanwhile')
})

test('a link says of a payout that it is being sent, and who stays is led to the payout', async ({
  page,
  service,
  signIn,
}) => {
  await signIn('operations')
  await page.goto(routes.payouts('sandbox'))
  await fillForm(page, hongKong)
  await getQuote(page, 'You send', '41')
  await page.getByRole('button', { name: 'Submit…' }).click()
  await confirmPayout(page)
  await service.control.armFault({ path: '/payouts', method: 'POST', delayMs: 4000 })
  await dialog(page).getByRole('button', { name: 'Submit payout' }).click()
  // A dialog is over the navigation.
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>('nav a[href$="/sandbox/fees"]')?.click())
  const question = page.getByRole('alertdialog', { name: 'Leave this payout?' })
  await expect(question).toContainText('It is being sent, and leaving doesn’t stop it.')
  await expect(question).not.toContainText('Nothing has been sent')
  await expect(page.getByRole('heading', { level: 1, name: 'Payout to Maria Santos' })).toBeVisible()
  await expect(question).toBeHidden()
})

test('who leaves a payout while it is sent stays where they went', async ({ page, service, signIn }) => {
  await signIn('operations')
  await page.goto(routes.payouts('sandbox'))
  await fillForm(page, hongKong)
  await getQuote(page, 'You send', '42')
  await page.getByRole('button', { name: 'Submit…' }).click()
  await confirmPayout(page)
  await service.control.armFault({ path: '/payouts', method: 'POST', delayMs: 4000 })
  await dialog(page).getByRole('button', { name: 'Submit payout' }).click()
  // A dialog is over the navigation.
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>('nav a[href$="/sandbox/fees"]')?.click())
  await page.getByRole('alertdialog', { name: 'Leave this payout?' }).getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Fees' })).toBeVisible()
  await expect(toasts(page).filter({ hasText: 'Payout submitted' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Fees' })).toBeVisible()
})

test('the question whether to leave is closed once what it says is being sent has ended', async ({
  page,
  service,
  signIn,
}) => {
  const ids = await findCard(service, 'active')
  await signIn('operations')
  await openCard(page, ids)
  await openAction(page, 'Lock')
  await dialog(page).getByLabel('Reason').selectOption({ index: 1 })
  await dialog(page).getByLabel('Comment').fill('Asked for by phone')
  await service.control.armFault({ path: '/cards/lock', method: 'POST', delayMs: 3000 })
  await dialog(page).getByRole('button', { name: 'Lock card' }).click()
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>('nav a[href$="/sandbox/fees"]')?.click())
  await expect(page.getByRole('alertdialog', { name: 'Leave this page?' })).toContainText('It is being sent')
  await expect(toasts(page).filter({ hasText: 'Card locked' })).toBeVisible()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
})

test('on a telephone a toast covers no button of a dialog', async ({ page, service, signIn }) => {
  const ids = await findCard(service, 'active')
  await signIn('operations')
  await page.setViewportSize({ width: 360, height: 640 })
  await openCard(page, ids)
  await openAction(page, 'Lock')
  await dialog(page).getByRole('button', { name: 'Lock card' }).click()
  await expect(toasts(page).filter({ hasText: 'Card locked' })).toBeVisible()
  await openAction(page, 'Replace card')
  await dialog(page).getByRole('button', { name: 'Issue replacement' }).click({ trial: true, timeout: 3000 })
  await expect(toasts(page).filter({ hasText: 'Card locked' })).toBeVisible()
})

test('a toast names the sandbox on a page of production', async ({ page, service, signIn }) => {
  const ids = await findCard(service, 'active')
  await signIn('support')
  await openCard(page, ids)
  await service.control.armFault({ path: '/cards/lock', delayMs: 4000 })
  await openAction(page, 'Lock')
  await dialog(page).getByRole('button', { name: 'Lock card' }).click()
  await page.evaluate((href) => {
    const { router } = Reflect.get(window, 'next') as { router: { push: (href: string) => void } }
    router.push(href)
  }, routes.overview('production'))
  await expect(page.getByText('Production: real cards, real money')).toBeVisible()
  await expect(toasts(page).filter({ hasText: 'Card locked in the sandbox' })).toBeVisible()
})
