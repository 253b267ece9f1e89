import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { operationDefinition, type OperationKind } from '#lib/api/actions.ts'
import { type CardAction, cardActionRow, shortLabel } from '#lib/contract/card-actions.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { CardStatus } from '#lib/contract/terms.ts'
import { routes } from '#lib/shared/routes.ts'
import {
  openAction,
  type CardIds,
  readCard,
  dialog,
  type Entries,
  readCardNumber,
  openCard,
  readCardStatus,
} from './card-screen.ts'
import { type AccountOnWire, readAccounts, chargeFee, readFees, openFees } from './fee-screen.ts'
import { expect } from './fixtures.ts'
import { confirmPayout, fillForm, getQuote, hongKong, readPayouts } from './payout-form.ts'
import { findCard, listCards, type ServiceCaller } from './service-caller.ts'
import { toasts } from './toast.ts'

/** An action whose form is filled in: what confirms it, and whether it took effect at the service. */
type ReadyAction = {
  confirm: () => Promise<void>
  /** Null where nothing of the service shows it. */
  isInEffect: () => Promise<boolean | null>
}

export type ActionRow = {
  endpoint: EndpointName
  prepare: (page: Page, service: ServiceCaller) => Promise<ReadyAction>
  /** What the page shows once it is done. */
  done: (page: Page) => Locator
}

type Row = Omit<ActionRow, 'done'> & Partial<Pick<ActionRow, 'done'>>

const keyed = () => ({ 'idempotency-key': randomUUID() })

