import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { expect, test } from './fixtures.ts'
import type { ServiceCaller } from './service-caller.ts'
import { toasts } from './toast.ts'

type Account = { id: string; currency: string; balance: number }

async function accountsOf(service: ServiceCaller): Promise<Account[]> {
  const { body } = await service.get('/cardaccounts', { pageSize: '100' })
  return (body as { cardaccounts: Account[] }).cardaccounts
}

/** A file with its rows. */
async function exported(page: Page): Promise<{ name: string; rows: Record<string, string>[] }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  expect(text).toMatch(/^\uFEFF"[^"]+","/u)
  const rows: Record<string, string>[] = parse(text, { bom: true, columns: true })
  await expect(
    toasts(page)
      .getByText(`Saved ${rows.length === 1 ? '1 row' : `${rows.length} rows`}`)
      .filter({ visible: true })
      .first(),
  ).toBeVisible()
  return { name: download.suggestedFilename(), rows }
}

test.beforeEach(async ({ service }) => {
  await service.control.reset()
})

test('the file holds exactly what the filter shows, header first, and its facts are a second file', async ({
  page,
  service,
  signIn,
}) => {
  await signIn('operations')
  const expected = (await accountsOf(service)).filter(({ currency }) => currency === 'HKD')
  await page.goto('/sandbox/card-accounts?currency=HKD&sort=-balance')
  await expect(page.getByText(`${expected.length} match`)).toBeVisible()
  const table = page.getByRole('table', { name: 'Card accounts' })
  const before = await table.boundingBox()
  const { name, rows } = await exported(page)
  expect(await table.boundingBox(), 'nothing moves for it').toEqual(before)
  expect(name).toMatch(new RegExp(`^card-accounts-sandbox-\\d{4}-\\d\\d-\\d\\d-${expected.length}-rows\\.csv$`))
  await expect(toasts(page)).toContainText(name)
  expect(rows.map(({ Id }) => Id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted())
  const balances = rows.map(({ Balance }) => Number(Balance))
  expect(balances).toEqual(balances.toSorted((one, other) => other - one))
  const [facts] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save details' }).click(),
  ])
  expect(facts.suggestedFilename()).toBe(name.replace('.csv', '.txt'))
  const text = await readFile(await facts.path(), 'utf8')
  expect(text).toContain(`File: ${name}\n`)
  expect(text).toMatch(/^Filter: .*currency = HKD/m)
  expect(text).toContain('Complete: yes, every row of the filter\n')
  expect(text).toContain('Time zone: Asia/Hong_Kong\n')
})

test('a name that a spreadsheet would calculate is written as text, and the export is audited', async ({
  page,
  service,
  signIn,
}) => {
  const [account] = await accountsOf(service)
  const set = await service.post('/xmetadata/set', {
    target: { type: 'cardaccount', id: account?.id },
    xid: '=HYPERLINK("http://x.invalid","click")',
  })
  expect(set.status).toBe(200)
  await signIn('operations')
  await page.goto(`/sandbox/card-accounts?q=${account?.id}`)
  await expect(page.getByText('1 match')).toBeVisible()
  // The index reads the account again a few seconds after it was read last.
  await expect(async () => {
    const { rows } = await exported(page)
    expect(rows[0]?.xid).toBe(`'=HYPERLINK("http://x.invalid","click")`)
  }).toPass({ timeout: 30_000 })
  await page.goto('/sandbox/audit?act=export.read')
  await expect(page.getByRole('row', { name: /Card accounts, 1 row/ }).first()).toBeVisible()
})
