import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { actionButton, openAction, openMore, dialog } from './card-screen.ts'
import { documentFile } from './documents.ts'
import { expect, test } from './fixtures.ts'
import { actionHeaders } from './server-actions.ts'
import { serverOfWorker } from './server-of-worker.ts'
import { issueCard, listCards, type ServiceCaller } from './service-caller.ts'
import { signInCookie } from './sign-in-by-cookie.ts'
import { expectDone, toasts } from './toast.ts'

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
  await signIn('qa')
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
  await expectDone(page, 'Card issued')
  await toasts(page).getByRole('link', { name: 'View card' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Card ending/ })).toBeVisible()
  await expect(page.getByText('MEI LING CHAN').first()).toBeVisible()
  expect(await listCards(service, cardAccountId)).toHaveLength(before + 1)
})

test('a physical card replaces another by keyboard; an external ID in use is refused at its field', async ({
  page,
  signIn,
  service,
}) => {
  const old = await issueCard(service)
  const { cardAccountId } = old
  const xid = `card-${Date.now().toString(36)}`
  await service.post('/xmetadata/set', { target: { type: 'card', id: old.id }, xid })
  await signIn('operations')
  await page.goto(`/sandbox/card-accounts/${cardAccountId}/cards/${old.id}`)
  await openAction(page, 'Replace card')
  const form = dialog(page)
  await expect(form.getByLabel('Name on the card')).toHaveValue(/\w/)
  await form.getByRole('radio', { name: /Physical/ }).press('Space')
  await form.getByLabel('Product').selectOption({ index: 1 })
  await form.getByLabel('External ID').fill(xid)
  await form.getByRole('button', { name: 'Issue replacement' }).press('Enter')
  await expect(form.getByText('The external ID is in use already.')).toBeVisible()
  await expect(form.getByLabel('External ID')).toHaveValue(xid)
  await form.getByLabel('External ID').fill('')
  await form.getByRole('button', { name: 'Issue replacement' }).press('Enter')
  await expectDone(page, 'Replacement issued')
  await toasts(page).getByRole('link', { name: 'View card' }).press('Enter')
  await expect(page.getByText('Pending issue').first()).toBeVisible()
  await page.getByRole('link', { name: `card ending ${old.last4}` }).click()
  await expect(page.getByText('Replaced by card ending')).toBeVisible()
  await openMore(page)
  await expect(actionButton(page, 'Replace card')).toBeDisabled()
})

/** Fills the fields of the first step, but for the nationality. */
async function fillCardholder(page: Page): Promise<void> {
  const entries = {
    'First name': 'Mei',
    'Last name': 'Chan',
    'Date of birth': '1990-02-03',
    Email: 'mei@example.com',
    Mobile: '+852 9123 4567',
    'Residential address': '1 Queen’s Road Central',
  }
  for (const [label, value] of Object.entries(entries)) await page.getByLabel(label).fill(value)
  await page.getByLabel('Gender').selectOption({ label: 'Female' })
  await search(page, 'Occupation', 'engi')
  await search(page, 'Position', 'manager')
}

/** Chooses from a list by typing part of it. */
async function search(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label })
  await field.fill(text)
  await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
  await field.press('Enter')
}

async function fillDocument(page: Page): Promise<void> {
  await page.getByLabel('Type').selectOption({ label: 'Passport' })
  await page.getByLabel('Number').fill('K1234567')
  await search(page, 'Issuing country', 'singa')
  await page.getByLabel('Expires').fill('2031-01-01')
}

