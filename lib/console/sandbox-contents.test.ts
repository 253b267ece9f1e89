import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { accountIndex } from '#lib/index/accounts-sync.ts'
import { fees as serviceFees } from '#lib/service/tables/fees.ts'
import { feeProgress, indexedFees } from '#lib/tables/fees.ts'
import { feeFreshness } from './fees/fee-freshness.ts'
import { feeIndex } from './fees/index-fees.ts'
import { readOperation } from './operations/read.ts'
import { noteContents } from './sandbox-contents.ts'
import { approvalIn, setPolicy } from './testing/approvals.ts'
import { cardIn } from './testing/cards.ts'
import { accountsIn, chargeFees } from './testing/fees.ts'
import { openConsole } from './testing/open-console.ts'

test('a reset that the console did not make leaves no fee of before, also where the list was read a moment ago', async () => {
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  const desk = await openConsole({ seeded: 4 })
  await desk.signIn('operations')
  const [account] = await accountsIn(desk)
  const charged = await chargeFees(desk, account?.id ?? '', [1, 2, 3])
  const ids = async (table: typeof indexedFees | typeof serviceFees) =>
    (await desk.db.select({ id: table.id }).from(table as typeof indexedFees)).map(({ id }) => id).toSorted()
  for (const read of [noteContents, accountIndex.readAll, feeIndex.readAll, noteContents]) await read('sandbox')
  expect((await feeIndex.coverage('sandbox')).isComplete).toBe(true)
  expect(await ids(indexedFees)).toEqual(expect.arrayContaining(charged.map(({ id }) => id)))

  await desk.db.update(feeProgress).set({ records: 501 })
  expect((await desk.service.control('POST', '/reset', {})).status).toBe(200)
  await noteContents('sandbox')
  expect((await feeIndex.coverage('sandbox')).isComplete, 'what is shown is of before').toBe(false)
  await feeFreshness.inBackground('sandbox')
  expect(await ids(indexedFees)).toEqual(await ids(serviceFees))
  expect((await feeIndex.coverage('sandbox')).isComplete).toBe(true)
})

test('a reset ends the requests that wait for an approval: their ids are those of other records now', async () => {
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  const desk = await openConsole({ seeded: 4 })
  await setPolicy(desk, [{ topic: 'cancellations', when: 'always' }])
  await noteContents('sandbox')
  await desk.signIn('operations')
  const { target, last4 } = await cardIn(desk, 'active')
  const operationId = randomUUID()
  await runAction('card.cancel', { ...target, operationId, confirmLast4: last4 ?? '', reason: 'lost-or-stolen' })
  await noteContents('sandbox')
  expect(await approvalIn(desk, operationId)).toMatchObject({ state: 'waiting' })

  expect((await desk.service.control('POST', '/reset', {})).status).toBe(200)
  await noteContents('sandbox')
  const because = 'The sandbox was reset before a decision.'
  expect(await approvalIn(desk, operationId)).toMatchObject({ state: 'expired', decisionReason: because })
  const { outcome } = await readOperation('sandbox', operationId)
  expect(outcome).toMatchObject({ state: 'refused', code: 'APPROVAL_EXPIRED', happened: because })
})
