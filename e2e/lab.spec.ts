import { randomUUID } from 'node:crypto'
import { actionDefinition, type ActionName, actionNames } from '#lib/api/actions.ts'
import { labActionNames } from '#lib/api/lab.ts'
import { findReadDefinition, readDefinitions, type ReadName } from '#lib/api/reads.ts'
import { leastNeeds, readPageNeeds } from '#lib/console/testing/page-needs.ts'
import { freePort } from '#lib/db/free-port.ts'
import { actionButton, dialog } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { settingsFor, signInByProvider, startProvider } from './openid-provider.ts'
import { openPalette } from './palette.ts'
import { sendAction } from './server-actions.ts'
import { startServer } from './server.ts'
import { findCard, openRecorder } from './service-caller.ts'

test.beforeEach(async ({ service }) => {
  await service.control.reset()
})

test('a charge is declined from the card’s page in one click, and again from the form', async ({
  page,
  signIn,
  service,
  expectAccessible,
}) => {
  const { cardAccountId, cardId } = await findCard(service, 'active')
  await signIn('qa')
  await page.goto(`/sandbox/card-accounts/${cardAccountId}/cards/${cardId}`)
  await page.getByRole('button', { name: 'Simulate' }).click()
  await page.getByRole('menuitem', { name: 'Lost card' }).click()
  await expect(page.getByRole('dialog').getByText('Declined.')).toBeVisible()
  await expectAccessible()

  await page.getByRole('dialog').getByLabel('Amount', { exact: true }).fill('-3')
  await page.getByRole('dialog').getByRole('button', { name: 'Authorize charge' }).click()
  await expect(page.getByRole('dialog').getByText('must be greater than 0')).toBeVisible()
  await expect(page.getByRole('dialog').getByLabel('Amount', { exact: true })).toHaveValue('-3')

  await page.getByRole('dialog').getByLabel('Amount', { exact: true }).fill('4.5')
  await page.getByRole('dialog').getByRole('button', { name: 'Authorize charge' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Open transaction' }).click()
  await expect(page.getByText('Lost card').first()).toBeVisible()
})

test('a charge is captured, disputed and reversed in part from its own page', async ({ page, signIn, service }) => {
  const { cardAccountId, cardId } = await findCard(service, 'active')
  const charge = { cardAccountId, cardId, amount: 20, currency: 'HKD' }
  const { body } = await service.post('/cards/simulate-authorization', charge)
  const { cardTransactionId } = body as { cardTransactionId: string }
  await signIn('qa')
  await page.goto(`/sandbox/card-accounts/${cardAccountId}/transactions/${cardTransactionId}`)
  const simulate = async (item: string) => {
    await page.getByRole('button', { name: 'Simulate' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const window = page.getByRole('dialog')
  await simulate('Capture all')
  await expect(window.getByText('Transaction posted.')).toBeVisible()
  await window.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('Posted').first()).toBeVisible()

  await simulate('Dispute requested')
  await expect(window.getByText('Transaction posted.')).toBeVisible()
  await window.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('Dispute requested').first()).toBeVisible()

  await simulate('Reverse a part…')
  await window.getByLabel('Amount').fill('5')
  await window.getByRole('button', { name: 'Reverse' }).click()
  await expect(window.getByText('Transaction posted.')).toBeVisible()
  const { body: listed } = await service.get('/cardaccounts/transactions', { cardAccountId, pageSize: '20' })
  expect(JSON.stringify(listed)).toContain('"intent":"refund"')
  await window.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Simulate' }).click()
  await expect(page.getByRole('menuitem', { name: 'Capture all' })).toHaveAttribute('aria-disabled', 'true')
})

test('the lab finds a card by its last four digits, charges it, and repays what is owed', async ({
  page,
  signIn,
  service,
  expectAccessible,
}) => {
  const { cardAccountId, cardId } = await findCard(service, 'active')
  const { body } = await service.get('/cards', { cardAccountId, cardId })
  const last4 = (body as { cards: { last4: string }[] }).cards[0]?.last4 ?? ''
  await service.control.chargeFee({ cardAccountId, intent: 'late-payment-fee', amount: 900_000 })
  await signIn('qa')
  await page.goto('/sandbox/lab')
  const panel = page.getByRole('region', { name: 'Simulate' })
  const choose = async (label: string, typed: string) => {
    const field = panel.getByRole('combobox', { name: label, exact: true })
    await field.fill(typed)
    await page.getByRole('listbox').getByRole('option').first().click()
    await expect(field).not.toHaveValue('')
  }
  await choose('Card account', last4)
  await choose('Card', last4)
  await panel.getByLabel('Decline').selectOption('lost-card')
  await panel.getByRole('button', { name: 'Authorize charge' }).click()
  await expect(panel.getByText('Declined.')).toBeVisible()
  await panel.getByRole('combobox', { name: 'Simulator' }).selectOption('Repay')
  await panel.getByRole('combobox', { name: 'Card accounts' }).fill(cardAccountId)
  await page.getByRole('listbox').getByRole('option').first().click()
  await expect(panel.getByRole('list', { name: 'Selected accounts' }).getByRole('listitem')).toHaveCount(1)
  await panel.getByRole('button', { name: 'Repay what is owed' }).click()
  await expect(panel.getByText(/^Repaid [\d,.]+ [A-Z]{3}\.$/)).toBeVisible()
  await expectAccessible()
})

test('24 hours on the sandbox clock post a pending charge, and every page shows the clock', async ({
  page,
  signIn,
  service,
}) => {
  // A day of due work and its deliveries takes a slow machine most of a minute.
  test.setTimeout(180_000)
  const { cardAccountId, cardId } = await findCard(service, 'active')
  await signIn('qa')
  await page.goto(`/sandbox/card-accounts/${cardAccountId}/cards/${cardId}`)
  await page.getByRole('button', { name: 'Simulate' }).click()
  await page.getByRole('menuitem', { name: 'Authorize a charge…' }).click()
  await page.getByRole('dialog').getByLabel('Amount', { exact: true }).fill('1.25')
  await page.getByRole('dialog').getByRole('button', { name: 'Authorize charge' }).click()
  await expect(page.getByRole('dialog').getByText('Transaction pending.')).toBeVisible()
  const href = await page.getByRole('dialog').getByRole('link', { name: 'Open transaction' }).getAttribute('href')

  await page.goto('/sandbox/lab')
  const clock = page.getByRole('region', { name: 'Sandbox clock' })
  await clock.getByRole('button', { name: '+24 hours' }).click()
  await expect(clock.getByText(/^Clock moved\./)).toBeVisible({ timeout: 120_000 })
  await page.goto(href ?? '')
  await expect(page.getByText('Posted').first()).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: /The sandbox clock shows/ })).toBeVisible()
})

