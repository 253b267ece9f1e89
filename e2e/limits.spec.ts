import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { dialog } from './card-screen.ts'
import { takePicture } from './every-look.ts'
import { expect, test } from './fixtures.ts'
import type { ServiceCaller } from './service-caller.ts'
import { expectDone, toasts } from './toast.ts'

type Account = {
  id: string
  name: string
  xid: string | null
  accountType: string
  currency: string
  limit: number
  balance: number
  outstanding: number
  available: number
}

async function accountsOf(service: ServiceCaller, accountType: string): Promise<Account[]> {
  const { body } = await service.get('/cardaccounts', { pageSize: '100' })
  return (body as { cardaccounts: Account[] }).cardaccounts.filter((account) => account.accountType === accountType)
}

async function limitOf(service: ServiceCaller, { id }: Account): Promise<number | undefined> {
  const { body } = await service.get('/cardaccounts', { cardAccountId: id })
  return (body as { cardaccounts: Account[] }).cardaccounts[0]?.limit
}

/** A credit account in a currency with cents that owes something. */
async function indebted(service: ServiceCaller): Promise<Account> {
  const found = (await accountsOf(service, 'credit')).find(
    ({ outstanding, currency }) => outstanding > 2 && currency === 'HKD',
  )
  if (!found) throw new Error('the seed has a credit account in HKD that owes something')
  return found
}

