import type { Page } from '@playwright/test'
import { dialog } from './card-screen.ts'
import { png } from './documents.ts'
import { expect, test } from './fixtures.ts'
import { expectDone } from './toast.ts'

const reason = 'Additional Doc for Non-HK Resident (unclear image)'

test.beforeEach(async ({ service }) => {
  await service.control.reset()
})

/** The rows of the queue, without the head. */
function rows(page: Page) {
  return page
    .getByRole('table', { name: 'Identities' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
}

async function openApproved(page: Page): Promise<void> {
  await page.goto('/sandbox/identity')
  await page.getByRole('button', { name: /^Approved/ }).click()
  await expect(page).toHaveURL(/status=approved/)
  // The list shows the rejected ones until the approved ones are read.
  await expect(rows(page).first()).toContainText('Approved')
  await rows(page).getByRole('link').first().click()
  await expect(page.getByText('Identity approved')).toBeVisible()
}

test('an identity is rejected, explained and resubmitted by mouse, and its page follows', async ({
  page,
  context,
  signIn,
  expectAccessible,
}) => {
  await signIn('qa')
  await openApproved(page)
  await page.getByRole('button', { name: 'Simulate' }).click()
  await page.getByRole('menuitem', { name: reason }).click()
  await dialog(page).getByRole('button', { name: 'Simulate rejection' }).click()
  await expectDone(page, 'Decision simulated')
  await expect(page.getByText('Identity rejected')).toBeVisible()
  const rejection = page.getByRole('region', { name: 'Rejection' })
  await expect(rejection.getByText(reason)).toBeVisible()
  await expect(rejection.getByText(/^New photo of the same document/)).toBeVisible()
  const message = page.getByRole('region', { name: 'Message to the cardholder' })
  await expect(message.getByText(/^We couldn’t read the image/)).toBeVisible()
  await expect(message.getByText(/^我們未能讀取/)).toBeVisible()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  for (const [language, beginning] of [
    ['English', 'We couldn’t read the image'],
    ['Traditional Chinese', '我們未能讀取'],
  ] as const) {
    await message.getByRole('button', { name: `Copy message in ${language}` }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(beginning)
  }
  const history = page.getByRole('region', { name: 'What happened' })
  await expect(history.getByRole('link', { name: 'cardaccount.client-identity.rejected' })).toBeVisible()

  await page.getByRole('button', { name: 'Resubmit…' }).click()
  const form = dialog(page)
  await expect(form.getByRole('combobox', { name: 'Nationality' })).not.toHaveValue('')
  await expectAccessible()
  await form.getByLabel('First name').fill('Mei')
  await form.getByLabel('Last name').fill('Chan')
  await form.getByLabel('Date of birth').fill('1990-02-03')
  await form.getByLabel('Email').fill('mei@example.com')
  await form.getByLabel('Mobile').fill('+852 9123 4567')
  await form.getByLabel('Residential address').fill('1 Queen’s Road Central')
  await form.getByLabel('Number').fill('A1234567')
  await form.getByRole('combobox', { name: 'Nationality' }).fill('Singapore')
  await form.getByRole('combobox', { name: 'Nationality' }).press('Enter')
  await form.getByRole('button', { name: 'Resubmit identity' }).click()
  await expect(form.getByText('Add a document: the nationality is not Hong Kong.')).toBeVisible()
  await form.getByLabel(/^Passport/).setInputFiles({ name: 'passport.png', mimeType: 'image/png', buffer: png })
  await form.getByRole('button', { name: 'Resubmit identity' }).click()
  await expectDone(page, 'Identity resubmitted')
  await expect(page.getByText('Identity pending')).toBeVisible()
  await expect(history.getByText('Resubmitted')).toBeVisible()
})

test('a decision made elsewhere shows on the open case, and its reason on the account, in the lists and on the overview', async ({
  page,
  signIn,
  service,
}) => {
  await signIn('operations')
  await openApproved(page)
  const cardAccountId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const decide = (decision: object) =>
    service.post('/cardaccounts/simulate-client-identity-status', { cardAccountId, ...decision })
  expect((await decide({ action: 'reject', rejectedReason: reason })).status).toBe(200)
  await expect(page.getByText('Identity rejected')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Rejection' }).getByText(reason)).toBeVisible()
  await page.getByRole('link', { name: 'Card account', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Details' }).getByText(reason)).toBeVisible()
  for (const list of ['identity', 'card-accounts']) {
    await page.goto(`/sandbox/${list}?q=${cardAccountId}`)
    const row = page.getByRole('row').filter({ has: page.locator(`a[href*="${cardAccountId}"]`) })
    // A narrow screen shows the reason in another column.
    await expect(row.getByText(reason).filter({ visible: true }).first()).toBeVisible()
  }
  await page.goto('/sandbox')
  const attention = page.getByRole('region', { name: /^Rejected identities/ })
  await expect(attention.getByText(/Additional Doc for|Invalid ID|Incomplete Info/).first()).toBeVisible()
  await page.goto(`/sandbox/identity/${cardAccountId}`)
  await expect(page.getByText('Identity rejected')).toBeVisible()
  expect((await decide({ action: 'approve' })).status).toBe(200)
  await expect(page.getByText('Identity approved')).toBeVisible()
})

test('a viewer reads the queue and a case by keyboard, and changes nothing', async ({
  page,
  signIn,
  expectAccessibleInEveryLook,
}) => {
  await signIn('viewer')
  await page.goto('/sandbox/identity')
  await expect(page.getByRole('button', { name: /^Rejected/ })).toHaveAttribute('aria-pressed', 'true')
  await expect(rows(page).first()).toContainText(/Info|ID|Doc/)
  await expectAccessibleInEveryLook()
  await rows(page).getByRole('link').first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Rejection' })).toBeVisible()
  await expect(page.getByText('Only Operations and QA can do this.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Simulate' })).toHaveCount(0)
  await expectAccessibleInEveryLook()
})
