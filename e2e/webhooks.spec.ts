import type { Browser, Locator, Page } from '@playwright/test'
import { dialog, expectStatus, openCard } from './card-screen.ts'
import { takePicture } from './every-look.ts'
import { expect, expectLive, test } from './fixtures.ts'
import { findCard, type ServiceCaller } from './service-caller.ts'
import { expectDone, toasts } from './toast.ts'
import { openReceiver, type Receiver } from './webhook-receiver.ts'

test.beforeEach(async ({ service }) => {
  await service.control.reset()
})

test('a card that is locked with the service’s own API changes on the open pages, without a reload', async ({
  page,
  service,
  signIn,
}) => {
  const ids = await findCard(service, 'active')
  await signIn('viewer')
  await openCard(page, ids)
  await page.evaluate(() => Reflect.set(window, 'isSamePage', true))
  await expectLive(page)
  const delays: number[] = []
  for (const [act, label] of [
    ['lock', 'Locked'],
    ['unlock', 'Active'],
    ['lock', 'Locked'],
  ] as const) {
    const began = Date.now()
    expect((await service.post(`/cards/${act}`, ids)).status).toBe(200)
    await expectStatus(page, label)
    delays.push(Date.now() - began)
  }
  expect(await page.evaluate(() => Reflect.get(window, 'isSamePage') as boolean)).toBe(true)
  // Without live updates a page asks again every 15 seconds.
  expect(Math.min(...delays)).toBeLessThan(3000)
  console.log(`event to visible change: ${delays.join(', ')} ms`)
})

test('a received event is in the inbox with its payload and a link to its card; a forged one is only counted', async ({
  page,
  service,
  signIn,
  baseURL,
}) => {
  const ids = await findCard(service, 'active')
  await service.post('/cards/lock', ids)
  await signIn('viewer')
  await page.goto('/sandbox/webhooks/inbox')
  const row = page.getByRole('row').filter({ hasText: 'card.updated' }).first()
  await expect(row).toBeVisible()
  await expect(row.getByText('Applied')).toBeVisible()
  await row.getByRole('link', { name: 'card.updated' }).click()
  await expect(page.getByRole('dialog').getByText(`"id": "${ids.cardId}"`)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await row.getByRole('link', { name: /^Card ending \d{4} · ./ }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Card ending/ })).toBeVisible()

  await page.goto('/sandbox/webhooks/inbox')
  const wrongSignatures = page.getByText('Wrong signatures', { exact: true }).locator('xpath=following-sibling::*[1]')
  const countBefore = Number(await wrongSignatures.textContent())
  const forged = await fetch(`${baseURL}/api/webhooks/inbox/sandbox`, {
    method: 'POST',
    headers: { 'x-access-signature': 'AAAA' },
    body: JSON.stringify({ id: 'forged', event: 'forged', data: {}, time: new Date().toISOString() }),
  })
  expect(forged.status).toBe(401)
  await page.goto('/sandbox/webhooks/inbox')
  await expect(wrongSignatures).toHaveText(String(countBefore + 1))
  await expect(page.getByRole('row').filter({ hasText: 'forged' })).toHaveCount(0)
})

/** The page has its banner before any script runs: nothing below moves when it appears. */
async function expectBannerInHtml(browser: Browser, page: Page): Promise<void> {
  const storageState = await page.context().storageState()
  const context = await browser.newContext({ storageState, javaScriptEnabled: false })
  const unscripted = await context.newPage()
  await unscripted.goto(page.url())
  await expect(unscripted.getByText('ledger-sync is suspended.', { exact: true })).toBeVisible()
  await context.close()
}

