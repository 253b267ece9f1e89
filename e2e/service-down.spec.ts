import { openCard } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { findCard } from './service-caller.ts'

test.beforeEach(async ({ service, expectProblem }) => {
  expectProblem(/50[0-9]/)
  await service.control.reset()
})

test.afterEach(async ({ service }) => {
  await service.control.disarmFaults()
})

test('during an outage a card page keeps its data, shows the start, and recovers', async ({
  page,
  service,
  signIn,
}) => {
  const ids = await findCard(service, 'active')
  await signIn('operations')
  await openCard(page, ids)
  await service.control.armFault({ path: '*', status: 503, times: 10_000 })
  const notice = page.getByRole('alert').filter({ hasText: 'The card service isn’t responding.' })
  await expect(notice).toBeVisible({ timeout: 45_000 })
  await expect(notice).toContainText(/Since \d\d:\d\d:\d\d HKT/)
  await expect(page.getByRole('heading', { level: 1, name: /^Card ending/ })).toBeVisible()
  await service.control.disarmFaults()
  await expect(notice).toBeHidden({ timeout: 45_000 })
})

test('pages that are opened while the service is down show what the console last read', async ({
  page,
  service,
  signIn,
}) => {
  const ids = await findCard(service, 'active')
  await signIn('viewer')
  await page.goto('/sandbox/card-accounts')
  await openCard(page, ids)
  await service.control.armFault({ path: '*', status: 0, times: 10_000 })
  await openCard(page, ids)
  await expect(page.getByText(/as Carddesk last read it/).first()).toBeVisible()
  await page.goto('/sandbox')
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'The card service isn’t responding.' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Cards by status' })).toBeVisible()
  await page.goto('/sandbox/card-accounts')
  await expect(page.getByRole('table', { name: 'Card accounts' }).getByRole('row')).not.toHaveCount(1)
  await service.control.disarmFaults()
  await expect(page.getByRole('alert').filter({ hasText: 'The card service isn’t responding.' })).toBeHidden({
    timeout: 45_000,
  })
})
