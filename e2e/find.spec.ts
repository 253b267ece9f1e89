import { readFile } from 'node:fs/promises'
import { takePicture } from './every-look.ts'
import { expect, test } from './fixtures.ts'
import { openPalette } from './palette.ts'
import type { ServiceCaller } from './service-caller.ts'
import { toasts } from './toast.ts'

test('the palette finds a beneficiary, a fee, one Chinese character, a webhook, a request ID and lists by a verb', async ({
  page,
  service,
  signIn,
  expectAccessible,
}) => {
  await signIn('operations')
  const { payouts } = (await service.get('/payouts', { pageSize: '100' })).body as {
    payouts: { destination: { accountHolderName: string } }[]
  }
  const { fees } = (await service.get('/fees')).body as { fees: { id: string }[] }
  const beneficiary = payouts[0]?.destination.accountHolderName ?? ''
  await page.goto('/sandbox/webhooks')
  await expect(page.getByRole('heading', { level: 1, name: 'Webhook health' })).toBeVisible()
  const field = await openPalette(page)
  const found = (name: string | RegExp) => page.getByRole('option', { name }).first()

  await field.fill(beneficiary.slice(0, 6).toLowerCase())
  await expect(found(`Payout to ${beneficiary}`)).toBeVisible()
  await field.fill('陳')
  await expect(found(/陳/)).toBeVisible()
  await field.fill('inbox/sandbox')
  await expect(page.getByRole('group', { name: 'Webhooks' }).getByRole('option').first()).toBeVisible()
  await expectAccessible()
  await takePicture(page, 'palette')
  await field.fill('my work')
  await expect(found('Home')).toBeVisible()
  await field.fill('scenarios')
  await expect(found('Scenarios')).toBeVisible()
  await field.fill('waive')
  await expect(found('Waive fees')).toBeVisible()
  await field.fill('dispute')
  await expect(found('Accounts with disputes')).toBeVisible()
  await field.fill(fees[0]?.id ?? '')
  await page.getByRole('group', { name: 'Fees' }).getByRole('option').first().click()
  await expect(page).toHaveURL(new RegExp(`/sandbox/fees\\?open=${fees[0]?.id}`))

  const charge = await firstCharge(service)
  await page.goto(`/sandbox/card-accounts/${charge.cardAccountId}`)
  await expect(page.getByRole('table', { name: 'Transactions' })).toBeVisible()
  const transactions = page.getByRole('group', { name: 'Transactions' })
  const palette = await openPalette(page)
  await palette.fill(charge.merchant.name.toLowerCase())
  await expect(transactions.getByRole('option', { name: charge.merchant.name }).first()).toBeVisible()
  await palette.fill(charge.amount.toLocaleString('en-HK'))
  await transactions.getByRole('option', { name: charge.merchant.name }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: charge.merchant.name })).toBeVisible()

  await page.goto('/sandbox')
  await (await openPalette(page)).fill('locked')
  await expect(found('Locked cards')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/cards\?status=locked/)
})

test('/ goes to the search of a list, and opens the palette on a page without one', async ({ page, signIn }) => {
  await signIn('operations')
  const search = page.getByRole('searchbox', { name: 'Search cards' })
  const palette = page.getByRole('combobox', { name: 'Search or jump to' })
  for (const [path, field] of [
    ['/sandbox/cards', search],
    ['/sandbox', palette],
  ] as const) {
    await page.goto(path)
    await expect(async () => {
      await page.keyboard.press('/')
      await expect(field).toBeFocused({ timeout: 2_000 })
    }).toPass()
  }
})

