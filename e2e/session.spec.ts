import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { Client } from 'pg'
import { runningDatabaseUrl } from '#lib/launch/database.ts'
import { dialog, openCard } from './card-screen.ts'
import { expect, expectLive, test } from './fixtures.ts'
import { confirmPayout, field, fillForm, getQuote, hongKong, openForm, readPayouts } from './payout-form.ts'
import { serverOfWorker } from './server-of-worker.ts'
import { findCard } from './service-caller.ts'
import { signInByCookie } from './sign-in-by-cookie.ts'
import { expectDone } from './toast.ts'

const minute = 60_000

/** Runs a statement on the database of this worker's server. */
async function query<Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> {
  const dataDir = path.dirname(serverOfWorker()?.accessFile ?? '')
  const client = new Client({ connectionString: runningDatabaseUrl(dataDir) })
  await client.connect()
  try {
    return (await client.query<Row>(statement, values)).rows
  } finally {
    await client.end()
  }
}

/** Lets time pass without any input, for the console and for the browser. */
async function idle(page: Page, ms: number): Promise<void> {
  await query(`update console.sessions set last_active_at = last_active_at - $1 * interval '1 millisecond'`, [ms])
  await page.clock.fastForward(ms)
}

/** Waits until the page listens: before that its clock counts no idle time. Its live feed is opened at the same moment. */
async function hydrated(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expectLive(page)
}

/** The page reports input within half a minute. */
async function activityReported(page: Page): Promise<void> {
  const reported = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.clock.fastForward(31_000)
  expect((await reported).url()).toContain('/api/session/activity')
}

async function endSession(): Promise<void> {
  await query('update console.sessions set revoked_at = now()')
}

/** The page notices the end of its session, asks for a sign-in, and goes on once the same person has signed in. */
async function signInAgain(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  const prompt = page.getByRole('alertdialog', { name: 'Sign in to continue' })
  await expect(prompt).toBeVisible()
  await signInByCookie(page, 'operations')
  await prompt.getByRole('button', { name: 'Continue' }).click()
  await expect(prompt).toBeHidden()
}

async function lastActiveAt(): Promise<number> {
  const [row] = await query<{ at: Date }>(
    'select max(last_active_at) as at from console.sessions where revoked_at is null',
  )
  return row?.at.getTime() ?? 0
}

test.beforeEach(async ({ page, signIn }) => {
  await query('update console.sessions set revoked_at = now()')
  await page.clock.install()
  await signIn('operations')
})

test('an idle person is warned with a countdown, and stays signed in with one click', async ({
  page,
  expectAccessible,
}) => {
  await page.goto('/sandbox/card-accounts')
  await hydrated(page)
  await idle(page, 13 * minute)
  const warning = page.getByRole('alertdialog', { name: 'Stay signed in?' })
  await expect(warning).toBeVisible()
  await expect(warning.getByRole('timer')).toHaveText(/^[12]:\d\d$/)
  await expectAccessible()
  await expect(warning.getByRole('button', { name: 'Stay signed in' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(warning).toBeHidden()
  expect(Date.now() - (await lastActiveAt())).toBeLessThan(minute)
})

test('entries survive an idle sign-out, and can be edited after signing in again in a new tab', async ({
  page,
  context,
  expectAccessible,
  expectProblem,
}) => {
  expectProblem(/401/)
  const form = await openForm(page)
  const surname = form.getByRole('textbox', { name: 'Surname' })
  await surname.fill('Santos')
  await activityReported(page)
  await idle(page, 13 * minute)
  await expect(page.getByRole('alertdialog', { name: 'Stay signed in?' })).toBeVisible()
  await idle(page, 3 * minute)
  const prompt = page.getByRole('alertdialog', { name: 'Sign in to continue' })
  await expect(prompt).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(prompt).toBeVisible()
  // The form alone is left of the page, and it is hidden.
  await expect(page.getByLabel('Surname')).toBeHidden()
  expect(/.{60}(?:Olivia Poon|Card accounts).{60}/.exec(await page.content())).toBeNull()
  expect(await page.title()).toBe('Carddesk')
  await expectAccessible()
  const [tab] = await Promise.all([context.waitForEvent('page'), prompt.getByRole('link', { name: 'Sign in' }).click()])
  await expect(tab.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await tab.getByRole('button', { name: /^Operations/ }).click()
  await expect(tab.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await tab.close()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(prompt).toBeHidden()
  await expect(surname).toHaveValue('Santos')
  await expect(surname).toBeEditable()
  await expect(page.getByRole('button', { name: /Olivia Poon/ })).toBeVisible()
  const accounts = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Accounts' })
  await expect(accounts).toHaveAttribute('href', '/sandbox/card-accounts')
  await expect(page).toHaveTitle(/New payout/)
})

test('a payout that is typed before a session ends is submitted once by the next one', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/401/)
  const before = (await readPayouts(service)).length
  await fillForm(page, hongKong)
  await getQuote(page, 'You send', '61')
  await page.getByRole('button', { name: 'Submit…' }).click()
  await confirmPayout(page)
  await endSession()
  await dialog(page).getByRole('button', { name: 'Submit payout' }).click()
  await signInAgain(page)
  await dialog(page).getByRole('button', { name: 'Submit payout' }).click()
  await expectDone(page, 'Payout submitted')
  expect(await readPayouts(service)).toHaveLength(before + 1)
})

test('a payout form that outlives its session keeps every entry, and gets its quote from the next one', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/401/)
  await fillForm(page, hongKong)
  await endSession()
  await signInAgain(page)
  for (const [label, text] of Object.entries(hongKong.texts)) await expect(field(page, label)).toHaveValue(text)
  await getQuote(page, 'You send', '62')
})

test('a note that is typed before a session ends is added once by the next one', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/401/)
  await openCard(page, await findCard(service, 'active'))
  const notes = page.getByRole('region', { name: 'Notes' })
  const note = notes.getByLabel('Note', { exact: true })
  const text = `Calls back about the delivery at noon ${randomUUID().slice(0, 8)}`
  await note.fill(text)
  await endSession()
  await notes.getByRole('button', { name: 'Add note' }).click()
  await signInAgain(page)
  await expect(note).toHaveValue(text)
  await notes.getByRole('button', { name: 'Add note' }).click()
  const saved = notes.getByRole('listitem').filter({ hasText: text })
  await expect(saved).toHaveCount(1)
  await expect(note).toHaveValue('')
  await page.reload()
  await expect(saved).toHaveCount(1)
})

