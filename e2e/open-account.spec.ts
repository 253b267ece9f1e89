import type { Page } from '@playwright/test'
import { dialog } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { listCards, type ServiceCaller } from './service-caller.ts'

test.beforeEach(async ({ service }) => {
  await service.control.reset()
})

async function anAccount(service: ServiceCaller): Promise<string> {
  const { body } = await service.get('/cardaccounts', { pageSize: '1' })
  const [account] = (body as { cardaccounts: { id: string }[] }).cardaccounts
  if (!account) throw new Error('the seed has an account')
  return account.id
}

/** The face of the card in the dialog, by what it says. */
function face(page: Page, name: string) {
  return dialog(page).getByRole('img', { name })
}

test('a virtual card is issued, and its face follows what is typed', async ({
  page,
  signIn,
  service,
  expectAccessibleInEveryLook,
}) => {
  const cardAccountId = await anAccount(service)
  const before = (await listCards(service, cardAccountId)).length
  await signIn('operations')
  await page.goto(`/sandbox/card-accounts/${cardAccountId}`)
  await page.getByRole('button', { name: 'Issue card' }).click()
  const form = dialog(page)
  await form.getByLabel('Product').selectOption({ label: 'Online Purchase' })
  await form.getByLabel('Name on the card').fill('陳美玲')
  await expect(form.getByText('Use Latin letters, spaces and hyphens only.')).toBeVisible()
  await form.getByLabel('Name on the card').fill('MEI LING CHAN')
  await expect(face(page, 'Online Purchase, MEI LING CHAN')).toBeVisible()
  await expectAccessibleInEveryLook()
  await form.getByRole('button', { name: 'Issue card' }).click()
  await expect(form.getByText('Card issued.')).toBeVisible()
  await form.getByRole('link', { name: 'View new card' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Card ending/ })).toBeVisible()
  await expect(page.getByText('MEI LING CHAN').first()).toBeVisible()
  expect(await listCards(service, cardAccountId)).toHaveLength(before + 1)
})

test('a physical card replaces another by keyboard; an external ID in use is refused at its field', async ({
  page,
  signIn,
  service,
}) => {
  const cardAccountId = await anAccount(service)
  const [old] = await listCards(service, cardAccountId)
  if (!old) throw new Error('the account has a card')
  const xid = `card-${Date.now()}`
  await service.post('/xmetadata/set', { target: { type: 'card', id: old.id }, xid })
  await signIn('operations')
  await page.goto(`/sandbox/card-accounts/${cardAccountId}/cards/${old.id}`)
  await page.getByRole('button', { name: 'Replace card' }).press('Enter')
  const form = dialog(page)
  await expect(form.getByLabel('Name on the card')).toHaveValue(/\w/)
  await form.getByRole('radio', { name: /Physical/ }).press('Space')
  await form.getByLabel('Product').selectOption({ index: 1 })
  await form.getByLabel('External ID').fill(xid)
  await form.getByRole('button', { name: 'Issue card' }).press('Enter')
  await expect(form.getByText('This is in use already.')).toBeVisible()
  await expect(form.getByLabel('External ID')).toHaveValue(xid)
  await form.getByLabel('External ID').fill('')
  await form.getByRole('button', { name: 'Issue card' }).press('Enter')
  await expect(form.getByText('Card issued.')).toBeVisible()
  await form.getByRole('link', { name: 'View new card' }).press('Enter')
  await expect(page.getByText('Pending issue').first()).toBeVisible()
})