test('fees are filtered by status and searched by their account, and the file has the chosen columns', async ({
  page,
  service,
  signIn,
}) => {
  await signIn('operations')
  const posted = await countFees(service, 'posted')
  await page.goto('/sandbox/fees')
  await page.getByRole('button', { name: /^Status/ }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Posted' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByText(new RegExp(`^${posted} match`))).toBeVisible()
  const table = page.getByRole('table', { name: 'Fees' })
  const account = (await table.getByRole('row').last().getByRole('link').nth(1).textContent()) ?? ''
  await page.getByRole('searchbox', { name: 'Search fees' }).fill(account)
  await expect(page).toHaveURL(/q=/)
  await expect(table.getByRole('row').nth(1)).toContainText(account)
  await expect(table.getByRole('row').filter({ hasNotText: account }), 'the header alone').toHaveCount(1)
  await page.getByRole('button', { name: 'Columns and density' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Charged' }).click()
  await page.keyboard.press('Escape')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const [header = ''] = (await readFile(await download.path(), 'utf8')).split('\n')
  expect(header).toContain('"Status"')
  expect(header).not.toContain('"Charged')

  const { payouts } = (await service.get('/payouts', { pageSize: '100' })).body as {
    payouts: { status: string; destination: { accountHolderName: string } }[]
  }
  const failed = payouts.findLast((payout) => payout.status === 'failed')?.destination.accountHolderName ?? ''
  await page.goto('/sandbox/payouts')
  await page.getByRole('button', { name: /^Status/ }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Failed' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox', { name: 'Search payouts' }).fill(failed.toLowerCase())
  await expect(page).toHaveURL(/q=.*status=failed|status=failed.*q=/)
  const rows = page.getByRole('table', { name: 'Payouts' }).getByRole('row')
  await expect(rows.nth(1)).toContainText(failed)
  await expect(rows.nth(1)).toContainText('Failed')
  await expect(rows.filter({ hasNotText: failed }), 'the header alone').toHaveCount(1)
})

test('a view is saved by the keyboard, opens its list as the default, and is renamed and deleted', async ({
  page,
  signIn,
  expectAccessible,
}) => {
  await signIn('approver')
  await page.goto('/sandbox/payouts?status=failed&sort=-updated')
  const menu = page.getByRole('button', { name: 'Saved views' })
  await menu.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Save this view…' })).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Save this view?' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('To chase')
  await dialog.getByRole('checkbox', { name: 'Open this list with it' }).check()
  await expectAccessible()
  await takePicture(page, 'save-view')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()

  await page.goto('/sandbox/payouts')
  await expect(page).toHaveURL(/\/sandbox\/payouts\?sort=-updated&status=failed$/)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).not.toHaveURL(/status/)
  await menu.click()
  await page.getByRole('menuitemradio', { name: /^To chase/ }).click()
  await expect(page).toHaveURL(/status=failed/)

  await menu.click()
  await page.getByRole('menuitem', { name: 'Manage views…' }).click()
  const manage = page.getByRole('dialog', { name: 'Manage views' })
  await manage.getByRole('textbox', { name: 'Name of To chase' }).fill('Failed')
  await page.keyboard.press('Enter')
  await expect(manage.getByRole('button', { name: 'Delete Failed' })).toBeVisible()
  await expectAccessible()
  await takePicture(page, 'manage-views')
  await manage.getByRole('button', { name: 'Delete Failed' }).click()
  await expect(manage.getByText('No saved views.')).toBeVisible()
  await toasts(page).getByRole('button', { name: 'Undo' }).click()
  await manage.getByRole('button', { name: 'Delete Failed' }).click()
  await expect(manage.getByText('No saved views.')).toBeVisible()
  await page.goto('/sandbox/payouts')
  await expect(page).toHaveURL(/\/sandbox\/payouts$/)
})

test('a view without filters is opened beside one that is the default of its list', async ({ page, signIn }) => {
  await signIn('approver')
  await page.goto('/sandbox/payouts?status=failed')
  const menu = page.getByRole('button', { name: 'Saved views' })
  const dialog = page.getByRole('dialog', { name: 'Save this view?' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Failed')
  await dialog.getByRole('checkbox', { name: 'Open this list with it' }).check()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).not.toHaveURL(/status/)
  await menu.click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Everything')
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(dialog).toBeHidden()
  await menu.click()
  await page.getByRole('menuitemradio', { name: /^Failed/ }).click()
  await expect(page).toHaveURL(/status=failed/)
  await menu.click()
  await page.getByRole('menuitemradio', { name: /^Everything/ }).click()
  await expect(page).not.toHaveURL(/status/)
  await menu.click()
  await page.getByRole('menuitem', { name: 'Manage views…' }).click()
  const manage = page.getByRole('dialog', { name: 'Manage views' })
  await manage.getByRole('button', { name: 'Delete Failed' }).click()
  await expect(manage.getByRole('button', { name: 'Delete Failed' })).toBeHidden()
  await manage.getByRole('button', { name: 'Delete Everything' }).click()
  await expect(manage.getByText('No saved views.')).toBeVisible()
})

test('Today is the sandbox’s day while its clock is ahead, which every page says; a typed date has one form', async ({
  page,
  service,
  signIn,
}) => {
  await signIn('operations')
  try {
    await service.control.advanceClock('P3D')
    await page.goto('/sandbox/fees')
    await expect(page.getByRole('link', { name: /^The sandbox clock shows/ })).toBeVisible()
    await page.getByRole('button', { name: /^Date/ }).click()
    await page.getByRole('button', { name: 'Today' }).click()
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Hong_Kong' }).format(Date.now() + 3 * 86_400_000)
    await expect(page).toHaveURL(new RegExp(`dateRangeFrom=${day}`))
    await page.getByRole('button', { name: /^Date/ }).click()
    await page.getByRole('textbox', { name: 'From' }).fill('11/22/2026')
    await expect(page.getByText('Not a date. Use YYYY-MM-DD.')).toBeVisible()
  } finally {
    await service.control.reset()
  }
})

type Charge = { cardAccountId: string; amount: number; merchant: { name: string } }

/** The newest charge of the first account that has one. */
async function firstCharge(service: ServiceCaller): Promise<Charge> {
  const accounts = (await service.get('/cardaccounts', { pageSize: '100' })).body as { cardaccounts: { id: string }[] }
  for (const { id: cardAccountId } of accounts.cardaccounts) {
    const { body } = await service.get('/cardaccounts/transactions', { cardAccountId, intent: 'charge' })
    const [charge] = (body as { transactions: Charge[] }).transactions
    if (charge) return charge
  }
  throw new Error('the seed has charges')
}

/** Fees of a status, on all pages of the service. */
async function countFees(service: ServiceCaller, wanted: string): Promise<number> {
  let count = 0
  for (let pageToken: string | null = ''; pageToken !== null;) {
    const { body } = await service.get('/fees', { pageSize: '100', ...(pageToken === '' ? {} : { pageToken }) })
    const page = body as { fees: { status: string }[]; nextPageToken: string | null }
    count += page.fees.filter(({ status }) => status === wanted).length
    pageToken = page.nextPageToken
  }
  return count
}
