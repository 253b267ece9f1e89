import { randomUUID } from 'node:crypto'
import { asc, eq, sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import type { FeeEntry } from '#lib/contract/records.ts'
import { decideApproval } from '#lib/operations/approvals/decide.ts'
import { bulkJobsDone } from '#lib/operations/bulk/run.ts'
import { amount, sum } from '#lib/shared/money.ts'
import { bulkItems, bulkJobs } from '#lib/tables/bulk.ts'
import { staff } from '#lib/tables/staff.ts'
import { readBulkJob } from '../bulk/read.ts'
import { previewJob, startJob } from '../bulk/start.ts'
import type { JobPreviewResult } from '../bulk/types.ts'
import { approvalIn, setPolicy } from '../testing/approvals.ts'
import { accountsIn, balanceIn, chargeFees, feeIn } from '../testing/fees.ts'
import { openConsole } from '../testing/open-console.ts'
import { readChosenFees } from './chosen-fees.ts'
import { readFee } from './list-fees.ts'

async function deskWithFees(amounts: readonly number[] = [10.1, 20.2, 30.3]) {
  const desk = await openConsole({ seeded: 4 })
  const staff = await desk.signIn('operations')
  const accounts = (await accountsIn(desk)).slice(0, 2)
  const fees: FeeEntry[] = []
  for (const { id } of accounts) fees.push(...(await chargeFees(desk, id, amounts)))
  const filters = { intent: 'test-fee' }
  return { desk, staff, accounts, fees, filters }
}

type Chosen = { environment: 'sandbox'; feeIds: string[] | null; filters: Record<string, unknown> }

function previewWaivers({ feeIds, ...chosen }: Chosen): Promise<JobPreviewResult> {
  return previewJob({ kind: 'fee.waive', ...chosen, ids: feeIds, settings: {} })
}

function startWaivers({
  feeIds,
  ...given
}: { feeIds: string[] } & Omit<Parameters<typeof startJob>[0], 'kind' | 'ids' | 'settings'>) {
  return startJob({ kind: 'fee.waive', ...given, ids: feeIds, settings: {} })
}

function previewOf(result: JobPreviewResult) {
  if (result.kind !== 'read') throw new Error(JSON.stringify(result))
  const { ids: feeIds, effect, ...preview } = result.preview
  const { totals, effects } = effect.waived ?? { totals: [], effects: [] }
  return { ...preview, feeIds, totals, effects }
}

afterEach(() => void vi.useRealTimers())

const environment = 'sandbox' as const

test('the preview counts, adds up per currency, and shows each account’s balance before and after, exactly', async () => {
  const { desk, accounts, fees, filters } = await deskWithFees()
  for (const feeIds of [null, fees.map(({ id }) => id)]) {
    const {
      feeIds: waivable,
      totals,
      effects,
      leftOut,
      isTruncated,
    } = previewOf(await previewWaivers({ environment, feeIds, filters }))
    expect(new Set(waivable)).toEqual(new Set(fees.map(({ id }) => id)))
    expect({ leftOut, isTruncated }).toEqual({ leftOut: [], isTruncated: false })
    const byCurrency = Map.groupBy(fees, ({ currency }) => currency)
    expect(new Map(totals.map(({ currency, amount }) => [currency, amount]))).toEqual(
      new Map(
        [...byCurrency].map(([currency, own]) => [currency, sum(own.map((fee) => fee.amount ?? Number.NaN)).toFixed()]),
      ),
    )
    for (const { id, name, xid, currency } of accounts) {
      const before = amount(await balanceIn(desk, id))
      expect(effects).toContainEqual({
        account: { kind: 'card-account', id, name, xid },
        currency,
        records: 3,
        amount: '60.6',
        excluded: 0,
        before: before.toFixed(),
        after: before.plus('60.6').toFixed(),
        asOf: expect.any(String),
      })
    }
  }
})

test('void and unknown fees are left out and named, and each fee is read again', async () => {
  const { desk, fees, filters } = await deskWithFees()
  const [first, ...others] = fees.map(({ id }) => id)
  const unknown = randomUUID()
  const preview = () =>
    previewWaivers({ environment, feeIds: [...fees.map(({ id }) => id), unknown, first ?? ''], filters })
  expect(previewOf(await preview()).leftOut).toEqual([{ because: 'unknown', rows: 1 }])
  await desk.service.call('waiveFee', { body: { id: first } })
  const { feeIds, leftOut } = previewOf(await preview())
  expect(feeIds).toEqual(others)
  expect(leftOut).toEqual([
    { because: 'void', rows: 1 },
    { because: 'unknown', rows: 1 },
  ])
})

test('many selected fees are read with the others of their accounts, few one by one', async () => {
  const { desk, fees, accounts } = await deskWithFees(Array.from({ length: 15 }, (_, index) => index + 1))
  desk.requests.clear()
  const filters = { intent: 'test-fee', accountId: [accounts[0]?.id ?? ''] }
  const { feeIds } = previewOf(await previewWaivers({ environment, feeIds: fees.map(({ id }) => id), filters }))
  expect(feeIds).toHaveLength(30)
  // The whole list once, for the index, and those of both accounts together.
  expect(desk.requests.get('/fees')).toBe(1 + 1)
})

test('what was confirmed starts one job, whose rows waive each fee once, however often it is requested', async () => {
  const { desk, staff, accounts, fees, filters } = await deskWithFees()
  const before = await Promise.all(accounts.map(({ id }) => balanceIn(desk, id)))
  const { feeIds, digest } = previewOf(await previewWaivers({ environment, feeIds: null, filters }))
  const operationId = randomUUID()
  const input = {
    environment,
    operationId,
    feeIds,
    filters,
    reason: 'other' as const,
    comment: 'Charged by mistake',
    digest,
  }
  const started = { kind: 'started', jobId: operationId }
  expect(await Promise.all([startWaivers(input), startWaivers(input)])).toEqual([started, started])
  await bulkJobsDone()
  expect(await startWaivers(input)).toEqual(started)
  const jobs = await desk.db.select().from(bulkJobs)
  expect(jobs).toMatchObject([
    {
      id: operationId,
      kind: 'fee.waive',
      title: 'Waive 6 fees',
      reason: 'Charged by mistake',
      staffId: staff?.id,
      total: 6,
    },
  ])
  const items = await desk.db.select().from(bulkItems).orderBy(asc(bulkItems.position))
  expect(items.map(({ targetId, state }) => [targetId, state])).toEqual(feeIds.map((id) => [id, 'done']))
  const [{ name, xid, currency } = { name: '', xid: null, currency: '' }] = accounts
  const firstFee = fees[0]
  expect(items.find(({ targetId }) => targetId === firstFee?.id)).toMatchObject({
    targetParentId: accounts[0]?.id,
    endpoint: 'waiveFee',
    body: { id: firstFee?.id },
    facts: { account: name, xid, intent: 'test-fee', amount: '10.1', change: '-10.1', entryType: 'CREDIT', currency },
  })
  for (const { id } of fees) expect((await feeIn(desk, id))?.status).toBe('void')
  const after = await Promise.all(accounts.map(({ id }) => balanceIn(desk, id)))
  expect(
    after.map((balance, index) =>
      amount(balance)
        .minus(before[index] ?? 0)
        .toFixed(),
    ),
  ).toEqual(['60.6', '60.6'])
})

test('a job shows the returned amount and the total by currency, and excludes fees without an amount', async () => {
  const { desk, filters } = await deskWithFees()
  const { feeIds, totals, digest } = previewOf(await previewWaivers({ environment, feeIds: null, filters }))
  const operationId = randomUUID()
  await startWaivers({ environment, operationId, feeIds, filters, reason: 'goodwill', digest })
  await bulkJobsDone()
  const money = async () =>
    new Map((await readBulkJob(environment, operationId)).money.map((one) => [one.currency, one]))
  const whole = new Map(
    totals.map(({ currency, amount }) => [currency, { currency, done: amount, whole: amount, excluded: 0 }] as const),
  )
  expect(await money()).toEqual(whole)
  await desk.db.update(bulkItems).set({ state: 'refused' }).where(eq(bulkItems.jobId, operationId))
  expect([...(await money()).values()].map(({ done }) => done)).toEqual(totals.map(() => '0'))
  // The row of a fee whose amount the service did not provide.
  const withoutAmount = sql`${bulkItems.facts} || '{"change": null, "amount": null}'`
  await desk.db.update(bulkItems).set({ facts: withoutAmount }).where(eq(bulkItems.jobId, operationId))
  expect([...(await money()).values()]).toMatchObject(totals.map(({ records }) => ({ whole: null, excluded: records })))
  await desk.db.update(bulkItems).set({ state: 'done' }).where(eq(bulkItems.jobId, operationId))
  expect([...(await money()).values()].map(({ done }) => done)).toEqual(totals.map(() => null))
})

test('nothing starts where a fee is void by now, or anything else is not as it was confirmed', async () => {
  const { desk, fees, filters } = await deskWithFees()
  const { feeIds, digest } = previewOf(await previewWaivers({ environment, feeIds: null, filters }))
  const start = (changes: object) =>
    startWaivers({
      environment,
      operationId: randomUUID(),
      feeIds,
      filters,
      reason: 'goodwill',
      digest,
      ...changes,
    })
  const changed = { kind: 'invalid', fields: { confirmed: 'is not what the chosen records come to any more' } }
  expect(await start({ digest: '' })).toEqual(changed)
  expect(await start({ feeIds: feeIds.slice(1) })).toEqual(changed)
  desk.intercept.before = async (request, response) => {
    const feeId = new URL(request.url ?? '', 'http://service.test').searchParams.get('feeId')
    if (feeId !== feeIds[0]) return false
    const fee = { ...(await feeIn(desk, feeId)), amount: 1 }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ fees: [fee] }))
    return true
  }
  expect(await start({}), 'another amount').toEqual(changed)
  desk.intercept.before = () => false
  await desk.service.call('waiveFee', { body: { id: fees[0]?.id } })
  expect(await start({})).toEqual(changed)
  expect(await desk.db.select().from(bulkJobs)).toEqual([])
})

