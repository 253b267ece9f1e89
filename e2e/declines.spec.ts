import type { Page } from '@playwright/test'
import { dialog } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { findCard, type ServiceCaller } from './service-caller.ts'
import { expectDone } from './toast.ts'

type Ids = { cardAccountId: string; cardId: string }
type Charge = { id: string; status: string; amount: number; currency: string; cardId: string; cardAccountId: string }

async function charge(service: ServiceCaller, ids: Ids, amount: number, currency: string): Promise<Charge> {
  const { cardAccountId, cardId } = ids
  const { body } = await service.post('/cards/simulate-authorization', { cardAccountId, cardId, amount, currency })
  const { cardTransactionId: transactionId } = body as { cardTransactionId: string }
  const listed = await service.get('/cardaccounts/transactions', { cardAccountId, transactionId })
  const [made] = (listed.body as { transactions: Charge[] }).transactions
  if (!made) throw new Error('the charge is listed')
  return made
}

/** The account with this name, with its only active card. */
async function accountOf(service: ServiceCaller, name: string) {
  const { body } = await service.get('/cardaccounts', { pageSize: '100' })
  const accounts = (body as { cardaccounts: { id: string; name: string; available: number; balance: number }[] })
    .cardaccounts
  const account = accounts.find((one) => one.name.startsWith(name))
  if (!account) throw new Error(`the seed has ${name}`)
  return account
}

const pathOf = ({ cardAccountId, id }: Charge) => `/sandbox/card-accounts/${cardAccountId}/transactions/${id}`
const why = (page: Page) => page.getByRole('region', { name: 'Why it was declined' })

test.beforeEach(async ({ service, signIn }) => {
  await service.control.reset()
  await signIn('operations')
})

test('a charge over the balance is explained, and with the limit that its button sets the same charge is approved', async ({
  page,
  service,
}) => {
  const account = await accountOf(service, 'Ho Mei Ling')
  const listed = await service.get('/cardaccounts/transactions', { cardAccountId: account.id, status: 'declined' })
  const [declined] = (listed.body as { transactions: Charge[] }).transactions
  if (!declined) throw new Error('the seed has a declined charge')
  await page.goto(pathOf(declined))
  await expect(why(page)).toContainText('The charge of 980.00 HKD was more than the available balance.')
  await expect(why(page)).toContainText('The available balance is 850.00 HKD short.')
  await expect(why(page)).toContainText('Your payment of 980.00 HKD was more than your available balance.')
  await why(page).getByRole('button', { name: 'Set limit to 20,850.00 HKD' }).click()
  const window = dialog(page)
  await expect(window.getByLabel('New limit')).toHaveValue('20,850.00')
  await window.getByLabel('Reason').selectOption({ label: 'Credit review' })
  await window.getByRole('button', { name: 'Set limit' }).click()
  await expect(why(page)).toContainText('Nothing stops the same charge now.')
  const { cardAccountId, cardId, amount, currency } = declined
  expect(await charge(service, { cardAccountId, cardId }, amount + 0.01, currency)).toMatchObject({
    status: 'declined',
  })
  expect(await charge(service, { cardAccountId, cardId }, amount, currency)).toMatchObject({ status: 'pending' })
})

test('a charge of a locked card is explained in its row, from which the card is unlocked, with the keyboard', async ({
  page,
  service,
}) => {
  const ids = await findCard(service, 'active')
  await service.post('/cards/lock', ids)
  const declined = await charge(service, ids, 1.25, 'USD')
  expect(declined.status).toBe('declined')
  await page.goto(`/sandbox/card-accounts/${ids.cardAccountId}/cards/${ids.cardId}`)
  const row = page
    .getByRole('table', { name: 'Transactions' })
    .getByRole('row')
    .filter({ hasText: 'The card is locked' })
  await row.getByRole('button', { name: 'Why?' }).press('Enter')
  const explained = page
    .getByRole('dialog', { name: 'Why it was declined' })
    .filter({ hasText: 'The card was locked.' })
  await explained.getByRole('link', { name: 'Unlock card' }).press('Enter')
  await expect(explained, 'nothing is above the dialog').toBeHidden()
  await dialog(page).getByRole('button', { name: 'Unlock card' }).press('Enter')
  await expectDone(page, 'Card unlocked')
  await service.post('/cards/lock', ids)
  await row.getByRole('button', { name: 'Why?' }).press('Enter')
  await explained.getByRole('link', { name: 'Open transaction' }).press('Enter')
  await expect(page).toHaveURL(new RegExp(`${pathOf(declined)}$`))
  await why(page).getByRole('button', { name: 'Unlock card' }).press('Enter')
  await dialog(page).getByRole('button', { name: 'Unlock card' }).press('Enter')
  await expect(why(page)).toContainText('Nothing stops the same charge now.')
  expect(await charge(service, ids, 1.25, 'USD')).toMatchObject({ status: 'pending' })
})

test('where no action changes the limit, the explanation says so and offers nothing', async ({ page, service }) => {
  const account = await accountOf(service, 'Chan Tai Man')
  const listed = await service.get('/cardaccounts/transactions', { cardAccountId: account.id, status: 'declined' })
  const [declined] = (listed.body as { transactions: Charge[] }).transactions
  if (!declined) throw new Error('the seed has a declined charge')
  await page.goto(pathOf(declined))
  await expect(why(page)).toContainText('more than the single transaction limit of 10,000.00 HKD.')
  await expect(why(page)).toContainText('It is 2,800.00 HKD over the single transaction limit.')
  await expect(why(page)).toContainText('No action changes a card’s own limits.')
  await expect(why(page).getByRole('button', { name: /limit|card/i })).toHaveCount(0)
})

test('Declined shows today’s declines by reason, each beside the same hours a week before, and takes the day back', async ({
  page,
  service,
}) => {
  const ids = await findCard(service, 'active')
  await service.post('/cards/lock', ids)
  await charge(service, ids, 1.25, 'USD')
  await page.goto('/sandbox/transactions')
  const button = page.getByRole('button', { name: 'Declined', exact: true })
  await button.click()
  await expect(page).toHaveURL(/dateRangeFrom=\d{4}-\d\d-\d\d&?/)
  const reasons = page.getByRole('region', { name: 'Why charges were declined' })
  const locked = reasons.getByRole('row', { name: /locked/ })
  // The console asks every five seconds whether there was a reset: a decline of before may be counted until then.
  await expect(async () => {
    const declines = Number(await locked.getByRole('cell').nth(1).textContent())
    expect(declines).toBeGreaterThan(0)
    expect(await locked.textContent()).toContain(`+${declines} to a week before`)
  }).toPass({ timeout: 10_000 })
  await button.click()
  await expect(page).toHaveURL(/\/transactions$/)
})

test('explanations of declined charges: axe finds nothing in any look', async ({
  page,
  service,
  expectAccessibleInEveryLook,
}) => {
  test.setTimeout(300_000)
  for (const name of ['Ho Mei Ling', 'Chan Tai Man']) {
    const { id: cardAccountId } = await accountOf(service, name)
    const listed = await service.get('/cardaccounts/transactions', { cardAccountId, status: 'declined' })
    const [declined] = (listed.body as { transactions: Charge[] }).transactions
    if (!declined) throw new Error('the seed has a declined charge')
    await page.goto(pathOf(declined))
    await expect(why(page)).toBeVisible()
    await expectAccessibleInEveryLook()
  }
})
