import type { Page } from '@playwright/test'
import { takePicture } from './every-look.ts'
import { expect, test } from './fixtures.ts'
import { findCard, type ServiceCaller } from './service-caller.ts'

type Entry = {
  id: string
  cardAccountId: string
  status: string
  intent: string
  amount: number
  description: string
  merchant: { name: string; mcc: string; category: string } | null
  authorization: { responseCode: string; responseMessage: string } | null
}

async function entriesOf(service: ServiceCaller, cardAccountId: string, query: Record<string, string> = {}) {
  const { body } = await service.get('/cardaccounts/transactions', { cardAccountId, pageSize: '100', ...query })
  return (body as { transactions: Entry[] }).transactions
}

/** The newest entry of any account that the filter and the condition keep. */
async function findEntry(
  service: ServiceCaller,
  query: Record<string, string>,
  holds: (entry: Entry) => boolean = () => true,
): Promise<Entry> {
  const { body } = await service.get('/cardaccounts', { pageSize: '100' })
  for (const { id } of (body as { cardaccounts: { id: string }[] }).cardaccounts) {
    const found = (await entriesOf(service, id, query)).find(holds)
    if (found) return found
  }
  throw new Error('the seed has such an entry')
}

const accountPath = (id: string) => `/sandbox/card-accounts/${id}`
const entryPath = ({ id, cardAccountId }: Pick<Entry, 'id' | 'cardAccountId'>) =>
  `${accountPath(cardAccountId)}/transactions/${id}`

const table = (page: Page) => page.getByRole('table', { name: 'Transactions' })
const timeline = (page: Page) => page.getByRole('region', { name: 'What happened' })

async function authorize(service: ServiceCaller, amount = 12.5): Promise<{ id: string; cardAccountId: string }> {
  const ids = await findCard(service, 'active')
  const response = await service.post('/cards/simulate-authorization', { ...ids, amount, currency: 'USD' })
  expect(response.status).toBe(200)
  return { id: (response.body as { cardTransactionId: string }).cardTransactionId, cardAccountId: ids.cardAccountId }
}

test.beforeEach(async ({ service, signIn }) => {
  await service.control.reset()
  await signIn('viewer')
})

test.afterEach(async ({ service }) => {
  await service.control.disarmFaults()
})