async function openAccount(page: Page, { id, name }: Account): Promise<void> {
  await page.goto(`/sandbox/card-accounts/${id}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

const text = (page: Page): Locator => page.getByRole('textbox', { name: /Paste the lines|The text of/ })

async function openLimits(page: Page, service: ServiceCaller): Promise<void> {
  await expectIndexed(page, service)
  await page.goto('/sandbox/card-accounts/limits')
  await expect(page.getByRole('heading', { level: 1, name: 'Set limits by CSV' })).toBeVisible()
}

async function look(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check the lines', exact: true }).click()
}

/** Confirms the preview by typing its number of accounts; the page of the job opens. */
async function start(page: Page, accounts: number): Promise<void> {
  await page.getByLabel('Reason').selectOption({ label: 'Credit review' })
  await page.getByRole('button', { name: /^Set \d+ limits?…$/ }).click()
  const window = dialog(page)
  await expect(window.getByRole('button', { name: 'Keep limits' })).toBeFocused()
  await expect(window.getByRole('button', { name: /^Set \d+ limits?$/ })).toBeDisabled()
  await window.getByLabel(/^Type the number of accounts/).fill(String(accounts))
  await window.getByRole('button', { name: /^Set \d+ limits?$/ }).click()
  await expect(page).toHaveURL(/\/sandbox\/bulk-jobs\/[0-9a-f-]{36}/)
}

function rowsOf(accounts: readonly Account[], limit: number): string {
  return ['cardAccountId,limit', ...accounts.map(({ id }, index) => `${id},${limit + index}`)].join('\n')
}

/** The console's index has the limits of the seed again: a preview that shows those of the test before could not be confirmed. */
async function expectIndexed(page: Page, service: ServiceCaller): Promise<void> {
  const limits = (accounts: Account[]) => Object.fromEntries(accounts.map(({ id, limit }) => [id, limit]))
  const { body } = await service.get('/cardaccounts', { pageSize: '100' })
  const expected = limits((body as { cardaccounts: Account[] }).cardaccounts)
  await expect(async () => {
    const indexed = await page.request.get('/api/sandbox/card-accounts?pageSize=100')
    const { rows } = (await indexed.json()) as { rows: { account: Account }[] }
    expect(limits(rows.map(({ account }) => account))).toEqual(expected)
  }).toPass({ timeout: 15_000 })
}

test.beforeEach(({ service }) => service.control.reset())

test('one limit by mouse: what it would leave, then the account as it is, at once', async ({
  page,
  service,
  signIn,
}) => {
  const account = await indebted(service)
  await signIn('operations')
  await openAccount(page, account)
  const button = page.getByRole('button', { name: 'Set limit…' })
  await button.click()
  const window = dialog(page)
  await expect(window.getByLabel('New limit')).toBeFocused()
  await window.getByLabel('New limit').fill('12.345')
  await window.getByRole('button', { name: 'Set limit' }).click()
  await expect(window.getByText('must have at most 2 decimals, as HKD has')).toBeVisible()
  await window.getByLabel('New limit').fill('1.50')
  await expect(window.getByText('More is owed than this limit allows.')).toBeVisible()
  await window.getByLabel('New limit').fill('98,765.40')
  await expect(window.getByText('More is owed than this limit allows.')).toBeHidden()
  const available = ((account.balance * 100 + 9_876_540) / 100).toLocaleString('en', { minimumFractionDigits: 2 })
  await expect(window.getByText(available)).toBeVisible()
  await window.getByRole('button', { name: 'Set limit' }).click()
  await expect(window.getByText('A reason must be given.')).toBeVisible()
  await window.getByLabel('Reason').selectOption({ label: 'Credit review' })
  await window.getByRole('button', { name: 'Set limit' }).click()
  await expectDone(page, 'Limit set')
  await expect(toasts(page).getByText('98,765.40').first()).toBeVisible()
  await expect(button).toBeFocused()
  await expect(page.getByText('98,765.40').first()).toBeVisible()
  await expect(page.getByText(available).first()).toBeVisible()
  expect(await limitOf(service, account)).toBe(98765.4)

  await page.goto('/sandbox/audit')
  const entry = page.getByRole('row').filter({ hasText: 'Set fixed limit' }).first()
  await expect(entry.getByText('98,765.40')).toBeVisible()
  await entry.getByRole('link').first().click()
  const details = page.getByRole('dialog')
  await expect(details.getByText('POST /cardaccounts/fixed-limit')).toBeVisible()
  await expect(details.getByText('"limit":98765.4')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await expect(page).not.toHaveURL(/open=/)
})

test('one limit by the keyboard alone; Enter in the field sets nothing', async ({ page, service, signIn }) => {
  const account = await indebted(service)
  await signIn('operations')
  await openAccount(page, account)
  await page.getByRole('button', { name: 'Set limit…' }).focus()
  await page.keyboard.press('Enter')
  const window = dialog(page)
  await expect(window.getByLabel('New limit')).toBeFocused()
  await page.keyboard.type('54321')
  await page.keyboard.press('Enter')
  expect(await limitOf(service, account)).toBe(account.limit)
  await page.keyboard.press('Tab')
  await expect(window.getByLabel('Reason')).toBeFocused()
  await page.keyboard.type('Cre')
  while (
    !(await window.getByRole('button', { name: 'Set limit' }).evaluate((field) => field === document.activeElement))
  ) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await expectDone(page, 'Limit set')
  await expect(window).toBeHidden()
  await expect(page.getByRole('button', { name: 'Set limit…' })).toBeFocused()
  expect(await limitOf(service, account)).toBe(54321)
})

test('a limit that somebody else changes while the dialog is open is taken over with one press, and the entries stay', async ({
  page,
  service,
  signIn,
}) => {
  const account = await indebted(service)
  await signIn('operations')
  await openAccount(page, account)
  await page.getByRole('button', { name: 'Set limit…' }).click()
  const window = dialog(page)
  await window.getByLabel('New limit').fill('54,321')
  await window.getByLabel('Reason').selectOption({ label: 'Credit review' })
  await service.post('/cardaccounts/fixed-limit', { cardAccountId: account.id, limit: 77_000 })
  await expect(window.getByText('The limit was changed meanwhile.')).toBeVisible()
  await takePicture(page, 'changed')
  await window.getByRole('button', { name: 'Set limit' }).click()
  await expect(window.getByText('The limit was changed meanwhile: it is 77,000.00 HKD now.')).toBeVisible()
  await window.getByRole('button', { name: 'Change it from there' }).click()
  await expect(window.getByText('The limit was changed meanwhile')).toHaveCount(0)
  await expect(window.getByRole('definition').filter({ hasText: '77,000.00' }).first()).toBeVisible()
  await window.getByRole('button', { name: 'Set limit' }).click()
  await expectDone(page, 'Limit set')
  expect(await limitOf(service, account)).toBe(54321)
})

test('figures of twelve digits stand apart on a telephone, in the list of accounts and on an account’s page', async ({
  page,
  service,
  signIn,
}) => {
  const account = await indebted(service)
  await service.post('/cardaccounts/fixed-limit', { cardAccountId: account.id, limit: 999_999_999_999 })
  await signIn('viewer')
  await page.setViewportSize({ width: 360, height: 800 })
  const figure = /^\d{3}(,\d{3}){3}\.\d\d$/
  const figures = page.getByText(figure)
  await page.goto('/sandbox/card-accounts')
  await expect(page.getByRole('region', { name: 'Balances' }).getByText(figure).first()).toBeVisible({
    timeout: 15_000,
  })
  await expectApart(figures)
  await openAccount(page, account)
  await expect(figures.first()).toBeVisible()
  await expectApart(figures)
})

/** No figure reaches out of its box: what follows it would touch it. */
async function expectApart(figures: Locator): Promise<void> {
  const beyond = await figures.evaluateAll((elements) =>
    elements.flatMap((element) => {
      const box = element.closest('li, [class*=min-w-0], td')
      const inside = box?.getBoundingClientRect()
      const own = (element.parentElement ?? element).getBoundingClientRect()
      return inside && own.right > inside.right + 0.5 ? [element.textContent] : []
    }),
  )
  expect(beyond).toEqual([])
}

test('a prepaid account has no limit, and support sets none: neither one nor many', async ({
  page,
  service,
  signIn,
  expectProblem,
}) => {
  expectProblem(/status of 403 .*limits/)
  const [prepaid] = await accountsOf(service, 'prepaid')
  const account = await indebted(service)
  if (!prepaid) throw new Error('the seed has a prepaid account')
  await signIn('operations')
  await openAccount(page, prepaid)
  await expect(page.getByRole('button', { name: 'Set limit…' })).toBeDisabled()
  await expect(page.getByText('Prepaid accounts have no limit')).toBeVisible()
  await signIn('support')
  await openAccount(page, account)
  await expect(page.getByRole('button', { name: 'Set limit…' })).toBeDisabled()
  await page.goto('/sandbox/card-accounts/limits')
  await expect(page.getByRole('heading', { name: 'You can’t open this page' })).toBeVisible()
})

test('pasted lines: every invalid one has its reason, the valid ones start after confirmation, each has a result', async ({
  page,
  service,
  signIn,
}) => {
  const [one, two, three, four] = await accountsOf(service, 'credit')
  const [prepaid] = await accountsOf(service, 'prepaid')
  if (!one || !two || !three || !four || !prepaid) throw new Error('the seed has credit and prepaid accounts')
  await signIn('operations')
  await openLimits(page, service)
  await text(page).fill(
    [
      'limit\tcardAccountId\tbranch',
      `41000\t${one.id}\tA`,
      `42,000.50\t${two.id}\tB`,
      `1\t${prepaid.id}\tC`,
      '1\t00000000-0000-4000-8000-000000000000\tD',
      `1,50\t${three.id}\tE`,
      `7\t${four.id}\tF`,
      `8\t${four.id}\tG`,
    ].join('\n'),
  )
  await look(page)
  await expect(page.getByRole('heading', { name: '2 accounts get a new limit, 5 of 7 lines skipped' })).toBeVisible()
  await expect(page.getByText('A column is ignored:')).toBeVisible()
  await expect(text(page)).toBeHidden()
  await page.getByText('The lines', { exact: true }).click()
  await expect(text(page)).toBeVisible()
  for (const reason of [
    'A prepaid account has no limit.',
    'There is no such account in this environment.',
    'The limit must be a plain number',
    'Lines 7 and 8 name the same account.',
  ]) {
    await expect(page.getByRole('table').getByText(reason).first()).toBeVisible()
  }
  await expect(page.getByRole('button', { name: 'Set 2 limits…' })).toBeDisabled()
  await page.getByLabel('Continue and skip 5 lines').check()
  await start(page, 2)
  await expect(page.getByRole('heading', { name: 'All 2 limits set' })).toBeVisible({ timeout: 20_000 })
  const row = page.getByRole('row').filter({ hasText: two.name })
  await expect(row.getByText('Done')).toBeVisible()
  await expect(row.getByText('42,000.50').last()).toBeVisible()
  expect([await limitOf(service, one), await limitOf(service, two)]).toEqual([41000, 42000.5])
  await row.getByRole('link', { name: two.name }).click()
  await expect(page.getByRole('heading', { level: 1, name: two.name })).toBeVisible()
  await expect(page.getByText('42,000.50').first()).toBeVisible()
})

test('a chosen file: an error names its line, and the text stays in the form', async ({ page, service, signIn }) => {
  const [one] = await accountsOf(service, 'credit')
  if (!one) throw new Error('the seed has a credit account')
  await signIn('operations')
  await openLimits(page, service)
  const choose = (name: string, content: string | Buffer) =>
    page.getByLabel('File of limits').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
  const refused: [string, string | Buffer, string][] = [
    [
      'picture.csv',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x0a, 0xff]),
      'Line 1: The line holds bytes that are no UTF-8.',
    ],
    ['excel.csv', Buffer.from('cardAccountId,limit\n', 'utf16le'), 'Line 1: The line holds a NUL'],
    [
      'number.csv',
      `cardAccountId,limit,note\n${one.id},5,4242 4242 4242 4242`,
      'Line 2: The line holds what may be a card number.',
    ],
    ['quote.csv', `cardAccountId,limit\n"${one.id},5\n`, 'Line 2: A quotation mark is opened here'],
    ['header.csv', `${one.id},5\n`, 'Line 1: The header names no column cardAccountId or xid.'],
    [
      'long.csv',
      `cardAccountId,limit\n${one.id},${'5'.repeat(8200)}\n`,
      'Line 2: The line has more than 8000 characters.',
    ],
    [
      'many.csv',
      `cardAccountId,limit\n${`${one.id},5\n`.repeat(5001)}`,
      'Line 5002: The file has more than 5,000 rows.',
    ],
  ]
  for (const [name, content, problem] of refused) {
    await choose(name, content)
    await expect(page.getByText(`The text of ${name}`)).toBeVisible()
    await look(page)
    await expect(page.getByText(problem)).toBeVisible()
    await expect(text(page)).not.toHaveValue('')
  }
  await choose('huge.csv', Buffer.alloc(1024 * 1024 + 1, 'a'))
  await expect(page.getByText('huge.csv is larger than 1 MB.')).toBeVisible()
  await choose('good.csv', `\ufeffLIMIT;Card Account Id\r\n43000;${one.id.toUpperCase()}\r\n`)
  await look(page)
  await expect(page.getByRole('heading', { name: '1 account gets a new limit' })).toBeVisible()
  await start(page, 1)
  await expect(page.getByRole('heading', { name: '1 of 1 limits set' })).toBeVisible({ timeout: 20_000 })
  expect(await limitOf(service, one)).toBe(43000)
})