test('a reason is needed, and may hold no card number', async () => {
  const { filters, fees } = await deskWithFees([1])
  const start = (reason: { reason?: 'goodwill'; comment?: string }) =>
    startWaivers({
      environment,
      operationId: randomUUID(),
      feeIds: fees.map(({ id }) => id),
      filters,
      ...reason,
      digest: '',
    })
  expect(await start({})).toMatchObject({
    kind: 'invalid',
    fields: { reason: expect.stringMatching(/^must be given/) },
  })
  expect(await start({ reason: 'goodwill', comment: '4242 4242 4242 4242' })).toMatchObject({
    kind: 'invalid',
    fields: { comment: 'must not hold a card number' },
  })
})

test('a person who may not waive fees gets neither a preview nor a job', async () => {
  const { desk, filters, fees } = await deskWithFees([1])
  const feeIds = fees.map(({ id }) => id)
  for (const role of ['viewer', 'support', 'approver', 'admin'] as const) {
    await desk.signIn(role)
    const refused = { kind: 'refused', outcome: { code: 'NOT_PERMITTED' } }
    expect(await previewWaivers({ environment, feeIds, filters }), role).toMatchObject(refused)
    const input = {
      environment,
      operationId: randomUUID(),
      feeIds,
      filters,
      reason: 'goodwill' as const,
      digest: '',
    }
    expect(await startWaivers(input), role).toMatchObject(refused)
  }
  expect(await desk.db.select().from(bulkJobs)).toEqual([])
})

