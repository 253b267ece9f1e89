import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { verifyAuditChain } from '#lib/audit/chain.ts'
import { cardIn, readCardStatus } from '#lib/console/testing/cards.ts'
import { toSettings, startProcess } from '#lib/console/testing/console-process.ts'
import { openConsole, type TestConsole } from '#lib/console/testing/open-console.ts'
import { cards, products } from '#lib/service/tables/cards.ts'
import { events } from '#lib/service/tables/webhooks.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { operations } from '#lib/tables/operations.ts'
import { settleUnknownOperations } from './settle-due.ts'

/** Runs a console process on these operations and kills it after a while; what it acknowledged until then. */
async function runAndKill(desk: TestConsole, tasks: unknown[], afterMs: number | null): Promise<string[]> {
  const { child, exited, output } = startProcess(new URL('../console/testing/crash-child.ts', import.meta.url), {
    ...toSettings(desk),
    TASKS: JSON.stringify(tasks),
  })
  await vi.waitFor(() => expect(output()).toContain('ready'), { timeout: 120_000, interval: 5 })
  if (afterMs !== null) {
    await delay(afterMs)
    child.kill('SIGKILL')
  }
  await exited
  return output()
    .split('\n')
    .filter((line) => line.startsWith('done'))
}

const kills = cases(6)

test('a console killed (-9) at random points of its actions: nothing acknowledged is lost, nothing happens twice', async () => {
  const desk = await openConsole({ seeded: 6 })
  const { target } = await cardIn(desk, 'active')
  const { cardAccountId, cardId } = target
  const effects = async () => {
    const { rows } = await desk.service.service.db.execute<{ count: number }>(
      sql`select count(*)::int as count from ${events} where event = 'card.updated' and data ->> 'id' = ${cardId}`,
    )
    return rows[0]?.count ?? 0
  }
  const before = await effects()
  const tasks = Array.from({ length: 20 }, (_, index) => ({
    id: randomUUID(),
    kind: index % 2 === 0 ? 'card.lock' : 'card.unlock',
    cardAccountId,
    cardId,
  }))
  const acknowledged = new Set<string>()
  for (let kill = 0; kill < kills; kill += 1) {
    const rest = tasks.filter(({ id }) => !acknowledged.has(id))
    for (const line of await runAndKill(desk, rest, randomInt(1, 150))) acknowledged.add(line.split(' ')[1] ?? '')
    await desk.db.update(operations).set({
      leaseUntil: sql`least(lease_until, clock_timestamp())`,
      nextSettlementAt: sql`least(next_settlement_at, clock_timestamp())`,
    })
    await settleUnknownOperations()
  }
  for (const line of await runAndKill(desk, tasks, null)) acknowledged.add(line.split(' ')[1] ?? '')

  expect(acknowledged.size).toBe(20)
  expect((await effects()) - before).toBe(20)
  expect(await readCardStatus(desk, cardId)).toBe('active')
  const rows = await desk.db.select().from(operations)
  expect(rows.map(({ state }) => state)).toEqual(Array(20).fill('done'))
  const done = await desk.db.select().from(auditEntries).where(eq(auditEntries.outcome, 'done'))
  expect(new Set(done.map(({ operationId }) => operationId)).size).toBe(20)
  expect(done).toHaveLength(20)
  expect(await verifyAuditChain(desk.db)).toMatchObject({ holds: true })
})

test('a console killed (-9) at random points of replacing lost cards: each card is cancelled and replaced once', async () => {
  const desk = await openConsole({ seeded: 30 })
  const { db } = desk.service.service
  const active = await db
    .select({ card: cards, type: products.cardType })
    .from(cards)
    .innerJoin(products, eq(products.id, cards.productId))
    .where(eq(cards.status, 'active'))
    .limit(8)
  const tasks = active.map(({ card, type }, index) => ({
    id: randomUUID(),
    kind: 'card.replace' as const,
    cardAccountId: card.cardAccountId,
    cardId: card.id,
    embossedName: `REPLACED ${'ABCDEFGH'[index] ?? ''}`,
    productId: card.productId,
    type,
  }))
  const acknowledged = new Set<string>()
  for (let kill = 0; kill < kills; kill += 1) {
    const rest = tasks.filter(({ id }) => !acknowledged.has(id))
    for (const line of await runAndKill(desk, rest, randomInt(1, 400))) acknowledged.add(line.split(' ')[1] ?? '')
    await desk.db.update(operations).set({
      leaseUntil: sql`least(lease_until, clock_timestamp())`,
      nextSettlementAt: sql`least(next_settlement_at, clock_timestamp())`,
    })
    await settleUnknownOperations()
  }
  for (const line of await runAndKill(desk, tasks, null)) acknowledged.add(line.split(' ')[1] ?? '')

  expect(acknowledged.size).toBe(tasks.length)
  for (const { id, cardId, embossedName } of tasks) {
    const made = await db.select({ id: cards.id }).from(cards).where(eq(cards.embossedName, embossedName))
    expect(made, embossedName).toHaveLength(1)
    expect(await readCardStatus(desk, cardId)).toBe('cancelled')
    const [head] = await desk.db.select().from(operations).where(eq(operations.id, id))
    expect(head).toMatchObject({ state: 'done', resultId: made[0]?.id })
  }
  const rows = await desk.db.select().from(operations)
  expect(rows).toHaveLength(3 * tasks.length)
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['done']))
  expect(await verifyAuditChain(desk.db)).toMatchObject({ holds: true })
})
