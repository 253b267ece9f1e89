import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { bulkJobsDone } from '#lib/operations/bulk/run.ts'
import { readBulkJob } from '../bulk/read.ts'
import { openConsole } from '../testing/open-console.ts'
import { previewCardJob, startCardJob } from './act-on-many.ts'
import { listProgramCards } from './list-program-cards.ts'

const environment = 'sandbox' as const

async function cardsIn(status: string): Promise<string[]> {
  const { cards } = await listProgramCards(environment, { status, pageSize: '100' })
  return cards.map(({ id }) => id)
}

test('many cards are locked by one job, a result each; those whose status forbids it are left out and named', async () => {
  const { signIn } = await openConsole({ seeded: 40 })
  await signIn('operations')
  const [active, locked] = [(await cardsIn('active')).slice(0, 3), (await cardsIn('locked')).slice(0, 1)]
  const chosen = { environment, action: 'lock', filters: {} } as const
  const result = await previewCardJob({ ...chosen, cardIds: [...active, ...locked, 'nobody'] })
  if (result.kind !== 'read') throw new Error(JSON.stringify(result))
  expect(result.preview.cardIds.toSorted()).toEqual(active.toSorted())
  expect(result.preview).toMatchObject({ leftOut: [{ status: 'locked', cards: 1 }], unknown: 1, isCut: false })
  const start = { environment, operationId: randomUUID(), action: 'lock' as const, cardIds: active }
  expect(await startCardJob(start)).toEqual({ kind: 'invalid', fields: { reason: 'must be given' } })
  expect(await startCardJob({ ...start, reason: 'suspected-fraud' })).toMatchObject({ kind: 'started' })
  await bulkJobsDone()
  const { job, items } = await readBulkJob(environment, start.operationId)
  expect(job).toMatchObject({ title: 'Lock 3 cards', state: 'finished', counts: { done: 3 } })
  expect(items.map(({ facts }) => facts.statusBefore)).toEqual(['active', 'active', 'active'])
  expect(await cardsIn('locked')).toEqual(expect.arrayContaining(active))
  expect(await startCardJob({ ...start, operationId: randomUUID(), reason: 'suspected-fraud' })).toMatchObject({
    kind: 'invalid',
    fields: { cardIds: expect.stringContaining('status') },
  })
})

test('all that a filter matches is one job, and its refused rows become the rows of the next', async () => {
  const { signIn, intercept } = await openConsole({ seeded: 40 })
  await signIn('operations')
  // The index is still being filled.
  const active = await vi.waitFor(async () => {
    const ids = await cardsIn('active')
    const result = await previewCardJob({ environment, action: 'lock', cardIds: null, filters: { status: 'active' } })
    expect(result).toMatchObject({ kind: 'read', preview: { leftOut: [], unknown: 0 } })
    expect(result.kind === 'read' && result.preview.cardIds.toSorted()).toEqual(ids.toSorted())
    return ids
  }, 10_000)
  let refusals = 1
  intercept.before = ({ url }, response) => {
    if (!url?.includes('/lock') || refusals === 0) return false
    refusals -= 1
    const body = JSON.stringify({ code: 'INVALID_PARAMETERS', message: 'the card is busy' })
    response.writeHead(400, { 'content-type': 'application/json' }).end(body)
    return true
  }
  const operationId = randomUUID()
  const cardIds = active.slice(0, 2)
  await startCardJob({ environment, operationId, action: 'lock', cardIds, reason: 'suspected-fraud' })
  await bulkJobsDone()
  const { items } = await readBulkJob(environment, operationId)
  const [refused] = items.filter(({ state }) => state === 'refused')
  expect(refused?.message).toBe('The card service refused what was entered. It says: The card is busy.')
  const again = await previewCardJob({
    environment,
    action: 'lock',
    cardIds: null,
    filters: {},
    leftOverOf: operationId,
  })
  expect(again).toMatchObject({ kind: 'read', preview: { cardIds: [refused?.target.id] } })
})

test('a person without the action’s permission can neither preview nor start', async () => {
  const { signIn } = await openConsole({ seeded: 2 })
  await signIn('support')
  const given = { environment, action: 'suspend' as const, cardIds: ['x'] }
  const refused = { kind: 'refused', outcome: { code: 'NOT_PERMITTED' } }
  expect(await previewCardJob({ ...given, filters: {} })).toMatchObject(refused)
  expect(await startCardJob({ ...given, operationId: randomUUID(), reason: 'suspected-fraud' })).toMatchObject(refused)
})