test('a limit that is typed before a session ends is set once by the next one', async ({
  page,
  service,
  expectProblem,
}) => {
  expectProblem(/401/)
  const { body } = await service.get('/cardaccounts', { pageSize: '100' })
  const { cardaccounts } = body as { cardaccounts: { id: string; accountType: string; limit: number }[] }
  const account = cardaccounts.find(({ accountType }) => accountType === 'credit')
  if (!account) throw new Error('the seed has a credit account')
  const changes = () => query('select state from console.operations where target_id = $1', [account.id])
  const before = (await changes()).length
  await page.goto(`/sandbox/card-accounts/${account.id}`)
  await page.getByRole('button', { name: 'Set limit…' }).click()
  const limit = dialog(page).getByLabel('New limit')
  const set = dialog(page).getByRole('button', { name: 'Set limit' })
  await limit.fill(String(account.limit - 1))
  await limit.blur()
  await dialog(page).getByLabel('Reason').selectOption({ label: 'Credit review' })
  const typed = await limit.inputValue()
  await endSession()
  await set.click()
  await signInAgain(page)
  await expect(limit).toHaveValue(typed)
  await set.click()
  await expectDone(page, 'Limit set')
  expect(await changes()).toHaveLength(before + 1)
})

test('entries that are discarded leave the browser with their page', async ({ page, expectProblem }) => {
  expectProblem(/401/)
  const form = await openForm(page)
  await form.getByRole('textbox', { name: 'Surname' }).fill('Santos')
  await activityReported(page)
  await idle(page, 16 * minute)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: 'Discard entries' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  expect(await page.content()).not.toContain('Santos')
})

test('a page without entries is left when its session ends, and signing in leads back to it', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/401/)
  await page.goto('/sandbox/fees?intent=card-issue-fee')
  await hydrated(page)
  await idle(page, 16 * minute)
  await expect(page.getByText('You’ll return to the page you opened.')).toBeVisible()
  expect(await page.content()).not.toContain('Card accounts')
  await page.getByRole('button', { name: /^Operations/ }).click()
  await expect(page).toHaveURL('/sandbox/fees?intent=card-issue-fee')
  await expect(page.getByRole('heading', { level: 1, name: 'Fees' })).toBeVisible()
})

