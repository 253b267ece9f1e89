import { expect, test } from 'vitest'
import { accounts } from '#lib/service/tables/payouts.ts'
import { amount } from '#lib/shared/money.ts'
import { listFundingAccounts } from './funding-accounts.ts'
import { shareConsole } from './testing/open-console.ts'

const desk = shareConsole({ seeded: 1 })

test('funding accounts are those of the service', async () => {
  await desk.signIn('viewer')
  const { accounts: listed, freshness } = await listFundingAccounts('sandbox')
  expect(freshness.source).toBe('service')
  const truth = await desk.service.service.db.select().from(accounts)
  expect(listed.map(({ id }) => id).toSorted()).toEqual(truth.map(({ id }) => id).toSorted())
  for (const account of listed) {
    const row = truth.find(({ id }) => id === account.id)
    expect(amount(account.balance ?? '').equals(row?.balance ?? '')).toBe(true)
    expect(amount(account.available ?? '').equals(row?.available ?? '')).toBe(true)
  }
})

test('what a service sends beyond the interface is passed on as it is', async () => {
  await desk.signIn('viewer')
  desk.intercept.before = (_, response) => {
    response.setHeader('content-type', 'application/json')
    const account = { id: 'a-1', name: 'Gold', currency: 'XAU', balance: 1e12, available: -1, kind: 'vault' }
    response.end(JSON.stringify({ accounts: [account] }))
    return true
  }
  const [listed] = (await listFundingAccounts('sandbox')).accounts
  expect(listed).toMatchObject({ balance: 1e12, otherFields: { kind: 'vault' } })
})
