import type { Page } from '@playwright/test'
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

test('during an outage open pages keep their data, show its start, and recover', async ({
  page,
  context,
  service,
  signIn,
}) => {
  const ids = await findCard(service, 'active')
  const { payouts } = (await service.get('/payouts')).body as { payouts: { id: string; status: string }[] }
  const payoutPath = `/sandbox/payouts/${payouts.find(({ status }) => status === 'cancelled')?.id}`
  await signIn('operations')
  const open = async (path: string) => {
    const other = await context.newPage()
    await other.goto(path)
    return other
  }
  await openCard(page, ids)
  const payout = await open(payoutPath)
  const ledger = await open('/sandbox/funding-accounts')
  const rates = await open('/sandbox/rates')
  const shown = [
    [page, page.getByRole('heading', { level: 1, name: /^Card ending/ })],
    [payout, payout.getByText('Why it was cancelled:')],
    [ledger, ledger.getByRole('table', { name: 'Account ledger' }).getByRole('row').nth(20)],
    [rates, rates.getByRole('table').getByRole('link', { name: 'HKD' })],
  ] as const
  for (const [, data] of shown) await expect(data).toBeVisible()
  await expect(rates.getByText(/^live · \d+ s old$/)).toBeVisible()
  const noticeOf = (one: Page) => one.getByRole('alert').filter({ hasText: 'The card service isn’t responding.' })

  await service.control.armFault({ path: '*', status: 503, times: 10_000 })
  for (const [one, data] of shown) {
    await expect(noticeOf(one)).toContainText(/Since \d\d:\d\d:\d\d HKT/, { timeout: 45_000 })
    await expect(data).toBeVisible()
  }
  await expect(rates.getByText(/last read \d\d:\d\d:\d\d HKT · \d+ s old/)).toBeVisible()
  for (const [one, data] of [shown[1], shown[3]]) {
    await one.reload()
    await expect(data).toBeVisible()
  }
  await expect(payout.getByText(/as Carddesk last read it/)).toBeVisible()

  await service.control.disarmFaults()
  for (const [one] of shown) await expect(noticeOf(one)).toBeHidden({ timeout: 45_000 })
  await expect(rates.getByText(/^live · \d+ s old$/)).toBeVisible({ timeout: 45_000 })
})

test('pages that are opened while the service is down show what the console last read', async ({
  page,
  service,
  signIn,
}) => {
  const ids = await findCard(service, 'active')
  await signIn('viewer')
  await page.goto('/sandbox/payouts')
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
  await page.goto('/sandbox/payouts')
  await expect(page.getByRole('table', { name: 'Payouts' }).getByRole('row')).not.toHaveCount(1)
  await service.control.disarmFaults()
  await expect(page.getByRole('alert').filter({ hasText: 'The card service isn’t responding.' })).toBeHidden({
    timeout: 45_000,
  })
})