test('a transaction is found by its id and leads to its page, with the keyboard alone', async ({ page, service }) => {
  const entry = await findEntry(service, { status: 'posted', intent: 'charge' })
  await page.goto(accountPath(entry.cardAccountId))
  await expect(table(page).getByRole('row').nth(2)).toBeVisible()
  const find = page.getByRole('textbox', { name: 'Find' })
  await find.focus()
  await page.keyboard.type(entry.id)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`find=${entry.id}`))
  await expect(table(page).getByRole('row')).toHaveCount(2)
  await table(page).getByRole('link').focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${entryPath(entry)}$`))
  await expect(page.getByRole('heading', { level: 1, name: entry.merchant?.name ?? '' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Merchant' })).toContainText(`MCC ${entry.merchant?.mcc}`)
  await expect(page.getByRole('region', { name: 'Authorization' })).toContainText('Approved (response code 00)')
  await expect(timeline(page).getByText('Captured', { exact: true })).toBeVisible()
  await page.goBack()
  await expect(find).toHaveValue(entry.id)
  await find.focus()
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/find=/)
})

test('a text like a card number is not searched, and an unknown id says so', async ({ page, service }) => {
  const { cardAccountId } = await findEntry(service, { status: 'posted' })
  await page.goto(accountPath(cardAccountId))
  await expect(table(page).getByRole('row').nth(2)).toBeVisible()
  const find = page.getByRole('textbox', { name: 'Find' })
  await find.fill('4242 4242 4242 4242')
  await find.press('Enter')
  await expect(page.getByText('This looks like a card number. It isn’t searched, stored or logged.')).toBeVisible()
  await expect(page).not.toHaveURL(/find=/)
  await find.fill('nobody-calls-it-this')
  await find.press('Enter')
  await expect(page.getByText('No transaction matches these filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await expect(table(page).getByRole('row').nth(2)).toBeVisible()
  await expect(find).toHaveValue('')
})

test('a declined charge shows its reason first, with its code', async ({ page, service }) => {
  const entry = await findEntry(service, { status: 'declined' })
  const { responseMessage, responseCode } = entry.authorization ?? {}
  await page.goto(entryPath(entry))
  // Once on the page.
  await expect(page.getByText(`${responseMessage} (response code ${responseCode}).`)).toBeVisible()
  await expect(page.getByText('The balance did not change.')).toBeVisible()
  await expect(timeline(page).getByText('Declined', { exact: true })).toBeVisible()
  await expect(timeline(page).getByText('Captured', { exact: true })).toHaveCount(0)
})

test('the life of a charge appears as it happens: authorized, captured, disputed, refunded', async ({
  page,
  service,
}) => {
  const entry = await authorize(service)
  await page.goto(entryPath(entry))
  await expect(timeline(page).getByText('Authorized', { exact: true })).toBeVisible()
  await expect(page.getByText('12.50 USD requested')).toBeVisible()
  await service.control.advanceClock('PT25H')
  await expect(timeline(page).getByText('Captured', { exact: true })).toBeVisible({ timeout: 20_000 })
  await service.control.dispute(entry.id, 'requested')
  await expect(timeline(page).getByText('Dispute requested', { exact: true })).toBeVisible({ timeout: 20_000 })
  await service.control.dispute(entry.id, 'failed')
  await expect(timeline(page).getByText('Dispute lost', { exact: true })).toBeVisible({ timeout: 20_000 })
  const { cardAccountId, id } = entry
  await service.post('/cards/simulate-full-reversal', { cardAccountId, cardTransactionId: id })
  const refunded = timeline(page).getByRole('listitem').filter({ hasText: 'Refunded' })
  await expect(refunded).toContainText('Inferred', { timeout: 20_000 })
  await refunded.getByRole('link', { name: 'The entry of the refund' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Refund/ })).toBeVisible()
  await page.getByRole('region', { name: 'Details' }).getByRole('link', { name: 'Simulated merchant' }).click()
  await expect(page).toHaveURL(new RegExp(`${entryPath(entry)}$`))
  await timeline(page)
    .getByRole('listitem')
    .filter({ hasText: 'Dispute requested' })
    .getByRole('link', { name: /^The event/ })
    .click()
  await expect(page.getByRole('dialog')).toContainText('cardaccount.transaction.updated')
})

test('a transaction leads to its account, its card and its fee', async ({ page, service }) => {
  const charge = await findEntry(service, { status: 'posted', intent: 'charge' })
  await page.goto(entryPath(charge))
  await page
    .getByRole('region', { name: 'Details' })
    .getByRole('link', { name: /^Card ending/ })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: /^Card ending/ })).toBeVisible()
  const fee = await findEntry(service, { status: 'posted', intent: 'fee' })
  await page.goto(entryPath(fee))
  await page
    .getByRole('region', { name: 'Details' })
    .getByRole('link', { name: /Posted$/ })
    .click()
  await expect(page).toHaveURL(/\/sandbox\/fees\?/)
})

test('an unknown transaction, and one of another account, are a clear page', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/status of 404/)
  const entry = await findEntry(service, { status: 'posted' })
  const other = await findEntry(
    service,
    { status: 'posted' },
    ({ cardAccountId }) => cardAccountId !== entry.cardAccountId,
  )
  const unknown = '00000000-0000-4000-8000-000000000000'
  for (const [cardAccountId, id] of [
    [entry.cardAccountId, unknown],
    [other.cardAccountId, entry.id],
    [unknown, entry.id],
    [entry.cardAccountId, '%3Cscript%3E'],
  ]) {
    const response = await page.goto(`${accountPath(cardAccountId ?? '')}/transactions/${id}`)
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: 'This transaction does not exist' })).toBeVisible()
  }
})

test('the explanation of the balance adds up to the service’s figures, and each part leads to its entries', async ({
  page,
  service,
}) => {
  const { cardAccountId } = await authorize(service, 7)
  await page.goto(accountPath(cardAccountId))
  const button = page.getByRole('button', { name: /(Show|Hide) breakdown$/ })
  await expect(table(page).getByRole('row').nth(2)).toBeVisible()
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/explain=balance/)
  const region = page.getByRole('region', { name: 'Explanation of the balance' })
  await expect(region.getByText(/^Available is [\d,.−]+ [A-Z]{3}: /)).toBeVisible()
  await expect(region.getByText('Not everything adds up.')).toHaveCount(0)
  await expect(region.getByText('Not explained')).toHaveCount(0)
  await expect(
    region.getByRole('region', { name: 'Pending' }).getByRole('link', { name: 'Simulated merchant' }).first(),
  ).toBeVisible()

  const charges = (await entriesOf(service, cardAccountId, { status: 'posted', intent: 'charge' })).length
  const part = { name: /^Charge ?, what takes/ }
  const link = region.getByRole('link', part)
  await expect(region.getByRole('row').filter({ has: page.getByRole('link', part) })).toContainText(
    charges === 1 ? '1 entry' : `${charges} entries`,
  )
  await link.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/status=posted/)
  await expect(page).toHaveURL(/intent=charge/)
  await expect(page.getByRole('region', { name: 'Transactions' })).toBeFocused()
  await expect(region).toBeVisible()
  await expect(table(page).getByText('Pending', { exact: true })).toHaveCount(0)

  await page.reload()
  await expect(region.getByText(/^Available is/)).toBeVisible()
  await button.click()
  await expect(region).toBeHidden()
  await expect(page).not.toHaveURL(/explain/)
})

test('while the service is down a transaction and an explanation say so, and recover', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/50[0-9]/)
  const entry = await findEntry(service, { status: 'posted', intent: 'charge' })
  await page.goto(accountPath(entry.cardAccountId))
  await expect(table(page).getByRole('row').nth(2)).toBeVisible()
  await service.control.armFault({ path: '*', status: 503, times: 10_000 })
  await page.getByRole('button', { name: /(Show|Hide) breakdown$/ }).click()
  await expect(page.getByText('The explanation of the balance could not be read.')).toBeVisible({ timeout: 45_000 })
  await service.control.disarmFaults()
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect(page.getByText(/^Available is [\d,.−]+ [A-Z]{3}/)).toBeVisible({ timeout: 45_000 })

  await service.control.armFault({ path: '*', status: 0, times: 10_000 })
  await page.goto(entryPath(entry))
  await expect(page.getByText('The transaction could not be read.')).toBeVisible({ timeout: 45_000 })
  await service.control.disarmFaults()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(timeline(page)).toBeVisible({ timeout: 45_000 })
})

test(`a transaction and the explanation of a balance: axe finds nothing in any look`, async ({
  page,
  service,
  expectAccessibleInEveryLook,
}) => {
  test.setTimeout(300_000)
  const disputed = await findEntry(service, { intent: 'charge', status: 'posted' })
  await service.control.dispute(disputed.id, 'pending')
  const declined = await findEntry(service, { status: 'declined' })
  for (const entry of [disputed, declined]) {
    await page.goto(entryPath(entry))
    await expect(timeline(page)).toBeVisible()
    await expectAccessibleInEveryLook()
  }
  await page.goto(`${accountPath(disputed.cardAccountId)}?explain=balance`)
  await expect(page.getByText(/^Available is [\d,.−]+ [A-Z]{3}/)).toBeVisible()
  await expectAccessibleInEveryLook()
})

test('open disputes are listed by their age, which begins with the event that showed them', async ({
  page,
  service,
  expectAccessibleInEveryLook,
}) => {
  const entry = await findEntry(service, { intent: 'charge', status: 'posted' })
  await page.goto(`/sandbox/transactions?q=${entry.id}`)
  await expect(async () => {
    await page.reload()
    await expect(table(page).locator('tbody tr')).toHaveCount(1, { timeout: 2_000 })
    // A dispute that is first seen after the event would be the newest.
    await expect(page.getByText(/as of .* or newer/)).toBeVisible({ timeout: 2_000 })
  }, 'it is in the index without a dispute, and so is every other').toPass({ timeout: 60_000 })
  await service.control.dispute(entry.id, 'requested')
  await page.goto('/sandbox/transactions?dispute=open&sort=-disputeOpenedAt')
  const first = table(page).locator('tbody tr').first()
  await expect(first.locator(`a[href$="/${entry.id}"]`)).toBeVisible()
  await expect(first.getByText('less than a day', { exact: true })).toBeVisible()
  // On a telephone it is below the transaction.
  const unknownAge = table(page).getByTitle('It was open when Carddesk first saw the transaction')
  await expect(unknownAge.filter({ visible: true }).first()).toBeVisible()
  await expectAccessibleInEveryLook()
  await takePicture(page, 'disputes-by-age')
  await page.getByRole('combobox', { name: 'Open for' }).selectOption({ label: '7 days or more' })
  await expect(page).toHaveURL(/disputeDays=7/)
  await expect(page.getByText('No transaction matches these filters')).toBeVisible()
})
