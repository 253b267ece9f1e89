import type { Locator, Page } from '@playwright/test'
import { cardPath, openCard } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { findCard, listCards, type ServiceCaller } from './service-caller.ts'
import { expectDone } from './toast.ts'

type Account = { id: string; name: string; xid: string | null; xmetadata: unknown }

async function accountsOf(service: ServiceCaller): Promise<Account[]> {
  const { body } = await service.get('/cardaccounts', { pageSize: '100' })
  return (body as { cardaccounts: Account[] }).cardaccounts
}

async function accountNow(service: ServiceCaller, id: string): Promise<Account | undefined> {
  return (await accountsOf(service)).find((account) => account.id === id)
}

/** An account with an xid and an object as metadata, as the seed has it. */
async function openAccount(page: Page, service: ServiceCaller): Promise<Account> {
  const account = (await accountsOf(service)).find(
    ({ xid, xmetadata }) => xid !== null && typeof xmetadata === 'object' && xmetadata !== null,
  )
  if (!account) throw new Error('the seed has such an account')
  await page.goto(`/sandbox/card-accounts/${account.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(account.name)
  return account
}

const editButton = (page: Page) => page.getByRole('button', { name: /^(Edit|Add) references$/ })
const editor = (page: Page) => page.getByRole('alertdialog', { name: 'External ID and metadata' })
const xidPart = (window: Locator) => window.getByRole('group', { name: 'External ID (xid)' })
const metadataPart = (window: Locator) => window.getByRole('group', { name: 'Metadata (xmetadata)' })
const send = (window: Locator) => window.getByRole('button', { name: 'Send change' })
const preview = (window: Locator) => window.getByLabel('The JSON that will be sent')

async function openEditor(page: Page): Promise<Locator> {
  await editButton(page).click()
  await expect(xidPart(editor(page))).toBeVisible()
  return editor(page)
}

test.beforeEach(async ({ service, signIn }) => {
  await service.control.reset()
  await signIn('operations')
})

test.afterEach(async ({ service }) => {
  await service.control.disarmFaults()
})

test('keeping one and replacing the other sends exactly the JSON that was shown, and the page is right at once', async ({
  page,
  service,
}) => {
  const account = await openAccount(page, service)
  const window = await openEditor(page)
  await expect(window.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(window.getByText('No change yet.')).toBeVisible()
  await expect(send(window)).toBeDisabled()
  await xidPart(window).getByRole('radio', { name: 'Replace' }).check()
  await xidPart(window).getByLabel('New external ID').fill('DESK-4711')
  await expect(window.getByText(`External ID: “${account.xid}” is replaced by “DESK-4711”.`)).toBeVisible()
  await expect(window.getByText(/^Metadata: left out, so it stays as it is/)).toBeVisible()
  expect(JSON.parse((await preview(window).textContent()) ?? '')).toEqual({
    target: { type: 'cardaccount', id: account.id },
    xid: 'DESK-4711',
  })
  await send(window).click()
  await expectDone(page, 'References updated')
  await expect(editButton(page)).toBeFocused()
  await expect(page.getByRole('region', { name: 'Details' }).getByText('DESK-4711')).toBeVisible()
  expect(await accountNow(service, account.id)).toMatchObject({ xid: 'DESK-4711', xmetadata: account.xmetadata })
  await page.goto('/sandbox/card-accounts?q=desk-4711')
  await expect(page.getByRole('link', { name: account.name })).toBeVisible()
})

test('rows, JSON values and keys that go are shown before they are sent; removing is a sentence and null', async ({
  page,
  service,
}) => {
  const account = await openAccount(page, service)
  const [firstKey = ''] = Object.keys(account.xmetadata as object)
  const window = await openEditor(page)
  await xidPart(window).getByRole('radio', { name: 'Remove' }).check()
  await metadataPart(window).getByRole('radio', { name: 'Replace' }).check()
  await metadataPart(window)
    .getByRole('button', { name: `Remove ${firstKey}` })
    .click()
  await metadataPart(window).getByRole('button', { name: 'Add a key' }).click()
  const rows = metadataPart(window).getByRole('listitem')
  await rows.last().getByLabel(/^Key/).fill('floors')
  await rows
    .last()
    .getByLabel(/^Kind of value/)
    .selectOption({ label: 'JSON' })
  await rows
    .last()
    .getByLabel(/^Value/)
    .fill('[3, 4]')
  await expect(window.getByText(`External ID: “${account.xid}” is removed (null is sent).`)).toBeVisible()
  await expect(window.getByText(new RegExp(`new: “floors”; gone: “${firstKey}”`))).toBeVisible()
  const body = JSON.parse((await preview(window).textContent()) ?? '') as { xid: null; xmetadata: object }
  expect(body.xid).toBe(null)
  await send(window).click()
  await expectDone(page, 'References updated')
  expect(await accountNow(service, account.id)).toMatchObject({ xid: null, xmetadata: body.xmetadata })
  expect(body.xmetadata).toMatchObject({ floors: [3, 4] })
  expect(body.xmetadata).not.toHaveProperty([firstKey])
})

test('by keyboard: JSON with an error at its position, the correction, the outcome and the focus', async ({
  page,
  service,
}) => {
  const { cardAccountId, cardId } = await findCard(service, 'active')
  await openCard(page, { cardAccountId, cardId })
  await editButton(page).focus()
  await page.keyboard.press('Enter')
  const window = editor(page)
  await expect(window.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(metadataPart(window)).toBeVisible()
  await metadataPart(window).getByRole('radio', { name: 'Keep' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(metadataPart(window).getByRole('radio', { name: 'Replace' })).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(window.getByLabel('Metadata as')).toBeFocused()
  await page.keyboard.type('The JSON')
  const json = window.getByRole('textbox', { name: 'JSON', exact: true })
  await json.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('{"team": "ops",}')
  await send(window).focus()
  await page.keyboard.press('Enter')
  await expect(json).toBeFocused()
  await expect(json).toHaveAccessibleDescription(/Line 1, column 16: Expected a key in double quotes/)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('{"team": "ops"}')
  await expect(preview(window)).toContainText('"team": "ops"')
  await send(window).focus()
  await page.keyboard.press('Enter')
  await expectDone(page, 'References updated')
  await expect(editButton(page)).toBeFocused()
  const card = (await listCards(service, cardAccountId)).find(({ id }) => id === cardId)
  expect(card).toMatchObject({ xmetadata: { team: 'ops' } })
  const happened = page.getByRole('region', { name: 'What happened' })
  await expect(happened.getByText('References updated', { exact: true })).toBeVisible()
})

test('a duplicate external ID is reported at its field, and another one can be sent', async ({ page, service }) => {
  const account = await openAccount(page, service)
  const taken = (await accountsOf(service)).find(({ id, xid }) => id !== account.id && xid !== null)?.xid ?? ''
  const window = await openEditor(page)
  await xidPart(window).getByRole('radio', { name: 'Replace' }).check()
  const field = xidPart(window).getByLabel('New external ID')
  await field.fill(taken)
  await send(window).click()
  await expect(window.getByText('XID_ALREADY_EXISTS')).toBeVisible()
  await expect(field).toHaveAccessibleDescription(/is in use already/)
  await field.fill('DESK-FREE-1')
  await send(window).click()
  await expectDone(page, 'References updated')
  expect(await accountNow(service, account.id)).toMatchObject({ xid: 'DESK-FREE-1' })
})

test('bad input is a message at its field before anything is sent', async ({ page, service }) => {
  const account = await openAccount(page, service)
  const window = await openEditor(page)
  await xidPart(window).getByRole('radio', { name: 'Replace' }).check()
  const field = xidPart(window).getByLabel('New external ID')
  for (const [text, message] of [
    ['', /must not be empty/],
    ['x'.repeat(257), /at most 256 characters; this has 257/],
    ['4242 4242 4242 4242', /must not hold a card number/],
  ] as const) {
    await field.fill(text)
    await send(window).click()
    await expect(field).toHaveAccessibleDescription(message)
    await expect(field).toBeFocused()
  }
  await xidPart(window).getByRole('radio', { name: 'Keep' }).check()
  await metadataPart(window).getByRole('radio', { name: 'Replace' }).check()
  await metadataPart(window).getByRole('button', { name: 'Add a key' }).click()
  const row = metadataPart(window).getByRole('listitem').last()
  await row.getByLabel(/^Value/).fill('4242-4242-4242-4242')
  await send(window).click()
  await expect(row.getByLabel(/^Key/)).toHaveAccessibleDescription('Give this value a key.')
  await expect(row.getByLabel(/^Value/)).toHaveAccessibleDescription(/looks like a card number/)
  await window.getByRole('button', { name: 'Cancel' }).click()
  expect(await accountNow(service, account.id)).toEqual(account)
})

test('a change by another person while the editor is open is reported before anything is sent', async ({
  page,
  service,
}) => {
  const account = await openAccount(page, service)
  const window = await openEditor(page)
  await metadataPart(window).getByRole('radio', { name: 'Remove' }).check()
  const target = { type: 'cardaccount', id: account.id }
  expect((await service.post('/xmetadata/set', { target, xid: 'SOMEBODY-ELSE' })).status).toBe(200)
  await send(window).click()
  await expect(window.getByText('It changed since this window was opened.', { exact: true })).toBeVisible()
  await expect(window.getByText('SOMEBODY-ELSE')).toBeVisible()
  await expect(send(window)).toBeDisabled()
  expect(await accountNow(service, account.id)).toMatchObject({ xid: 'SOMEBODY-ELSE', xmetadata: account.xmetadata })
  await window.getByRole('button', { name: 'Use current values' }).click()
  await send(window).click()
  await expectDone(page, 'References updated')
  expect(await accountNow(service, account.id)).toMatchObject({ xid: 'SOMEBODY-ELSE', xmetadata: null })
})

test('a response lost after the effect ends with the real values', async ({ page, service }) => {
  const account = await openAccount(page, service)
  const window = await openEditor(page)
  await xidPart(window).getByRole('radio', { name: 'Remove' }).check()
  await service.control.armFault({ path: '/xmetadata/set', status: 0, times: 1, after: true })
  await send(window).dblclick()
  await expectDone(page, 'References updated', 30_000)
  expect(await accountNow(service, account.id)).toMatchObject({ xid: null })
})

test('during an outage the editor reports a failed read and offers a retry', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/50[0-9]/)
  await openAccount(page, service)
  await service.control.armFault({ path: '*', status: 503, times: 10_000 })
  await editButton(page).click()
  await expect(editor(page).getByText('The card account could not be read.')).toBeVisible({ timeout: 45_000 })
  await expect(send(editor(page))).toBeDisabled()
  await service.control.disarmFaults()
  await editor(page).getByRole('button', { name: 'Read again' }).click()
  await expect(xidPart(editor(page))).toBeVisible({ timeout: 45_000 })
})

test('a viewer sees the references and may not edit them', async ({ page, service, signIn }) => {
  await signIn('viewer')
  await openAccount(page, service)
  await expect(editButton(page)).toBeDisabled()
  await expect(editButton(page)).toHaveAccessibleDescription('Only Operations and QA can do this.')
  await page.goto(cardPath(await findCard(service, 'active')))
  await expect(editButton(page)).toBeDisabled()
})

test(`the editor in every form, with its errors: axe finds nothing in any look`, async ({
  page,
  service,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  test.setTimeout(300_000)
  await openAccount(page, service)
  const window = await openEditor(page)
  await xidPart(window).getByRole('radio', { name: 'Replace' }).check()
  await xidPart(window).getByLabel('New external ID').fill('')
  await metadataPart(window).getByRole('radio', { name: 'Replace' }).check()
  await send(window).click()
  for (const shape of ['A list of texts', 'One text', 'The JSON itself', 'Keys and values']) {
    await window.getByLabel('Metadata as').selectOption({ label: shape })
    if (shape === 'Keys and values') await expectAccessibleInEveryLook()
    else await expectAccessible()
  }
})
