import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

function ratesTable(page: Page): Locator {
  return page.getByRole('table', { name: /^Rates of/ })
}

function history(page: Page, pair: string): Locator {
  return page.getByRole('region', { name: pair })
}

/** Resolves after hydration: earlier key presses have no effect. */
async function openRates(page: Page, search = ''): Promise<void> {
  await page.goto(`/sandbox/rates${search}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Rates' })).toBeVisible()
  await expect(page.getByText(/^live · \d+ s old$/)).toBeVisible()
}

test.beforeEach(async ({ signIn }) => {
  await signIn('viewer')
})

test('every rate of a base with its inverse is the service’s, and base, pair, range and view stay in the address', async ({
  page,
  service,
}) => {
  await openRates(page)
  await page.getByRole('combobox', { name: 'Base currency' }).selectOption('HKD')
  await expect(page).toHaveURL(/base=HKD/)
  const table = ratesTable(page)
  await expect(async () => {
    const { body } = await service.get('/rates', { baseCurrency: 'HKD' })
    const { rates } = body as { rates: Record<string, number> }
    const shown = await table.locator('tbody tr').evaluateAll((rows) =>
      rows.map((row) => {
        const [rate, inverse] = [...row.querySelectorAll('[title]')].map((cell) => Number(cell.getAttribute('title')))
        return [row.querySelector('a')?.textContent.slice(0, 3), rate, Number(inverse?.toPrecision(8))]
      }),
    )
    const sent = Object.entries(rates).map(([currency, rate]) => [currency, rate, Number((1 / rate).toPrecision(8))])
    expect(shown.toSorted()).toEqual(sent.toSorted())
  }, 'rates move, so that one may do so between the page and this request').toPass()
  await table.getByRole('link', { name: 'IDR' }).click()
  await expect(page).toHaveURL(/currency=IDR/)
  const panel = history(page, 'HKD / IDR')
  await panel.getByRole('button', { name: '24 h' }).click()
  await expect(page).toHaveURL(/range=24h/)
  await panel.getByRole('button', { name: 'Table' }).click()
  await expect(page).toHaveURL(/view=table/)
  await expect(panel.getByRole('table', { name: 'HKD in IDR, the newest first' })).toBeVisible()
  await expect(async () => {
    await page.reload()
    await expect(panel.getByRole('button', { name: '24 h' })).toHaveAttribute('aria-pressed', 'true')
    await expect(panel.getByRole('table', { name: 'HKD in IDR, the newest first' })).toBeVisible()
    // Another test may have moved the clock, which leaves a gap between samples.
    await expect(panel.getByRole('row').nth(5)).toBeVisible({ timeout: 2_000 })
  }, 'the past of a base is stored a few seconds after somebody looked at it first').toPass()
  await page.goBack()
  await expect(panel.getByRole('slider')).toBeVisible()
  await panel.getByRole('button', { name: '30 d' }).click()
  await expect(async () => {
    expect(Number(await panel.getByRole('slider').getAttribute('max'))).toBeGreaterThan(150)
  }).toPass()
})

test('a base that was never sampled says so', async ({ page }) => {
  await page.goto('/sandbox/rates?base=EUR&currency=USD&range=24h&view=table')
  // Once a person looked at a base, its samples begin.
  await expect(page.getByText(/No samples (of EUR in USD|from .* to )/).first()).toBeVisible()
})

test('rates and their age move on their own, and the samples grow into a line', async ({ page, service }) => {
  await openRates(page, '?base=HKD&currency=IDR')
  const rate = history(page, 'HKD / IDR')
    .getByText(/^2,\d{3}\.\d+/)
    .first()
  const before = (await rate.textContent()) ?? ''
  await service.control.advanceClock('PT1H')
  await expect(rate).not.toHaveText(before, { timeout: 20_000 })
  await expect(history(page, 'HKD / IDR').getByText(/(up|down) (under )?[\d.]+ % *in the last hour/)).toBeVisible()
  const slider = history(page, 'HKD / IDR').getByRole('slider')
  await expect(async () => {
    expect(Number(await slider.getAttribute('max'))).toBeGreaterThan(1)
  }).toPass({ timeout: 45_000 })
})

test('by keyboard: the arrow keys select the chart’s points, j and k move between rows', async ({ page }) => {
  await openRates(page, '?base=USD&currency=HKD')
  const panel = history(page, 'USD / HKD')
  const slider = panel.getByRole('slider', { name: 'USD in HKD over the last hour' })
  await expect(async () => {
    expect(Number(await slider.getAttribute('max'))).toBeGreaterThan(0)
  }).toPass({ timeout: 45_000 })
  await panel.getByRole('button', { name: 'Table' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(slider).toBeFocused()
  const newest = (await slider.getAttribute('aria-valuetext')) ?? ''
  expect(newest).toMatch(/HKT: 7\.\d+ HKD, lowest 7\.\d+, highest 7\.\d+, \d+ samples/)
  await page.keyboard.press('ArrowLeft')
  await expect(slider).not.toHaveAttribute('aria-valuetext', newest)
  await page.keyboard.press('Home')
  await expect(slider).toHaveValue('0')

  await page.keyboard.press('Tab')
  const rows = ratesTable(page).getByRole('row')
  await expect(rows.nth(1).getByRole('link')).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(rows.nth(2).getByRole('link')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(history(page, 'USD / CAD')).toBeVisible()
})

test('a base that the service has no rates of is refused with its field, and another one can be chosen', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/400/)
  await page.goto('/sandbox/rates?base=XXX')
  await expect(page.getByRole('alert').filter({ hasText: 'base: the card service has no rates of XXX' })).toBeVisible()
  const select = page.getByRole('combobox', { name: 'Base currency' })
  await expect(select.getByRole('option', { name: /Euro/ })).toBeAttached()
  await select.selectOption('EUR')
  await expect(ratesTable(page).getByRole('link', { name: 'USD' })).toBeVisible()
  await expect(page.getByText(/sampled only while this page is open/)).toBeVisible()
})

test('the rates with their history as a table: axe finds nothing in any look', async ({
  page,
  expectAccessibleInEveryLook,
}) => {
  await openRates(page, '?view=table')
  await expectAccessibleInEveryLook()
})
