import { cardPath } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { findCard, type ServiceCaller } from './service-caller.ts'

type Account = {
  id: string
  name: string
  currency: string
  balance: number
  clientIdentityStatus: string
  disputeAmount: number
}

async function accountsOf(service: ServiceCaller): Promise<Account[]> {
  const { body } = await service.get('/cardaccounts', { pageSize: '100' })
  return (body as { cardaccounts: Account[] }).cardaccounts
}

test.beforeEach(async ({ service, signIn }) => {
  await service.control.reset()
  await signIn('viewer')
})

test('filters give exactly the matching rows, and stay in the URL', async ({ page, service }) => {
  const accounts = await accountsOf(service)
  const expected = accounts.filter(
    ({ currency, clientIdentityStatus }) => currency === 'HKD' && clientIdentityStatus === 'approved',
  )
  await page.goto('/sandbox/card-accounts')
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('HKD')
  await page.getByRole('combobox', { name: 'Identity' }).selectOption({ label: 'Approved' })
  await expect(page.getByText(`${expected.length} match`)).toBeVisible()
  // A moment after the list: the URL is written at most every fifty milliseconds.
  await expect(page).toHaveURL(/=approved/)
  await page.reload()
  await expect(page.getByText(`${expected.length} match`)).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Currency' })).toHaveValue('HKD')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByText(`${accounts.length} accounts`)).toBeVisible()
})

test('a tile filters the list by its group, the group without the key included', async ({ page }) => {
  await page.goto('/sandbox/card-accounts?groupKey=department')
  const tiles = page.getByRole('region', { name: 'Balances' })
  const tile = tiles.getByRole('button', { name: /no department/ })
  await tile.click()
  await expect(tile).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL(/ungrouped=yes/)
  await expect(page.getByText(/^\d+ match/)).toBeVisible()
  await tile.click()
  await expect(page).not.toHaveURL(/ungrouped/)
})

test('the list sorts amounts by value and within a currency, pages both ways, and shows the row numbers', async ({
  page,
  service,
}) => {
  const accounts = await accountsOf(service)
  const inDollars = accounts.filter(({ currency }) => currency === 'HKD')
  const least = inDollars.toSorted((one, other) => one.balance - other.balance)[0]
  await page.goto('/sandbox/card-accounts?sort=-outstanding')
  const table = page.getByRole('table', { name: 'Card accounts' })
  const header = table.getByRole('columnheader', { name: 'Outstanding' })
  await expect(header, 'several currencies are compared by their value').toHaveAttribute('aria-sort', 'descending')
  await page.goto('/sandbox/card-accounts')
  await page.getByRole('combobox', { name: 'Currency' }).selectOption('HKD')
  await expect(page).toHaveURL(/currency=HKD/)
  await table.getByRole('button', { name: 'Balance' }).click()
  await expect(page).toHaveURL(/sort=/)
  if (!page.url().includes('sort=balance')) await table.getByRole('button', { name: 'Balance' }).click()
  await expect(page).toHaveURL(/sort=balance/)
  await expect(table.getByRole('row').nth(1)).toContainText(least?.name ?? '')
  await page.getByRole('combobox', { name: 'Currency' }).selectOption({ index: 0 })
  await expect(page).not.toHaveURL(/currency=HKD/)
  await expect(page.getByText(`1–50 of ${accounts.length}`)).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText(`51–${accounts.length} of ${accounts.length}`)).toBeVisible()
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect(page.getByText(`1–50 of ${accounts.length}`)).toBeVisible()
})

