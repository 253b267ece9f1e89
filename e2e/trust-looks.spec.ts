import type { Page } from '@playwright/test'
import { setPolicy } from './approval-policy.ts'
import { test } from './fixtures.ts'
import { field, fillForm, getQuote, hongKong } from './payout-form.ts'
import { signInByCookie } from './sign-in-by-cookie.ts'

async function shoot(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    for (const width of [360, 1024, 1600]) {
      await page.emulateMedia({ colorScheme: theme })
      await page.setViewportSize({ width, height: 900 })
      await page.waitForTimeout(500)
      await page.screenshot({ path: test.info().outputPath(`${name}-${width}-${theme}.png`) })
    }
  }
}

test('looks', async ({ page, baseURL, expectProblem }) => {
  test.setTimeout(500_000)
  expectProblem(/./)
  await page.goto('/sign-in')
  await shoot(page, 'sign-in')
  await setPolicy(baseURL ?? '', [
    { topic: 'payouts', when: 'amount', amount: '10000', currency: 'HKD' },
    { topic: 'cancellations', when: 'always' },
    { topic: 'limit-raises', when: 'amount', amount: '50000', currency: 'HKD' },
    { topic: 'bulk-jobs', when: 'count', count: 20 },
  ]).catch(() => setPolicy(baseURL ?? '', [{ topic: 'payouts', when: 'amount', amount: '10000', currency: 'HKD' }]))
  await signInByCookie(page, 'operations')
  for (const amount of ['12000', '15000']) {
    await page.setViewportSize({ width: 1280, height: 900 })
    await fillForm(page, hongKong)
    await field(page, 'External id').fill(`looks-${amount}`)
    await getQuote(page, 'You send', amount)
    await page.getByRole('button', { name: 'Submit…' }).click()
    const window = page.getByRole('alertdialog')
    await window.getByLabel(/^Type the last four digits/).fill('6789')
    await window.getByRole('button', { name: 'Submit payout' }).click()
    await window.getByText('Waiting for approval').waitFor()
  }
  await shoot(page, 'maker')
  await signInByCookie(page, 'approver')
  await page.goto('/sandbox/approvals')
  await page.getByRole('table', { name: 'Approvals' }).getByRole('link').first().waitFor()
  await shoot(page, 'approvals')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('table', { name: 'Approvals' }).getByRole('link').first().click()
  await page.getByRole('button', { name: 'Approve…' }).waitFor()
  await shoot(page, 'approval')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.screenshot({ path: test.info().outputPath('approval-full.png'), fullPage: true })
  await page.setViewportSize({ width: 360, height: 900 })
  await page.screenshot({ path: test.info().outputPath('approval-full-360.png'), fullPage: true })
  await page.goto('/sandbox')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.waitForTimeout(1500)
  await page.screenshot({ path: test.info().outputPath('overview-approver.png'), fullPage: true })
  await page.goto('/sandbox/audit')
  await page.waitForTimeout(1500)
  await shoot(page, 'audit')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('table', { name: 'Audit entries' }).getByRole('link').first().click()
  await page.getByRole('dialog').waitFor()
  await page.waitForTimeout(1500)
  await shoot(page, 'audit-drawer')
  await page.goto('/sandbox/requests')
  await page.waitForTimeout(1500)
  await shoot(page, 'requests')
  await page.goto('/sandbox/settings/account')
  await page.waitForTimeout(1500)
  await shoot(page, 'account')
  await page.goto('/sandbox/settings/staff')
  await page.waitForTimeout(1500)
  await shoot(page, 'no-access')
  await signInByCookie(page, 'admin')
  for (const name of ['staff', 'policy', 'connection', 'account']) {
    await page.goto(`/sandbox/settings/${name}`)
    await page.waitForTimeout(2000)
    await shoot(page, name)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.screenshot({ path: test.info().outputPath(`${name}-full.png`), fullPage: true })
  }
  await setPolicy(baseURL ?? '', [])
})
