import { expect, type Locator, type Page } from '@playwright/test'
import type { ServiceCaller } from './service-caller.ts'

export type FeeOnWire = {
  id: string
  amount: number
  currency: string
  status: string
  intent: string
  transaction: { cardAccountId: string; description: string }
}

export type AccountOnWire = { id: string; name: string; currency: string; balance: number }

export async function readAccounts(service: ServiceCaller): Promise<AccountOnWire[]> {
  const { body } = await service.get('/cardaccounts', { pageSize: '100' })
  return (body as { cardaccounts: AccountOnWire[] }).cardaccounts
}

export async function readAccount(service: ServiceCaller, cardAccountId: string): Promise<AccountOnWire> {
  const { body } = await service.get('/cardaccounts', { cardAccountId })
  const [account] = (body as { cardaccounts: AccountOnWire[] }).cardaccounts
  if (!account) throw new Error('the service has this account')
  return account
}

export async function readFees(service: ServiceCaller, query: Record<string, string> = {}): Promise<FeeOnWire[]> {
  const { body } = await service.get('/fees', { pageSize: '100', ...query })
  return (body as { fees: FeeOnWire[] }).fees
}

/** A fee that was just charged to an account with a name of its own. */
export async function chargeFee(
  service: ServiceCaller,
  account: Pick<AccountOnWire, 'id'>,
  amount: number,
  intent = 'e2e-fee',
): Promise<FeeOnWire> {
  const { status, body } = await service.control.chargeFee({ cardAccountId: account.id, intent, amount })
  expect(status).toBe(200)
  return body as FeeOnWire
}

export async function openFees(page: Page, search = ''): Promise<void> {
  await page.goto(`/sandbox/fees${search}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Fees' })).toBeVisible()
}

/**
 * The list with one new fee of its account alone, once it no longer has those of before a reset: an account whose fees nobody charged
 * since then may keep them for longer.
 */
export async function openNewFee(page: Page, { amount, currency, transaction }: FeeOnWire): Promise<void> {
  await openFees(page, `?intent=e2e-fee&accountId=${transaction.cardAccountId}`)
  const text = figure(-Math.abs(amount), currency)
  await expect(feeRows(page).filter({ hasText: text })).toHaveCount(1)
  await expect(feeRows(page)).toHaveCount(1)
}

function feeTable(page: Page): Locator {
  return page.getByRole('table', { name: 'Fees', exact: true })
}

/** The rows of fees, without the head. */
export function feeRows(page: Page): Locator {
  return feeTable(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
}

/** How the console writes an amount. */
export function figure(amount: number, currency: string): string {
  const digits = { IDR: 0, KRW: 0, JPY: 0 }[currency] ?? 2
  const text = new Intl.NumberFormat('en-HK', { minimumFractionDigits: digits, maximumFractionDigits: 8 }).format(
    amount,
  )
  return text.replace('-', '−')
}
