import { expect, test } from './fixtures.ts'

test('a scenario runs in the lab, survives a reload, and shows what was expected and found', async ({
  page,
  signIn,
  expectAccessibleInEveryLook,
}) => {
  test.setTimeout(120_000)
  await signIn('qa')
  await page.goto('/sandbox/lab/scenarios')
  await page.getByRole('button', { name: 'Run External references' }).click()
  const run = page.getByRole('region', { name: 'Run', exact: true })
  await expect(run.getByRole('heading', { name: 'External references' })).toBeVisible()
  await page.reload()
  await expect(run.getByRole('status').filter({ hasText: '1 of 1 done' })).toBeVisible({ timeout: 30_000 })
  await run.getByText("Another record can't take it").click()
  await expect(run.getByText('HTTP 409')).toBeVisible()
  // Below the sticky header a row is cut: axe looks at the page from its top.
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessibleInEveryLook()
  const [junit] = await Promise.all([
    page.waitForEvent('download'),
    run.getByRole('link', { name: 'JUnit XML' }).click(),
  ])
  expect(junit.suggestedFilename()).toBe('scenarios.junit.xml')

  await page.getByRole('button', { name: 'Variables of External references' }).click()
  const values = page.getByRole('region', { name: 'Values for External references' })
  await values.getByLabel('limit').fill('123')
  await page.getByRole('button', { name: 'Run External references' }).click()
  await expect(run.getByRole('status').filter({ hasText: '1 of 1 done' })).toBeVisible({ timeout: 30_000 })

  await page.getByRole('button', { name: 'Run your own file' }).click()
  const file = page.getByLabel('Paste YAML, or choose a file')
  const own = (expected: string) =>
    `scenario: My ping\nsteps:\n  - use: account\n  - call: GET /ping\n    expect: { ${expected}: ping }\n`
  await file.fill(own('bdy.message'))
  await page.getByRole('button', { name: 'Run file' }).click()
  await page.getByRole('button', { name: 'Line 5, column 15' }).click()
  await expect(file).toBeFocused()
  await file.fill(own('body.message'))
  await page.getByRole('button', { name: 'Run file' }).click()
  await expect(run.getByRole('heading', { name: 'My ping' })).toBeVisible()
  await expect(run.getByRole('status').filter({ hasText: '1 of 1 done, 1 failed' })).toBeVisible({ timeout: 30_000 })
  await expect(run.getByText('"ping"', { exact: true })).toBeVisible()
  await expect(run.getByText('"pong"', { exact: true })).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessibleInEveryLook()
})
