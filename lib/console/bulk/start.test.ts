import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { bulkJobsDone } from '#lib/operations/bulk/run.ts'
import { type BulkKind, toRowText } from '#lib/operations/bulk/types.ts'
import { findSpec } from '#lib/operations/registry.ts'
import type { Reason } from '#lib/shared/reasons.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { indexedCards } from '#lib/tables/card-accounts.ts'
import { readCardAccount } from '../card-accounts/list.ts'
import { listProgramCards } from '../cards/list-program-cards.ts'
import { creditAccounts, letTimePass } from '../testing/bulk.ts'
import { openConsole, shareConsole, type TestConsole } from '../testing/open-console.ts'
import { readBulkJob } from './read.ts'
import { startConfirmedJob } from './start-confirmed.ts'
import { previewJob, startJob } from './start.ts'

const desk = shareConsole({ seeded: 40 })

const environment = 'sandbox' as const
const chosen = { environment, filters: {}, settings: {} }

async function cardsIn(status: string): Promise<string[]> {
  const { cards } = await listProgramCards(environment, { status, pageSize: '100' })
  return cards.map(({ id }) => id)
}

/** So many cards of a status. The index is still being filled. */
async function someIn(status: string, rows: number): Promise<string[]> {
  return vi.waitFor(async () => {
    const ids = (await cardsIn(status)).slice(0, rows)
    expect(ids).toHaveLength(rows)
    return ids
  })
}

type PreviewJobInput = Parameters<typeof previewJob>[0]

async function preview(kind: BulkKind, input: Pick<PreviewJobInput, 'ids'> & Partial<PreviewJobInput>) {
  const result = await previewJob({ kind, ...chosen, ...input })
  if (result.kind !== 'read') throw new Error(JSON.stringify(result))
  return result.preview
}

/** Previews and starts a job, and runs it to its end. */
async function run(kind: BulkKind, input: Parameters<typeof preview>[1], reason?: Reason) {
  const { ids, digest, settings } = await preview(kind, input)
  const operationId = randomUUID()
  const started = await startJob({
    kind,
    ...chosen,
    ids,
    digest,
    settings,
    operationId,
    ...(reason && { reason }),
  })
  expect(started).toEqual({ kind: 'started', jobId: operationId })
  await bulkJobsDone()
  return readBulkJob(environment, operationId)
}

/** The service refuses the first request whose path has the part. */
function refuseOnce({ intercept }: Pick<TestConsole, 'intercept'>, part: string, code = 'INVALID_PARAMETERS'): void {
  let refusals = 1
  intercept.before = ({ url }, response) => {
    if (!url?.includes(part) || refusals === 0) return false
    refusals -= 1
    const body = JSON.stringify({ code, message: 'the record is busy' })
    response.writeHead(400, { 'content-type': 'application/json' }).end(body)
    return true
  }
}

test('many cards are locked by one job, a result each; those whose status forbids it are left out and named', async () => {
  const { signIn } = desk
  await signIn('operations')
  const [active, locked] = [await someIn('active', 3), await someIn('locked', 1)]
  const made = await preview('card.lock', { ids: [...active, ...locked, 'nobody'] })
  expect(made.ids.toSorted()).toEqual(active.toSorted())
  expect(made).toMatchObject({
    leftOut: [
      { because: 'locked', rows: 1 },
      { because: 'unknown', rows: 1 },
    ],
    isTruncated: false,
  })
  const { digest } = made
  const start = { ...chosen, operationId: randomUUID(), ids: active, digest }
  expect(await startJob({ kind: 'card.lock', ...start })).toEqual({
    kind: 'invalid',
    fields: { reason: 'must be given' },
  })
  expect(await startJob({ kind: 'card.lock', ...start, reason: 'suspected-fraud' })).toMatchObject({ kind: 'started' })
  await bulkJobsDone()
  const { job, items } = await readBulkJob(environment, start.operationId)
  expect(job).toMatchObject({ title: 'Lock 3 cards', state: 'finished', counts: { done: 3 } })
  expect(items.map(({ facts }) => facts.statusBefore)).toEqual(['active', 'active', 'active'])
  expect(await cardsIn('locked')).toEqual(expect.arrayContaining(active))
  const again = { ...start, operationId: randomUUID(), reason: 'suspected-fraud' as const }
  expect(await startJob({ kind: 'card.lock', ...again })).toMatchObject({
    kind: 'invalid',
    fields: { confirmed: expect.stringContaining('chosen records') },
  })
})

