import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { scheduleWork } from './due-work.ts'
import { cards } from './tables/cards.ts'
import { dueWork } from './tables/runtime.ts'
import { addCard } from './testing-records.ts'
import { testService } from './testing.ts'
import { startServiceWork } from './work.ts'

test('performs due work in the background, and nothing more once it is stopped', async () => {
  const { service } = await testService()
  const first = await addCard(service.db, { status: 'pending-issue' })
  const second = await addCard(service.db, { status: 'pending-issue' })
  const schedule = (cardId: string) =>
    scheduleWork({ db: service.db, now: new Date() }, { kind: 'produce-card', subject: cardId, afterMs: -1000 })
  const statusOf = async (cardId: string) =>
    (await service.db.select().from(cards).where(eq(cards.id, cardId)))[0]?.status

  await schedule(first.cardId)
  const stop = startServiceWork(service)
  await vi.waitFor(async () => expect(await statusOf(first.cardId)).toBe('pending-activation'), { timeout: 10_000 })
  await stop()

  await schedule(second.cardId)
  expect(await service.db.select().from(dueWork)).toHaveLength(1)
  expect(await statusOf(second.cardId)).toBe('pending-issue')
})