test('a limit that changed between the preview and the start prevents the start with a message', async ({
  page,
  service,
  signIn,
}) => {
  const [one] = await accountsOf(service, 'credit')
  if (!one) throw new Error('the seed has a credit account')
  await signIn('operations')
  await openLimits(page, service)
  await text(page).fill(rowsOf([one], 44000))
  await look(page)
  await expect(page.getByRole('heading', { name: '1 account gets a new limit' })).toBeVisible()
  await service.post('/cardaccounts/fixed-limit', { cardAccountId: one.id, limit: 9 })
  await page.getByLabel('Reason').selectOption({ label: 'Credit review' })
  await expect(async () => {
    await page.getByRole('button', { name: 'Set 1 limit…' }).click()
    await dialog(page)
      .getByLabel(/^Type the number of accounts/)
      .fill('1')
    await dialog(page).getByRole('button', { name: 'Set 1 limit' }).click()
    await expect(page.getByText('is not what the file comes to any more')).toBeVisible({ timeout: 5_000 })
  }).toPass()
  expect(await limitOf(service, one)).toBe(9)
  await page.getByRole('button', { name: 'Check the lines again' }).click()
  await expect(page.getByRole('row').filter({ hasText: one.name }).getByText('9.00')).toBeVisible()
})

test('a job is paused, resumed and cancelled, and its CSV lists the rows that never started', async ({
  page,
  service,
  signIn,
}) => {
  const accounts = (await accountsOf(service, 'credit')).slice(0, 20)
  await signIn('operations')
  await openLimits(page, service)
  await text(page).fill(rowsOf(accounts, 45000))
  await look(page)
  await start(page, accounts.length)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('Olivia Poon paused it.')).toBeVisible()
  await expect(page.getByRole('heading', { name: /limits set, \d+ waiting$/ })).toBeVisible()
  await page.reload()
  await expect(page.getByText('Olivia Poon paused it.')).toBeVisible()
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByText('Olivia Poon paused it.')).toBeHidden()
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('Olivia Poon paused it.')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel job…' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Keep going' })).toBeFocused()
  await expect(dialog(page).getByText('Will not run', { exact: true })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Cancel job' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByText('Olivia Poon cancelled it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel job…' })).toBeHidden()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download results' }).click(),
  ])
  const csv = await readFile(await download.path(), 'utf8')
  const done = csv.split('\r\n').filter((line) => /^"\d+","done"/.test(line)).length
  expect(csv.split('\r\n').filter((line) => /^"\d+","cancelled"/.test(line))).toHaveLength(20 - done)
  expect(done).toBeLessThan(20)
  const limits = await Promise.all(accounts.map((account) => limitOf(service, account)))
  expect(limits.filter((limit, index) => limit === 45000 + index)).toHaveLength(done)

  await page.getByLabel('Result').selectOption({ label: 'Not started' })
  await expect(page).toHaveURL(/state=cancelled/)
  await expect(page.getByText(`of ${20 - done}`)).toBeVisible()
  await page.getByRole('link', { name: /^Retry \d+ (refused|rows left)…$/ }).click()
  await expect(text(page)).toHaveValue(/^cardAccountId,limit/)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Set 20 fixed limits' })).toBeVisible()
  await page.goto('/sandbox/bulk-jobs')
  await expect(
    page.getByRole('row').filter({ hasText: 'Set 20 fixed limits' }).first().getByText('Cancelled'),
  ).toBeVisible()
})