test('all that a filter matches is one job, and its refused rows become the rows of the next', async () => {
  await desk.signIn('operations')
  // The index is still being filled.
  const active = await vi.waitFor(async () => {
    const ids = await cardsIn('active')
    const made = await preview('card.lock', { ids: null, filters: { status: 'active' } })
    expect(made).toMatchObject({ leftOut: [], isTruncated: false })
    expect(made.ids.toSorted()).toEqual(ids.toSorted())
    return ids
  })
  refuseOnce(desk, '/lock')
  const { job, items } = await run('card.lock', { ids: active.slice(0, 2) }, 'suspected-fraud')
  const [refused] = items.filter(({ state }) => state === 'refused')
  expect(refused?.message).toBe('The card service refused what was entered. It says: The record is busy.')
  const again = await preview('card.lock', { ids: null, retryOf: job.id })
  expect(again.ids).toEqual([refused?.target.id])
})

test('a row that is refused for the status of its card says the status that it has now', async () => {
  await desk.signIn('operations')
  const [cardId = ''] = await someIn('active', 1)
  refuseOnce(desk, '/lock', 'INACTIVE_CARD')
  const { job } = await run('card.lock', { ids: [cardId] }, 'suspected-fraud')
  const setStatus = (status: string) => desk.db.update(indexedCards).set({ status }).where(eq(indexedCards.id, cardId))
  onTestFinished(async () => void (await setStatus('active')))
  await setStatus('cancelled')
  const { items } = await readBulkJob(environment, job.id)
  expect(items.map((item) => toRowText(job, item))).toEqual([
    'The card is not active, and this action needs an active card. It is cancelled now.',
  ])
})

test('cards that were lost, are replaced or wait for their cancellation are made usable one at a time', async () => {
  await desk.signIn('operations')
  const { job, items } = await run('card.lock', { ids: await someIn('active', 3) }, 'lost-or-stolen')
  const unlock = { ids: items.map(({ target }) => target.id) }
  expect(await preview('card.unlock', unlock), 'what a job did, a job takes back').toMatchObject({ leftOut: [] })
  const [target] = items.map((item) => item.target)
  if (!target) throw new Error('no card was locked')
  const card = { environment, cardAccountId: target.parentId ?? '', cardId: target.id }
  for (const [kind, reason] of [
    ['card.unlock', 'card-found'],
    ['card.lock', 'lost-or-stolen'],
  ] as const) {
    expect(await runAction(kind, { ...card, operationId: randomUUID(), reason })).toMatchObject({ kind: 'settled' })
  }
  expect(await preview('card.unlock', unlock)).toMatchObject({
    ids: expect.not.arrayContaining([target.id]),
    leftOut: [{ because: 'reported-lost', rows: 1 }],
  })
  const row = { environment, target, body: {}, facts: {} }
  expect(await findSpec('card.unlock')?.inJob?.check?.(row), 'lost since the job was started').toMatchObject({
    text: expect.stringMatching(/lost or stolen/),
  })
  expect(await findSpec('card.unlock')?.inJob?.check?.({ ...row, target: items[1]?.target ?? target })).toBeNull()
  const back = await run('card.unlock', { ids: null, undoOf: job.id }, 'mistake')
  expect(back.job).toMatchObject({ title: 'Unlock 2 cards' })
})

test('a job takes back what another did, but for records that somebody changed since', async () => {
  await desk.signIn('operations')
  const [first = '', ...others] = await someIn('active', 3)
  const { job, undoable, items } = await run('card.lock', { ids: [first, ...others] }, 'suspected-fraud')
  expect(undoable).toBe(3)
  expect(await preview('card.suspend', { ids: null, undoOf: job.id }), 'another kind').toMatchObject({ ids: [] })
  // Found and lost again: locked as after the job, but by somebody.
  for (const kind of ['card.unlock', 'card.lock'] as const) {
    const cardAccountId = items.find(({ target }) => target.id === first)?.target.parentId ?? ''
    const input = {
      environment,
      cardAccountId,
      cardId: first,
      operationId: randomUUID(),
      reason: 'other' as const,
      comment: 'Found',
    }
    expect(await runAction(kind, input), kind).toMatchObject({
      kind: 'settled',
      operation: { outcome: { state: 'done' } },
    })
  }
  const back = await run('card.unlock', { ids: null, undoOf: job.id }, 'mistake')
  expect(back.items.map(({ target }) => target.id).toSorted()).toEqual(others.toSorted())
  expect(back.undoable).toBe(2)
  expect((await readBulkJob(environment, job.id)).undoable).toBe(0)
})

test('a person without the permission of a kind can neither preview nor start it', async () => {
  const { signIn } = await openConsole({ seeded: 2 })
  await signIn('support')
  const refused = { kind: 'refused', outcome: { code: 'NOT_PERMITTED' } }
  for (const kind of [
    'card.suspend',
    'account.set-limit',
    'reference.set',
    'fee.waive',
    'odd' as 'fee.waive',
  ] as const) {
    expect(await previewJob({ kind, ...chosen, ids: ['x'] }), kind).toMatchObject(refused)
    const start = { ...chosen, ids: ['x'], digest: '', operationId: randomUUID() }
    expect(await startJob({ kind, ...start }), kind).toMatchObject(refused)
  }
  await signIn('operations')
  expect(await previewJob({ kind: 'odd' as 'fee.waive', ...chosen, ids: ['x'] })).toMatchObject({
    kind: 'invalid',
    fields: { kind: expect.stringContaining('must be one of') },
  })
})

