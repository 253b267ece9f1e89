import { expect, test } from './fixtures.ts'

test('offline, a link keeps the page and says so; once online, the chosen page opens by itself', async ({
  page,
  context,
  signIn,
  expectProblem,
}) => {
  expectProblem(/ERR_INTERNET_DISCONNECTED/)
  await signIn('viewer')
  await page.goto('/sandbox/fees')
  await expect(page.getByRole('table', { name: 'Fees' }).getByRole('row').nth(1)).toBeVisible()
  await context.setOffline(true)
  const notice = page.getByText('You’re offline.')
  await expect(notice).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).locator('a[href="/sandbox/card-accounts"]').click()
  await expect(page.getByText('The page you chose opens once you’re online again.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Fees' })).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('table', { name: 'Card accounts' })).toBeVisible()
  await expect(notice).toBeHidden()
})
