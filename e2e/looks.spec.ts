import type { Role } from '#lib/auth/permissions.ts'
import { cardPath } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { serverOfWorker } from './server-of-worker.ts'
import { findCard, type ServiceCaller } from './service-caller.ts'

/* Every page as it opens. */

type Path = string | ((service: ServiceCaller) => Promise<string>)

const pages: Record<string, Path> = {
  overview: '/sandbox',
  'card-accounts': '/sandbox/card-accounts',
  account: async (service) => cardPath(await findCard(service, 'suspended')).replace(/\/cards\/.*/, ''),
  card: async (service) => cardPath(await findCard(service, 'active')),
  'cancelled-card': async (service) => cardPath(await findCard(service, 'cancelled')),
  transaction: firstTransaction,
  transactions: '/sandbox/transactions',
  declines: '/sandbox/transactions?status=declined',
  disputes: '/sandbox/transactions?dispute=open&sort=disputeOpenedAt',
  'disputed-accounts': '/sandbox/card-accounts?disputed=yes&sort=disputedSince',
  cards: '/sandbox/cards?sort=-limitUse',
  outcomes: '/sandbox/operations',
  fees: '/sandbox/fees',
  payouts: '/sandbox/payouts',
  payout: async (service) => `/sandbox/payouts/${await firstPayout(service)}`,
  receipt: async (service) => `/sandbox/payouts/${await firstPayout(service)}/receipt`,
  'new-payout': '/sandbox/payouts/new',
  'funding-accounts': '/sandbox/funding-accounts',
  rates: '/sandbox/rates',
  banks: '/sandbox/banks',
  identity: '/sandbox/identity',
  'identity-case': firstCase,
  lab: '/sandbox/lab',
  explorer: '/sandbox/lab/explorer',
  scenarios: '/sandbox/lab/scenarios',
  limits: '/sandbox/card-accounts/limits',
  'open-account': '/sandbox/card-accounts/new',
  webhooks: '/sandbox/webhooks',
  inbox: '/sandbox/webhooks/inbox',
  'bulk-jobs': '/sandbox/bulk-jobs',
  approvals: '/sandbox/approvals',
  audit: '/sandbox/audit',
  requests: '/sandbox/requests',
  connection: '/sandbox/settings/connection',
  'own-account': '/sandbox/settings/account',
  'embedded-view': async (service) => {
    const { cardAccountId, cardId } = await findCard(service, 'active')
    const object = { environment: 'sandbox', type: 'card', id: cardId, cardAccountId }
    return `http://embed.localhost:${new URL(serverOfWorker()?.url ?? '').port}/?${new URLSearchParams(object)}`
  },
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
    test(`${name}: in every look nothing is cut off, and axe finds nothing`, async ({
      page,
      service,
      signIn,
      expectAccessibleInEveryLook,
    }) => {
      await signIn(role)
      await page.goto(typeof path === 'string' ? path : await path(service))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0, { timeout: 30_000 })
      await expect(page.locator('[aria-invalid]'), 'fields that are wrong before anything was entered').toHaveCount(0)
      await expectAccessibleInEveryLook()
    })
  }
}

async function firstTransaction(service: ServiceCaller): Promise<string> {
  const { cardAccountId } = await findCard(service, 'active')
  const { body } = await service.get('/cardaccounts/transactions', { cardAccountId, intent: 'charge' })
  const [transaction] = (body as { transactions: { id: string }[] }).transactions
  return `/sandbox/card-accounts/${cardAccountId}/transactions/${transaction?.id}`
}

/** Of a rejected identity, which has the most to show. */
async function firstCase(service: ServiceCaller): Promise<string> {
  const { cardaccounts } = (await service.get('/cardaccounts')).body as { cardaccounts: { id: string }[] }
  for (const { id } of cardaccounts) {
    const { body } = await service.get('/cardaccounts/client-identity', { cardAccountId: id })
    if (JSON.stringify(body).includes('"rejected"')) return `/sandbox/identity/${id}`
  }
  throw new Error('no identity is rejected')
}

async function firstPayout(service: ServiceCaller): Promise<string> {
  const { payouts } = (await service.get('/payouts')).body as { payouts: { id: string }[] }
  return payouts[0]?.id ?? ''
}
