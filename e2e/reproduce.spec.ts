import { readFileSync } from 'node:fs'
import { expect, test } from './fixtures.ts'
import { findCard } from './service-caller.ts'

test('QA gets the state of an account as a scenario and in a sandbox of its own', async ({
  page,
  service,
  signIn,
  expectAccessibleInEveryLook,
}) => {
  test.setTimeout(120_000)
  const { cardAccountId } = await findCard(service, 'active')
  await signIn('qa')
  await page.goto(`/sandbox/card-accounts/${cardAccountId}`)
  await page.getByRole('button', { name: 'Reproduce…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reproduce this card account?' })
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download scenario' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('account.yaml')
  const text = readFileSync(await file.path(), 'utf8')
  expect(text).toContain('scenario: The state of a card account')
  expect(text).not.toContain(cardAccountId)
  await dialog.getByRole('button', { name: 'Make sandbox' }).press('Enter')
  await expect(dialog.getByText('The sandbox has the same state.')).toBeVisible({ timeout: 60_000 })
  await expect(dialog.getByText(/\/service\/sandboxes\/[0-9a-f]{16}\/v1$/)).toBeVisible()
  await expectAccessibleInEveryLook()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toBeHidden()
})

test('support has no button for it', async ({ page, service, signIn }) => {
  const { cardAccountId } = await findCard(service, 'active')
  await signIn('support')
  await page.goto(`/sandbox/card-accounts/${cardAccountId}`)
  await expect(page.getByRole('button', { name: 'Embed…' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reproduce…' })).toBeHidden()
})
