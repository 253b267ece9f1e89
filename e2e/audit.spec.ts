import { openAction, dialog, openCard } from './card-screen.ts'
import { takePicture } from './every-look.ts'
import { expect, test } from './fixtures.ts'
import { findCard } from './service-caller.ts'

test('from a locked card to who locked it, from where, and the request that did it', async ({
  page,
  service,
  signIn,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  await service.control.reset()
  await signIn('operations')
  await openCard(page, await findCard(service, 'active'))
  await openAction(page, 'Lock')
  await dialog(page).getByLabel('Reason').selectOption({ label: 'Suspected fraud' })
  await dialog(page).getByRole('button', { name: 'Lock card' }).click()
  const held = page.getByRole('paragraph').filter({ hasText: /Locked by Olivia Poon because: suspected fraud/ })
  await expect(held).toBeVisible()
  await held.getByRole('link', { name: 'Audit entry' }).click()
  await expect(page.getByRole('button', { name: /^Operation:/ })).toBeVisible()
  const entries = page.getByRole('table', { name: 'Audit entries' })
  await expect(entries.getByRole('row')).toHaveCount(2)
  await entries.getByRole('link').first().click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByText('127.0.0.1')).toBeVisible()
  await takePicture(page, 'audit-entry')
  await expectAccessible()
  await drawer.getByRole('link', { name: 'API requests' }).click()
  const requests = page.getByRole('table', { name: 'API requests' })
  await expect(requests.getByText('/cards/lock')).toBeVisible()
  await expectAccessibleInEveryLook()
  await takePicture(page, 'requests')
  await requests.getByRole('link').first().click()
  await expect(drawer.getByRole('region', { name: 'request body' })).toContainText('cardAccountId')
  await expectAccessible()
  await takePicture(page, 'request')
  await drawer.getByRole('link', { name: 'Audit entries of the operation' }).click()
  await expect(entries).toBeVisible()
})

test('a changed audit log is reported on every page, with the first bad entry', async ({
  page,
  signIn,
  expectAccessibleInEveryLook,
}) => {
  await signIn('support')
  const broken = { state: 'broken', verifiedAt: new Date().toISOString(), message: 'Entry 7 was changed.', entry: 7 }
  await page.route('**/api/sandbox/audit/integrity', (route) => route.fulfill({ json: broken }))
  await page.clock.install()
  await page.goto('/sandbox/card-accounts')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.clock.runFor(31_000)
  const banner = page.getByRole('alert').filter({ hasText: 'The audit log was changed outside Carddesk.' })
  await expect(banner).toContainText('Entry 7 was changed.')
  await expect(banner.getByRole('link', { name: 'Open entry 7' })).toHaveAttribute('href', '/sandbox/audit?open=7')
  await page.clock.resume()
  await expectAccessibleInEveryLook()
  await takePicture(page, 'banner')
})

test('a request is found by the id that a response header names', async ({ page, signIn }) => {
  await signIn('operations')
  const response = await page.request.get('/api/sandbox/funding-accounts')
  const requestId = response.headers()['x-request-id']
  if (!requestId) throw new Error('the response has no request ID')
  await page.goto('/sandbox/requests')
  await page.getByRole('textbox', { name: 'Request ID' }).fill(requestId)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/requestId=/)
  const rows = page.getByRole('table', { name: 'API requests' }).getByRole('row')
  await expect(rows, 'the header and the request').toHaveCount(2)
  await expect(rows.last()).toContainText('/accounts')
})
