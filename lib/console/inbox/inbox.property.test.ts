import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { notificationsWritten } from '#lib/live/publish.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { changes } from '#lib/tables/changes.ts'
import { readInboxCounts, deliver, endLeases, makeEvent, readInboxEvents, signingKey } from '../testing/deliveries.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { applyInbox, applyingDone } from './apply.ts'

/** How often each account was published as changed. */
async function reportedOf(desk: TestConsole): Promise<Map<string, number>> {
  await notificationsWritten()
  const reported = new Map<string, number>()
  for (const { about } of await desk.db.select().from(changes)) {
    for (const change of about)
      if (change.type === 'cardaccount') reported.set(change.id, (reported.get(change.id) ?? 0) + 1)
  }
  return reported
}

test('an event is stored and applied once under duplicates, reordering, restarts and several processes', async () => {
  const desk = await openConsole({ seeded: 1 })
  const key = await signingKey()
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('deliver' as const), index: fc.nat(9) }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'crash' as const, index: 0 }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'apply' as const, index: 0 }) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const events = Array.from({ length: 10 }, () =>
        makeEvent('cardaccount.transaction.created', { cardAccountId: randomUUID() }),
      )
      let crashes = 0
      // A process that is killed while it reads the record back: its lease ends, another process applies the event, and
      // it restarts.
      desk.intercept.before = async () => {
        if (crashes === 0) return false
        crashes -= 1
        await endLeases(desk)
        await applyInbox()
        return false
      }
      const delivered = new Set<number>()
      const running: Promise<unknown>[] = []
      for (const { kind, index } of steps) {
        if (kind === 'crash') crashes += 1
        else if (kind === 'apply') running.push(applyInbox())
        else {
          delivered.add(index)
          running.push(deliver(key, events[index]).then(({ status }) => expect(status).toBe(200)))
        }
      }
      await Promise.all(running)
      await applyingDone()
      crashes = 0
      await endLeases(desk)
      await applyInbox()

      const reported = await reportedOf(desk)
      for (const [index, event] of events.entries()) {
        expect(reported.get(String(event.data.cardAccountId)) ?? 0).toBe(delivered.has(index) ? 1 : 0)
      }
      const open = (await readInboxEvents(desk)).filter(({ appliedAt }) => appliedAt === null)
      expect(open).toEqual([])
    }),
    { numRuns: cases(60) },
  )
  const rows = await readInboxEvents(desk)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  const { duplicate = 0 } = await readInboxCounts(desk)
  expect(rows.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(duplicate)
})
