import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { type Permission, rolePermissions, roles } from '#lib/auth/permissions.ts'
import { cardActions, cardTransition, shortLabel } from '#lib/contract/card-actions.ts'
import { cardStatuses } from '#lib/contract/terms.ts'
import {
  actByMouse,
  actionButton,
  openAction,
  openMore,
  cardPath,
  dialog,
  expectStatus,
  openCard,
  readCardStatus,
} from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { findCard, listCards } from './service-caller.ts'
import { signInUnnoticed } from './sign-in-by-cookie.ts'
import { expectDone, toasts } from './toast.ts'

test.beforeEach(async ({ service }) => {
  await service.control.reset()
})

test.afterEach(async ({ service }) => {
  await service.control.disarmFaults()
})

/** Usable, or with a reason that is read out with the button. */
async function expectOffered(button: Locator, isOffered: boolean): Promise<void> {
  await expect(button).toBeVisible()
  if (isOffered) {
    await expect(button).toBeEnabled()
  } else {
    await expect(button).toBeDisabled()
    // A button has its reason as its description; an item of the menu behind its name, or once above those that share it.
    if ((await button.getAttribute('role')) !== 'menuitem') await expect(button).toHaveAccessibleDescription(/\w.*\.$/)
    else if (!/\w \w.*\.$/.test(await button.innerText()))
      await expect(
        button
          .page()
          .getByRole('menu')
          .getByRole('presentation')
          .filter({ hasText: /^Only .+ can do this\.$/ }),
      ).toBeVisible()
  }
}