test('/ searches, j and k walk the rows, Enter opens one, and back in the list they go on from it', async ({
  page,
}) => {
  await page.goto('/sandbox/card-accounts')
  const rows = page.getByRole('table', { name: 'Card accounts' }).getByRole('row')
  await expect(rows.nth(2)).toBeVisible()
  // The served page is there before it listens.
  await expect(async () => {
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox', { name: 'Search card accounts' })).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await expect(rows.nth(1).getByRole('link')).toBeFocused()
  await page.keyboard.press('j')
  await expect(rows.nth(2).getByRole('link')).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  const name = (await rows.nth(2).getByRole('link').textContent()) ?? ''
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()
  await page.goBack()
  await expect(rows.nth(2).getByRole('link')).toBeFocused()
  await page.keyboard.press('j')
  await expect(rows.nth(3).getByRole('link')).toBeFocused()
})

test('each count of what needs attention leads to a list of as many accounts', async ({ page }) => {
  await page.goto('/sandbox')
  const counted = page.getByRole('link', { name: /^\d+ (accounts?|identit(y|ies)) / })
  const names = await counted.allTextContents()
  expect(names.length).toBeGreaterThan(3)
  for (const name of names) {
    await page.goto('/sandbox')
    await page.getByRole('link', { name, exact: true }).click()
    // A list of identities is a queue, the others are filtered lists.
    await expect(page.getByText(new RegExp(`\\b${name.split(' ')[0]} (match|accounts?, oldest first)`))).toBeVisible()
  }
})

test('what needs attention leads to the list of it', async ({ page, service }) => {
  const disputed = (await accountsOf(service)).filter(({ disputeAmount }) => disputeAmount > 0).length
  await page.goto('/sandbox')
  await page.getByRole('link', { name: `${disputed} accounts with disputes` }).click()
  await expect(page).toHaveURL(/disputed=yes/)
  await expect(page.getByText(`${disputed} match`)).toBeVisible()
})

test('cards by status lead to the cards of that status', async ({ page }) => {
  await page.goto('/sandbox')
  const panel = page.getByRole('region', { name: 'Cards by status' })
  await panel.getByRole('link', { name: 'Suspended' }).click()
  await expect(page).toHaveURL(/\/cards\?status=suspended/)
  await expect(page.getByText(/^\d+ match/)).toBeVisible()
})

test('transactions are filtered by status and by several intents at once', async ({ page, service }) => {
  const { cardAccountId } = await findCard(service, 'locked')
  const { body } = await service.get('/cardaccounts/transactions', { cardAccountId, intent: 'refund,withdraw' })
  const expected = (body as { transactions: unknown[] }).transactions.length
  await page.goto(cardPath({ cardAccountId, cardId: 'x' }).replace(/\/cards\/.*/, ''))
  const table = page.getByRole('table', { name: 'Transactions' })
  await expect(table.getByRole('row').nth(1)).toBeVisible()
  await page.getByRole('button', { name: /^Intent/ }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Refund' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Withdrawal' }).click()
  await page.keyboard.press('Escape')
  await expect(table.getByRole('row')).toHaveCount(expected + 1)
  await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Void' })
  await expect(page).toHaveURL(/status=void/)
})

test('clearing the filters also empties a field whose text is no filter', async ({ page, signIn }) => {
  await signIn('viewer')
  await page.goto('/sandbox/transactions?status=declined')
  const card = page.getByRole('textbox', { name: 'Card' })
  await card.fill('99')
  await expect(page.getByText('Not filtered yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL(/\/sandbox\/transactions$/)
  await expect(card).toHaveValue('')
  await expect(page.getByText('Not filtered yet.')).toBeHidden()
})

test('a declined charge shows its reason', async ({ page, service }) => {
  for (const { id } of await accountsOf(service)) {
    const { body } = await service.get('/cardaccounts/transactions', { cardAccountId: id, status: 'declined' })
    const [declined] = (body as { transactions: { authorization: { responseMessage: string } }[] }).transactions
    if (!declined) continue
    await page.goto(`/sandbox/card-accounts/${id}?status=declined`)
    await expect(page.getByText(declined.authorization.responseMessage).first()).toBeVisible()
    return
  }
  throw new Error('the seed has a declined charge')
})

test('hostile metadata and external IDs are shown as text', async ({ page, service, signIn }) => {
  // A viewer may group by the keys that the program names alone.
  await signIn('operations')
  const { cardAccountId } = await findCard(service, 'active')
  const text = '<img src=x onerror=alert(1)>"\'{{7*7}}\u202e'
  const set = await service.post('/xmetadata/set', {
    target: { type: 'cardaccount', id: cardAccountId },
    xid: `${text}${'x'.repeat(100)}`,
    xmetadata: { [text]: text, long: 'y'.repeat(5000), nested: { a: [1, null, '</script>'] } },
  })
  expect(set.status).toBe(200)
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto(`/sandbox/card-accounts/${cardAccountId}`)
  await expect(page.getByText(text, { exact: true }).first()).toBeVisible()
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  expect(content).toBeLessThanOrEqual(window ?? 0)
  await page.goto(`/sandbox/card-accounts?groupKey=${encodeURIComponent(text)}`)
  await expect(page.getByRole('region', { name: 'Balances' })).toBeVisible()
})

test('the declines of today are those of their list, in any time zone', async ({ page, context, baseURL }) => {
  for (const [zone, label] of [
    ['utc', 'UTC'],
    ['local:Pacific/Kiritimati', 'Local (Kiritimati)'],
  ] as const) {
    await context.addCookies([{ name: 'carddesk-zone', value: encodeURIComponent(zone), url: baseURL ?? '' }])
    await page.goto('/sandbox')
    const today = page.getByRole('region', { name: 'Today' })
    await expect(today.getByText(`Days in ${label},`)).toBeVisible()
    await today.getByText('30 days as a table').click()
    const declines = await today.getByRole('row').nth(1).getByRole('cell').first().textContent()
    await today.getByRole('link', { name: 'Declines today' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Transactions' })).toBeVisible()
    await expect(page.getByText(new RegExp(`^${declines} match`))).toBeVisible()
  }
})
