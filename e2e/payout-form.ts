import { expect, type Locator, type Page } from '@playwright/test'
import type { ServiceCaller } from './service-caller.ts'

type PayoutOnWire = { id: string; xid: string | null; status: string; destinationAmount: number }

/** What a payout of a test is: choices by their address, texts by the labels of their fields. */
export type Filling = { address: string; texts: Record<string, string>; bank?: string }

const names = { 'First name': 'Maria', Surname: 'Santos' }

export const hongKong: Filling = {
  address: '?country=HK&currency=HKD',
  texts: { ...names, 'Account number': '004-123456-789', Address: '88 Des Voeux Road Central, Hong Kong' },
  bank: 'Hang Seng',
}

export const indonesia: Filling = {
  address: '?country=ID',
  texts: {
    ...names,
    'Account number': '5270 1183 992',
    Address: 'Jalan Sudirman Kav. 52, Jakarta 12190',
    'Sender’s mobile number': '+852 6123 4567',
  },
}

export const korea: Filling = {
  address: '?country=KR&fix=destination',
  texts: {
    ...names,
    'Account number': '110-123-456789',
    Address: '26 Eulji-ro, Jung-gu, Seoul 04533',
    'Beneficiary’s mobile number': '+82 10 1234 5678',
  },
}

export const chinaCard: Filling = {
  address: '?method=NETWORK_CARD',
  texts: {
    'First name': 'San',
    Surname: 'Zhang',
    'Card number': '6222020200012345678',
    'First name in Chinese': '三',
    'Surname in Chinese': '张',
    Address: '上海市浦东新区世纪大道88号国金中心二期 18楼',
  },
}

export async function openForm(page: Page, address = ''): Promise<Locator> {
  await page.goto(`/sandbox/payouts/new${address}`)
  const form = page.getByRole('form', { name: 'New payout' })
  await expect(form).toBeVisible()
  return form
}

/** Everything but the amount: who receives, and what for. */
export async function fillForm(page: Page, { address, texts, bank }: Filling): Promise<void> {
  const form = await openForm(page, address)
  for (const [label, text] of Object.entries(texts)) await field(page, label).fill(text)
  if (bank) {
    const search = form.getByRole('combobox', { name: /^Bank/ })
    await search.fill(bank)
    await page.getByRole('option', { name: new RegExp(bank) }).click()
    await expect(search).toHaveValue(new RegExp(bank))
  }
  await form.getByLabel('Purpose').selectOption({ label: 'Supplier payment' })
  await form.getByLabel('Source of funds').selectOption({ label: 'Business' })
}

export function field(page: Page, label: string): Locator {
  return page
    .getByRole('form', { name: 'New payout' })
    .getByRole('textbox', { name: new RegExp(`^${label}( \\(optional\\))?$`) })
}

export function quotePanel(page: Page): Locator {
  return page.getByRole('region', { name: 'Quote', exact: true })
}

/** Asks for a quote by the mouse and waits until it runs. */
export async function getQuote(page: Page, side: 'You send' | 'They receive', amount: string): Promise<void> {
  await field(page, side).fill(amount)
  await page.getByRole('button', { name: /^(Get|New) quote$/ }).click()
  await expectRunning(page)
}

/** Types the last digits in the dialog; where it warns of a payout that may be the same, says that this is another one. */
export async function confirmPayout(page: Page, digits = '6789'): Promise<void> {
  const window = page.getByRole('alertdialog')
  await window.getByLabel(/^Type the last four digits/).fill(digits)
  const another = window.getByLabel('I checked: this is another payment.')
  if (await another.isVisible()) await another.check()
}

export async function expectRunning(page: Page): Promise<void> {
  await expect(quotePanel(page).getByRole('img', { name: /^\d+ s until the quote expires$/ })).toBeVisible()
  await expect(quotePanel(page).getByText(/^Beneficiary validated/)).toBeVisible()
}

/** The payouts that the service has now, newest first. */
export async function readPayouts(service: ServiceCaller): Promise<PayoutOnWire[]> {
  const { body } = await service.get('/payouts', { pageSize: '100' })
  return (body as { payouts: PayoutOnWire[] }).payouts
}