test('one limit is set on the accounts of a currency; prepaid accounts and other currencies are left out', async () => {
  const desk = await openConsole()
  await desk.signIn('operations')
  const accounts = await creditAccounts(desk)
  const currency = accounts[0]?.currency ?? ''
  const own = accounts.filter((one) => one.currency === currency)
  const filters = { accountType: 'credit' }
  const settings = { limit: '77,000', currency }
  const invalid = await previewJob({
    kind: 'account.set-limit',
    ...chosen,
    ids: null,
    settings: { limit: '1.234', currency },
  })
  expect(invalid).toMatchObject({ kind: 'invalid', fields: { limit: expect.stringContaining('decimals') } })
  const made = await vi.waitFor(async () => {
    const read = await preview('account.set-limit', { ids: null, filters, settings })
    expect(read.ids.toSorted()).toEqual(own.map(({ id }) => id).toSorted())
    return read
  })
  const higher = own.filter(({ limit }) => Number(limit) < 77_000)
  expect(made.effect.limits?.raised).toBe(higher.length)
  const others = new Set(accounts.map((one) => one.currency).filter((one) => one !== currency))
  expect(made.leftOut.map(({ because }) => because)).toEqual([...others].map((one) => `The account is in ${one}.`))
  const all = await preview('account.set-limit', { ids: null, settings })
  expect(all.leftOut.map(({ because }) => because)).toContain('A prepaid account has no limit.')
  const { job, items } = await run(
    'account.set-limit',
    { ids: own.slice(0, 2).map(({ id }) => id), settings },
    'credit-review',
  )
  expect(job).toMatchObject({ title: 'Set 2 fixed limits', counts: { done: 2 } })
  expect(items[0]?.facts).toMatchObject({ limit: '77000', currency })
  const [first] = own
  expect((await readCardAccount(environment, first?.id ?? '')).account.limit).toBe(77_000)
  const again = await preview('account.set-limit', { ids: [first?.id ?? ''], settings })
  expect(again).toMatchObject({ ids: [], leftOut: [{ because: 'The limit is that already.', rows: 1 }] })
})

test('a tag sets one key of accounts or cards and keeps the others; who has it, and metadata without keys, are left out', async () => {
  const desk = await openConsole({ seeded: 12 })
  await desk.signIn('operations')
  const [keyed, textual, bare] = await accountsOf(desk)
  const set = (id: string, xmetadata: unknown) => setAs(desk, 'cardaccount', id, xmetadata)
  await set(keyed, { team: 'ops', campaign: 'autumn' })
  await set(textual, 'a text')
  await set(bare, null)
  const settings = { targetType: 'cardaccount', key: 'campaign', value: 'winter' }
  const input = { ids: [keyed, textual, bare], settings }
  expect(await preview('reference.set', input)).toMatchObject({
    leftOut: [{ because: 'other-form', rows: 1 }],
    effect: { replaced: 1 },
  })
  const { job, items } = await run('reference.set', input)
  expect(job).toMatchObject({ title: 'Tag 2 accounts', reason: null, counts: { done: 2 } })
  expect(items.map(({ facts }) => [facts.key, facts.before]).toSorted()).toEqual([
    ['campaign', 'another value'],
    ['campaign', 'none'],
  ])
  const metadataOf = async (id: string) => (await readCardAccount(environment, id)).account.xmetadata
  expect(await metadataOf(keyed)).toEqual({ team: 'ops', campaign: 'winter' })
  expect(await metadataOf(bare)).toEqual({ campaign: 'winter' })
  expect(await metadataOf(textual)).toBe('a text')
  expect(await preview('reference.set', input)).toMatchObject({
    ids: [],
    leftOut: expect.arrayContaining([{ because: 'same', rows: 2 }]),
  })
  const cards = await someIn('active', 2)
  const tagged = await run('reference.set', { ids: cards, settings: { ...settings, targetType: 'card' } })
  expect(tagged.job).toMatchObject({ title: 'Tag 2 cards', counts: { done: 2 } })
  for (const wrong of [{ key: ' ' }, { value: '' }, { value: '4242 4242 4242 4242' }, { targetType: 'fee' }]) {
    const result = await previewJob({
      kind: 'reference.set',
      ...chosen,
      ids: [keyed],
      settings: { ...settings, ...wrong },
    })
    expect(result).toMatchObject({ kind: 'invalid', fields: { [Object.keys(wrong)[0] ?? '']: expect.any(String) } })
  }
})

