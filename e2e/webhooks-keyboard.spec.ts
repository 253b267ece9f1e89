import type { Locator, Page } from '@playwright/test'
import { dialog } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { tabTo } from './keyboard.ts'
import { findCard } from './service-caller.ts'
import { openReceiver, type Receiver } from './webhook-receiver.ts'

test.beforeEach(async ({ service }) => {
  await service.control.reset()
})

/** Opens a dialog from its button. A key pressed before hydration has no effect. */
async function openByKeyboard(page: Page, button: Locator, first: Locator): Promise<void> {
  await tabTo(page, button)
  await expect(async () => {
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expect(first, 'the focus starts on the first text, or on what changes nothing').toBeFocused()
}

async function escape(page: Page, button: Locator): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(button, 'the focus is back where it came from').toBeFocused()
}

async function confirmByKeyboard(page: Page, name: string): Promise<void> {
  await tabTo(page, dialog(page).getByRole('button', { name, exact: true }))
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toBeHidden()
}

async function addByKeyboard(page: Page, receiver: Receiver): Promise<void> {
  const add = page.getByRole('button', { name: 'Add webhook' })
  const url = dialog(page).getByLabel('URL', { exact: true })
  await openByKeyboard(page, add, url)
  await escape(page, add)
  await openByKeyboard(page, add, url)
  await page.keyboard.type(receiver.url)
  await page.keyboard.press('Enter')
  await expect(dialog(page), 'Enter in a field does nothing').toBeVisible()
  await tabTo(page, dialog(page).getByLabel(/^Name/))
  await page.keyboard.type('ledger-sync')
  await confirmByKeyboard(page, 'Add webhook')
  await expect(add).toBeFocused()
}

test('by keyboard alone: a webhook is added, tested and removed; Escape leaves everything as it is', async ({
  page,
  service,
  signIn,
}) => {
  const receiver = await openReceiver()
  try {
    await signIn('operations')
    await page.goto('/sandbox/webhooks')
    await addByKeyboard(page, receiver)
    const panel = page.getByRole('region', { name: 'ledger-sync' })
    await expect(panel.getByText('Healthy', { exact: true })).toBeVisible({ timeout: 20_000 })

    const sendTest = panel.getByRole('button', { name: 'Send a test' })
    await tabTo(page, sendTest)
    await page.keyboard.press('Enter')
    await expect(panel.getByRole('status').filter({ hasText: /^Delivered in [\d,]+ ms\./ })).toBeVisible()
    await expect(sendTest).toBeFocused()
    receiver.status = 500
    await page.keyboard.press('Enter')
    await expect(panel.getByRole('alert').filter({ hasText: /^Refused with HTTP 500 after/ })).toBeVisible()
    await expect(sendTest).toBeFocused()
    expect(receiver.events).toEqual(['ping', 'ping'])

    const remove = panel.getByRole('button', { name: 'Remove…' })
    const keep = dialog(page).getByRole('button', { name: 'Keep webhook' })
    await openByKeyboard(page, remove, keep)
    await escape(page, remove)
    await openByKeyboard(page, remove, keep)
    await tabTo(page, dialog(page).getByLabel(/^Type the number of queued events/))
    await page.keyboard.type('0')
    await page.keyboard.press('Enter')
    await expect(dialog(page), 'Enter in a field does nothing').toBeVisible()
    await confirmByKeyboard(page, 'Remove webhook')
    await expect(panel.getByText('Removed', { exact: true }).first()).toBeVisible()
    await expect(panel.getByRole('button', { name: 'Create again' }), 'the focus is on what comes next').toBeFocused()
    const { body } = await service.get('/webhooks')
    expect((body as { webhooks: { url: string }[] }).webhooks.map(({ url }) => url)).not.toContain(receiver.url)
  } finally {
    await receiver.close()
  }
})

test('by keyboard alone: an event of the inbox is opened and closed, and the focus is back on its row', async ({
  page,
  service,
  signIn,
}) => {
  const ids = await findCard(service, 'active')
  await service.post('/cards/lock', ids)
  await signIn('viewer')
  await page.goto('/sandbox/webhooks/inbox')
  const link = page.getByRole('link', { name: 'card.updated' }).first()
  await expect(link).toBeVisible()
  await tabTo(page, link)
  await page.keyboard.press('Enter')
  const window = page.getByRole('dialog')
  await expect(window.getByText(`"id": "${ids.cardId}"`)).toBeVisible()
  await expect(page).toHaveURL(/[?&]open=/)
  await page.keyboard.press('Escape')
  await expect(window).toBeHidden()
  await expect(page).not.toHaveURL(/[?&]open=/)
  await expect(link).toBeFocused()
})