test('a preview adds up nothing that is not provided, and says how many fees its amounts lack', async () => {
  const { desk, accounts } = await deskWithFees()
  const [account] = accounts
  const onAccount = { cardAccountId: account?.id, entryType: 'CREDIT' }
  const { currency } = account ?? {}
  const fees = [
    { id: 'F_1', amount: '2.50', currency, transaction: onAccount },
    { id: 'F_2', amount: null, currency, transaction: onAccount },
    { id: 'F_3', amount: 7, currency: null, transaction: onAccount },
    { amount: 7, currency },
  ]
  desk.intercept.before = (request, response) => {
    if (!request.url?.includes('/fees')) return false
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ fees }))
    return true
  }
  const preview = previewOf(await previewWaivers({ environment, feeIds: null, filters: {} }))
  expect(preview).toMatchObject({
    feeIds: ['F_1', 'F_2', 'F_3'],
    leftOut: [],
    isTruncated: false,
  })
  expect(preview.totals).toEqual([
    { currency, records: 2, amount: '2.5', excluded: 1 },
    { currency: null, records: 1, amount: null, excluded: 1 },
  ])
  expect(preview.effects).toMatchObject([
    { currency, records: 2, amount: '2.5', excluded: 1, before: expect.any(String), after: null },
    { currency: null, records: 1, amount: null, excluded: 1, before: null, after: null },
  ])
  const one = previewOf(await previewWaivers({ environment, feeIds: ['f_1', 'F_1'], filters: {} }))
  expect(one.feeIds).toEqual(['F_1'])
})

