import type { Locator, Page } from '@playwright/test'
import { actionButton, readCard, dialog, readCardNumber, openMore, readCardStatus } from './card-screen.ts'
import { readAccount, readAccounts, chargeFee, readFees, type AccountOnWire } from './fee-screen.ts'
import { expect, test } from './fixtures.ts'
import { openPalette } from './palette.ts'
import { findCard, listCards, type ServiceCaller } from './service-caller.ts'
import { expectDone } from './toast.ts'

/* Fifteen jobs of a newcomer in Operations, from the overview, with the number of interactions of each. The ten most frequent take three. */

const most = 3
/** A reason costs one interaction more, and each field that a job needs costs one. */
const longerJobs: Record<string, number> = {
  'waive a fee': 4,
  'raise a limit': 5,
  'activate a card that arrived': 5,
  'hand a card over to Support': 4,
}

/** A person's hand, which counts what it does. An entry of the palette is one interaction. */
function handOn(page: Page) {
  let interactions = 0
  const once = async (act: () => Promise<unknown>) => {
    interactions += 1
    await act()
  }
  return {
    press: (target: Locator) => once(() => target.click()),
    choose: (target: Locator, label: string) => once(() => target.selectOption({ label })),
    type: (target: Locator, text: string) => once(() => target.fill(text)),
    find: (text: string, entry: RegExp) =>
      once(async () => {
        // A console that has just started finds a card once it has read the cards of all accounts.
        const digits = text.split(' ').at(-1) ?? ''
        await expect
          .poll(async () => (await page.request.get('/api/sandbox/search', { params: { q: digits } })).text())
          .toContain(digits)
        const field = await openPalette(page)
        const option = page.getByRole('option', { name: entry }).first()
        await field.fill(text)
        await expect(option).toBeVisible()
        await page.keyboard.press('Enter')
      }),
    goTo: (name: string | RegExp) =>
      once(() => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()),
    interactions: () => interactions,
  }
}

type Hand = ReturnType<typeof handOn>
type CreditAccount = AccountOnWire & { accountType: string; limit: number }
type Job = (hand: Hand, page: Page, service: ServiceCaller) => Promise<void>

async function cardThatIs(service: ServiceCaller, status: string) {
  const ids = await findCard(service, status)
  const card = (await listCards(service, ids.cardAccountId)).find(({ id }) => id === ids.cardId)
  if (!card) throw new Error('the service has this card')
  return { ...ids, last4: card.last4, holder: (await readAccount(service, ids.cardAccountId)).name }
}

/** A lifecycle action by its name and the card's last four digits. */
function cardJob(from: string, labels: string, label: string, confirm: string, to: string, reason?: string): Job {
  return async (hand, page, service) => {
    const card = await cardThatIs(service, from)
    await hand.find(`${labels} ${card.last4}`, new RegExp(`^${label} · card ending ${card.last4}\\s*${card.holder}`))
    const window = dialog(page)
    if (reason) await hand.choose(window.getByLabel('Reason'), reason)
    await hand.press(window.getByRole('button', { name: confirm, exact: true }))
    await expect(window).toBeHidden()
    expect(await readCardStatus(service, card)).toBe(to)
  }
}