test.each([
  ['another key', { team: 'ops' }, { team: 'ops', added: 'meanwhile' }],
  ['the key of the tag', { team: 'ops' }, { team: 'ops', campaign: 'spring' }],
  ['a second value of the key', { team: 'ops', campaign: 'autumn' }, { team: 'ops', campaign: 'spring' }],
])(
  'a tag whose record got %s after the preview is refused unsent, audited, and its retry knows that',
  async (_, before, after) => {
    const desk = await openConsole({ seeded: 4 })
    await desk.signIn('operations')
    const [one, other] = await accountsOf(desk)
    await setAs(desk, 'cardaccount', one, before)
    await readCardAccount(environment, one)
    const settings = { targetType: 'cardaccount', key: 'campaign', value: 'winter' }
    const { ids, digest } = await preview('reference.set', { ids: [one, other], settings })
    await setAs(desk, 'cardaccount', one, after)
    desk.requests.clear()
    const operationId = randomUUID()
    await startJob({ kind: 'reference.set', ...chosen, ids, digest, settings, operationId })
    await bulkJobsDone()
    const { job, items } = await readBulkJob(environment, operationId)
    expect(job).toMatchObject({ state: 'finished', counts: { done: 1, refused: 1 } })
    expect(items.find(({ target }) => target.id === one)).toMatchObject({
      state: 'refused',
      code: 'CHANGED_MEANWHILE',
      message: expect.stringContaining('changed meanwhile'),
    })
    expect(desk.requests.get('/xmetadata/set'), 'only the other').toBe(1)
    const entries = await desk.db.select().from(auditEntries).where(eq(auditEntries.code, 'CHANGED_MEANWHILE'))
    expect(entries).toMatchObject([{ act: 'reference.set', targetId: one, outcome: 'refused' }])
    await readCardAccount(environment, one)
    const retry = await preview('reference.set', { ids: null, retryOf: operationId })
    expect(retry).toMatchObject({ ids: [one], settings })
    const again = await run('reference.set', { ids: null, retryOf: operationId })
    expect(again.job.counts).toMatchObject({ done: 1 })
    const { account } = await readCardAccount(environment, one)
    expect(account.xmetadata).toEqual({ ...after, campaign: 'winter' })
  },
)

test('a service that is away before a row is tagged makes the job rest; the row is done once it is back', async () => {
  const desk = await openConsole({ seeded: 4 })
  await desk.signIn('operations')
  const [one] = await accountsOf(desk)
  const settings = { targetType: 'cardaccount', key: 'campaign', value: 'winter' }
  const { ids, digest } = await preview('reference.set', { ids: [one], settings })
  const operationId = randomUUID()
  await desk.stopService()
  await startJob({ kind: 'reference.set', ...chosen, ids, digest, settings, operationId })
  await bulkJobsDone()
  const resting = await readBulkJob(environment, operationId)
  expect(resting.job).toMatchObject({ state: 'running', pausedBecause: expect.stringContaining('isn’t responding') })
  await desk.startService()
  await vi.waitFor(async () => {
    await letTimePass(desk)
    expect((await readBulkJob(environment, operationId)).job.counts.done).toBe(1)
  }, 20_000)
})

async function accountsOf({ service }: TestConsole): Promise<[string, string, string]> {
  const { json } = await service.call('listCardAccounts', { query: { pageSize: '10' } })
  const [one = '', other = '', third = ''] = (json as { cardaccounts: { id: string }[] }).cardaccounts.map(
    ({ id }) => id,
  )
  for (const id of [one, other, third]) await readCardAccount(environment, id)
  return [one, other, third]
}

/** Sets metadata beside the console, which reads the account then. */
async function setAs({ service }: TestConsole, type: string, id: string, xmetadata: unknown): Promise<void> {
  const { status } = await service.call('setXmetadata', { body: { target: { type, id }, xmetadata } })
  expect(status).toBe(200)
}

test('a click that finds the records changed by the job of an earlier one leads to that job', async () => {
  const by = await desk.signIn('operations')
  if (!by) throw new Error('nobody signed in')
  const [cardId = ''] = await someIn('active', 1)
  const { ids, digest, settings } = await preview('card.lock', { ids: [cardId] })
  const given = { environment, operationId: randomUUID(), reason: 'suspected-fraud' } as const
  const result = await startConfirmedJob('card.lock', given, by, async () => {
    await startJob({ kind: 'card.lock', ...chosen, ...given, ids, digest, settings })
    await bulkJobsDone()
    return { fields: { confirmed: 'is not what it was' } }
  })
  expect(result).toEqual({ kind: 'started', jobId: given.operationId })
})