test('a receiver that fails, recovers and dies: the state, the banner, the countdown, the queue, the re-creation', async ({
  browser,
  page,
  service,
  signIn,
}) => {
  test.setTimeout(240_000)
  const receiver = await openReceiver()
  try {
    await signIn('operations')
    await page.goto('/sandbox/webhooks')
    await addByDialog(page, receiver)
    const panel = panelOf(page)
    await expect(panel.getByText('Healthy', { exact: true })).toBeVisible({ timeout: 20_000 })

    receiver.status = 500
    await causeEvents(service)
    const banner = page.getByText('ledger-sync is unhealthy.', { exact: true })
    await expect(banner).toBeVisible({ timeout: 30_000 })
    await expect(panel.getByText('Unhealthy', { exact: true })).toBeVisible()

    await service.control.advanceClock('PT28H')
    await expect(page.getByText('ledger-sync is suspended.', { exact: true })).toBeVisible({ timeout: 30_000 })
    await expect(panel.getByRole('img', { name: /to deletion$/ })).toBeVisible()
    await expect(panel.getByText(/ping \d+ of 288/)).toBeVisible()
    await page.goto('/sandbox/audit')
    await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible()
    await expect(page.getByText('ledger-sync is suspended.', { exact: true }), 'only a test').toBeHidden()
    await page.goto('/sandbox')
    await expect(page.getByText('ledger-sync is suspended.', { exact: true })).toBeVisible()
    await expectBannerInHtml(browser, page)
    await page.getByRole('link', { name: /^Fix it.*ledger-sync/ }).click()

    receiver.status = 200
    await service.control.advanceClock('PT5M')
    await expect(panel.getByText('Healthy', { exact: true })).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('ledger-sync is suspended.', { exact: true })).toBeHidden()
    await expect.poll(() => receiver.events.filter((event) => event === 'card.updated').length).toBeGreaterThan(0)

    receiver.status = 500
    await causeEvents(service)
    await expect(panel.getByText('Unhealthy', { exact: true })).toBeVisible({ timeout: 30_000 })
    await service.control.advanceClock('PT28H')
    await expect(panel.getByText('Suspended', { exact: true })).toBeVisible({ timeout: 30_000 })
    await service.control.advanceClock('PT18H')
    await expect(page.getByText('ledger-sync will be deleted within six hours.', { exact: true })).toBeVisible({
      timeout: 30_000,
    })
    await service.control.advanceClock('PT7H')
    await expect(page.getByText('ledger-sync was deleted.', { exact: true })).toBeVisible({
      timeout: 30_000,
    })

    receiver.status = 200
    await expect(panel).toContainText('Replay what it missed in the delivery log of the new one.')
    await expect(panel.getByText('began between')).toBeHidden()
    await panel.getByRole('button', { name: 'Create again' }).click()
    await dialog(page).getByRole('button', { name: 'Create again' }).click()
    await expectDone(page, /^Webhook created again/)
    await expect(page.getByText('ledger-sync was deleted.', { exact: true })).toBeHidden({
      timeout: 30_000,
    })
  } finally {
    await receiver.close()
  }
})

test('adding a webhook reports a missing URL at its field, keeps a refused one, and shows the result of the first ping', async ({
  page,
  signIn,
}) => {
  const receiver = await openReceiver()
  receiver.status = 500
  try {
    await signIn('operations')
    await page.goto('/sandbox/webhooks')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const window = dialog(page)
    await window.getByRole('button', { name: 'Add webhook' }).click()
    await expect(window.getByText('The URL is missing.')).toBeVisible()
    await window.getByLabel('URL', { exact: true }).fill('https://10.0.0.1/hook')
    await window.getByRole('button', { name: 'Add webhook' }).click()
    await expect(window.getByText(/Nothing was changed\./)).toBeVisible()
    await expect(window.getByLabel('URL', { exact: true })).toBeFocused()
    await expect(window.getByLabel('URL', { exact: true })).toHaveValue('https://10.0.0.1/hook')
    await window.getByLabel('URL', { exact: true }).fill(receiver.url)
    const all = window.getByRole('checkbox', { name: /^All events/ })
    await all.uncheck()
    await window.getByRole('button', { name: 'Add webhook' }).click()
    await expect(all).toBeFocused()
    await expect(window.getByText('Choose at least one event.')).toBeVisible()
    await all.check()
    await expect(window.getByText('Choose at least one event.')).toBeHidden()
    await window.getByRole('button', { name: 'Add webhook' }).click()
    await expectDone(page, 'Webhook created')
    await expect(
      toasts(page)
        .getByText(/didn’t return 200 for the first ping/)
        .first(),
    ).toBeVisible({ timeout: 20_000 })
  } finally {
    await receiver.close()
  }
})

