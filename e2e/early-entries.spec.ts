import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { field } from './payout-form.ts'

/** Opens a page whose scripts wait until the returned function is called: a slow connection. */
async function openWithoutScript(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/_next/static/**/*.js', async (route) => {
    await promise
    await route.continue()
  })
  await page.goto(address, { waitUntil: 'commit' })
  return resolve
}

test('what was chosen and typed for a payout before the page’s script was there counts', async ({ page, signIn }) => {
  await signIn('operations')
  const letScriptCome = await openWithoutScript(page, '/sandbox/payouts/new')
  const form = page.getByRole('form', { name: 'New payout' })
  await form.getByLabel('Country').selectOption({ label: 'Indonesia' })
  await field(page, 'First name').fill('Maria')
  letScriptCome()
  await expect(page).toHaveURL(/country=ID/)
  await expect(form.getByText('the only currency for Indonesia')).toBeVisible()
  await field(page, 'Surname').fill('Santos')
  await form.getByRole('button', { name: 'Get quote' }).click()
  await expect(form.getByText('The account number is required.').first()).toBeVisible()
  await expect(form.getByText('The first name is required.')).toHaveCount(0)
  await expect(field(page, 'First name')).toHaveValue('Maria')
})

test('rows that were chosen, and filters that were set, before the page’s script was there count', async ({
  page,
  signIn,
}) => {
  await signIn('operations')
  const letScriptCome = await openWithoutScript(page, '/sandbox/fees?status=posted')
  const row = page.getByRole('row').getByRole('checkbox').nth(1)
  await row.check()
  letScriptCome()
  await expect(page.getByRole('region', { name: 'Selected fees' })).toContainText('1 ')
  await expect(row).toBeChecked()

  const letScriptComeAgain = await openWithoutScript(page, '/sandbox/card-accounts')
  await page.getByRole('searchbox').fill('chan')
  await page.getByLabel('Currency').selectOption('HKD')
  letScriptComeAgain()
  await expect(page).toHaveURL(/currency=HKD/)
  await expect(page).toHaveURL(/q=chan|search=chan/)
})

test('what a page shows at once is in the server’s HTML, so that nothing moves when it is taken over', async ({
  page,
  signIn,
}) => {
  await signIn('operations')
  // A read that takes too long is left to the browser: on a busy machine the next response has it.
  for (const path of ['/sandbox', '/sandbox/funding-accounts'])
    await expect(async () => {
      const html = await (await page.request.get(path)).text()
      expect(html, path).not.toMatch(/Loading (<!-- -->)?[a-z]/)
      if (path.endsWith('funding-accounts')) expect(html).toMatch(/(Set|Change) threshold…/)
    }).toPass({ timeout: 20_000 })
})
