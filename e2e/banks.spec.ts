import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

function byCountry(page: Page): Locator {
  return page.getByRole('region', { name: 'By country' })
}

function byWireCode(page: Page): Locator {
  return page.getByRole('region', { name: 'By wire code' })
}

async function openBanks(page: Page, search = ''): Promise<void> {
  await page.goto(`/sandbox/banks${search}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Banks' })).toBeVisible()
}

async function copied(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}

test.beforeEach(async ({ signIn, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn('viewer')
})

test('by mouse: the banks of a country, a search among them, and a code copied; all of it in the address', async ({
  page,
  service,
}) => {
  const { body } = await service.get('/payouts/ID/banks')
  const { banks } = body as { banks: { code: string; name: string }[] }
  await openBanks(page)
  await byCountry(page).getByRole('button', { name: 'ID Indonesia' }).click()
  await expect(page).toHaveURL(/country=ID/)
  const rows = byCountry(page).getByRole('table', { name: 'Banks of Indonesia' }).getByRole('row')
  await expect(rows).toHaveCount(banks.length + 1)
  for (const { code, name } of banks) await expect(rows.filter({ hasText: name })).toContainText(code)
  await byCountry(page).getByRole('searchbox').fill('mandiri')
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(/q=mandiri/)
  await rows
    .nth(1)
    .getByRole('button', { name: /^Copy code/ })
    .click()
  expect(await copied(page)).toBe(banks.find(({ name }) => name === 'Bank Mandiri')?.code)
  await page.reload()
  await expect(rows).toHaveCount(2)
})

test('by keyboard: a country and a wire code are looked up with Enter, and a field of the record is copied', async ({
  page,
}) => {
  await openBanks(page)
  const country = byCountry(page).getByRole('textbox', { name: 'Country code' })
  await expect(async () => {
    await country.fill('kr')
    await country.press('Enter')
    await expect(page).toHaveURL(/country=KR/, { timeout: 1_000 })
  }).toPass()
  await expect(byCountry(page).getByRole('table', { name: 'Banks of South Korea' })).toContainText('Shinhan Bank')
  const wireCode = byWireCode(page).getByRole('textbox', { name: 'Wire code' })
  await wireCode.focus()
  await page.keyboard.type('hsbchkhh')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/wireCode=HSBCHKHH/)
  const record = byWireCode(page)
  for (const text of [
    'The Hongkong and Shanghai Banking Corporation',
    'HSBCHKHH',
    'Head Office',
    'Hong Kong',
    'HK-004',
  ]) {
    await expect(record.getByText(text, { exact: true }).first()).toBeVisible()
  }
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await copied(page)).toBe('The Hongkong and Shanghai Banking Corporation')
  await expect(record.getByRole('button', { name: 'Copy bank', exact: true })).toBeFocused()
})

test('what is wrong is at the field: not two capitals, too long, a card number, unknown ones in their own sentences', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/404/)
  await openBanks(page)
  const country = byCountry(page).getByRole('textbox', { name: 'Country code' })
  await expect(async () => {
    await country.fill('HKG')
    await country.press('Enter')
    await expect(country).toHaveAccessibleDescription(/two capital letters, such as HK/, { timeout: 1_000 })
  }).toPass()
  await expect(page).not.toHaveURL(/HKG/)
  await country.fill('FR')
  await country.press('Enter')
  await expect(country).toHaveAccessibleDescription(
    /Payouts to this country are not supported\. Choose one of the supported countries\. Request \S+/,
  )
  const wireCode = byWireCode(page).getByRole('textbox', { name: 'Wire code' })
  for (const [text, problem] of [
    ['', /Enter a wire code/],
    ['A'.repeat(36), /at most 35 characters; this has 36/],
    ['4242 4242 4242 4242', /looks like a card number/],
    ['NOBANKXX', /The card service knows no bank with this code\. Check the wire code\. Request \S+/],
  ] as const) {
    await wireCode.fill(text)
    await wireCode.press('Enter')
    await expect(wireCode).toHaveAccessibleDescription(problem)
    await expect(wireCode).toHaveAttribute('aria-invalid', 'true')
  }
  await expect(page).not.toHaveURL(/4242/)
})

test('a country or a wire code of the address that is wrong leaves the rest of the page', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/404/)
  await openBanks(page, '?country=FR&wireCode=HSBCHKHH')
  await expect(byCountry(page).getByText(/Payouts to this country are not supported/)).toBeVisible()
  await expect(byWireCode(page).getByText('Head Office')).toBeVisible()
  await openBanks(page, '?country=hk&wireCode=NOBANKXX')
  await expect(byCountry(page).getByText(/two capital letters/)).toBeVisible()
  await expect(byWireCode(page).getByText(/knows no bank with this code/)).toBeVisible()
})

test('an outage of the service is shown with its start, and the banks load once it is over', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/50[0-9]/)
  try {
    await service.control.armFault({ path: '*', status: 503, times: 10_000 })
    await openBanks(page)
    await expect(
      page.getByRole('alert').filter({ hasText: /isn’t responding\. *Since \d\d:\d\d:\d\d HKT/ }),
    ).toBeVisible({
      timeout: 45_000,
    })
    await expect(byCountry(page).getByText('The banks could not be read.')).toBeVisible({ timeout: 45_000 })
  } finally {
    await service.control.disarmFaults()
  }
  await byCountry(page).getByRole('button', { name: 'Try again' }).click()
  await expect(byCountry(page).getByText('Hang Seng Bank')).toBeVisible({ timeout: 30_000 })
})

test(`the banks of a country and the record of one: axe finds nothing in any look`, async ({
  page,
  expectAccessibleInEveryLook,
}) => {
  await openBanks(page, '?country=IN&wireCode=HSBCHKHH')
  await expect(byWireCode(page).getByText('Head Office')).toBeVisible()
  await expectAccessibleInEveryLook()
})

test(`an unknown country and an unknown wire code: axe finds nothing in any look`, async ({
  page,
  expectAccessibleInEveryLook,
  expectProblem,
}) => {
  expectProblem(/404/)
  await openBanks(page, '?country=FR&wireCode=NOBANKXX')
  await expect(byWireCode(page).getByText(/knows no bank with this code/)).toBeVisible()
  await expectAccessibleInEveryLook()
})
