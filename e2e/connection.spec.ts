import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { openPalette } from './palette.ts'

async function openConnection(page: Page): Promise<void> {
  await page.goto('/sandbox/settings/connection')
  await expect(page.getByRole('heading', { level: 1, name: 'Connection' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Last check' })).toBeVisible({ timeout: 30_000 })
}

test.afterEach(async ({ service }) => {
  await service.control.disarmFaults()
})

const endpoints = (page: Page) => page.getByRole('region', { name: 'Read endpoints' })

test('operations find the page in the palette, and see every verdict, the inbox URL and the assumptions', async ({
  page,
  signIn,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn('operations')
  await page.goto('/sandbox')
  const field = await openPalette(page)
  await field.fill('Connection')
  await page.getByRole('option', { name: /^Connection/ }).click()
  await expect(page).toHaveURL(/\/sandbox\/settings\/connection$/)
  await expect(page.getByRole('region', { name: 'Last check' })).toContainText('Usable', { timeout: 30_000 })
  await expect(
    endpoints(page).getByRole('listitem').filter({ hasText: 'GET /cardaccounts/transactions' }),
  ).toContainText(/Matches.*200.*ms/s)
  await expect(
    endpoints(page).getByRole('listitem').filter({ hasText: 'GET /cards/card-sensitive-info' }),
  ).toContainText('Not called: it opens a one-time link to card data.')
  await page.getByRole('button', { name: 'Copy inbox URL' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/api\/webhooks\/inbox\/sandbox$/)
  const assumptions = page.getByRole('region', { name: 'Documented assumptions' })
  await assumptions.getByText('Confirmed').click()
  await expect(assumptions.getByText('Claim uri')).toBeVisible()
})

test('by keyboard: the check runs again, and its time moves', async ({ page, signIn }) => {
  await signIn('admin')
  await openConnection(page)
  const time = page.getByRole('region', { name: 'Last check' }).locator('time').first()
  const before = await time.getAttribute('datetime')
  await page.getByRole('button', { name: 'Check connection' }).focus()
  await page.keyboard.press('Enter')
  await expect(time).not.toHaveAttribute('datetime', before ?? '', { timeout: 30_000 })
  const assumptions = page.getByRole('region', { name: 'Documented assumptions' })
  await assumptions.locator('summary').filter({ hasText: /^Open/ }).focus()
  await page.keyboard.press('Enter')
  await expect(assumptions.getByText('Quote lifetime')).toBeVisible()
})

test('the page is accessible in every look, its filters are in the URL', async ({
  page,
  signIn,
  expectAccessibleInEveryLook,
}) => {
  await signIn('operations')
  await openConnection(page)
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('unknown-field')
  await expect(page).toHaveURL(/kind=unknown-field/)
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Kind' })).toHaveValue('unknown-field')
  await expectAccessibleInEveryLook()
})

test('a viewer has neither the link nor the page', async ({ page, signIn, expectProblem }) => {
  expectProblem(/403/)
  await signIn('viewer')
  await page.goto('/sandbox/webhooks')
  await expect(page.getByRole('heading', { level: 1, name: 'Webhook health' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Connection' })).toHaveCount(0)
  await page.goto('/sandbox/settings/connection')
  await expect(page.getByRole('region', { name: 'Last check' })).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Connection' })).toHaveCount(0)
})

test('a service that rejects every request is never shown as live, and recovers by itself', async ({
  page,
  service,
  signIn,
  expectProblem,
}) => {
  expectProblem(/50[0-9]/)
  await signIn('operations')
  await page.goto('/sandbox')
  const status = page.getByRole('status').filter({ hasText: 'Service:' })
  await expect(status).toContainText('Live', { timeout: 20_000 })
  await service.control.armFault({ path: '*', status: 401, times: 10_000 })
  await expect(status).toContainText('Rejected: check the access key', { timeout: 45_000 })
  const notice = page.getByRole('alert').filter({ hasText: 'The card service rejects every request.' })
  await expect(notice).toContainText(/Last problem: GET \/\w+.*HTTP 401/)
  await notice.getByRole('link', { name: 'Check the connection' }).click()
  await expect(page).toHaveURL(/\/settings\/connection$/)
  await service.control.disarmFaults()
  await expect(status).toContainText('Live', { timeout: 45_000 })
})

test('a missing endpoint is named in the header and on the pages that use it', async ({
  page,
  service,
  signIn,
  expectProblem,
}) => {
  expectProblem(/50[0-9]/)
  await service.control.armFault({ path: '/fees', status: 404, times: 10_000 })
  await signIn('operations')
  await page.goto('/sandbox/fees')
  const sentence = 'GET /fees isn’t available on this service (404).'
  await expect(page.getByRole('alert').filter({ hasText: sentence }).first()).toBeVisible({ timeout: 45_000 })
  const status = page.getByRole('status').filter({ hasText: 'Service:' })
  await expect(status).toContainText(/\d endpoints? unavailable/, { timeout: 45_000 })
  await page.goto('/sandbox/rates')
  await expect(status).toContainText(/\d endpoints? unavailable/, { timeout: 45_000 })
  await expect(page.getByText(sentence)).toHaveCount(0)
  await page.goto('/sandbox/settings/connection')
  await page.getByRole('button', { name: 'Check connection' }).click()
  await expect(endpoints(page).getByRole('listitem').filter({ hasText: 'GET /fees' })).toContainText('Missing', {
    timeout: 30_000,
  })
  await expect(page.getByText('Enter the path of GET /fees on this service.')).toBeVisible()
})