/** The page does not see what becomes of a card until the function is called. */
async function holdCardReads(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route(/\/api\/sandbox\/card-accounts\/[^/]+\/cards\/[^/?]+$/, async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

for (const status of cardStatuses) {
  test(`a card that is ${status} offers exactly what the transition table allows, and explains the rest`, async ({
    page,
    service,
    signIn,
  }) => {
    await signIn('operations')
    await openCard(page, await findCard(service, status))
    await openMore(page)
    for (const action of cardActions) {
      const transition = cardTransition(status, action)
      await expectOffered(actionButton(page, shortLabel(action)), transition !== undefined && 'to' in transition)
    }
  })
}

for (const role of roles) {
  test(`${role}: an active card offers exactly what the role may do`, async ({ page, service, signIn }) => {
    await signIn(role)
    await openCard(page, await findCard(service, 'active'))
    await openMore(page)
    for (const action of ['lock', 'suspend', 'cancel', 'change-pin'] as const) {
      const permission = `cards.${action}` satisfies Permission
      await expectOffered(actionButton(page, shortLabel(action)), rolePermissions[role].includes(permission))
    }
  })
}

test('a disabled action does nothing when it is pressed', async ({ page, service, signIn }) => {
  const ids = await findCard(service, 'active')
  await signIn('viewer')
  await openCard(page, ids)
  await openMore(page)
  await actionButton(page, 'Lock').click({ force: true })
  await expect(dialog(page)).toBeHidden()
  expect(await readCardStatus(service, ids)).toBe('active')
})

test('a role that was taken away between opening and pressing is refused by the server', async ({
  page,
  service,
  signIn,
  expectProblem,
}) => {
  // The open page still polls what only the first person may read, also with the session that the second sign-in ends.
  expectProblem(/40[13]|503/)
  const ids = await findCard(service, 'active')
  await signIn('operations')
  await openCard(page, ids)
  await openAction(page, 'Lock')
  await expect(dialog(page)).toBeVisible()
  await signInUnnoticed(page, 'viewer')
  await dialog(page).getByRole('button', { name: 'Lock card' }).click()
  await expect(dialog(page).getByText(/Nothing was changed\./)).toBeVisible()
  expect(await readCardStatus(service, ids)).toBe('active')
})

test('a double click on Lock is one effect', async ({ page, service, signIn }) => {
  const ids = await findCard(service, 'active')
  await signIn('operations')
  await openCard(page, ids)
  const happened = page.getByRole('region', { name: 'What happened' })
  const locks = happened.getByText('Card locked', { exact: true })
  // Another test on this server may have locked the card before.
  const [locksBefore, refusedBefore] = [await locks.count(), await happened.getByText(/not done/).count()]
  await actionButton(page, 'Lock').dblclick()
  await dialog(page).getByRole('button', { name: 'Lock card' }).dblclick()
  await expectDone(page, 'Card locked')
  await expectStatus(page, 'Locked')
  expect(await readCardStatus(service, ids)).toBe('locked')
  await expect(locks).toHaveCount(locksBefore + 1)
  await expect(happened.getByText(/not done/)).toHaveCount(refusedBefore)
})

test('a press while a dialog closes does nothing: none is issued after Escape, and one after Enter', async ({
  page,
  service,
  signIn,
}) => {
  const ids = await findCard(service, 'active')
  const before = (await listCards(service, ids.cardAccountId)).length
  await signIn('operations')
  await openCard(page, ids)
  for (const answer of ['Escape', 'Enter']) {
    await openAction(page, 'Replace')
    const confirm = dialog(page).getByRole('button', { name: 'Issue replacement' })
    await confirm.focus()
    // Listens before the answer, which may close the dialog faster than the next command arrives.
    await confirm.evaluate((button: HTMLElement, answered) => {
      const popup = button.closest('[role="alertdialog"]')
      if (!popup) throw new Error('the button is in the dialog')
      const pressWhileItCloses = () => {
        if (!popup.hasAttribute('data-closed')) return
        button.click()
        document.body.append(`Pressed again after ${answered}`)
      }
      new MutationObserver(pressWhileItCloses).observe(popup, { attributeFilter: ['data-closed'] })
    }, answer)
    await page.keyboard.press(answer)
    await expect(page.locator('body')).toContainText(`Pressed again after ${answer}`)
    await expect(dialog(page)).toBeHidden()
  }
  await expectDone(page, 'Replacement issued')
  expect(await listCards(service, ids.cardAccountId)).toHaveLength(before + 1)
})

for (const after of [true, false]) {
  test(`a response lost ${after ? 'after' : 'before'} the effect ends with the real status`, async ({
    page,
    service,
    signIn,
  }) => {
    const ids = await findCard(service, 'active')
    await signIn('operations')
    await openCard(page, ids)
    await openAction(page, 'Lock')
    await service.control.armFault({ path: '/cards/lock', status: 0, times: 1, after })
    await dialog(page).getByRole('button', { name: 'Lock card' }).click()
    await expectDone(page, 'Card locked', 30_000)
    await expectStatus(page, 'Locked')
    expect(await readCardStatus(service, ids)).toBe('locked')
  })
}

test('while every response is lost the dialog shows an unknown outcome, then the result', async ({
  page,
  service,
  signIn,
}) => {
  const ids = await findCard(service, 'active')
  await signIn('operations')
  await openCard(page, ids)
  await openAction(page, 'Suspend')
  await dialog(page).getByLabel('Reason').selectOption({ label: 'Suspected fraud' })
  await service.control.armFault({ path: '/cards/suspend', status: 503, times: 1000, after: true })
  await service.control.armFault({ path: '/cards', method: 'GET', status: 503, times: 'always' })
  await dialog(page).getByRole('button', { name: 'Suspend card' }).click()
  await expect(dialog(page).getByText('Not confirmed yet', { exact: true })).toBeVisible({
    timeout: 45_000,
  })
  await expect(dialog(page).getByText(/It can’t happen twice/)).toBeVisible()
  await service.control.disarmFaults()
  await expectDone(page, 'Card suspended', 45_000)
  expect(await readCardStatus(service, ids)).toBe('suspended')
})

test('a second try that the console refuses leaves the first one open, and the third is the same operation', async ({
  page,
  service,
  signIn,
  expectProblem,
}) => {
  expectProblem(/Failed to load resource|net::/)
  const ids = await findCard(service, 'active')
  await signIn('operations')
  await openCard(page, ids)
  await openAction(page, 'Suspend')
  await dialog(page).getByLabel('Reason').selectOption({ label: 'Suspected fraud' })
  const operationIds: (string | undefined)[] = []
  await page.route('**/card-accounts/**', async (route) => {
    const request = route.request()
    const body = request.method() === 'POST' ? (request.postData() ?? '') : ''
    if (!body.includes('card.suspend')) return route.fallback()
    operationIds.push(/"operationId":"([^"]+)"/.exec(body)?.[1])
    if (operationIds.length === 1) return route.abort()
    if (operationIds.length > 2) return route.fallback()
    // As after the end of the session.
    const headers = { ...(await request.allHeaders()), cookie: '' }
    return route.fulfill({ response: await route.fetch({ headers }) })
  })
  await dialog(page).getByRole('button', { name: 'Suspend card' }).click()
  await expect(dialog(page).getByText('we don’t know if this began')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Try again' }).click()
  await expect(dialog(page).getByText('You are signed out.')).toBeVisible()
  await expect(dialog(page).getByText('we don’t know if this began')).toBeVisible()
  await expect(dialog(page).getByText('Nothing was changed.')).toHaveCount(0)
  await dialog(page).getByRole('button', { name: 'Try again' }).click()
  await expectDone(page, 'Card suspended')
  expect(operationIds).toHaveLength(3)
  expect(new Set(operationIds).size).toBe(1)
})

test('an action on a changed status is refused with its message, and the screen shows the real status', async ({
  page,
  service,
  signIn,
}) => {
  const ids = await findCard(service, 'active')
  await signIn('operations')
  await openCard(page, ids)
  await openAction(page, 'Lock')
  const release = await holdCardReads(page)
  const behind = await service.post('/cards/suspend', ids, { 'idempotency-key': randomUUID() })
  expect(behind.status).toBe(200)
  await dialog(page).getByRole('button', { name: 'Lock card' }).click()
  await expect(dialog(page).getByText('INACTIVE_CARD')).toBeVisible()
  await expect(dialog(page).getByText(/^Request/)).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Try again' })).toHaveCount(0)
  release()
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expectStatus(page, 'Suspended')
})

test('an open dialog forbids the action once the status does', async ({ page, service, signIn }) => {
  const ids = await findCard(service, 'active')
  await signIn('operations')
  await openCard(page, ids)
  await openAction(page, 'Lock')
  await expect(dialog(page).getByRole('button', { name: 'Keep it unlocked' })).toBeVisible()
  await service.post('/cards/lock', ids, { 'idempotency-key': randomUUID() })
  const lock = dialog(page).getByRole('button', { name: 'Lock card' })
  await expectOffered(lock, false)
  await expect(lock).toHaveAccessibleDescription('Already locked.')
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expectStatus(page, 'Locked')
})

test('Undo takes a lock back, and both are in the history', async ({ page, service, signIn }) => {
  const ids = await findCard(service, 'active')
  await signIn('support')
  await openCard(page, ids)
  await actByMouse(page, 'Lock')
  await expectStatus(page, 'Locked')
  await toasts(page).getByRole('button', { name: 'Undo' }).click()
  await expectDone(page, 'Card unlocked')
  await expectStatus(page, 'Active')
  expect(await readCardStatus(service, ids)).toBe('active')
  await expect(page.getByRole('region', { name: 'What happened' }).getByText(/done by mistake/)).toBeVisible()

  // A message whose action is out of date goes with the next one about the card.
  await actByMouse(page, 'Lock')
  await expect(toasts(page).getByText('Card locked')).toBeVisible()
  await expect(toasts(page).getByText('Card unlocked')).toBeHidden()
})

test('a row menu offers the same actions, and the focus returns to it', async ({ page, service, signIn }) => {
  const ids = await findCard(service, 'locked')
  await signIn('operations')
  await page.goto(cardPath(ids).replace(/\/cards\/.*/, ''))
  const card = page
    .getByRole('listitem')
    .filter({ has: page.getByText('Locked', { exact: true }) })
    .first()
  const trigger = card.getByRole('button', { name: /^Actions on card ending/ })
  await trigger.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Open card' })).toBeFocused()
  await expect(page.getByRole('menuitem', { name: /^Lock/ })).toBeDisabled()
  await page.getByRole('menuitem', { name: 'Unlock', exact: true }).press('Enter')
  await dialog(page).getByRole('button', { name: 'Keep it locked' }).press('Enter')
  await expect(dialog(page)).toBeHidden()
  await expect(trigger).toBeFocused()
  expect(await readCardStatus(service, ids)).toBe('locked')
})

test('a refused action leaves an audit entry', async ({ page, service, signIn }) => {
  const ids = await findCard(service, 'active')
  await signIn('operations')
  await openCard(page, ids)
  await openAction(page, 'Lock')
  await holdCardReads(page)
  await service.post('/cards/cancel', ids, { 'idempotency-key': randomUUID() })
  await dialog(page).getByRole('button', { name: 'Lock card' }).click()
  await expect(dialog(page).getByText(/Nothing was changed\./)).toBeVisible()
  await page.goto('/sandbox/audit')
  await page.getByRole('combobox', { name: 'Result' }).selectOption({ label: 'Refused' })
  await expect(page).toHaveURL(/outcome=refused/)
  const entry = page.getByRole('row').filter({ hasText: 'Lock card' }).first()
  await expect(entry).toContainText('INACTIVE_CARD')
  await expect(entry).toContainText('Olivia Poon')
  await entry.getByRole('link', { name: /^Card ending/ }).click()
  await expect(page).toHaveURL(new RegExp(`${cardPath(ids)}$`))
})

test('a lock stays with the person who locked the card while Operations suspends and unsuspends it', async ({
  page,
  service,
  signIn,
}) => {
  test.setTimeout(120_000)
  const ids = await findCard(service, 'active')
  const rail = page.getByRole('list', { name: 'Status so far' }).getByRole('listitem')
  const happened = page.getByRole('region', { name: 'What happened' })
  await signIn('support')
  await openCard(page, ids)
  await expect(happened.getByText(/^Card (issued|ordered)$/)).toBeVisible()
  await expect(rail.first().locator('time')).toBeVisible()
  await actByMouse(page, 'Lock')
  await expect(page.getByText('Locked by Samuel Ng.')).toBeVisible()

  await signIn('operations')
  await openCard(page, ids)
  await actByMouse(page, 'Suspend', { choose: { Reason: 'Suspected fraud' } })
  await expect(page.getByText('Suspended by Olivia Poon because: suspected fraud.')).toBeVisible()
  await expect(rail.filter({ hasText: 'Locked' }).locator('time')).toBeVisible()
  await expect(page.getByText(/^Also locked by Samuel Ng since .*Unsuspend leaves the card Locked\.$/)).toBeVisible()
  await openAction(page, 'Unsuspend')
  await expect(dialog(page).getByText('The card goes back to Locked.')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Keep it suspended' }).click()
  await actByMouse(page, 'Unsuspend', { choose: { Reason: 'The case is resolved' } })
  await expect(rail.and(page.locator('[aria-current="step"]'))).toContainText(/^Locked/)
  await expect(page.getByText('Locked by Samuel Ng.')).toBeVisible()
  await expect(happened.getByRole('listitem').first()).toContainText(/suspension lifted.*Olivia Poon/i)
})
