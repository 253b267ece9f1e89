import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { readingsDone } from '#lib/index/single-flight.ts'
import { payouts as servicePayouts } from '#lib/service/tables/payouts.ts'
import { accountProgress, indexedAccounts } from '#lib/tables/card-accounts.ts'
import { payoutProgress } from '#lib/tables/payouts.ts'
import { readOverview } from './overview.ts'
import { openConsole } from './testing/open-console.ts'

test('the overview names payouts that stopped within a day or are in review for longer, and no others', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  const look = async () => {
    Reflect.deleteProperty(globalThis, 'carddeskCachedSums')
    await desk.db.update(payoutProgress).set({ asOf: sql`as_of - interval '1 minute'` })
    const { attention } = await readOverview('sandbox')
    return attention.filter(({ id }) => id.startsWith('payout-'))
  }
  expect(await look()).toEqual([])
  const service = desk.service.service.db
  const [failed] = await service
    .select()
    .from(servicePayouts)
    .where(sql`status = 'failed' and xid = 'PAY-2606'`)
  const [reviewed] = await service
    .select()
    .from(servicePayouts)
    .where(sql`status = 'requested'`)
  await service
    .update(servicePayouts)
    .set({ updated: new Date(Date.now() - 3_600_000) })
    .where(sql`id = ${failed?.id}`)
  await service
    .update(servicePayouts)
    .set({ updated: new Date(Date.now() - 25 * 3_600_000) })
    .where(sql`id = ${reviewed?.id}`)
  expect(await look()).toEqual([
    { id: 'payout-stopped', count: 1, examples: [{ id: failed?.id, label: 'Siti Rahmawati', detail: '9300 HKD' }] },
    {
      id: 'payout-in-review',
      count: 1,
      examples: [{ id: reviewed?.id, label: 'Siti Rahmawati', detail: '25000 HKD' }],
    },
  ])
  // A sandbox whose clock was moved on by two days: what stopped before is news no more.
  await service
    .update(servicePayouts)
    .set({ updated: new Date(Date.now() + 2 * 86_400_000) })
    .where(sql`status = 'under-recall'`)
  expect((await look()).map(({ id }) => id)).toEqual(['payout-in-review'])
})

test('what needs attention is complete once all accounts and payouts were read', async () => {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('viewer')
  await readOverview('sandbox')
  await readingsDone()
  expect((await readOverview('sandbox')).isAttentionComplete).toBe(true)
  for (const progress of [accountProgress, payoutProgress]) {
    await desk.db.update(progress).set({ stoppedBecause: 'limit' })
    expect((await readOverview('sandbox')).isAttentionComplete).toBe(false)
    await desk.db.update(progress).set({ stoppedBecause: null })
  }
})

test('the overview counts the accounts whose identity status is not provided', async () => {
  const desk = await openConsole({ seeded: 3 })
  await desk.signIn('viewer')
  expect(await readOverview('sandbox')).toMatchObject({ identitiesExcluded: 0 })
  await readingsDone()
  await desk.db.update(indexedAccounts).set({ clientIdentityStatus: null })
  Reflect.deleteProperty(globalThis, 'carddeskCachedSums')
  const { identitiesExcluded, attention } = await readOverview('sandbox')
  expect(identitiesExcluded).toBe(await desk.db.$count(indexedAccounts))
  expect(attention.filter(({ id }) => id.startsWith('identity-'))).toEqual([])
})
