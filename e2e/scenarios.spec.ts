import { cardPath } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { isFull } from './full-run.ts'
import { findCard } from './service-caller.ts'

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
  const last = page.url()
  await page.getByRole('button', { name: 'Run External references' }).click()
  await expect(page).not.toHaveURL(last)
  await expect(run.getByText('Passed', { exact: true }).first()).toBeVisible({ timeout: 30_000 })

  await page.getByRole('button', { name: 'Run your own file' }).click()
  const schema = await page.getByRole('link', { name: 'JSON Schema for your editor' }).getAttribute('href')
  expect((await (await page.request.get(schema ?? '')).json()).title).toBe('A Carddesk scenario')
  const file = page.getByLabel('Paste YAML, or choose a file')
  const own = (expected: string) =>
    `scenario: My ping\nsteps:\n  - use: account\n  - call: GET /ping\n    expect: { ${expected}: ping }\n`
  await file.fill(own('bdy.message'))
  await page.getByRole('button', { name: 'Run file' }).click()
  await page.getByRole('button', { name: 'Line 5, column 15' }).click()
  await expect(file).toBeFocused()
  await file.fill('scenario: Tomorrow\nsteps:\n  - control: POST /clock\n    body: { advance: P1D }\n')
  await page.getByRole('button', { name: 'Run file' }).click()
  const question = page.getByRole('alertdialog', { name: 'Move the shared sandbox’s clock?' })
  await expect(question).toContainText('“Tomorrow” moves the clock that everybody here shares')
  await question.getByRole('button', { name: 'Don’t run' }).click()
  await file.fill(own('body.message'))
  await page.getByRole('button', { name: 'Run file' }).click()
  await expect(run.getByRole('heading', { name: 'My ping' })).toBeVisible()
  await expect(run.getByRole('status').filter({ hasText: '1 of 1 done, 1 failed' })).toBeVisible({ timeout: 30_000 })
  await expect(run.getByText('"ping"', { exact: true })).toBeVisible()
  await expect(run.getByText('"pong"', { exact: true })).toBeVisible()
  await expect(run.getByLabel('Newest runs').locator('option:checked')).toHaveText(/ · Failed · My ping$/)
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessibleInEveryLook()
})

test('the scenarios of a tag, or in full all of them, pass one after the other in the lab', async ({
  page,
  signIn,
}) => {
  test.setTimeout(300_000)
  await signIn('qa')
  await page.goto(`/sandbox/lab/scenarios${isFull ? '' : '?tag=declines'}`)
  await page.getByRole('button', { name: isFull ? 'Run all scenarios' : /^Run \d+ scenarios$/ }).click()
  if (isFull) {
    const question = page.getByRole('alertdialog', { name: 'Move the shared sandbox’s clock?' })
    await question.getByRole('button', { name: /^Run \d+ scenarios$/ }).click()
  }
  const run = page.getByRole('region', { name: 'Run', exact: true })
  await expect(run.getByRole('heading', { name: isFull ? 'All scenarios' : /^\d+ scenarios$/ })).toBeVisible()
  await expect(run.getByRole('status').filter({ hasText: /^(\d+) of \1 done$/ })).toBeVisible({
    timeout: 240_000,
  })
  await expect(run.getByText('Passed', { exact: true }).first()).toBeVisible()
  // Nor does the webhook that a scenario has deleted alert anybody.
  await expect(page.getByText('was deleted by the card service')).toHaveCount(0)
})

test('manual steps are recorded as a file that can be run', async ({ page, signIn, service }) => {
  test.setTimeout(120_000)
  await service.control.reset()
  const card = await findCard(service, 'active')
  await signIn('qa')
  await page.goto('/sandbox/lab/scenarios')
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByText('Recording.')).toBeVisible()
  await page.goto(cardPath(card))
  await page.getByRole('button', { name: 'Simulate' }).click()
  await page.getByRole('menuitem', { name: 'Lost card' }).click()
  await expect(page.getByRole('dialog').getByText('Declined.')).toBeVisible()
  await page.keyboard.press('Escape')

  const mark = page.getByRole('link', { name: 'Recording', exact: true })
  await mark.click()
  await page.getByRole('button', { name: 'Stop recording' }).click()
  await expect(mark).toHaveCount(0)
  await expect(page.getByText(/1 step since/)).toBeVisible()
  const [recorded] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download YAML' }).click(),
  ])
  const file = page.getByLabel('Paste YAML, or choose a file')
  await page.getByRole('button', { name: 'Run your own file' }).click()
  await page.getByLabel('Scenario file').setInputFiles(await recorded.path())
  await expect(file).toHaveValue(/declineReason: lost-card/)
  await file.fill('')
  await page.getByRole('button', { name: 'Open to run' }).click()
  await expect(file).toHaveValue(/declineReason: lost-card/)
  await file.fill('scenario: Without a step')
  await page.getByRole('button', { name: 'Run file' }).click()
  const mistakes = page.getByRole('list', { name: 'Mistakes in the file' })
  await expect(mistakes).toBeVisible()
  await page.getByRole('button', { name: 'Open to run' }).click()
  await expect(file).toHaveValue(/declineReason: lost-card/)
  await expect(mistakes).toHaveCount(0)
  await page.getByRole('button', { name: 'Run file' }).click()
  const run = page.getByRole('region', { name: 'Run', exact: true })
  await expect(run.getByRole('heading', { name: /^Recorded/ })).toBeVisible()
  await expect(run.getByRole('status').filter({ hasText: '1 of 1 done' })).toBeVisible({ timeout: 30_000 })
  await expect(run.getByText('POST /charges')).toBeVisible()
})