test('responses lost in the middle of a job: every limit is set, and the page shows the results', async ({
  page,
  service,
  signIn,
}) => {
  const accounts = (await accountsOf(service, 'credit')).slice(0, 6)
  await signIn('operations')
  await openLimits(page, service)
  await text(page).fill(rowsOf(accounts, 46000))
  await look(page)
  await expect(page.getByRole('heading', { name: '6 accounts get a new limit' })).toBeVisible()
  await service.control.armFault({ path: '/cardaccounts/fixed-limit', status: 0, times: 3, after: true })
  await start(page, 6)
  await expect(page.getByRole('heading', { name: 'All 6 limits set' })).toBeVisible({ timeout: 40_000 })
  expect(await Promise.all(accounts.map((account) => limitOf(service, account)))).toEqual(
    [0, 1, 2, 3, 4, 5].map((n) => 46000 + n),
  )
})

const places: { name: string; open: (page: Page, service: ServiceCaller) => Promise<void> }[] = [
  {
    name: 'the dialog of one limit, with its warning',
    open: async (page, service) => {
      await openAccount(page, await indebted(service))
      await page.getByRole('button', { name: 'Set limit…' }).click()
      await dialog(page).getByLabel('New limit').fill('1')
      await expect(dialog(page).getByText('More is owed than this limit allows.')).toBeVisible()
    },
  },
  {
    name: 'the entry of a limit in the audit trail, opened',
    open: async (page, service) => {
      const account = await indebted(service)
      await openAccount(page, account)
      await page.getByRole('button', { name: 'Set limit…' }).click()
      await dialog(page)
        .getByLabel('New limit')
        .fill(String(account.limit + 1))
      await dialog(page).getByLabel('Reason').selectOption({ label: 'Credit review' })
      await dialog(page).getByRole('button', { name: 'Set limit' }).click()
      await expectDone(page, 'Limit set')
      await page.goto('/sandbox/audit?act=account.set-limit')
      await page.getByRole('row').filter({ hasText: 'Set fixed limit' }).first().getByRole('link').first().click()
      await expect(page.getByRole('dialog').getByRole('heading', { name: 'Request', exact: true })).toBeVisible()
    },
  },
  {
    name: 'the form of many limits, refused',
    open: async (page, service) => {
      await openLimits(page, service)
      await text(page).fill('no header')
      await look(page)
      await expect(page.getByText('Line 1: The header names no column')).toBeVisible()
    },
  },
  {
    name: 'the preview of many limits, with bad lines',
    open: async (page, service) => {
      await openLimits(page, service)
      await text(page).fill(
        `${rowsOf((await accountsOf(service, 'credit')).slice(0, 5), 0)}\nnobody,1\n${'x'.repeat(90)},2`,
      )
      await look(page)
      await expect(page.getByRole('heading', { name: /5 accounts get a new limit/ })).toBeVisible()
    },
  },
  {
    name: 'the confirmation of many limits',
    open: async (page, service) => {
      await openLimits(page, service)
      await text(page).fill(rowsOf((await accountsOf(service, 'credit')).slice(0, 5), 100))
      await look(page)
      await page.getByLabel('Reason').selectOption({ label: 'Credit review' })
      await page.getByRole('button', { name: 'Set 5 limits…' }).click()
      await expect(dialog(page)).toBeVisible()
    },
  },
  {
    name: 'the bulk jobs',
    open: async (page) => {
      await page.goto('/sandbox/bulk-jobs')
      await expect(page.getByRole('heading', { level: 1, name: 'Bulk jobs' })).toBeVisible()
      await expect(page.getByRole('table')).toBeVisible()
    },
  },
  {
    name: 'a job that is paused, about to be cancelled',
    open: async (page, service) => {
      await openLimits(page, service)
      await text(page).fill(rowsOf((await accountsOf(service, 'credit')).slice(0, 20), 300))
      await look(page)
      await start(page, 20)
      await page.getByRole('button', { name: 'Pause' }).click()
      await expect(page.getByText('Olivia Poon paused it.')).toBeVisible()
      await page.getByRole('button', { name: 'Cancel job…' }).click()
      await expect(dialog(page)).toBeVisible()
    },
  },
  {
    name: 'a job with a row whose outcome is being settled',
    open: async (page, service) => {
      const accounts = (await accountsOf(service, 'credit')).slice(0, 3)
      await openLimits(page, service)
      await text(page).fill(rowsOf(accounts, 400))
      await look(page)
      await expect(page.getByRole('heading', { name: '3 accounts get a new limit' })).toBeVisible()
      await service.control.armFault({ path: '/cardaccounts/fixed-limit', status: 500, times: 4 })
      await start(page, 3)
      await expect(page.getByText('Being settled').first()).toBeVisible({ timeout: 30_000 })
    },
  },
]

for (const { name, open } of places) {
  test(`${name}: axe finds nothing in any look, and nothing scrolls sideways`, async ({
    page,
    service,
    signIn,
    expectAccessibleInEveryLook,
  }) => {
    test.slow()
    await signIn('operations')
    await open(page, service)
    await expectAccessibleInEveryLook()
  })
}
