import type { Page } from '@playwright/test'
import { cardPath } from './card-screen.ts'
import { test } from './fixtures.ts'
import { findCard, type ServiceCaller } from './service-caller.ts'

/* Pictures of the pages at three widths in both themes, for reading by eye. */

const accountPath = (path: string) => path.replace(/\/cards\/.*/, '')
const disputed = async (service: ServiceCaller) => {
  const { body } = await service.get('/cardaccounts', { pageSize: '100' })
  const { cardaccounts } = body as { cardaccounts: { id: string; disputeAmount: number }[] }
  return cardaccounts.find(({ disputeAmount }) => disputeAmount > 0)?.id ?? ''
}
const payout = async (service: ServiceCaller) => {
  const { body } = await service.get('/payouts')
  return (body as { payouts: { id: string }[] }).payouts[0]?.id ?? ''
}

const pages: Record<string, (service: ServiceCaller) => Promise<string> | string> = {
  overview: () => '/sandbox',
  'card-accounts': () => '/sandbox/card-accounts',
  account: async (service) => `/sandbox/card-accounts/${await disputed(service)}`,
  'card-active': async (service) => cardPath(await findCard(service, 'active')),
  'card-cancelled': async (service) => cardPath(await findCard(service, 'cancelled')),
  'card-suspended': async (service) => cardPath(await findCard(service, 'suspended')),
  identity: () => '/sandbox/identity',
  'identity-case': async (service) =>
    accountPath(cardPath(await findCard(service, 'active'))).replace('card-accounts', 'identity'),
  'open-account': () => '/sandbox/card-accounts/new',
  limits: () => '/sandbox/card-accounts/limits',
  fees: () => '/sandbox/fees',
  payouts: () => '/sandbox/payouts',
  payout: async (service) => `/sandbox/payouts/${await payout(service)}`,
  receipt: async (service) => `/sandbox/payouts/${await payout(service)}/receipt`,
  'my-work': () => '/sandbox/my-work',
  'new-payout': () => '/sandbox/payouts/new',
  rates: () => '/sandbox/rates',
  banks: () => '/sandbox/banks',
  funding: () => '/sandbox/funding-accounts',
  'bulk-jobs': () => '/sandbox/bulk-jobs',
  audit: () => '/sandbox/audit',
  webhooks: () => '/sandbox/webhooks',
  inbox: () => '/sandbox/webhooks/inbox',
  connection: () => '/sandbox/settings/connection',
  embedding: () => '/sandbox/settings/embedding',
  production: () => '/production',
  'not-found-card': () => '/sandbox/card-accounts/nope/cards/nope',
  'not-found-payout': () => '/sandbox/payouts/5d1c7a52-0000-4000-8000-000000000099',
  'not-found-page': () => '/sandbox/nothing',
  'not-found-root': () => '/nothing',
}

async function pictures(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    for (const width of [360, 1024, 1600]) {
      await page.setViewportSize({ width, height: width === 360 ? 800 : 1000 })
      await page.waitForTimeout(150)
      await page.screenshot({ path: test.info().outputPath(`${name}-${width}-${theme}.png`), fullPage: width !== 360 })
    }
  }
}

for (const [name, path] of Object.entries(pages)) {
  test(`picture of ${name}`, async ({ page, service, signIn, expectProblem }) => {
    expectProblem(/./)
    await signIn('operations')
    await page.goto(await path(service))
    await page.waitForTimeout(900)
    await pictures(page, name)
  })
}

test('picture of sign-in', async ({ page, expectProblem }) => {
  expectProblem(/./)
  await page.goto('/sign-in')
  await pictures(page, 'sign-in')
})

for (const role of ['viewer', 'support', 'approver', 'qa', 'admin'] as const) {
  test(`picture of what the ${role} sees`, async ({ page, service, signIn, expectProblem }) => {
    expectProblem(/./)
    await signIn(role)
    await page.setViewportSize({ width: 1440, height: 1000 })
    for (const name of [
      'card-active',
      'fees',
      'payouts',
      'new-payout',
      'webhooks',
      'identity-case',
      'account',
      'limits',
    ]) {
      await page.goto((await pages[name]?.(service)) ?? '/')
      await page.waitForTimeout(700)
      await page.screenshot({ path: test.info().outputPath(`${role}-${name}.png`), fullPage: true })
    }
  })
}