test('5,000 unknown ids cost one read of the list, 25 cost about ten look-ups, and neither repeats', async () => {
  const { desk, requests } = await unknownFees()
  const many = {
    environment: 'sandbox' as const,
    feeIds: Array.from({ length: 5000 }, () => randomUUID()),
    filters: {},
  }
  expect(await previewWaivers(many)).toMatchObject({
    kind: 'refused',
    outcome: { code: 'INVALID_PARAMETERS', happened: expect.stringContaining('5000 of the chosen fees') },
  })
  expect(requests()).toBeLessThan(10)
  desk.requests.clear()
  const few = { ...many, feeIds: many.feeIds.slice(0, 25) }
  expect(await previewWaivers(few)).toMatchObject({ kind: 'refused', outcome: { code: 'INVALID_PARAMETERS' } })
  expect(requests()).toBeLessThanOrEqual(16)
  desk.requests.clear()
  const one = { ...many, feeIds: many.feeIds.slice(0, 1) }
  expect(await previewWaivers(one)).toMatchObject({ kind: 'read', preview: { leftOut: [{ because: 'unknown' }] } })
})

test('fees that are not of a card account are looked up one by one, and more than 25 are not called unlisted', async () => {
  const { desk } = await unknownFees()
  const funding = Array.from({ length: 26 }, (_, at) => ({
    id: `F_${at}`,
    amount: 1,
    currency: 'HKD',
    status: 'posted',
  }))
  desk.intercept.before = ({ url }, response) => {
    if (!url?.includes('/fees')) return false
    const id = new URL(url, 'http://service').searchParams.get('feeId')
    const fees = funding.filter((fee) => id === null || fee.id === id)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ fees }))
    return true
  }
  const feeIds = funding.map(({ id }) => id)
  const happened = 'At most 25 fees that are not of a card account can be chosen at once.'
  for (const chosen of [feeIds, null]) {
    expect(await previewWaivers({ environment, feeIds: chosen, filters: {} })).toMatchObject({
      kind: 'refused',
      outcome: { code: 'INVALID_PARAMETERS', happened },
    })
  }
  const few = await previewWaivers({ environment, feeIds: feeIds.slice(1), filters: {} })
  expect(previewOf(few).feeIds).toHaveLength(25)
})

