import { expect, test } from './fixtures.ts'
import { toasts } from './toast.ts'

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

test('while the console’s server does not answer, a link keeps the page; once it answers, the chosen page opens by itself', async ({
  page,
  signIn,
  expectProblem,
}) => {
  expectProblem(/ERR_FAILED/)
  await signIn('viewer')
  await page.goto('/sandbox/fees')
  await expect(page.getByRole('table', { name: 'Fees' }).getByRole('row').nth(1)).toBeVisible()
  await page.route('**/*', (route) => route.abort())
  await expect(page.getByText('Carddesk isn’t responding.')).toBeVisible({ timeout: 30_000 })
  await page.getByRole('navigation', { name: 'Main' }).locator('a[href="/sandbox/card-accounts"]').click()
  const heldUp = page.getByText('The page you chose opens once Carddesk responds again.')
  await expect(heldUp).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Fees' })).toBeVisible()
  await page.unroute('**/*')
  await expect(page.getByRole('table', { name: 'Card accounts' })).toBeVisible({ timeout: 30_000 })
  await expect(heldUp).toBeHidden()
})

test('while the console’s server does not answer, pages stay with what was typed, and go on when it is back', async ({
  page,
  signIn,
  expectProblem,
}) => {
  expectProblem(/ERR_FAILED|ChunkLoadError/)
  await signIn('operations')
  await page.goto('/sandbox/fees?status=pending')
  const table = page.getByRole('table', { name: 'Fees' })
  await expect(table.getByRole('row').nth(1)).toBeVisible()
  // The first movement of the mouse fetches what every page may need.
  await page.getByRole('searchbox').click()
  await page.getByRole('searchbox').fill('chan')
  await page.route('**/*', (route) => route.abort())
  const notice = page.getByText('Carddesk isn’t responding.')
  await expect(notice).toBeVisible({ timeout: 30_000 })
  const waive = table.getByRole('button', { name: /^Waive…/ }).first()
  const lost = new Map<string, number>()
  page.on('requestfailed', (request) => {
    if (request.resourceType() === 'script') lost.set(request.url(), (lost.get(request.url()) ?? 0) + 1)
  })
  await waive.click()
  // The browser asks for the dialog's code, and once more.
  await expect.poll(() => lost.size > 0 && [...lost.values()].every((times) => times > 1)).toBe(true)
  await expect(page.getByRole('heading', { level: 1, name: 'Fees' })).toBeVisible()
  await expect(waive).toBeVisible()

  await page.unroute('**/*')
  await expect(toasts(page).getByText('It couldn’t be opened').first()).toBeVisible()
  await expect(notice).toBeHidden({ timeout: 30_000 })
  await expect(page.getByRole('searchbox')).toHaveValue('chan')
  await waive.click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
})