/** Every kind of operation as a person starts it in the browser. */
const rows: Record<OperationKind, Row> = {
  'card.lock': cardRow('lock', 'active'),
  'card.unlock': cardRow('unlock', 'locked'),
  'card.suspend': cardRow('suspend', 'active', { choose: { Reason: 'Suspected fraud' } }),
  'card.unsuspend': cardRow('unsuspend', 'suspended', { choose: { Reason: 'The case is resolved' } }),
  'card.activate': cardRow('activate', 'pending-activation'),
  'card.cancel': cardRow('cancel', 'active'),
  'card.change-pin': cardRow('change-pin', 'active', {
    choose: { Reason: 'Cardholder request' },
    fill: { 'New PIN': '483920', 'New PIN again': '483920' },
  }),
  'card.issue': {
    endpoint: 'issueCard',
    async prepare(page, service) {
      const { id } = await anyAccount(service)
      const before = (await listCards(service, id)).length
      await page.goto(routes.cardAccount('sandbox', id))
      await page.getByRole('button', { name: 'Issue card' }).click()
      await dialog(page).getByLabel('Product').selectOption({ label: 'Online Purchase' })
      await dialog(page).getByLabel('Name on the card').fill('MEI LING CHAN')
      return {
        confirm: confirmBy(page, 'Issue card'),
        isInEffect: async () => (await listCards(service, id)).length > before,
      }
    },
  },
  'card.replace': {
    endpoint: 'issueCard',
    async prepare(page, service) {
      const ids = await cardThatIs(service, 'active')
      const { cardAccountId } = ids
      const before = (await listCards(service, cardAccountId)).length
      await openCard(page, ids)
      await openAction(page, 'Replace card')
      return {
        confirm: confirmBy(page, 'Issue replacement'),
        isInEffect: async () => (await listCards(service, cardAccountId)).length > before,
      }
    },
  },
  'account.open': {
    endpoint: 'createCardAccount',
    async prepare(page, service) {
      const name = `Odd ${randomUUID().slice(0, 8)}`
      await fillNewAccount(page, name)
      await page.getByRole('button', { name: 'Open account…' }).click()
      return {
        confirm: confirmBy(page, 'Open account'),
        isInEffect: async () => (await newestAccounts(service)).some((account) => account.name === name),
      }
    },
    done: (page) => page.getByText('Identity pending'),
  },
  'fee.waive': {
    endpoint: 'waiveFee',
    async prepare(page, service) {
      const intent = `nc-${randomUUID().slice(0, 8)}`
      const { id } = await chargeFee(service, await anyAccount(service), 12, intent)
      await openFees(page, `?intent=${intent}`)
      await page.getByRole('button', { name: /^Waive… / }).click()
      await dialog(page).getByLabel('Reason').selectOption({ label: 'Goodwill' })
      return {
        confirm: confirmBy(page, 'Waive fee'),
        isInEffect: async () => (await readFees(service, { feeId: id }))[0]?.status === 'void',
      }
    },
  },
  'payout.submit': {
    endpoint: 'executePayout',
    async prepare(page, service) {
      const before = (await readPayouts(service)).length
      await fillForm(page, hongKong)
      await getQuote(page, 'You send', '1250.5')
      await page.getByRole('button', { name: 'Submit…' }).click()
      await confirmPayout(page)
      return {
        confirm: confirmBy(page, 'Submit payout'),
        isInEffect: async () => (await readPayouts(service)).length > before,
      }
    },
  },
  'account.set-limit': {
    endpoint: 'setFixedLimit',
    async prepare(page, service) {
      const account = (await readAccounts(service)).find(
        (one) => (one as AccountOnWire & { accountType: string }).accountType === 'credit',
      ) as (AccountOnWire & { limit: number }) | undefined
      if (!account) throw new Error('the seed has a credit account')
      const limit = account.limit + 1
      await page.goto(routes.cardAccount('sandbox', account.id))
      await page.getByRole('button', { name: 'Set limit…' }).click()
      await dialog(page).getByLabel('New limit').fill(String(limit))
      await dialog(page).getByLabel('Reason').selectOption({ label: 'Credit review' })
      const now = async () => (await readAccounts(service)).find(({ id }) => id === account.id)
      return {
        confirm: confirmBy(page, 'Set limit'),
        isInEffect: async () => ((await now()) as { limit?: number } | undefined)?.limit === limit,
      }
    },
  },
  'identity.resubmit': {
    endpoint: 'resubmitClientIdentity',
    async prepare(page, service) {
      const { id } = await anyAccount(service)
      await decide(service, id, 'reject')
      await page.goto(routes.identityCase('sandbox', id))
      await page.getByRole('button', { name: 'Resubmit…' }).click()
      const form = dialog(page)
      for (const [label, text] of Object.entries(cardholder)) await form.getByLabel(label).fill(text)
      await form.getByLabel('Number').fill('A1234567')
      const nationality = form.getByRole('combobox', { name: 'Nationality' })
      await nationality.fill('Hong Kong')
      await nationality.press('Enter')
      return {
        confirm: confirmBy(page, 'Resubmit identity'),
        isInEffect: async () => (await identityOf(service, id)) === 'pending',
      }
    },
  },
  'identity.simulate': {
    endpoint: 'simulateClientIdentityStatus',
    async prepare(page, service) {
      const { id } = await anyAccount(service)
      await decide(service, id, 'reject')
      await page.goto(routes.identityCase('sandbox', id))
      await page.getByRole('button', { name: 'Simulate' }).click()
      await page.getByRole('menuitem', { name: 'Approve' }).click()
      return {
        confirm: confirmBy(page, 'Simulate approval'),
        isInEffect: async () => (await identityOf(service, id)) === 'approved',
      }
    },
  },
  'reference.set': {
    endpoint: 'setXmetadata',
    async prepare(page, service) {
      const { id } = await anyAccount(service)
      const xid = `nc-${randomUUID()}`
      await page.goto(routes.cardAccount('sandbox', id))
      await page.getByRole('button', { name: /^(Edit|Add) references$/ }).click()
      const part = dialog(page).getByRole('group', { name: 'External ID (xid)' })
      await part.getByRole('radio', { name: 'Replace' }).check()
      await part.getByLabel('New external ID').fill(xid)
      const now = async () => (await readAccounts(service)).find((account) => account.id === id)
      return {
        confirm: confirmBy(page, 'Send change'),
        isInEffect: async () => ((await now()) as { xid?: string } | undefined)?.xid === xid,
      }
    },
  },
  'webhook.create': {
    endpoint: 'createWebhook',
    async prepare(page, service) {
      const url = await fillNewWebhook(page)
      return { confirm: confirmBy(page, 'Add webhook'), isInEffect: () => isRegistered(service, url) }
    },
  },
  'webhook.remove': {
    endpoint: 'removeWebhook',
    async prepare(page, service) {
      const { url } = await openRemoval(page)
      return {
        confirm: () => confirmRemoval(page),
        isInEffect: async () => !(await isRegistered(service, url)),
      }
    },
  },
  'webhook.recreate': {
    endpoint: 'createWebhook',
    async prepare(page, service) {
      const { url, panel } = await openRemoval(page)
      await confirmRemoval(page)
      await panel.getByRole('button', { name: 'Create again' }).click()
      return { confirm: confirmBy(page, 'Create again'), isInEffect: () => isRegistered(service, url) }
    },
  },
}

/** Every kind of operation, with what shows that it is done. */
export const actionRows = Object.entries(rows).map(([kind, row]) => ({
  kind,
  done: (page: Page) =>
    toasts(page)
      .getByText(operationDefinition(kind as OperationKind).done)
      .first(),
  ...row,
}))

function confirmBy(page: Page, label: string): () => Promise<void> {
  return () => dialog(page).getByRole('button', { name: label, exact: true }).click()
}

function cardRow(action: CardAction, from: CardStatus, { choose = {}, fill = {} }: Entries = {}): Row {
  const { endpoint, label } = cardActionRow(action)
  return {
    endpoint,
    async prepare(page, service) {
      const ids = await cardThatIs(service, from)
      const entries = {
        ...fill,
        ...(action === 'activate' ? { 'Last six': (await readCardNumber(service, ids)).slice(-6) } : {}),
      }
      const { last4, expiryMonth, expiryYear } = await readCard(service, ids)
      await openCard(page, ids)
      await openAction(page, shortLabel(action))
      const window = dialog(page)
      for (const [field, value] of Object.entries(choose)) await window.getByLabel(field).selectOption({ label: value })
      for (const [field, value] of Object.entries(entries))
        await window.getByLabel(field, { exact: field === 'New PIN' }).fill(value)
      if (action === 'activate') {
        await window.getByLabel('Expiry month').selectOption(String(expiryMonth))
        await window.getByLabel('Expiry year').selectOption(String(expiryYear))
      }
      if (action === 'cancel') {
        await window.getByLabel('Reason').selectOption({ index: 1 })
        await window.getByLabel(/^Type the last four digits/).fill(last4)
      }
      return {
        confirm: confirmBy(page, label),
        isInEffect: async () => (action === 'change-pin' ? null : (await readCardStatus(service, ids)) !== from),
      }
    },
  }
}