test('a fault armed in the lab shows on every page, and one click removes it', async ({
  page,
  signIn,
  expectAccessible,
  expectAccessibleInEveryLook,
}) => {
  await signIn('qa')
  await page.goto('/sandbox/lab')
  await expect(page.getByRole('region', { name: 'Faults' })).toBeVisible()
  await expectAccessibleInEveryLook()
  const faults = page.getByRole('region', { name: 'Faults' })
  await faults.getByLabel('Endpoint').selectOption('POST /cards/lock')
  await faults.getByRole('combobox', { name: 'Effect' }).selectOption('Changed response')
  await faults.getByLabel('Change', { exact: true }).selectOption('Null in its place')
  await faults.getByRole('button', { name: 'Arm fault' }).click()
  await expect(faults.getByText('The field is required.')).toBeVisible()
  await faults.getByLabel('Field').fill('status')
  await faults.getByLabel('Times').selectOption('Until removed')
  await faults.getByRole('button', { name: 'Arm fault' }).click()
  await expect(faults.getByText('Null in its place: status · Until removed')).toBeVisible()

  await page.goto('/sandbox/fees')
  await expect(page.getByText('Sandbox: 1 fault on.')).toBeVisible()
  await expectAccessible()
  await page.getByRole('button', { name: 'Remove all' }).click()
  await expect(page.getByText('Sandbox: 1 fault on.')).toBeHidden()
})