test('a test shows its result, resumes a webhook that was suspended, and is audited', async ({
  page,
  service,
  signIn,
  expectAccessible,
}) => {
  test.setTimeout(120_000)
  const receiver = await openReceiver()
  try {
    await signIn('operations')
    await page.goto('/sandbox/webhooks')
    await addByDialog(page, receiver)
    const panel = panelOf(page)
    await expect(panel.getByText('Healthy', { exact: true })).toBeVisible({ timeout: 20_000 })
    receiver.status = 500
    await causeEvents(service)
    await expect(panel.getByText('Unhealthy', { exact: true })).toBeVisible({ timeout: 30_000 })
    await panel.getByRole('button', { name: 'Delivery log' }).click()
    await expect(panel.getByText('(3 of 8)'), 'the second attempt is made after 5 seconds').toBeVisible({
      timeout: 30_000,
    })
    const retry = panel.getByRole('button', { name: 'Retry now' })
    await retry.click()
    await expect(panel.getByText('(4 of 8)')).toBeVisible({ timeout: 30_000 })
    await service.control.advanceClock('PT28H')
    await expect(panel.getByText('Suspended', { exact: true })).toBeVisible({ timeout: 30_000 })

    const ping = panel.getByRole('button', { name: 'Ping now' })
    await ping.click()
    const refused = panel.getByRole('alert').filter({ hasText: 'Refused with HTTP 500' })
    await expect(refused).toContainText('Nothing was changed')
    await expect(panel.getByText('Suspended', { exact: true })).toBeVisible()
    await expect(panel.getByText(/^Next ping:/)).toBeVisible()
    await expect(retry, 'only one button sends the ping').toBeHidden()

    const log = panel.getByRole('table', { name: 'Attempts, newest first' })
    await expect(log.getByRole('time').first(), 'of 28 hours').toHaveText(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d$/)
    await log.getByRole('button', { expanded: false }).first().click()
    await expect(log.getByText('Response, HTTP 500')).toBeVisible()
    const waiting = panel.getByRole('region', { name: 'Waiting events' })
    const total = async () => Number((await waiting.getByRole('heading').textContent())?.replaceAll(/\D/g, ''))
    const before = await total()
    expect(before).toBeGreaterThan(1)
    await waiting.getByRole('listitem').first().getByRole('button', { name: 'Skip… card.updated' }).click()
    await dialog(page).getByRole('button', { name: 'Skip event' }).click()
    await expect.poll(total).toBe(before - 1)
    await expectAccessible()
    await takePicture(page, 'delivery-log')

    receiver.status = 200
    await ping.click()
    await expect(panel.getByRole('status').filter({ hasText: /^Delivered in/ })).toContainText('queue is now delivered')
    await expect(panel.getByText('Healthy', { exact: true })).toBeVisible({ timeout: 10_000 })
    await expect.poll(() => receiver.events.filter((event) => event === 'card.updated').length).toBe(1)
    const queues = async () => (await service.get('/webhooks/stats')).body as { queuedMessages: number }[]
    await expect.poll(async () => (await queues()).every(({ queuedMessages }) => queuedMessages === 0)).toBe(true)
    await log
      .getByRole('button', { name: /^Replay / })
      .first()
      .click()
    await expect(log.getByRole('cell', { name: 'Replay', exact: true }).first()).toBeVisible()
    await expectAccessible()
    await page.goto('/sandbox/audit')
    const tests = page.getByRole('row').filter({ hasText: 'Test webhook' })
    await expect(tests.nth(0)).toContainText('ledger-sync')
    await expect(tests.nth(1), 'the one before was not taken').toContainText('HTTP_STATUS')
  } finally {
    await receiver.close()
  }
})

test('removing a webhook shows its queue, requires typing its length, and focuses the button that keeps it', async ({
  page,
  service,
  signIn,
}) => {
  const receiver = await openReceiver()
  try {
    await signIn('operations')
    await page.goto('/sandbox/webhooks')
    await addByDialog(page, receiver)
    const panel = panelOf(page)
    await expect(panel.getByText('Healthy', { exact: true })).toBeVisible({ timeout: 20_000 })
    await panel.getByRole('button', { name: 'Remove…' }).click()
    const window = dialog(page)
    await expect(window.getByRole('button', { name: 'Keep webhook' })).toBeFocused()
    await expect(window.getByRole('button', { name: 'Remove webhook' })).toBeDisabled()
    await window.getByLabel(/^Type the number of queued events/).fill('0')
    await window.getByRole('button', { name: 'Remove webhook' }).click()
    await expectDone(page, 'Webhook removed')
    await expect(panel.getByText('Removed', { exact: true }).first()).toBeVisible()
    const { body } = await service.get('/webhooks')
    expect((body as { webhooks: { url: string }[] }).webhooks.map(({ url }) => url)).not.toContain(receiver.url)
  } finally {
    await receiver.close()
  }
})