const jobs: Record<string, Job> = {
  'lock a card': cardJob('active', 'lock', 'Lock', 'Lock card', 'locked'),
  'unlock a card': cardJob('locked', 'unlock', 'Unlock', 'Unlock card', 'active'),
  'suspend a card': cardJob('active', 'suspend', 'Suspend', 'Suspend card', 'suspended', 'Suspected fraud'),
  'see what a customer owes and bought': async (hand, page, service) => {
    const [account] = await readAccounts(service)
    await hand.find(account?.name ?? '', new RegExp(`^${account?.name}`))
    await expect(page.getByRole('heading', { level: 1, name: account?.name ?? '' })).toBeVisible()
    await expect(page.getByText('Outstanding', { exact: true }).first()).toBeVisible()
    await expect(page.getByRole('table', { name: 'Transactions' })).toBeVisible()
  },
  'see what happened to a card': async (hand, page, service) => {
    const card = await cardThatIs(service, 'active')
    await hand.find(card.last4, new RegExp(`^Card ending ${card.last4}`))
    await expect(page.getByRole('region', { name: 'What happened' })).toBeVisible()
  },
  'waive a fee': async (hand, page, service) => {
    const account = (await readAccounts(service))[0]
    if (!account) throw new Error('the seed has accounts')
    const { id } = await chargeFee(service, account, 75, 'frequent-job')
    await hand.goTo('Fees')
    await hand.press(page.getByRole('button', { name: /^Waive… .* frequent-job/ }).first())
    await hand.choose(dialog(page).getByLabel('Reason'), 'Goodwill')
    await hand.press(dialog(page).getByRole('button', { name: 'Waive fee' }))
    await expectDone(page, 'Fee waived')
    expect((await readFees(service, { feeId: id }))[0]).toMatchObject({ status: 'void' })
  },
  'see where a payout is': async (hand, page, service) => {
    const { body } = await service.get('/payouts')
    const [payout] = (body as { payouts: { id: string }[] }).payouts
    await hand.find(payout?.id ?? '', /^Payout to/)
    await expect(page.getByRole('region', { name: 'What happened' })).toBeVisible()
  },
  'begin a payout': async (hand, page) => {
    await hand.find('new pay', /^New payout/)
    await expect(page.getByRole('form', { name: 'New payout' })).toBeVisible()
  },
  'see whether events reach us': async (hand, page) => {
    await hand.goTo('Developers')
    await expect(page.getByRole('heading', { level: 1, name: 'Webhook health' })).toBeVisible()
  },
  'raise a limit': async (hand, page, service) => {
    const { body } = await service.get('/cardaccounts', { pageSize: '100' })
    const account = (body as { cardaccounts: CreditAccount[] }).cardaccounts.find((one) => one.accountType === 'credit')
    if (!account) throw new Error('the seed has credit accounts')
    await hand.find(account.name, new RegExp(`^${account.name}`))
    await hand.press(page.getByRole('button', { name: 'Set limit…' }))
    await hand.type(dialog(page).getByLabel('New limit'), String(account.limit + 1000))
    await hand.choose(dialog(page).getByLabel('Reason'), 'Cardholder request')
    await hand.press(dialog(page).getByRole('button', { name: 'Set limit' }))
    await expect(dialog(page)).toBeHidden()
    expect(await readAccount(service, account.id)).toMatchObject({ limit: account.limit + 1000 })
  },
  'activate a card that arrived': async (hand, page, service) => {
    const ids = await cardThatIs(service, 'pending-activation')
    const { expiryMonth, expiryYear } = await readCard(service, ids)
    await hand.find(`activate ${ids.last4}`, new RegExp(`^Activate · card ending ${ids.last4}\\s*${ids.holder}`))
    const window = dialog(page)
    await hand.type(window.getByLabel(/last six digits/i), (await readCardNumber(service, ids)).slice(-6))
    await hand.choose(window.getByLabel('Expiry month'), String(expiryMonth).padStart(2, '0'))
    await hand.choose(window.getByLabel('Expiry year'), String(expiryYear))
    await hand.press(window.getByRole('button', { name: 'Activate card' }))
    await expect(window).toBeHidden()
    expect(await readCardStatus(service, ids)).toBe('active')
  },
  'see why an identity was rejected': async (hand, page) => {
    await hand.press(
      page
        .getByRole('region', { name: /^Rejected identities/ })
        .getByRole('link')
        .first(),
    )
    await expect(page.getByRole('region', { name: 'Rejection' })).toBeVisible()
  },
  'download the fees': async (hand, page) => {
    await hand.goTo('Fees')
    const download = page.waitForEvent('download')
    await hand.press(page.getByRole('button', { name: 'Export CSV' }))
    expect((await download).suggestedFilename()).toMatch(/fees.*\.csv$/)
  },
  'hand a card over to Support': async (hand, page, service) => {
    const card = await cardThatIs(service, 'active')
    await hand.find(card.last4, new RegExp(`^Card ending ${card.last4}`))
    const notes = page.getByRole('region', { name: 'Notes' })
    await hand.type(notes.getByRole('textbox', { name: 'Note' }), 'Call back about the lost card')
    await hand.choose(notes.getByLabel('Hand over to'), 'Everybody in Support')
    await hand.press(notes.getByRole('button', { name: 'Add note' }))
    await expect(notes.getByText('Waits for Support').first()).toBeVisible()
  },
  'see the balances of a department': async (hand, page) => {
    await hand.goTo('Accounts')
    await hand.choose(page.getByLabel('Group by'), 'department')
    await expect(page.getByRole('region', { name: 'Balances' }).getByRole('button').first()).toBeVisible()
  },
}

test.beforeEach(async ({ service }) => {
  await service.control.reset()
})

const counts = new Map<string, number>()

test.afterAll(() => {
  process.stdout.write([...counts].map(([name, count]) => `${String(count).padStart(3)}  ${name}\n`).join(''))
})

for (const [name, job] of Object.entries(jobs)) {
  const limit = longerJobs[name] ?? most
  test(`${name}: ${limit} interactions or fewer from the overview`, async ({ page, service, signIn }) => {
    await signIn('operations')
    await page.goto('/sandbox')
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
    const hand = handOn(page)
    await job(hand, page, service)
    counts.set(name, hand.interactions())
    expect(hand.interactions()).toBeLessThanOrEqual(limit)
  })
}

test('what is typed before the digits offers only what the card and the role allow', async ({
  page,
  service,
  signIn,
}) => {
  const card = await cardThatIs(service, 'cancelled')
  await signIn('operations')
  await page.goto('/sandbox')
  await handOn(page).find(`unlock ${card.last4}`, new RegExp(`^Card ending ${card.last4}`))
  await expect(page.getByRole('heading', { level: 1, name: `Card ending ${card.last4}` })).toBeVisible()
  await page.goto(`/sandbox/card-accounts/${card.cardAccountId}/cards/${card.cardId}?action=unlock`)
  await expect(page).not.toHaveURL(/action=/)
  await openMore(page)
  await expect(actionButton(page, 'Unlock')).toBeDisabled()
  await expect(dialog(page)).toHaveCount(0)
})
