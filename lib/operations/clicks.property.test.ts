import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { cardIn, readCardStatus } from '#lib/console/testing/cards.ts'
import { openConsole } from '#lib/console/testing/open-console.ts'
import { cases } from '#lib/shared/testing/cases.ts'
import { auditEntries } from '#lib/tables/audit.ts'

/** Together a hundred in `npm run suites`, a thousand in `npm run suites:full`; more than a hundred at once wait too long for a connection. */
const atOnce = Math.max(20, Math.min(cases(100), 100))
const rounds = Math.ceil(cases(100) / atOnce)

async function click(lock: () => ReturnType<typeof runAction<'card.lock'>>): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const result of await Promise.all(Array.from({ length: atOnce }, lock))) {
      expect(result).toMatchObject({
        kind: 'settled',
        operation: { outcome: { state: 'done' } },
        record: { status: 'locked' },
      })
    }
  }
}

test('many clicks at once on Lock are one operation with one effect', async () => {
  const desk = await openConsole()
  await desk.signIn('support')
  const { target } = await cardIn(desk, 'active')
  const operationId = randomUUID()
  await click(() => runAction('card.lock', { ...target, operationId }))
  expect(desk.requests.get('/cards/lock')).toBe(1)
  expect(await desk.db.select().from(auditEntries)).toHaveLength(1)
})

test('many clicks with the response lost after the effect: one request more, and the real status', async () => {
  const desk = await openConsole()
  await desk.signIn('support')
  const { target } = await cardIn(desk, 'active')
  await desk.service.control('POST', '/faults', { path: '/cards/lock', status: 0, times: 1, after: true, delayMs: 0 })
  const operationId = randomUUID()
  await click(() => runAction('card.lock', { ...target, operationId }))
  expect(desk.requests.get('/cards/lock')).toBe(2)
  expect(await readCardStatus(desk, target.cardId)).toBe('locked')
})
