import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { amount, sum } from '#lib/shared/money.ts'
import { dialog } from './card-screen.ts'
import { readAccount, readAccounts, chargeFee, type FeeOnWire } from './fee-screen.ts'
import { isFull } from './full-run.ts'
import { startServer, type StartedServer } from './server.ts'
import { createServiceCaller, type ServiceCaller } from './service-caller.ts'
import { signInByCookie } from './sign-in-by-cookie.ts'

const settings = { SANDBOX_RATE_LIMIT_PER_MINUTE: '0', BULK_ROWS_PER_SECOND: '40' }
const intent = 'bulk-fee'
/** A fee takes half a second on a busy machine. */
const many = isFull ? 200 : 60
const part = (share: number) => many * share

test(`${many} fees are waived through faults and a kill in the middle: each once, to the cent`, async ({ browser }) => {
  test.setTimeout(300_000)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'carddesk-bulk-'))
  let server: StartedServer | null = await startServer({ dataDir, settings })
  try {
    const port = String(server.port)
    let service = createServiceCaller(server.access)
    const accounts = (await readAccounts(service)).slice(0, 10)
    const charged: FeeOnWire[] = []
    for (let index = 0; index < many; index += 1) {
      const account = accounts[index % accounts.length]
      if (account) charged.push(await chargeFee(service, account, dollarsAndCents(100 + index), intent))
    }
    const before = await balancesOf(service, accounts)

    const page = await browser.newPage({ baseURL: server.url })
    await signInByCookie(page, 'operations')
    await page.goto(`/sandbox/fees?intent=${intent}`)
    // The events of the last fees may still be on their way.
    await expect(page.getByText(`${many} matches`).first()).toBeVisible({ timeout: 30_000 })
    await page.getByRole('checkbox', { name: 'Choose all rows of this page' }).check()
    const bar = page.getByRole('region', { name: 'Selected fees' })
    await expect(bar.getByText('50 fees selected')).toBeVisible()
    await bar.getByRole('button', { name: `All ${many} waivable` }).click()
    await bar.getByRole('button', { name: `Waive ${many}…` }).click()
    await dialog(page)
      .getByLabel(/^Type the number of fees/)
      .fill(String(many))
    await dialog(page).getByLabel('Reason').selectOption({ label: 'Charged in error' })
    await dialog(page)
      .getByRole('button', { name: `Waive ${many} fees` })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: `Waive ${many} fees` })).toBeVisible()

    await voidsReach(service, part(0.15))
    await service.control.armFault({ path: '/fees/waive', status: 500, times: 3 })
    await voidsReach(service, part(0.25))
    await service.control.armFault({ path: '/fees/waive', status: 0, times: 2, after: true })
    await voidsReach(service, part(0.35))
    await service.control.armFault({ path: '/fees/waive', status: 429, times: 2 })
    await voidsReach(service, part(0.45))
    // Killed while a row is in progress: it was sent, and its outcome is unknown.
    await service.control.armFault({ path: '/fees/waive', status: 0, times: 1, after: true, delayMs: 5_000 })
    const held = server
    await expect.poll(() => faultsOf(held), { intervals: [20] }).toEqual([])
    server.process.kill('SIGKILL')
    await once(server.process, 'exit')

    server = await startServer({ dataDir, settings: { ...settings, PORT: port } })
    service = createServiceCaller(server.access)
    const left = (await allFees(service)).filter(({ status }) => status !== 'void').length
    expect(left, 'it was killed in the middle').toBeGreaterThan(part(0.1))
    await page.reload()
    await expect(page.getByRole('heading', { name: `All ${many} fees waived` })).toBeVisible({ timeout: 120_000 })

    expect((await allFees(service)).filter(({ status }) => status === 'void')).toHaveLength(many)
    const after = await balancesOf(service, accounts)
    for (const [index, { id }] of accounts.entries()) {
      const own = charged.filter(({ transaction }) => transaction.cardAccountId === id)
      const back = amount(after[index] ?? 0).minus(before[index] ?? 0)
      expect(back.toFixed(), 'what came back').toBe(sum(own.map((fee) => fee.amount)).toFixed())
    }
    const results = await resultsOf(page)
    expect(results).toHaveLength(many)
    expect(new Set(results)).toEqual(new Set(['done']))
  } finally {
    await server?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

/** An amount from its minor units, by its text: adding hundredths would not give two decimals. */
function dollarsAndCents(cents: number): number {
  const text = String(cents).padStart(3, '0')
  return Number(`${text.slice(0, -2)}.${text.slice(-2)}`)
}

/** Armed faults: a fault disappears as soon as a request has triggered it. */
async function faultsOf({ access }: StartedServer): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(`${access.accessKey}:`).toString('base64')}`
  const response = await fetch(`${access.controlUrl}/faults`, { headers: { authorization } })
  return ((await response.json()) as { faults: unknown }).faults
}

async function balancesOf(service: ServiceCaller, accounts: readonly { id: string }[]): Promise<number[]> {
  const balances: number[] = []
  for (const { id } of accounts) balances.push((await readAccount(service, id)).balance)
  return balances
}

async function allFees(service: ServiceCaller): Promise<FeeOnWire[]> {
  const fees: FeeOnWire[] = []
  let pageToken: string | null = null
  do {
    const { body } = await service.get('/fees', { intent, pageSize: '100', ...(pageToken ? { pageToken } : {}) })
    const page = body as { fees: FeeOnWire[]; nextPageToken: string | null }
    fees.push(...page.fees)
    pageToken = page.nextPageToken
  } while (pageToken)
  return fees
}

/** Waits until at least so many are void. */
async function voidsReach(service: ServiceCaller, voids: number): Promise<void> {
  await expect
    .poll(async () => (await allFees(service)).filter(({ status }) => status === 'void').length, {
      timeout: 60_000,
      intervals: [100],
    })
    .toBeGreaterThanOrEqual(voids)
}

/** The result of each row, from the CSV that the page offers. */
async function resultsOf(page: Page): Promise<string[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download results' }).click(),
  ])
  const lines: string[][] = parse(readFileSync(await download.path(), 'utf8'), { bom: true, relax_column_count: true })
  const head = lines.findIndex(([row, result]) => row === 'Row' && result === 'Result')
  return lines.slice(head + 1).map(([, result = '']) => result)
}