test('one person’s look-ups use up only that person’s budget', async () => {
  const { desk, requests } = await unknownFees()
  // The budget is of a minute, and a new one must not begin between two look-ups.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const input = () => ({
    environment: 'sandbox' as const,
    feeIds: Array.from({ length: 25 }, () => randomUUID()),
    filters: {},
  })
  const codes = new Set<string>()
  for (let times = 0; times < 60 && !codes.has('TOO_MANY_ATTEMPTS'); times += 1) {
    const result = await previewWaivers(input())
    if (result.kind === 'refused') codes.add(result.outcome.code ?? '')
  }
  expect(codes).toContain('TOO_MANY_ATTEMPTS')
  expect(requests()).toBeLessThanOrEqual(330)
  const other = {
    id: randomUUID(),
    name: 'Other',
    email: 'other@demo.invalid',
    role: 'operations',
    origin: 'demo',
  } as const
  await desk.db.insert(staff).values({ ...other, createdAt: new Date() })
  expect((await readChosenFees('sandbox', [randomUUID()], {}, other.id)).missing).toHaveLength(1)
})

async function unknownFees() {
  const desk = await openConsole({ seeded: 1 })
  await desk.signIn('operations')
  return {
    desk,
    requests: () => [...desk.requests].reduce((sum, [path, count]) => sum + (path === '/fees' ? count : 0), 0),
  }
}

test('a fee that a job holds until its approval is in no second job, and its own waiver warns of that one', async () => {
  const { desk, fees, filters } = await deskWithFees([10, 20])
  const [held, other, ...others] = fees.map(({ id }) => id)
  if (!held || !other) throw new Error('fees were charged')
  await setPolicy(desk, [{ topic: 'bulk-jobs', when: 'always' }])
  const { digest } = previewOf(await previewWaivers({ environment, feeIds: [held], filters }))
  const operationId = randomUUID()
  await startWaivers({ environment, feeIds: [held], filters, digest, operationId, reason: 'goodwill' })
  const { feeIds, leftOut } = previewOf(await previewWaivers({ environment, feeIds: [held, other], filters }))
  expect({ feeIds, leftOut }).toEqual({ feeIds: [other], leftOut: [{ because: 'held', rows: 1 }] })
  expect((await readFee(environment, held)).heldBy).toEqual({
    id: operationId,
    title: 'Waive 1 fee',
    by: expect.any(String),
  })
  expect((await readFee(environment, others[0] ?? '')).heldBy).toBeNull()
  await desk.signIn('approver')
  const { topic, fingerprint } = await approvalIn(desk, operationId)
  await decideApproval({ environment, approvalId: operationId, topic, decision: 'decline', reason: 'No', fingerprint })
  await desk.signIn('operations')
  expect((await readFee(environment, held)).heldBy).toBeNull()
  expect(previewOf(await previewWaivers({ environment, feeIds: [held], filters })).feeIds).toEqual([held])
})

test('a fee that a colleague waived while the job waited is not waived again, nor counted as its own', async () => {
  const { desk, fees, filters } = await deskWithFees([10])
  const [first] = fees
  if (!first) throw new Error('fees were charged')
  await setPolicy(desk, [{ topic: 'bulk-jobs', when: 'always' }])
  const { feeIds, digest } = previewOf(await previewWaivers({ environment, feeIds: null, filters }))
  const operationId = randomUUID()
  await startWaivers({ environment, feeIds, filters, digest, operationId, reason: 'goodwill' })
  await runAction('fee.waive', { environment, operationId: randomUUID(), feeId: first.id, reason: 'goodwill' })
  desk.requests.clear()
  await desk.signIn('approver')
  const { topic, fingerprint } = await approvalIn(desk, operationId)
  await decideApproval({ environment, approvalId: operationId, topic, decision: 'approve', reason: '', fingerprint })
  await bulkJobsDone()
  const { job, items, money } = await readBulkJob(environment, operationId)
  expect(job).toMatchObject({ state: 'finished', counts: { done: 1, refused: 1 } })
  expect(items.find(({ target }) => target.id === first.id)).toMatchObject({
    state: 'refused',
    code: 'FEE_ALREADY_VOID',
    message: expect.stringContaining('void already'),
  })
  expect(desk.requests.get('/fees/waive'), 'only the other').toBe(1)
  expect(sum(money.map(({ done }) => done ?? '0')).toFixed()).toBe('10')
})