test('a snapshot brings the sandbox back after a reset', async ({ page, signIn, service, expectAccessible }) => {
  const { cardAccountId } = await findCard(service, 'active')
  await service.control.armFault({ path: '/cards/lock', status: 503, times: 'always' })
  await service.control.chargeFee({ cardAccountId, intent: 'late-payment-fee', amount: 77 })
  await signIn('qa')
  await page.goto('/sandbox/lab')
  const snapshots = page.getByRole('region', { name: 'Snapshots' })
  await snapshots.getByLabel('Name').fill('With a fault')
  await snapshots.getByRole('button', { name: 'Take snapshot' }).click()
  await expect(snapshots.getByText('Snapshot taken.')).toBeVisible()

  await snapshots.getByRole('button', { name: 'Reset sandbox…' }).click()
  await expect(dialog(page).getByText('Transactions')).toBeVisible()
  await expectAccessible()
  await dialog(page).getByRole('button', { name: 'Reset sandbox' }).click()
  await expect(snapshots.getByText('Sandbox reset.')).toBeVisible()
  await expect(page.getByText('Sandbox: 1 fault on.')).toBeHidden()

  await snapshots.getByRole('button', { name: 'Restore… With a fault' }).click()
  await dialog(page).getByRole('button', { name: 'Restore snapshot' }).click()
  await expect(snapshots.getByText('“With a fault” restored.')).toBeVisible()
  await expect(page.getByText('Sandbox: 1 fault on.')).toBeVisible()
  await page.goto('/sandbox/fees')
  await expect(page.getByText('77.00').first()).toBeVisible()

  await page.goto('/sandbox/lab')
  await snapshots.getByRole('button', { name: 'Delete… With a fault' }).click()
  await dialog(page).getByRole('button', { name: 'Delete snapshot' }).click()
  await expect(snapshots.getByText('“With a fault” deleted.')).toBeVisible()
})

test('production has no lab: every page and route of it is a 404', async ({ page, signIn }) => {
  await signIn('operations')
  for (const path of labPaths()) expect([path, (await page.request.get(path)).status()]).toEqual([path, 404])
})

test('a connected production has no lab: its pages and routes are 404s, its actions refuse, and nothing reaches the service', async ({
  page,
  access,
  service,
}) => {
  test.setTimeout(180_000)
  const { cardAccountId, cardId } = await findCard(service, 'active')
  const production = await openRecorder(new URL(access.baseUrl).origin)
  const url = `http://localhost:${await freePort()}`
  const olive = { name: 'Olive Chan', email: 'olive@example.com', email_verified: true, groups: ['desk-ops'] }
  const provider = await startProvider(url, { olive })
  const server = await startServer({
    settings: {
      ...settingsFor(url, provider),
      SERVICE_PRODUCTION_URL: `${production.origin}${new URL(access.baseUrl).pathname}`,
      SERVICE_PRODUCTION_ACCESS_KEY: access.accessKey,
      SERVICE_PRODUCTION_PRIVATE_KEY: access.privateKeyFile,
    },
  })
  try {
    await signInByProvider(page, `${url}/production/card-accounts/${cardAccountId}/cards/${cardId}`, 'olive')
    // The first page of a server that has just started, beside two others.
    await expect(actionButton(page, 'Lock')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('button', { name: /Simulate/ })).toHaveCount(0)
    expect(production.requested()).toContainEqual(expect.stringMatching(/^GET .*\/cards\?/))

    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Payouts' })).toBeVisible()
    await expect(page.locator('a[href*="/lab"]')).toHaveCount(0)
    const field = await openPalette(page)
    for (const label of ['QA lab', 'API explorer', 'Simulate', 'Scenarios']) {
      await field.fill(label)
      await expect(page.getByRole('option', { name: label })).toHaveCount(0)
    }
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
    // An open page reads on by itself, and its last reads go on for a moment after it is closed.
    await page.goto('about:blank')
    await expect.poll(() => production.quietMs(), { timeout: 60_000 }).toBeGreaterThan(1000)
    production.forget()

    for (const path of labPaths()) {
      expect([path, (await page.request.get(`${url}${path}`)).status()]).toEqual([path, 404])
    }
    for (const [name, input] of labCalls({ environment: 'production', cardAccountId, cardId })) {
      const response = await sendAction(url, cookie, name, input)
      expect([name, input, response]).toEqual([name, input, expect.stringContaining('"code":"LAB_NOT_FOUND"')])
    }
    expect(production.requested()).toEqual([])
  } finally {
    await server.stop()
    await provider.close()
    await production.close()
  }
})

