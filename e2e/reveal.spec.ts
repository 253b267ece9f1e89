import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { openAction, dialog, readCardNumber, openCard } from './card-screen.ts'
import { everyRow } from './every-row.ts'
import { expect, test } from './fixtures.ts'
import { sendAction } from './server-actions.ts'
import { startServer } from './server.ts'
import { createServiceCaller, findCard } from './service-caller.ts'
import { signInCookie, signInByCookie } from './sign-in-by-cookie.ts'

function revealDialog(page: Page) {
  return page.getByRole('dialog', { name: /card ending/i })
}

function details(page: Page) {
  return page.getByTitle('Card details')
}

async function reveal(page: Page): Promise<void> {
  const reason = revealDialog(page).getByLabel('Reason')
  if ((await reason.inputValue()) === '') await reason.selectOption({ label: 'Cardholder request' })
  await revealDialog(page).getByRole('button', { name: 'Reveal card' }).click()
}

test('the number is in a frame of the service alone: not in the database, the log, or any response of the console', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  const folder = mkdtempSync(path.join(tmpdir(), 'carddesk-har-'))
  const server = await startServer({ settings: { TRUSTED_PROXY_HOPS: '1', SANDBOX_RATE_LIMIT_PER_MINUTE: '0' } })
  try {
    const service = createServiceCaller(server.access)
    const card = await findCard(service, 'active')
    const number = await readCardNumber(service, card, { 'x-forwarded-for': '127.0.0.1' })
    const har = path.join(folder, 'reveal.har')
    const context = await browser.newContext({
      baseURL: server.url,
      recordHar: { path: har, content: 'embed' },
      extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.9, 2001:db8::9' },
    })
    const page = await context.newPage()
    await signInByCookie(page, 'support')
    await page.clock.install()
    await openCard(page, card)
    await page.getByRole('button', { name: 'Reveal card' }).click()
    await reveal(page)
    await expect(revealDialog(page).getByText(/You are connected over IPv6.*turn off IPv6/)).toBeVisible()
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': '2001:db8::9, 198.51.100.7' })
    await revealDialog(page).getByLabel('Reason').selectOption({ label: 'Suspected fraud' })
    await reveal(page)
    await expect(
      details(page)
        .contentFrame()
        .getByText(number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')),
    ).toBeVisible()
    await expect(details(page)).toHaveAttribute('sandbox', '')
    await expect(details(page)).toHaveAttribute('referrerpolicy', 'no-referrer')
    const url = (await details(page).getAttribute('src')) ?? ''
    expect(new URL(url).origin).toBe(new URL(server.access.baseUrl).origin)
    const policy = (await page.request.get('/sign-in')).headers()['content-security-policy'] ?? ''
    expect(/frame-src ([^;]*)/.exec(policy)?.[1]).toBe(new URL(url).origin)

    await page.clock.fastForward(31_000)
    await expect(revealDialog(page).getByText('Hidden after 30 seconds.')).toBeVisible()
    await expect(details(page)).toHaveCount(0)
    expect(await page.content()).not.toContain(url)
    expect(page.url()).not.toContain('secure-content')

    const cookie = await signInCookie(server.url, 'support')
    const input = { environment: 'sandbox', ...card, reason: 'cardholder-request' }
    const forwarded = { 'x-forwarded-for': '198.51.100.7' }
    for (let times = 1; times < 10; times += 1) {
      expect(await sendAction(server.url, cookie, 'revealCard', input, forwarded)).toContain('secure-content')
    }
    await reveal(page)
    await expect(revealDialog(page).getByText('You revealed 10 cards in the last hour.')).toBeVisible()
    await context.close()

    const entries = harEntries(har)
    const ofConsole = entries.filter((entry) => new URL(entry.url).host === new URL(server.url).host)
    expect(ofConsole.length).toBeGreaterThan(10)
    expect(ofConsole.filter(({ text }) => holds(text, number))).toEqual([])
    const holding = entries.filter(({ text }) => holds(text, number))
    expect(holding.map((entry) => entry.url)).toEqual([url])

    const rows = await everyRow(server.dataDir)
    const contentId = url.split('/').at(-1) ?? url
    expect(rows.filter(({ text }) => holds(text, number) || text.includes(contentId))).toEqual([])
    const audited = rows.filter(({ table, text }) => table === 'console.audit_entries' && text.includes('card.reveal'))
    expect(audited.some(({ text }) => text.includes('198.51.100.7') && text.includes('suspected-fraud'))).toBe(true)
    expect(server.output()).toContain('Ctrl C stops it.')
    expect(holds(server.output(), number) || server.output().includes(contentId)).toBe(false)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
})

/** Whether a text has the number, in any spacing. */
function holds(text: string, number: string): boolean {
  return new RegExp([...number].join(String.raw`[\s+-]?`)).test(text)
}

type HarEntry = { request: { url: string }; response: { content: { text?: string; encoding?: string } } }

function harEntries(file: string): { url: string; text: string }[] {
  const { log } = JSON.parse(readFileSync(file, 'utf8')) as { log: { entries: HarEntry[] } }
  return log.entries.map((entry) => {
    const { text = '', encoding } = entry.response.content
    const body = encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text
    return {
      url: entry.request.url,
      text: JSON.stringify({ ...entry, response: { ...entry.response, content: body } }),
    }
  })
}

test('the details hide when the window or the tab is left and on Escape, and open over the activation dialog', async ({
  page,
  service,
  signIn,
  expectAccessibleInEveryLook,
}) => {
  await service.control.reset()
  const card = await findCard(service, 'pending-activation')
  await signIn('operations')
  await openCard(page, card)
  await openAction(page, 'Activate')
  await dialog(page)
    .getByLabel(/^Last six digits/)
    .fill('123')
  await dialog(page).getByRole('button', { name: 'Reveal card' }).click()
  await expect(revealDialog(page).getByLabel('Reason')).toHaveValue('card-activation')
  await expectAccessibleInEveryLook()
  await revealDialog(page).getByLabel('Reason').selectOption('other')
  await revealDialog(page).getByRole('button', { name: 'Reveal card' }).click()
  await expect(revealDialog(page).getByLabel('Comment')).toBeFocused()
  await expect(revealDialog(page).getByRole('alert')).toHaveText('Describe the reason.')
  await revealDialog(page).getByLabel('Reason').selectOption('card-activation')
  await expect(revealDialog(page).getByRole('alert')).toHaveCount(0)
  await revealDialog(page).getByRole('button', { name: 'Reveal card' }).press('Enter')
  await expect(
    details(page)
      .contentFrame()
      .getByText(/^\d{4} \d{4} \d{4} \d{4}$/),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: /^Hide/ })).toBeFocused()
  await details(page).click()
  await expect(page.getByRole('button', { name: /^Hide \(\d+ s\)$/ })).toBeFocused()
  await expectAccessibleInEveryLook()

  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  await expect(revealDialog(page).getByText('Hidden because you left this window.')).toBeVisible()
  await expect(details(page)).toHaveCount(0)

  await reveal(page)
  await expect(details(page)).toBeVisible()
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    Reflect.deleteProperty(document, 'visibilityState')
  })
  await expect(details(page)).toHaveCount(0)

  await page.evaluate(() => {
    document.hasFocus = () => false
  })
  await reveal(page)
  await expect(revealDialog(page).getByText('Hidden because you left this window.')).toBeVisible()
  await expect(details(page)).toHaveCount(0)
  await page.evaluate(() => Reflect.deleteProperty(document, 'hasFocus'))

  await reveal(page)
  await expect(details(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(details(page)).toHaveCount(0)
  await expect(dialog(page).getByLabel(/^Last six digits/)).toHaveValue('123')
})

test('a role without the permission sees why, and a cancelled card is not offered', async ({
  page,
  service,
  signIn,
}) => {
  await signIn('viewer')
  await openCard(page, await findCard(service, 'active'))
  await expect(page.getByRole('button', { name: 'Reveal card' })).toBeDisabled()
  await expect(page.getByText('Only Support, Operations and QA can do this.').first()).toBeVisible()
  await signIn('support')
  await openCard(page, await findCard(service, 'cancelled'))
  await expect(page.getByRole('button', { name: 'Reveal card' })).toHaveAccessibleDescription('The card is cancelled.')
})
