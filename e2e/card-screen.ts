import { expect, type Locator, type Page } from '@playwright/test'
import { cardActionRow, cardActions, shortLabel } from '#lib/contract/card-actions.ts'
import { type CardOnWire, type ServiceCaller, listCards } from './service-caller.ts'
import { expectDone } from './toast.ts'

/** The button that confirms an action, by the label of the button that opens its dialog. */
const doneTitles = Object.fromEntries(cardActions.map((action) => [shortLabel(action), cardActionRow(action).done]))
const confirmLabels = Object.fromEntries(cardActions.map((action) => [shortLabel(action), cardActionRow(action).label]))

export type CardIds = { cardAccountId: string; cardId: string }

export function cardPath({ cardAccountId, cardId }: CardIds): string {
  return `/sandbox/card-accounts/${cardAccountId}/cards/${cardId}`
}

export async function openCard(page: Page, ids: CardIds): Promise<void> {
  await page.goto(cardPath(ids))
  await expect(page.getByRole('heading', { level: 1, name: /^Card ending/ })).toBeVisible()
}

function actionsOf(page: Page): Locator {
  return page.getByRole('group', { name: 'Actions on this card' })
}

/** An action on the card's own page: a button, or an item of the menu "More" while that is open. */
export function actionButton(page: Page, label: string): Locator {
  const actions = actionsOf(page)
  return actions
    .getByRole('button', { name: label, exact: true })
    .or(actions.getByRole('menuitem', { name: new RegExp(`^${label}`) }))
}

/** Opens the menu of the actions that are no buttons now. */
export async function openMore(page: Page): Promise<void> {
  await actionsOf(page).getByRole('button', { name: 'More', exact: true }).click()
  await expect(actionsOf(page).getByRole('menu')).toBeVisible()
}

/** Opens the dialog of an action, from its button or from the menu. */
export async function openAction(page: Page, label: string): Promise<void> {
  const action = actionButton(page, label)
  await expect(async () => {
    if (!(await action.isVisible())) await openMore(page)
    await action.click({ timeout: 2_000 })
  }).toPass()
}

export function dialog(page: Page): Locator {
  return page.getByRole('alertdialog')
}

/** The state of a card as the service has it now. */
export async function readCardStatus(
  service: ServiceCaller,
  { cardAccountId, cardId }: CardIds,
): Promise<string | undefined> {
  return (await listCards(service, cardAccountId)).find(({ id }) => id === cardId)?.status
}

/** The digits of a card, as somebody who holds it reads them: from the page that is opened once. */
export async function readCardNumber(
  service: ServiceCaller,
  { cardAccountId, cardId }: CardIds,
  headers: Record<string, string> = {},
): Promise<string> {
  const { body } = await service.get('/cards/card-sensitive-info', { cardAccountId, cardId, ipAddress: '127.0.0.1' })
  const page = await (await fetch((body as { url: string }).url, { headers })).text()
  const digits = /\d{4}(?:[\s\u00a0]?\d{4}){3}/.exec(page.replaceAll(/<[^>]*>/g, ' '))?.[0]
  if (!digits) throw new Error('the page of sensitive data shows a card number')
  return digits.replaceAll(/\D/g, '')
}

export async function readCard(
  service: ServiceCaller,
  ids: CardIds,
): Promise<CardOnWire & { expiryMonth: number; expiryYear: number }> {
  const found = (await listCards(service, ids.cardAccountId)).find(({ id }) => id === ids.cardId)
  if (!found) throw new Error('the service has this card')
  return found as CardOnWire & { expiryMonth: number; expiryYear: number }
}

/** What a step fills in before it confirms. */
export type Entries = { fill?: Record<string, string>; choose?: Record<string, string> }

/** Takes an action with the mouse and reads how it ended; the focus is back on the button afterwards. */
export async function actByMouse(page: Page, label: string, { fill = {}, choose = {} }: Entries = {}): Promise<void> {
  await openAction(page, label)
  const window = dialog(page)
  for (const [field, value] of Object.entries(choose)) await window.getByLabel(field).selectOption({ label: value })
  for (const [field, value] of Object.entries(fill)) await window.getByLabel(field).fill(value)
  await window.getByRole('button', { name: confirmLabels[label] ?? label, exact: true }).click()
  await expectDone(page, doneTitles[label] ?? '')
}

/** The badge beside the title. */
export async function expectStatus(page: Page, label: string): Promise<void> {
  await expect(page.getByRole('main').getByText(label, { exact: true }).first()).toBeVisible()
  await expect(
    page.getByRole('listitem').filter({ hasText: label }).and(page.locator('[aria-current="step"]')),
  ).toBeVisible()
}