/** Every page and route of production whose address or permission is one of the lab. */
function labPaths(): string[] {
  const rows = [
    ...Object.entries(readPageNeeds()).map(([folder, needs]) => ({ path: folder, needs })),
    ...(Object.keys(readDefinitions) as ReadName[]).map((name) => ({
      path: `api/[environment]/${findReadDefinition(name).path}`,
      needs: leastNeeds(name),
    })),
  ]
  const ofLab = rows.filter(({ path, needs }) => needs === 'sandbox.simulate' || path.includes('/lab/'))
  expect(ofLab.length).toBeGreaterThan(15)
  const values: Record<string, string> = { environment: 'production', endpoint: 'ping', name: 'references' }
  return ofLab.map(({ path }) => `/${path.replaceAll(/\[(\w+)\]/g, (_, name: string) => values[name] ?? randomUUID())}`)
}

/** Every server action of the lab, and each thing that it does, with an input that would reach the service. */
function labCalls(ids: { environment: string; cardAccountId: string; cardId: string }): [ActionName, object][] {
  const run = { runId: randomUUID(), names: ['references'], isRecording: true }
  const decision = { operationId: randomUUID(), decision: 'approve' }
  const sent = { params: {}, query: {}, idempotencyKey: '', signing: 'valid', isUnchecked: true }
  const body = JSON.stringify({ cardAccountIds: [ids.cardAccountId] })
  return actionNames
    .filter((name) => actionDefinition(name).needs === 'sandbox.simulate')
    .flatMap((name): [ActionName, object][] =>
      name === 'performLabAction'
        ? labActionNames.map((action) => [name, { ...ids, action, given: ids }])
        : [[name, { ...ids, ...run, ...decision, ...sent, endpoint: 'simulateRepay', body }]],
    )
}

test('the lab makes a sandbox of its own, acts on it alone, and says which one that is', async ({
  page,
  signIn,
  expectProblem,
}) => {
  test.setTimeout(120_000)
  // One that has ended.
  expectProblem(/status of 404/)
  await signIn('qa')
  await page.goto('/sandbox/lab')
  const bar = page.getByRole('region', { name: 'Sandbox that the lab acts on' })
  const choice = bar.getByLabel('The lab acts on')
  await expect(choice).toHaveValue('shared')
  await bar.getByRole('button', { name: 'New sandbox…' }).click()
  await page.getByRole('dialog').getByLabel('Ends after').selectOption('4 hours')
  await page.getByRole('dialog').getByRole('button', { name: 'Make sandbox' }).click()
  await expect(bar.getByText('Base URL')).toBeVisible()
  await expect(bar.getByText(/in 3 h 5\d min, with its data/)).toBeVisible()
  const id = await choice.inputValue()
  await expect(page).toHaveURL(new RegExp(`sandbox=${id}`))

  const clock = page.getByRole('region', { name: 'Sandbox clock' })
  await clock.getByRole('button', { name: '+24 hours' }).click()
  await expect(clock.getByText(/^Clock moved\./)).toBeVisible({ timeout: 45_000 })
  const faults = page.getByRole('region', { name: 'Faults' })
  await faults.getByLabel('Endpoint').selectOption('GET /fees')
  await faults.getByLabel('Times').selectOption('Until removed')
  await faults.getByRole('button', { name: 'Arm fault' }).click()
  await expect(page.getByText(`Sandbox ${id.slice(0, 6)}: 1 fault on.`)).toBeVisible()
  const webhooks = page.getByRole('region', { name: 'Webhooks' })
  await webhooks.getByLabel('Address of a receiver').fill('http://127.0.0.1:9/hooks')
  await webhooks.getByRole('button', { name: 'Add webhook' }).click()
  await expect(webhooks.getByRole('button', { name: 'Remove http://127.0.0.1:9/hooks' })).toBeVisible()
  await expect(faults.getByText('Fault armed.')).toBeVisible()
  await faults.getByRole('button', { name: /^Remove fault/ }).click()
  await expect(faults.getByText('Fault armed.')).toBeHidden()

  await page.goto('/sandbox/lab?sandbox=0123456789abcdef')
  await expect(page.getByText('Sandbox 012345 has ended')).toBeVisible()
})