test('removing a webhook whose queue holds events says how many are lost, and what became of them afterwards', async ({
  page,
  service,
  signIn,
}) => {
  const receiver = await openReceiver()
  try {
    await signIn('operations')
    await page.goto('/sandbox/webhooks')
    await addByDialog(page, receiver)
    const panel = panelOf(page)
    receiver.status = 500
    await causeEvents(service)
    await expect(panel.getByText('Unhealthy', { exact: true })).toBeVisible({ timeout: 30_000 })
    const found = (await service.get('/webhooks')).body as { webhooks: { id: string; url: string }[] }
    const id = found.webhooks.find(({ url }) => url === receiver.url)?.id
    const stats = async () =>
      (await service.get('/webhooks/stats', { webhookId: String(id) })).body as { queuedMessages: number }[]
    const queued = (await stats())[0]?.queuedMessages ?? 0
    expect(queued).toBeGreaterThan(1)
    await expect(panel.getByText(String(queued), { exact: true }).first()).toBeVisible({ timeout: 30_000 })

    await panel.getByRole('button', { name: 'Remove…' }).click()
    const window = dialog(page)
    await expect(window).toContainText(`Its queue goes with it: ${queued} queued events will never be delivered.`)
    const remove = window.getByRole('button', { name: 'Remove webhook' })
    const typed = window.getByLabel(`Type the number of queued events that are lost, ${queued}, to confirm`)
    await typed.fill('0')
    await expect(remove).toBeDisabled()
    await typed.fill(String(queued))

    await causeEvents(service)
    const more = (await stats())[0]?.queuedMessages ?? 0
    expect(more).toBeGreaterThan(queued)
    await remove.click()
    await expect(window, 'more than was confirmed').toContainText(`is too low: ${more} events are queued now`)
    expect(await stats()).toMatchObject([{ queuedMessages: more }])

    await window.getByRole('button', { name: 'Keep webhook' }).click()
    await panel.getByRole('button', { name: 'Remove…' }).click()
    await expect(window).toContainText(`${more} queued events will never be delivered`)
    await window.getByLabel(/^Type the number of queued events/).fill(String(more))
    await remove.click()
    await expectDone(page, 'Webhook removed')
    receiver.events.length = 0
    receiver.status = 200
    await expect(panel.getByText('It was removed from this console, with its queue.')).toBeVisible()
    expect(await stats()).toMatchObject([{ status: 'deleted', queuedMessages: 0 }])
    await service.control.advanceClock('PT28H')
    expect(receiver.events, 'what was queued is never delivered').toEqual([])
  } finally {
    await receiver.close()
  }
})

test('a viewer sees the webhooks and cannot change them', async ({ page, signIn }) => {
  await signIn('viewer')
  await page.goto('/sandbox/webhooks')
  await expect(page.getByRole('button', { name: 'Add webhook' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Remove…' }).first()).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Send a test' }).first()).toBeDisabled()
})

function panelOf(page: Page): Locator {
  return page.getByRole('region', { name: 'ledger-sync' }).first()
}

async function addByDialog(page: Page, receiver: Receiver): Promise<void> {
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const window = dialog(page)
  await window.getByLabel('URL', { exact: true }).fill(receiver.url)
  await window.getByLabel(/^Name/).fill('ledger-sync')
  await window.getByRole('button', { name: 'Add webhook' }).click()
  await expectDone(page, 'Webhook created')
  await expect(
    toasts(page)
      .getByText(/returned 200 for the first ping/)
      .first(),
  ).toBeVisible({ timeout: 20_000 })
}

async function causeEvents(service: ServiceCaller): Promise<void> {
  const ids = await findCard(service, 'active')
  expect((await service.post('/cards/lock', ids)).status).toBe(200)
  expect((await service.post('/cards/unlock', ids)).status).toBe(200)
}
