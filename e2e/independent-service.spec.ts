import { expect, test as base } from './fixtures.ts'
import { startIndependentService } from './independent-service.ts'
import { startServer } from './server.ts'
import { signInByCookie } from './sign-in-by-cookie.ts'
import { expectDone } from './toast.ts'

type Beside = { independent: Awaited<ReturnType<typeof startIndependentService>>; console: { url: string } }

/** A console beside a sandbox that is not ours and is called with the access key alone. */
const test = base.extend<object, Beside>({
  independent: [
    async ({}, use) => {
      const service = await startIndependentService()
      await use(service)
      await service.close()
    },
    { scope: 'worker' },
  ],
  console: [
    async ({ independent }, use) => {
      const { baseUrl, accessKey } = independent
      const server = await startServer({
        settings: { SERVICE_SANDBOX_URL: baseUrl, SERVICE_SANDBOX_ACCESS_KEY: accessKey },
      })
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ console: { url } }, use) => use(url),
})

test.describe.configure({ timeout: 120_000 })

test('beside an independent service a charge is simulated and reversed, many are repaid, identities are decided', async ({
  page,
  independent: service,
  expectProblem,
  expectAccessible,
}) => {
  // The service has nothing but what it simulates with: other reads of the console are 404s.
  expectProblem(/^50[23]: .*\/api\//)
  expectProblem(/^console error: Failed to load resource: .*\/api\//)
  const [ada, ben, cleo] = service.accounts
  if (!ada || !ben || !cleo) throw new Error('the service has three accounts')
  await signInByCookie(page, 'qa')
  await page.goto('/sandbox/lab')
  const panel = page.getByRole('region', { name: 'Simulate' })
  const choose = async (label: string, typed: string) => {
    const field = panel.getByRole('combobox', { name: label, exact: true })
    await field.fill(typed)
    await page.getByRole('listbox').getByRole('option', { name: typed }).click()
  }

  // A charge, in another country.
  await choose('Card account', 'Ada')
  await expect(panel.getByRole('combobox', { name: 'Card', exact: true })).toHaveValue(/4821/)
  await expect(panel.getByLabel('Decline')).toHaveCount(0)
  await expectAccessible()
  await panel.getByLabel('Country code').fill('840')
  await panel.getByRole('button', { name: 'Authorize charge' }).click()
  await expect(panel.getByText('Transaction pending.')).toBeVisible()
  expect(service.received.at(-1)).toEqual({
    call: 'POST /cards/simulate-authorization',
    body: {
      cardAccountId: ada.id,
      cardId: service.cardId,
      amount: 50,
      currency: 'HKD',
      opts: { countryCode: 840 },
    },
  })

  // Reversed in full from its own page, which says what only the built-in sandbox can do.
  await panel.getByRole('link', { name: 'Open transaction' }).click()
  await page.getByRole('button', { name: 'Simulate' }).click()
  await expect(page.getByRole('menuitem', { name: /^Set the dispute/ })).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText(/Only Carddesk’s built-in sandbox can/).first()).toBeVisible()
  await page.getByRole('menuitem', { name: /^Reverse all/ }).click()
  await expect(page.getByRole('dialog').getByText('Transaction void.')).toBeVisible()
  expect(service.entries.map(({ status }) => status)).toEqual(['void'])

  // Many are repaid at once, each with its own result.
  await page.goto('/sandbox/lab')
  await panel.getByRole('combobox', { name: 'Simulator' }).selectOption('Repay')
  for (const name of ['Ada', 'Ben', 'Cleo']) await choose('Card accounts', name)
  await panel.getByRole('button', { name: 'Repay what is owed' }).click()
  await expect(panel.getByText('2 of 3 card accounts repaid.')).toBeVisible()
  await expect(panel.getByText('Repaid 80.00 HKD.')).toBeVisible()
  await expect(panel.getByText('No outstanding balance.')).toBeVisible()
  await expectAccessible()

  // Identities: two at once in the lab, one on its own page.
  await panel.getByRole('combobox', { name: 'Simulator' }).selectOption('Decide identities')
  for (const name of ['Ada', 'Ben']) await choose('Card accounts', name)
  await panel.getByRole('button', { name: 'Decide identities' }).click()
  await expect(panel.getByText('2 of 2 card accounts decided.')).toBeVisible()
  await page.goto(`/sandbox/identity/${cleo.id}`)
  await page.getByRole('button', { name: 'Simulate' }).click()
  await page.getByRole('menuitem', { name: 'Reject', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Simulate rejection' }).click()
  await expectDone(page, 'Decision simulated')
  expect(service.accounts.map(({ status }) => status)).toEqual(['approved', 'approved', 'rejected'])
  expect(service.received.at(-1)?.body).toEqual({ cardAccountId: cleo.id, action: 'reject' })
})

test('without our control plane its reads and actions are refused, and the lab says what is not there', async ({
  page,
  independent: service,
  expectProblem,
}) => {
  expectProblem(/^50[23]: .*\/api\//)
  expectProblem(/^console error: Failed to load resource/)
  service.received.length = 0
  await signInByCookie(page, 'qa')
  await page.goto('/sandbox/lab')
  const missing = page.getByRole('region', { name: 'Not in this sandbox' })
  for (const one of ['Charge a fee', 'Set the dispute', 'Send an event'])
    await expect(missing.getByText(one)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Scenarios' })).toHaveCount(0)
  for (const path of ['state', 'details', 'scenarios']) {
    expect((await page.request.get(`/api/sandbox/lab/${path}`)).status()).toBe(404)
  }
  await page.goto('/sandbox/settings/connection')
  await expect(page.getByText('None: access key alone')).toBeVisible()
  await expect(page.getByText('Before 1.4.7')).toBeVisible()
  await expect(page.getByText('Lacks CardAccount.disputeAmount (1.4.7)')).toBeVisible()
  // Lists of what no call of the interface makes say so where they are empty.
  await page.goto('/sandbox/fees')
  await expect(page.getByText('This sandbox charges fees itself')).toBeVisible()
  await page.goto('/sandbox/lab/explorer?endpoint=ping')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('200').first()).toBeVisible()
  await page.goto('/sandbox/transactions?dispute=open')
  await expect(page.getByText('This sandbox opens disputes itself')).toBeVisible({ timeout: 30_000 })
  expect(service.received).toEqual([])
})
