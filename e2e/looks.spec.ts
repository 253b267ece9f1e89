import type { Page } from '@playwright/test'
import type { Role } from '#lib/console/desk/permissions.ts'
import { cardPath } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { findCard, type ServiceCaller } from './service-caller.ts'

/* The main pages at a telephone's, a laptop's and a wide screen's width; `npm run e2e:full` takes a picture of each in both themes. */

type Path = string | ((service: ServiceCaller) => Promise<string>)

const pages: Record<string, Path> = {
  overview: '/sandbox',
  'my-work': '/sandbox/my-work',
  'card-accounts': '/sandbox/card-accounts',
  account: async (service) => cardPath(await findCard(service, 'suspended')).replace(/\/cards\/.*/, ''),
  card: async (service) => cardPath(await findCard(service, 'active')),
  'cancelled-card': async (service) => cardPath(await findCard(service, 'cancelled')),
  transaction: firstTransaction,
  fees: '/sandbox/fees',
  payouts: '/sandbox/payouts',
  payout: async (service) => `/sandbox/payouts/${await firstPayout(service)}`,
  'new-payout': '/sandbox/payouts/new',
  'funding-accounts': '/sandbox/funding-accounts',
  rates: '/sandbox/rates',
  banks: '/sandbox/banks',
  identity: '/sandbox/identity',
  limits: '/sandbox/card-accounts/limits',
  'open-account': '/sandbox/card-accounts/new',
  webhooks: '/sandbox/webhooks',
  inbox: '/sandbox/webhooks/inbox',
  'bulk-jobs': '/sandbox/bulk-jobs',
  approvals: '/sandbox/approvals',
  audit: '/sandbox/audit',
  requests: '/sandbox/requests',
  connection: '/sandbox/settings/connection',
}

const pagesOfAdmin: Record<string, Path> = {
  staff: '/sandbox/settings/staff',
  policy: '/sandbox/settings/policy',
  embedding: '/sandbox/settings/embedding',
}

for (const [role, table] of [
  ['operations', pages],
  ['admin', pagesOfAdmin],
] as [Role, Record<string, Path>][]) {
  for (const [name, path] of Object.entries(table)) {
    test(`${name}: nothing is cut off at 360, 1024 and 1600 px`, async ({ page, service, signIn }) => {
      await signIn(role)
      await page.goto(typeof path === 'string' ? path : await path(service))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForLoadState('networkidle', { timeout: 1500 }).catch(() => undefined)
      for (const width of [360, 1024, 1600]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await cutOff(page), `cut off at ${width} px`).toEqual([])
        // Pictures are for the eye, and take longer than everything else here.
        for (const theme of process.env.E2E_LOOKS === 'full' ? (['light', 'dark'] as const) : []) {
          await page.emulateMedia({ colorScheme: theme })
          const file = test.info().outputPath(`look-${name}-${width}-${theme}.png`)
          await page.screenshot({ path: file, fullPage: true })
        }
      }
    })
  }
}

/** Texts wider than their box without an ellipsis, and elements beyond the right edge of the window. */
async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways')
    for (const element of document.querySelectorAll('main *')) {
      if (!(element instanceof HTMLElement) || element.scrollWidth <= element.clientWidth + 1) continue
      const { overflowX, textOverflow } = getComputedStyle(element)
      if (element.clientWidth <= 1 || textOverflow === 'ellipsis' || !/hidden|clip/.test(overflowX)) continue
      found.push(`${element.tagName} ${element.textContent.slice(0, 60)}`)
    }
    return found
  })
}

async function firstTransaction(service: ServiceCaller): Promise<string> {
  const { cardAccountId } = await findCard(service, 'active')
  const { body } = await service.get('/cardaccounts/transactions', { cardAccountId, intent: 'charge' })
  const [transaction] = (body as { transactions: { id: string }[] }).transactions
  return `/sandbox/card-accounts/${cardAccountId}/transactions/${transaction?.id}`
}

async function firstPayout(service: ServiceCaller): Promise<string> {
  const { payouts } = (await service.get('/payouts')).body as { payouts: { id: string }[] }
  return payouts[0]?.id ?? ''
}