/** A card in this status: an active one that is brought there, or one of a fresh seed. */
async function cardThatIs(service: ServiceCaller, status: CardStatus): Promise<CardIds> {
  if (status === 'pending-activation') {
    await service.control.reset()
    return findCard(service, status)
  }
  const ids = await findCard(service, 'active')
  const path = { locked: '/cards/lock', suspended: '/cards/suspend' }[status as string]
  if (path) expect((await service.post(path, ids, keyed())).status).toBe(200)
  return ids
}

async function anyAccount(service: ServiceCaller): Promise<AccountOnWire> {
  const [account] = await readAccounts(service)
  if (!account) throw new Error('the seed has accounts')
  return account
}

async function newestAccounts(service: ServiceCaller): Promise<AccountOnWire[]> {
  const { body } = await service.get('/cardaccounts', { pageSize: '5' })
  return (body as { cardaccounts: AccountOnWire[] }).cardaccounts
}

async function decide(service: ServiceCaller, cardAccountId: string, action: 'approve' | 'reject'): Promise<void> {
  const { status } = await service.post(
    '/cardaccounts/simulate-client-identity-status',
    { cardAccountId, action },
    keyed(),
  )
  expect(status).toBe(200)
}

async function identityOf(service: ServiceCaller, cardAccountId: string): Promise<string> {
  const { body } = await service.get('/cardaccounts/client-identity', { cardAccountId })
  return (body as { status: string }).status
}

async function isRegistered(service: ServiceCaller, url: string): Promise<boolean> {
  const { body } = await service.get('/webhooks')
  return (body as { webhooks: { url: string; status: string }[] }).webhooks.some(
    (webhook) => webhook.url === url && webhook.status !== 'removed',
  )
}

/** Fills the form of a webhook, up to its confirmation. Returns its URL, whose host is its name. */
async function fillNewWebhook(page: Page): Promise<string> {
  const url = `https://nc-${randomUUID().slice(0, 8)}.example/hook`
  await page.goto(routes.webhooks('sandbox'))
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await dialog(page).getByLabel('URL', { exact: true }).fill(url)
  return url
}

/** A webhook that was just added: its URL, and its panel with the dialog that removes it open. */
async function openRemoval(page: Page): Promise<{ url: string; panel: Locator }> {
  const url = await fillNewWebhook(page)
  await confirmBy(page, 'Add webhook')()
  const panel = page.getByRole('region', { name: new URL(url).host })
  await panel.getByRole('button', { name: 'Remove…' }).click()
  return { url, panel }
}

/** Types how many events are lost, which may change meanwhile, and confirms the removal of a webhook. */
async function confirmRemoval(page: Page): Promise<void> {
  const remove = dialog(page).getByRole('button', { name: 'Remove webhook' })
  await expect(async () => {
    const typed = dialog(page).getByLabel(/^Type the number of queued events/)
    const label = await typed.evaluate((field: HTMLInputElement) => field.labels?.[0]?.textContent, undefined, {
      timeout: 1000,
    })
    await typed.fill(/\d+/.exec(label ?? '')?.[0] ?? '0')
    await remove.click({ timeout: 1000 })
  }).toPass({ timeout: 30_000 })
}

const cardholder = {
  'First name': 'Mei',
  'Last name': 'Chan',
  'Date of birth': '1990-02-03',
  Email: 'mei@example.com',
  Mobile: '+852 9123 4567',
  'Residential address': '1 Queen’s Road Central',
}

/** The steps of a new account of Hong Kong, up to its last one. */
async function fillNewAccount(page: Page, name: string): Promise<void> {
  const next = page.getByRole('button', { name: 'Continue' })
  const choose = async (label: string, text: string) => {
    const field = page.getByRole('combobox', { name: label })
    await field.fill(text)
    await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
    await field.press('Enter')
  }
  // A form that was not sent survives a reload.
  await page.addInitScript(() => sessionStorage.clear())
  await page.goto(routes.openAccount('sandbox'))
  for (const [label, text] of Object.entries(cardholder)) await page.getByLabel(label).fill(text)
  await page.getByLabel('Gender').selectOption({ label: 'Female' })
  await choose('Nationality', 'hong kong')
  await choose('Occupation', 'engi')
  await choose('Position', 'manager')
  await next.click()
  await page.getByLabel('Type').selectOption({ label: 'Passport' })
  await page.getByLabel('Number').fill('K1234567')
  await choose('Issuing country', 'singa')
  await page.getByLabel('Expires').fill('2031-01-01')
  await next.click()
  await page.getByLabel('Account name').fill(name)
  await next.click()
}