test('nothing of a page is left after signing out, nor by going back', async ({ page, expectProblem }) => {
  expectProblem(/401/)
  await page.goto('/sandbox/card-accounts')
  await hydrated(page)
  await page.getByRole('button', { name: /Olivia Poon/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
})

test('text typed into an open dialog stays, and its keys do not reach the dialog behind', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/401/)
  await page.goto('/sandbox/fees')
  await page
    .getByRole('button', { name: /^Waive/, disabled: false })
    .first()
    .click()
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog')).first()
  await dialog.getByLabel('Reason').selectOption({ label: 'Goodwill' })
  const reason = dialog.getByRole('textbox').first()
  await reason.fill('a long reason that took a while')
  await activityReported(page)
  await idle(page, 13 * minute)
  const warning = page.getByRole('alertdialog', { name: 'Stay signed in?' })
  await expect(warning).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(warning).toBeHidden()
  await expect(reason).toHaveValue('a long reason that took a while')
  await idle(page, 13 * minute)
  await expect(warning).toBeVisible()
  await idle(page, 3 * minute)
  const prompt = page.getByRole('alertdialog', { name: 'Sign in to continue' })
  await expect(prompt).toBeVisible()
  await expect(page.getByText('Goodwill')).toBeHidden()
  const cells = await page.getByRole('cell', { includeHidden: true }).allTextContents()
  expect([cells.length > 10, cells.join('').trim()]).toEqual([true, ''])
  await prompt.getByRole('heading').click()
  await signInByCookie(page, 'operations')
  await prompt.getByRole('button', { name: 'Continue' }).click()
  await expect(prompt).toBeHidden()
  await expect(reason).toHaveValue('a long reason that took a while')
  await expect(page.getByRole('row', { includeHidden: true }).nth(1)).not.toBeEmpty()
})

test('an open page that reads by itself does not keep its session; input does', async ({ page }) => {
  await page.goto('/sandbox/card-accounts')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await idle(page, 5 * minute)
  const before = await lastActiveAt()
  await page.evaluate(() => fetch('/api/sandbox/overview').then((response) => response.text()))
  await page.clock.fastForward(2 * minute)
  expect(await lastActiveAt()).toBe(before)
  await page.mouse.move(200, 200)
  await page.mouse.move(240, 260)
  await page.clock.fastForward(31_000)
  await expect.poll(lastActiveAt).toBeGreaterThan(before)
})

test('text that comes without a key, such as a dictated one, keeps the session', async ({ page }) => {
  await page.goto('/sandbox/fees')
  await hydrated(page)
  const field = page.getByRole('searchbox').or(page.getByRole('textbox')).first()
  await field.focus()
  await idle(page, 5 * minute)
  const before = await lastActiveAt()
  await page.evaluate(() => document.execCommand('insertText', false, 'spoken'))
  await page.clock.fastForward(31_000)
  await expect.poll(lastActiveAt).toBeGreaterThan(before)
})

test('the first passkey of an old session takes a new sign-in, which leads back', async ({ page, expectProblem }) => {
  expectProblem(/401/)
  await query(`update console.sessions set created_at = created_at - interval '16 minutes'`)
  await page.goto('/sandbox/settings/account')
  await hydrated(page)
  await page.getByRole('button', { name: 'Add passkey…' }).click()
  const window = page.getByRole('dialog', { name: 'Sign in again to add a passkey' })
  await expect(window.getByText('You signed in more than 15 minutes ago.')).toBeVisible()
  await window.getByRole('button', { name: 'Sign in again' }).click()
  await page.getByRole('button', { name: /^Operations/ }).click()
  await expect(page).toHaveURL('/sandbox/settings/account')
  expect(await query('select id from console.sessions where revoked_at is null')).toHaveLength(1)
})

test('a person whose session is revoked must sign in at the next request', async ({ page, expectProblem }) => {
  expectProblem(/401/)
  await page.goto('/sandbox/card-accounts')
  await query(`update console.sessions set revoked_at = now()`)
  await page.clock.fastForward(30_000)
  // The reads of that time may have sent the page to the sign-in already.
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange'))).catch(() => undefined)
  await page.mouse.move(200, 200)
  await page.mouse.move(240, 260)
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
})

test('a person whose role changed is offered a reload, and the page stops what the new role forbids', async ({
  page,
  signIn,
  expectAccessible,
  expectProblem,
}) => {
  expectProblem(/403/)
  await query('update console.sessions set revoked_at = now()')
  await signIn('approver')
  const setRole = (role: string) =>
    query(
      `update console.staff set role = $1 where id = (select staff_id from console.sessions where revoked_at is null)`,
      [role],
    )
  await page.goto('/sandbox/approvals')
  await hydrated(page)
  await setRole('support')
  try {
    const forbidden = page.waitForResponse((response) => response.status() === 403)
    await page.clock.fastForward(16_000)
    await forbidden
    await expect(page.getByRole('alert').filter({ hasText: 'Your role changed.' })).toBeVisible()
    await expectAccessible()
    const polled: string[] = []
    page.on('request', (request) => polled.push(request.url()))
    await page.clock.fastForward(120_000)
    await expect.poll(() => polled.filter((url) => url.includes('/my-work'))).not.toEqual([])
    expect(polled.filter((url) => url.includes('/approvals'))).toEqual([])
    await page.getByRole('button', { name: 'Reload page' }).click()
    await hydrated(page)
    await expect(page.getByText('Your role changed.')).toHaveCount(0)
  } finally {
    await setRole('approver')
  }
})
