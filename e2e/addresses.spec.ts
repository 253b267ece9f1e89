import { cardPath } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { findCard } from './service-caller.ts'

const unknownId = '00000000-0000-4000-8000-000000000000'

test('a 404 names the object of the address and keeps the navigation', async ({ page, signIn, expectProblem }) => {
  expectProblem(/status of 404/)
  await signIn('viewer')
  for (const [address, heading, way] of [
    ['nothing-here', 'Page not found', 'Go to Home'],
    [`card-accounts/${unknownId}`, 'This card account does not exist', 'Go to card accounts'],
    ['card-accounts/%3Cscript%3E', 'This card account does not exist', 'Go to card accounts'],
    [`card-accounts/${unknownId}/cards/${unknownId}`, 'This card does not exist', 'Go to card accounts'],
    [`payouts/${unknownId}`, 'This payout does not exist', 'Go to payouts'],
    [`bulk-jobs/${unknownId}`, 'This bulk job does not exist', 'Go to bulk jobs'],
    [`identity/${unknownId}`, 'This identity does not exist', 'Go to identities'],
  ] as const) {
    const response = await page.goto(`/sandbox/${address}`)
    expect(response?.status(), address).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: way })).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Payouts' })).toBeVisible()
  }
})

test('an unknown environment is a clear page, with the way out', async ({ page, signIn, expectProblem }) => {
  expectProblem(/status of 404/)
  await signIn('viewer')
  for (const address of ['/staging', '/staging/fees', '/staging/payouts/new/again']) {
    const response = await page.goto(address)
    expect(response?.status(), address).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Payouts' })).toBeVisible()
  }
  await page.getByRole('main').getByRole('link', { name: 'Go to Home' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
})

test('a card that is not of the account in the address is a clear page', async ({
  page,
  service,
  signIn,
  expectProblem,
}) => {
  expectProblem(/status of 404/)
  const [{ cardId }, { cardAccountId }] = [await findCard(service, 'active'), await findCard(service, 'locked')]
  await signIn('viewer')
  expect((await page.goto(cardPath({ cardAccountId, cardId })))?.status()).toBe(404)
})

test('every page of production names the settings to make', async ({ page, signIn }) => {
  await signIn('operations')
  for (const address of ['/production', '/production/card-accounts', `/production/card-accounts/${unknownId}`]) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1, name: 'Production is not connected' })).toBeVisible()
    await expect(page.getByText('SERVICE_PRODUCTION_URL', { exact: true })).toBeVisible()
    await expect(page.getByText('SERVICE_PRODUCTION_ACCESS_KEY', { exact: true })).toBeVisible()
    await expect(page.getByText('SERVICE_PRODUCTION_PRIVATE_KEY', { exact: true })).toBeVisible()
  }
  await page.getByRole('link', { name: 'Go to the sandbox' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
})

test('an invalid filter is left out, and the page says so', async ({ page, signIn }) => {
  await signIn('viewer')
  await page.goto('/sandbox/card-accounts?limit=perhaps&outstanding=%27%20or%201%3D1&from=abc&sort=-nothing')
  await expect(page.getByRole('alert').filter({ hasText: 'Part of the address was not understood.' })).toContainText(
    'limit, outstanding',
  )
  await expect(page.getByRole('table', { name: 'Card accounts' }).getByRole('row')).not.toHaveCount(1)
})

test('a page token that is none gives a clear message and the way to the first page', async ({
  page,
  signIn,
  expectProblem,
}) => {
  expectProblem(/status of 400/)
  await signIn('viewer')
  await page.goto('/sandbox/card-accounts?pageToken=forged')
  await expect(page.getByRole('alert').filter({ hasText: 'could not be read' })).toContainText('Nothing was changed.')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('table', { name: 'Card accounts' }).getByRole('row')).not.toHaveCount(1)
})

test('a signed-out person is sent to the sign-in page and afterwards to the requested page', async ({
  page,
  service,
}) => {
  const ids = await findCard(service, 'active')
  await page.goto(cardPath(ids))
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  await page.getByRole('button', { name: /Viewer/ }).click()
  await expect(page).toHaveURL(new RegExp(`${cardPath(ids)}$`))
})

test('a page that the role does not include says so', async ({ page, signIn, expectProblem }) => {
  expectProblem(/status of 403/)
  await signIn('viewer')
  expect((await page.goto('/sandbox/audit'))?.status()).toBe(403)
  await expect(page.getByRole('heading', { level: 1, name: 'You can’t open this page' })).toBeVisible()
  await expect(page.getByText('Only Support, Operations, Approver, QA and Admin can do this.')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit' })).toHaveCount(0)
})

test('a link that filters by data which the role does not show says so, and leads to the list', async ({
  page,
  signIn,
  expectProblem,
}) => {
  expectProblem(/status of 403/)
  await signIn('viewer')
  await page.goto('/sandbox/card-accounts?groupKey=contact&group=anna')
  await expect(page.getByRole('heading', { level: 1, name: 'You can’t filter by this' })).toBeVisible()
  await page.getByRole('link', { name: 'Open the list without the filter' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Card accounts' })).toBeVisible()
})

test('hostile text in a search is not executed and finds nothing', async ({ page, signIn }) => {
  await signIn('viewer')
  await page.goto(`/sandbox/card-accounts?q=${encodeURIComponent('<img src=x onerror=alert(1)>%_\\')}`)
  await expect(page.getByText('No account matches these filters')).toBeVisible()
})

test('a card number is refused in the search and never reaches the address', async ({ page, signIn }) => {
  await signIn('viewer')
  await page.goto('/sandbox/card-accounts')
  await page.getByRole('searchbox', { name: 'Search card accounts' }).fill('4111 1111 1111 1111')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/looks like a card number/)).toBeVisible()
  expect(page.url()).not.toContain('4111')
})
