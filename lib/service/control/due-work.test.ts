import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { dayMs } from '#lib/shared/time.ts'
import { dueWork } from '../tables/runtime.ts'
import { webhooks } from '../tables/webhooks.ts'
import { openAccount, unknownId } from '../testing-accounts.ts'
import { testService } from '../testing.ts'

type Due = { kind: string; dueAt: string }

test('lists what will happen, in the order of due times, and without payloads', async () => {
  const service = await testService({ seeded: 1 })
  const { db } = service.service
  await db.delete(dueWork)
  const list = async (query = '') => (await service.control('GET', `/due-work${query}`)).json
  expect(await list()).toEqual({ work: [], hasMore: false })

  const account = await openAccount(service, {}, 'physical')
  const virtual = await openAccount(service)
  const charge = (await service.control('POST', '/charges', { ...virtual, amount: 5, currency: 'HKD' })).json
  const dueAt = new Date(Date.now() + 20 * dayMs)
  await db.insert(dueWork).values({ kind: 'advance-payout', subject: unknownId, dueAt, payload: { sealed: 'secret' } })
  const created = await service.call('createWebhook', { body: { url: 'http://127.0.0.1:9/hook', events: ['*'] } })
  const webhookId = created.json.id
  await db.update(webhooks).set({ status: 'error', dueAt }).where(eq(webhooks.id, webhookId))

  const { work, hasMore } = await list()
  expect(work).toEqual([
    { kind: 'capture-transaction', dueAt: expect.any(String), ...virtual, transactionId: charge.id },
    { kind: 'produce-card', dueAt: expect.any(String), ...account },
    expect.objectContaining({ dueAt: dueAt.toISOString() }),
    expect.objectContaining({ dueAt: dueAt.toISOString() }),
  ])
  expect(work.slice(2)).toEqual(
    expect.arrayContaining([
      { kind: 'advance-payout', dueAt: dueAt.toISOString(), payoutId: unknownId },
      { kind: 'ping-webhook', dueAt: dueAt.toISOString(), webhookId },
    ]),
  )
  expect(JSON.stringify(work)).not.toContain('secret')
  expect(hasMore).toBe(false)
  expect(Date.parse(work[0].dueAt) - Date.parse(charge.createdAt)).toBe(dayMs)

  const page = await list('?limit=2')
  expect([page.work.map(({ kind }: Due) => kind), page.hasMore]).toEqual([
    ['capture-transaction', 'produce-card'],
    true,
  ])
  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'size=3'])
    expect((await service.control('GET', `/due-work?${query}`)).status, query).toBe(400)
})

test('lists what happened, the latest first, until the reset', async () => {
  const service = await testService({ seeded: 1 })
  await service.service.db.delete(dueWork)
  const card = await openAccount(service)
  const charge = (await service.control('POST', '/charges', { ...card, amount: 5, currency: 'HKD' })).json
  const performed = async (query = '') => (await service.control('GET', `/performed-work${query}`)).json
  expect(await performed()).toEqual({ work: [], hasMore: false })
  const { work } = (await service.control('GET', '/due-work')).json
  await service.control('POST', '/clock', { advance: 'P2D' })
  expect(await performed()).toEqual({ work: work.slice(0, 1), hasMore: false })
  expect(work[0]).toMatchObject({ kind: 'capture-transaction', transactionId: charge.id })
  expect((await service.control('GET', '/performed-work?limit=0')).status).toBe(400)
  await service.control('POST', '/reset')
  expect(await performed()).toEqual({ work: [], hasMore: false })
})
