import type { Page } from '@playwright/test'
import { setPolicy } from './approval-policy.ts'
import { takePicture, takePictures } from './every-look.ts'
import { expect, test } from './fixtures.ts'
import { field, fillForm, getQuote, hongKong, readPayouts } from './payout-form.ts'
import { signInByCookie } from './sign-in-by-cookie.ts'

async function submitPayout(page: Page, amount: string, xid: string): Promise<void> {
  await fillForm(page, hongKong)
  await field(page, 'External ID').fill(xid)
  await getQuote(page, 'You send', amount)
  await page.getByRole('button', { name: 'Submit…' }).click()
  const window = page.getByRole('alertdialog')
  await window.getByLabel(/^Type the last four digits/).fill('6789')
  await window.getByRole('button', { name: 'Ask for approval' }).click()
}

test('a policy is proposed by an admin on the page, and confirmed by another', async ({
  page,
  baseURL,
  signIn,
  expectAccessibleInEveryLook,
}) => {
  await setPolicy(baseURL ?? '', [])
  try {
    await signIn('admin')
    await page.goto('/sandbox/settings/policy')
    const inForce = page.getByRole('region', { name: 'In force' })
    await expect(inForce.getByText('Nothing needs an approval.')).toBeVisible()
    await page.getByRole('button', { name: 'Propose change…' }).click()
    await page.getByRole('button', { name: 'All card cancellations' }).click()
    await expect(page.getByRole('group', { name: 'Rule 1' }).getByLabel('What')).toHaveValue('cancellations')
    await page.getByRole('button', { name: 'Remove rule 1' }).click()
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByLabel('Currency').selectOption('HKD')
    await page.getByLabel('Amount from the funding account').fill('0')
    await page.getByRole('button', { name: 'Propose policy' }).click()
    await expect(page.getByText('The amount must be above 0.')).toBeVisible()
    await expect(page.getByText('A reason must be given.')).toBeVisible()
    await expectAccessibleInEveryLook()
    await page.getByLabel('Amount from the funding account').fill('10,000')
    await page.getByLabel('Reason').fill('Payouts get a second pair of eyes')
    await expect(page.locator('[aria-invalid]'), 'what was changed is not wrong any more').toHaveCount(0)
    await page.getByRole('button', { name: 'Propose policy' }).click()
    const proposed = page.getByRole('region', { name: 'Proposed' })
    await expect(proposed.getByText('Payouts of 10,000.00 HKD or more.')).toBeVisible()
    await expect(proposed.getByRole('button', { name: 'Confirm policy…' })).toBeHidden()
    await takePicture(page, 'policy-proposed')

    await signIn('second admin')
    await page.goto('/sandbox/settings/policy')
    await proposed.getByRole('button', { name: 'Confirm policy…' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question.getByText('Payouts of 10,000.00 HKD or more.')).toBeVisible()
    await expectAccessibleInEveryLook()
    await question.getByRole('button', { name: 'Confirm policy' }).click()
    await expect(proposed).toBeHidden()
    await signIn('approver')
    await page.goto('/sandbox/settings/policy')
    await expect(inForce.getByText('Payouts of 10,000.00 HKD or more.')).toBeVisible()
    await expect(inForce.getByText(/Proposed by Grace Yip, confirmed by Hugo Lai/)).toBeVisible()
    await takePicture(page, 'policy')
  } finally {
    await setPolicy(baseURL ?? '', [])
  }
})

test('a proposal that began before another policy came into force is refused, and so are too many rules', async ({
  page,
  baseURL,
  signIn,
}) => {
  await setPolicy(baseURL ?? '', [])
  try {
    await signIn('admin')
    await page.goto('/sandbox/settings/policy')
    await page.getByRole('button', { name: 'Propose change…' }).click()
    await setPolicy(baseURL ?? '', [{ topic: 'cancellations', when: 'always' }])
    const inForce = page.getByRole('region', { name: 'In force' })
    await expect(inForce.getByText('All card cancellations.')).toBeVisible({ timeout: 20_000 })
    await page.getByLabel('Reason').fill('Nothing needs an approval')
    await page.getByRole('button', { name: 'Propose policy' }).click()
    await expect(page.getByText('The policy was changed meanwhile.')).toBeVisible()
    for (let rules = 0; rules < 31; rules += 1) await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('button', { name: 'Propose policy' }).click()
    await expect(page.getByText('The rules must be at most 30.')).toBeVisible()
  } finally {
    await setPolicy(baseURL ?? '', [])
  }
})

test('a payout above the limit waits, is approved in another session and is made; another is declined', async ({
  page,
  browser,
  baseURL,
  service,
  signIn,
  expectAccessibleInEveryLook,
}) => {
  test.setTimeout(180_000)
  await setPolicy(baseURL ?? '', [{ topic: 'payouts', when: 'amount', amount: '10000', currency: 'HKD' }])
  const other = await browser.newContext({ baseURL: baseURL ?? '' })
  const checker = await other.newPage()
  try {
    await signIn('operations')
    await submitPayout(page, '12000', 'e2e-approved')
    const window = page.getByRole('alertdialog')
    await expect(window.getByText('Waiting for approval')).toBeVisible()
    await expect(window.getByText('Ada Ng (Approver) can decide.', { exact: false })).toBeVisible()
    await takePicture(page, 'maker')
    expect((await readPayouts(service)).some(({ xid }) => xid === 'e2e-approved')).toBe(false)

    await signInByCookie(checker, 'approver')
    await checker.goto('/sandbox')
    await expect(checker.getByRole('link', { name: /^Home\s*[1-9]\d*\s*waiting$/ })).toBeVisible()
    await checker.getByRole('link', { name: 'Approvals', exact: true }).click()
    await checker.getByRole('table', { name: 'Approvals' }).getByRole('link').first().click()
    await expect(checker.getByRole('heading', { level: 1, name: /^12,000\.00 HKD to / })).toBeVisible()
    await expect(checker.getByText('Available now')).toBeVisible()
    await expect(checker.getByText('"xid":"e2e-approved"')).toBeHidden()
    await checker.getByText('Technical details').click()
    await expect(checker.getByText('"xid":"e2e-approved"')).toBeVisible()
    await expect(checker.getByText('POST /payouts')).toBeVisible()
    await takePicture(checker, 'checker')
    await checker.getByRole('button', { name: 'Approve…' }).click()
    const decision = checker.getByRole('alertdialog')
    await decision.getByRole('button', { name: 'Approve request' }).click()
    await expect(decision).toBeHidden()
    await expect(checker.getByText('Payout submitted.')).toBeVisible()
    // The maker's screen goes on to the payout by itself.
    const made = async () => (await readPayouts(service)).filter(({ xid }) => xid === 'e2e-approved')
    await expect(page).toHaveURL(/\/sandbox\/payouts\/(?!new)/, { timeout: 20_000 })
    expect(await made()).toHaveLength(1)

    await submitPayout(page, '11000', 'e2e-declined')
    await page.getByRole('alertdialog').getByRole('link', { name: 'View request' }).click()
    await expect(page.getByText('You can’t decide on your own request.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Approve…' })).toBeDisabled()
    await checker.goto('/sandbox/approvals?state=waiting')
    await checker.getByRole('table', { name: 'Approvals' }).getByRole('link').first().click()
    await checker.getByRole('button', { name: 'Decline…' }).click()
    await decision.getByRole('button', { name: 'Decline request' }).click()
    await expect(decision.getByText('A reason must be given.')).toBeVisible()
    await decision.getByLabel('Reason').fill('No invoice')
    await expect(decision.getByText('A reason must be given.')).toBeHidden()
    await decision.getByRole('button', { name: 'Decline request' }).click()
    await expect(page.getByText('Ada Ng declined it: No invoice')).toBeVisible({ timeout: 20_000 })
    expect((await readPayouts(service)).some(({ xid }) => xid === 'e2e-declined')).toBe(false)
    await expectAccessibleInEveryLook()
    await takePicture(page, 'declined')

    // Withdrawn while the question is open: what it would have done is gone, and so is the button.
    await submitPayout(page, '10500', 'e2e-withdrawn')
    await page.getByRole('alertdialog').getByRole('link', { name: 'View request' }).click()
    await checker.goto('/sandbox/approvals?state=waiting')
    await checker.getByRole('table', { name: 'Approvals' }).getByRole('link').first().click()
    await checker.getByRole('button', { name: 'Approve…' }).click()
    await expect(decision.getByText(/^Debits the funding account 10,500\.00 HKD|has expired/)).toBeVisible()
    await page.getByRole('button', { name: 'Withdraw request…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw request' }).click()
    await expect(page.getByText('Withdrawn', { exact: true })).toBeVisible()
    await expect(decision.getByText('Olivia Poon withdrew this request.')).toBeVisible({ timeout: 20_000 })
    await expect(decision.getByText('debited')).toBeHidden()
    await expect(decision.getByRole('button')).toHaveText(['Close'])
    await decision.getByRole('button', { name: 'Close' }).click()
    await expect(checker.getByRole('button', { name: 'Approve…' })).toBeHidden()
    // Its operation was never sent, and does not say so.
    await page.goto(page.url().replace('/approvals/', '/operations/'))
    await expect(page.getByText(/^Submit payout, by Olivia Poon/)).toBeVisible()
    await page.goto('/sandbox/approvals')
    await expectAccessibleInEveryLook()
    await takePictures(page, 'list')
  } finally {
    await setPolicy(baseURL ?? '', [])
    await other.close()
  }
})