test('an account of Hong Kong is opened by keyboard alone, and its page says that the identity is pending', async ({
  page,
  signIn,
}) => {
  await signIn('qa')
  await page.goto('/sandbox/card-accounts')
  await page.getByRole('link', { name: 'Open card account' }).press('Enter')
  await page.getByLabel('First name').focus()
  const keys = page.keyboard
  for (const text of ['Siu Ming', 'Wong', '1988-12-24']) {
    await keys.type(text)
    await keys.press('Tab')
  }
  await keys.type('M') // Gender
  await keys.press('Tab')
  await keys.type('hong kong')
  await keys.press('Enter')
  for (const text of ['+852 6123 4567', 'ming@example.com', 'Flat 1, 2 Nathan Road, Kowloon']) {
    await keys.press('Tab')
    await keys.type(text)
  }
  for (const text of ['teacher', 'staff']) {
    await keys.press('Tab')
    await keys.type(text)
    await keys.press('Enter')
  }
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Documents', level: 2 })).toBeFocused()
  await page.getByLabel('Type').focus()
  await keys.type('Hong')
  await keys.press('Tab')
  await keys.type('A123456(7)')
  await keys.press('Tab')
  await keys.type('HK')
  await keys.press('Enter')
  await keys.press('Tab')
  await keys.type('2032-05-06')
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  await expect(page.getByLabel('Account name')).toHaveValue('Siu Ming Wong')
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Cardholder' })).toContainText('Teacher')
  await page.getByRole('button', { name: 'Open account…' }).press('Enter')
  await dialog(page).getByRole('button', { name: 'Open account' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Siu Ming Wong' })).toBeVisible()
  await expect(page.getByText('Identity pending')).toBeVisible()
})

test('another nationality needs documents; an error leads back to its field, and nothing is lost', async ({
  page,
  signIn,
  service,
  expectAccessibleInEveryLook,
}) => {
  const xid = `account-${Date.now().toString(36)}`
  await service.post('/xmetadata/set', { target: { type: 'cardaccount', id: await anAccount(service) }, xid })
  await signIn('operations')
  await page.goto('/sandbox/card-accounts/new')
  const next = page.getByRole('button', { name: 'Continue' })
  await next.click()
  await expect(page.getByLabel('First name')).toBeFocused()
  await fillCardholder(page)
  await search(page, 'Nationality', 'singapore')
  await expectAccessibleInEveryLook()
  await next.click()

  await fillDocument(page)
  await next.click()
  await expect(page.getByText('Add a document: the nationality is not Hong Kong.')).toBeVisible()
  await page.getByLabel('Passport').setInputFiles(documentFile('passport.png', 20_000_000))
  await expect(page.getByText('This file has 20.0 MB. Use at most 700 KB for all files.')).toBeVisible()
  await page.getByLabel('Travel permit, front').setInputFiles(documentFile('front.png', 2_000))
  await expect(page.getByText('Add both sides of the travel permit, or neither.')).toBeVisible()
  await page.getByLabel('Travel permit, back').setInputFiles(documentFile('back.png', 2_000))
  await expect(page.getByRole('img', { name: 'Travel permit, back: back.png' })).toBeVisible()
  await expectAccessibleInEveryLook()
  await next.click()

  await page.getByRole('radio', { name: /Credit/ }).check()
  await page.getByLabel('Credit limit').fill('25000')
  await page.getByLabel('External ID').fill(xid)
  await expectAccessibleInEveryLook()
  await next.click()
  await expect(page.getByRole('region', { name: 'Documents' })).toContainText('front.png')
  await page.getByRole('button', { name: 'Open account…' }).click()
  await dialog(page).getByRole('button', { name: 'Open account' }).click()

  await expect(page.getByText('The external ID is in use already.')).toBeVisible()
  await expect(page.getByLabel('External ID')).toBeFocused()
  await expect(page.getByLabel('External ID')).toHaveValue(xid)
  await page.getByLabel('External ID').fill('')
  await next.click()
  await page.getByRole('button', { name: 'Open account…' }).click()
  await dialog(page).getByRole('button', { name: 'Open account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Mei Chan' })).toBeVisible()
  await expect(page.getByText('Identity pending')).toBeVisible()
})

test('the form survives another page, a reload and another sign-in, without files and the document’s number', async ({
  page,
  signIn,
}) => {
  await signIn('operations')
  await page.goto('/sandbox/card-accounts/new')
  await fillCardholder(page)
  await search(page, 'Nationality', 'singapore')
  await page.getByRole('button', { name: 'Continue' }).click()
  await fillDocument(page)
  await page.getByLabel('Passport').setInputFiles(documentFile('passport.png', 2_000))
  await expect(page.getByRole('img', { name: 'Passport: passport.png' })).toBeVisible()

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Home/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('img', { name: 'Passport: passport.png' })).toBeVisible()
  await expect(page.getByLabel('Number')).toHaveValue('K1234567')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Accounts' }).click()
  await page.getByRole('link', { name: 'Open card account' }).click()
  await expect(page.getByLabel('Number')).toHaveValue('K1234567')

  await page.reload()
  await expect(page.getByText('Choose these files again.')).toBeVisible()
  await expect(page.getByLabel('Number')).toHaveValue('')
  await page.getByRole('button', { name: 'Cardholder' }).click()
  await expect(page.getByLabel('First name')).toHaveValue('Mei')
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
  expect(stored).toContain('Mei')
  expect(stored).not.toContain('K1234567')

  await signIn('operations')
  await page.goto('/sandbox/card-accounts/new')
  await expect(page.getByLabel('First name')).toHaveValue('Mei')

  // Another person in the same tab finds nothing, and nothing is left.
  await signIn('admin')
  await page.goto('/sandbox')
  const drafts = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft ')))
  await expect.poll(drafts).toEqual([])
  await signIn('operations')
  await page.goto('/sandbox/card-accounts/new')
  await page.getByLabel('First name').fill('Ada')
  await expect.poll(drafts).toHaveLength(1)
  await page.getByRole('button', { name: 'Clear form' }).click()
  await dialog(page).getByRole('button', { name: 'Clear form' }).click()
  await expect(page.getByLabel('First name')).toHaveValue('')
  await expect.poll(drafts).toEqual([])
  await page.getByLabel('First name').fill('Ada')
  await expect.poll(drafts).toHaveLength(1)
  await page.getByRole('button', { name: /Olivia Poon/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/sign-in/)
  expect(await drafts()).toEqual([])
})

test('a body of 20 MB is refused by the server before it is read', async () => {
  const baseURL = serverOfWorker()?.url ?? ''
  const headers = actionHeaders(await signInCookie(baseURL, 'operations'))
  // Only the length is sent: the response comes before the body.
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${baseURL}/sandbox/card-accounts/new`, {
      method: 'POST',
      headers: { ...headers, 'content-length': '20000000' },
    })
    sent.once('response', resolve).once('error', reject)
    sent.flushHeaders()
  })
  expect(response.statusCode).toBe(413)
  expect(await text(response)).toContain('The request is too large.')
})
