import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

async function openExplorer(page: Page, search = ''): Promise<void> {
  await page.goto(`/sandbox/lab/explorer${search}`)
  await expect(page.getByRole('heading', { level: 1, name: 'QA lab' })).toBeVisible()
}

/** Chooses an endpoint by its path, once the page is hydrated. */
async function choose(page: Page, search: string, path: string): Promise<void> {
  const endpoint = page.getByRole('navigation', { name: 'Endpoints' }).getByRole('button', { name: path })
  await page.getByRole('searchbox', { name: 'Search endpoints' }).fill(search)
  await expect(async () => {
    await endpoint.click()
    await expect(endpoint).toHaveAttribute('aria-current', 'true', { timeout: 1_000 })
  }).toPass()
}

function region(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}

test('a quote: choose the endpoint, fill the example, send it, and read the response', async ({ page, signIn }) => {
  await signIn('qa')
  await openExplorer(page)
  await choose(page, 'quote', 'POST /payouts/quote')
  const form = page.getByRole('form', { name: 'Request' })
  await page.getByRole('button', { name: 'Fill example' }).click()
  await expect(form.getByRole('textbox', { name: 'accountId required' })).not.toHaveValue('')
  await form.getByRole('button', { name: 'Send request' }).click()
  const response = region(page, 'Response')
  await expect(response.getByText('200', { exact: true })).toBeVisible()
  await expect(response.getByText('Matches the contract')).toBeVisible()
  await expect(region(page, 'response body')).toContainText('"destinationAmount": 100')
  await region(page, 'Signed request').getByText('Token header and claims').click()
  await expect(region(page, 'token')).toContainText('"uri": "/service/v1/payouts/quote"')
  await expect(region(page, 'snippet')).toContainText('openssl dgst -sha256 -sign "$PRIVATE_KEY"')
  await expect(page).toHaveURL(/\/sandbox\/lab\/explorer\?endpoint=quotePayout$/)
})

test('a wrong field is named before anything is sent; sent anyway, the service names it, and the log has it', async ({
  page,
  signIn,
  expectAccessibleInEveryLook,
}) => {
  await signIn('operations')
  await openExplorer(page, '?endpoint=lockCard')
  const form = page.getByRole('form', { name: 'Request' })
  const account = form.getByRole('textbox', { name: 'cardAccountId required' })
  await account.fill('no account')
  await expect(async () => {
    await form.getByRole('button', { name: 'Send request' }).click()
    await expect(account).toHaveAccessibleDescription(/must be a UUID/, { timeout: 2_000 })
  }).toPass()
  await expect(form.getByText('Nothing was sent.')).toBeVisible()
  await expect(region(page, 'Response')).toHaveCount(0)
  await form.getByRole('checkbox', { name: /Send anyway/ }).check()
  await form.getByRole('button', { name: 'Send request' }).click()
  await expect(region(page, 'Response').getByText('400', { exact: true })).toBeVisible()
  await expect(region(page, 'response body')).toContainText('INVALID_PARAMETERS')
  await expect(account).toHaveAccessibleDescription(/must be a UUID/)
  await expectAccessibleInEveryLook()

  await page.getByRole('button', { name: 'Recent requests' }).click()
  await page.getByRole('combobox', { name: 'Method' }).selectOption('POST')
  await page
    .getByRole('table', { name: 'Recent requests' })
    .getByRole('link', { name: 'POST /cards/lock' })
    .first()
    .click()
  const drawer = page.getByRole('dialog')
  await expect(region(page, 'request body')).toContainText('no account')
  await drawer.getByRole('button', { name: 'Open in explorer' }).click()
  await expect(page).toHaveURL(/\?endpoint=lockCard$/)
  await expect(account).toHaveValue('no account')
})

test('recent requests and test values: axe finds nothing in any look', async ({
  page,
  signIn,
  service,
  expectAccessibleInEveryLook,
}) => {
  await service.get('/ping')
  await signIn('qa')
  await openExplorer(page)
  await expect(region(page, 'Test values')).toBeVisible()
  await expectAccessibleInEveryLook()
  await openExplorer(page, '?view=requests')
  await page.getByRole('table', { name: 'Recent requests' }).getByRole('link').first().click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Open in explorer' })).toBeVisible()
  await expectAccessibleInEveryLook()
})

test('production has no explorer, and other roles may not open it', async ({ page, signIn, expectProblem }) => {
  expectProblem(/40[34]/)
  await signIn('qa')
  expect((await page.goto('/production/lab/explorer'))?.status()).toBe(404)
  await signIn('support')
  expect((await page.goto('/sandbox/lab/explorer'))?.status()).toBe(403)
})