test('a job of many cards waits; who decides sees each row on the request, and its result once it is approved', async ({
  page,
  browser,
  baseURL,
  service,
  signIn,
  expectAccessibleInEveryLook,
}) => {
  await service.control.reset()
  await setPolicy(baseURL ?? '', [{ topic: 'bulk-jobs', when: 'count', count: 3 }])
  const other = await browser.newContext({ baseURL: baseURL ?? '' })
  const maker = await other.newPage()
  try {
    await signInByCookie(maker, 'operations')
    await maker.goto('/sandbox/cards?status=active')
    const cards = maker.getByRole('table', { name: 'Cards' }).locator('tbody tr')
    const bar = maker.getByRole('region', { name: 'Selected cards' })
    await expect(async () => {
      await cards.nth(0).getByRole('checkbox').check()
      await expect(bar).toBeVisible({ timeout: 500 })
    }).toPass()
    await cards
      .nth(2)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    const chosen = await cards.locator('th,td:nth-child(2)').first().innerText()
    await bar.getByRole('button', { name: 'Lock…', exact: true }).click()
    const question = maker.getByRole('alertdialog')
    await expect(question).toContainText('For each card: new charges are declined. You can pause')
    await question.getByLabel(/^Type the number of cards/).fill('3')
    await question.getByLabel('Reason').selectOption({ label: 'Suspected fraud' })
    await question.getByRole('button', { name: 'Ask for approval' }).click()
    await expect(maker.getByText('Ada Ng (Approver) can decide.', { exact: false })).toBeVisible()

    await signIn('approver')
    await page.goto('/sandbox')
    await expect(page.getByRole('listitem').filter({ hasText: 'Lock 3 cards' })).toContainText('Suspected fraud')
    await page.goto('/sandbox/approvals?state=waiting')
    await page.getByRole('table', { name: 'Approvals' }).getByRole('link', { name: 'Lock 3 cards' }).click()
    const rows = page.getByRole('table', { name: 'Rows of the job' }).locator('tbody tr')
    await expect(rows).toHaveCount(3)
    await expect(rows.first()).toContainText(/\d{4}/.exec(chosen)?.[0] ?? 'a last four')
    await expect(page.getByRole('columnheader', { name: 'Result' })).toHaveCount(0)
    await expectAccessibleInEveryLook()
    await takePictures(page, 'job-request')
    await page.getByRole('button', { name: 'Approve…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Approve request' }).click()
    await expect(page.getByText('All 3 cards locked')).toBeVisible({ timeout: 30_000 })
    await expect(rows.getByText('Done', { exact: true })).toHaveCount(3)
    await expect(maker.getByRole('heading', { name: 'All 3 cards locked' })).toBeVisible({ timeout: 20_000 })
  } finally {
    await setPolicy(baseURL ?? '', [])
    await other.close()
  }
})
