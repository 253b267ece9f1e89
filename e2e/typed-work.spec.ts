import { openCard } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { openPalette } from './palette.ts'
import { findCard } from './service-caller.ts'

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
