import { randomUUID } from 'node:crypto'
import { desc, eq, sql } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import type { FeeEntry } from '#lib/contract/records.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { bulkJobsDone } from '#lib/operations/bulk/run.ts'
import { fees as serviceFees } from '#lib/service/tables/fees.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { operations } from '#lib/tables/operations.ts'
import { previewJob, startJob } from '../bulk/start.ts'
import { listCardAccounts } from '../card-accounts/list.ts'
import { jobIn } from '../testing/bulk.ts'
import { accountsIn, balanceIn, chargeFees, feeIn } from '../testing/fees.ts'
import { openConsole, type TestConsole } from '../testing/open-console.ts'
import { listFees, readFee } from './list-fees.ts'

async function deskWithFee(amount = 120.5) {
  const desk = await openConsole({ seeded: 3 })
  const staff = await desk.signIn('operations')
  const [account] = await accountsIn(desk)
  if (!account) throw new Error('the seed has accounts')
  const before = await balanceIn(desk, account.id)
  const [fee] = await chargeFees(desk, account.id, [amount])
  if (!fee) throw new Error('a fee was charged')
  const input = {
    environment: 'sandbox' as const,
    operationId: randomUUID(),
    feeId: fee.id,
    reason: 'goodwill' as const,
  }
  return { desk, staff, account, before, fee, input }
}

async function lastAudit({ db }: TestConsole) {
  const [entry] = await db.select().from(auditEntries).orderBy(desc(auditEntries.number)).limit(1)
  return entry
}

test('waives a fee: it is void, the balance is as it was before it, in the response, the list and the totals', async () => {
  const { desk, staff, account, before, fee, input } = await deskWithFee()
  const mine = { accountId: account.id, intent: 'test-fee' }
  expect((await listFees('sandbox', mine)).totals.currencies[0]?.counted).toEqual({
    records: 1,
    amount: '-120.5',
    excluded: 0,
  })
  const result = await runAction('fee.waive', { ...input, reason: 'charged-in-error', comment: ' Charged twice ' })
  expect(result).toMatchObject({
    kind: 'settled',
    operation: {
      kind: 'fee.waive',
      reason: 'charged-in-error',
      comment: 'Charged twice',
      target: { type: 'fee', id: fee.id, parentId: account.id, label: `Test fee · 120.50 ${account.currency}` },
      outcome: { state: 'done', changed: 'yes' },
    },
    record: { fee: { status: 'void' }, balance: { balance: String(before) } },
  })
  expect(await balanceIn(desk, account.id)).toBe(before)
  const { rows } = await listCardAccounts('sandbox', { q: account.id })
  expect(rows[0]?.account.balance).toBe(before)
  Reflect.deleteProperty(globalThis, 'carddeskCachedSums')
  expect((await listFees('sandbox', mine)).totals.currencies[0]?.counted).toEqual({
    records: 0,
    amount: '0',
    excluded: 0,
  })
  expect(await lastAudit(desk)).toMatchObject({ act: 'fee.waive', outcome: 'done', staffName: staff?.name })
})

test('the balance after a waiver is read, whatever else changed since the balance before it was', async () => {
  const { desk, account, before, fee, input } = await deskWithFee()
  const { balance } = await readFee('sandbox', fee.id)
  expect(balance?.balance).toBe(String(before - 120.5))
  const cashback = { cardAccountId: account.id, intent: 'cashback', amount: 7 }
  expect((await desk.service.control('POST', '/credits', cashback)).status).toBe(200)
  expect(await runAction('fee.waive', { ...input, reason: 'goodwill' })).toMatchObject({
    record: { balance: { balance: String(before + 7) } },
  })
})

test('a double click, a reload and a retry of one waiver have one effect and one outcome', async () => {
  const { desk, input, account, before } = await deskWithFee()
  const results = await Promise.all([
    runAction('fee.waive', input),
    runAction('fee.waive', input),
    runAction('fee.waive', input),
  ])
  results.push(await runAction('fee.waive', input))
  for (const result of results)
    expect(result).toMatchObject({ kind: 'settled', operation: { outcome: { state: 'done' } } })
  expect(await balanceIn(desk, account.id)).toBe(before)
  expect(await desk.db.select().from(operations)).toHaveLength(1)
})

test.each([
  ['repeated at the built-in service, which honours keys', 'on', 4],
  ['read back before it is sent again at a connected service', '', 1],
])('a waiver whose 500 came after its effect is %s', async (_, isBuiltIn, sendings) => {
  vi.stubEnv('BUILT_IN_SERVICE', isBuiltIn)
  const { desk, input, account, before } = await deskWithFee()
  desk.requests.clear()
  desk.intercept.after = ({ url }) => (url?.endsWith('/fees/waive') ? Response.json({}, { status: 500 }) : null)
  expect(await runAction('fee.waive', input)).toMatchObject({ operation: { outcome: { state: 'done' } } })
  expect(desk.requests.get('/fees/waive')).toBe(sendings)
  expect(await balanceIn(desk, account.id)).toBe(before)
})

test('a fee that is void already gets its own sentence at once, nothing is sent, and the attempt is audited', async () => {
  const { desk, fee, input } = await deskWithFee()
  await runAction('fee.waive', input)
  desk.requests.clear()
  const again = await runAction('fee.waive', { ...input, operationId: randomUUID() })
  expect(again).toMatchObject({
    kind: 'refused',
    outcome: {
      state: 'refused',
      code: 'FEE_ALREADY_VOID',
      changed: 'no',
      isSafeToRetry: false,
      happened: 'This fee is void already: it was waived or cancelled before, and the balance does not count it.',
    },
  })
  expect(desk.requests.get('/fees/waive')).toBeUndefined()
  expect(await lastAudit(desk)).toMatchObject({ act: 'fee.waive', outcome: 'refused', code: 'FEE_ALREADY_VOID' })
  expect((await feeIn(desk, fee.id))?.status).toBe('void')
})

test.each([
  ['done', 'has waived this fee before.'],
  ['unknown', 'is not confirmed yet.'],
] as const)(
  'a fee with a waiver that is %s is not waived again where the service shows it as charged',
  async (state, said) => {
    const { desk, fee, input } = await deskWithFee()
    await runAction('fee.waive', input)
    await desk.db.update(operations).set({ state })
    await desk.service.service.db.update(serviceFees).set({ status: 'posted' }).where(eq(serviceFees.id, fee.id))
    expect((await readFee('sandbox', fee.id)).waivedBefore).toContain(said)
    desk.requests.clear()
    const again = await runAction('fee.waive', { ...input, operationId: randomUUID() })
    expect(again).toMatchObject({ outcome: { code: 'FEE_WAIVED_BEFORE', happened: expect.stringContaining(said) } })
    const chosen = { environment: 'sandbox' as const, ids: [fee.id], filters: {}, settings: {} }
    const read = await previewJob({ kind: 'fee.waive', ...chosen })
    const digest = read.kind === 'read' ? read.preview.digest : ''
    const jobId = randomUUID()
    await startJob({ kind: 'fee.waive', ...chosen, operationId: jobId, reason: 'goodwill', digest })
    await bulkJobsDone()
    expect((await jobIn(desk, jobId)).states).toEqual(['refused'])
    expect(desk.requests.get('/fees/waive')).toBeUndefined()
  },
)

/** Starts operations that have all seen no other one when the first of them may be written. */
async function atTheSameMoment({ db }: TestConsole, begin: () => Promise<unknown>[]): Promise<unknown[]> {
  const { running } = await inTransaction(db, async (tx) => {
    await tx.execute(sql`lock table ${operations} in share row exclusive mode`)
    const running = begin()
    await vi.waitFor(async () => {
      const { rows } = await tx.execute(
        sql`select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`,
      )
      expect(rows).toHaveLength(running.length)
    })
    return { running }
  })
  return Promise.all(running)
}

test('of two waivers of a fee at the same moment one is sent', async () => {
  const { desk, input } = await deskWithFee()
  desk.requests.clear()
  const waivers = [input, { ...input, operationId: randomUUID() }]
  const results = await atTheSameMoment(desk, () => waivers.map((waiver) => runAction('fee.waive', waiver)))
  expect(results).toContainEqual(expect.objectContaining({ kind: 'settled' }))
  expect(results).toContainEqual(
    expect.objectContaining({
      outcome: expect.objectContaining({
        code: 'ALREADY_UNDER_WAY',
        changed: 'no',
        happened: expect.stringContaining('A second one may credit it twice.'),
      }),
    }),
  )
  expect(desk.requests.get('/fees/waive')).toBe(1)
})

test('a row of a job at the same moment as another waiver of its fee is refused once, and the job goes on', async () => {
  const { desk, account, fee, input } = await deskWithFee()
  const [other] = await chargeFees(desk, account.id, [30])
  if (!other) throw new Error('a fee was charged')
  const chosen = { environment: 'sandbox' as const, ids: [fee.id, other.id], filters: {}, settings: {} }
  const read = await previewJob({ kind: 'fee.waive', ...chosen })
  const digest = read.kind === 'read' ? read.preview.digest : ''
  const jobId = randomUUID()
  desk.requests.clear()
  const inJob = async () => {
    await startJob({ kind: 'fee.waive', ...chosen, operationId: jobId, reason: 'goodwill', digest })
    await bulkJobsDone()
  }
  await atTheSameMoment(desk, () => [runAction('fee.waive', { ...input, feeId: fee.id }), inJob()])
  const { items, job } = await jobIn(desk, jobId)
  expect(job.state).toBe('finished')
  expect(items.find(({ targetId }) => targetId === other.id)).toMatchObject({ state: 'done' })
  const [pressed] = await desk.db.select().from(operations).where(eq(operations.id, input.operationId))
  const row = items.find(({ targetId }) => targetId === fee.id)
  expect([pressed?.state, row?.state]).toEqual(pressed ? ['done', 'refused'] : [undefined, 'done'])
  expect(desk.requests.get('/fees/waive')).toBe(2)
  const refused = await desk.db.select().from(auditEntries).where(eq(auditEntries.outcome, 'refused'))
  expect(refused).toMatchObject([{ act: 'fee.waive', code: 'ALREADY_UNDER_WAY', targetId: fee.id }])
})

test('an unknown fee gets its own sentence, and nothing is sent', async () => {
  const { desk, input } = await deskWithFee()
  const result = await runAction('fee.waive', { ...input, feeId: randomUUID() })
  expect(result).toMatchObject({
    kind: 'refused',
    outcome: { code: 'FEE_NOT_FOUND', happened: 'There is no such fee in this environment.', changed: 'no' },
  })
  expect(desk.requests.get('/fees/waive')).toBeUndefined()
})

test('the service’s own error about a fee that became void in between is shown with its own message and the fee’s real status', async () => {
  const { desk, fee, input } = await deskWithFee()
  desk.intercept.before = async (request) => {
    if (request.url?.endsWith('/fees/waive')) {
      delete desk.intercept.before
      await desk.service.call('waiveFee', { body: { id: fee.id } })
    }
    return false
  }
  expect(await runAction('fee.waive', input)).toMatchObject({
    kind: 'settled',
    operation: {
      outcome: {
        state: 'refused',
        changed: 'no',
        code: 'INVALID_PARAMETERS',
        happened: 'The fee wasn’t waived. It may be void already.',
      },
    },
    record: { fee: { status: 'void' } },
  })
})

test('a response that is lost after the effect ends as done, once', async () => {
  const { desk, account, before, input } = await deskWithFee()
  await desk.service.control('POST', '/faults', { path: '/fees/waive', status: 0, times: 1, after: true })
  expect(await runAction('fee.waive', input)).toMatchObject({
    operation: { outcome: { state: 'done' } },
    record: { fee: { status: 'void' }, balance: { balance: String(before) } },
  })
  expect(await balanceIn(desk, account.id)).toBe(before)
})

test('a person who may not waive fees changes nothing, and the attempt is audited', async () => {
  const { desk, fee, input } = await deskWithFee()
  for (const role of ['viewer', 'support', 'approver', 'admin'] as const) {
    await desk.signIn(role)
    expect(await runAction('fee.waive', { ...input, operationId: randomUUID() }), role).toMatchObject({
      kind: 'refused',
      outcome: { code: 'NOT_PERMITTED' },
    })
    expect(await lastAudit(desk)).toMatchObject({ act: 'fee.waive', outcome: 'refused', targetId: fee.id })
  }
  expect((await feeIn(desk, fee.id))?.status).toBe('posted')
})

test('a comment with a card number is refused and stored nowhere', async () => {
  const { input } = await deskWithFee()
  expect(await runAction('fee.waive', { ...input, comment: 'card 4242424242424242' })).toEqual({
    kind: 'invalid',
    fields: { comment: 'must not hold a card number' },
  })
})

test('a card number in place of the fee’s id is in no audit entry', async () => {
  const { desk, input } = await deskWithFee()
  const result = await runAction('fee.waive', { ...input, feeId: '4929123456789015' })
  expect(result).toMatchObject({ kind: 'refused', outcome: { changed: 'no' } })
  const trail = JSON.stringify(await desk.db.select().from(auditEntries))
  expect(trail).not.toContain('4929123456789015')
  expect(trail).toContain('•••• 9015')
})

describe('a service that takes a waived fee out of its list, and shows no status for it', () => {
  function takeOutOnceWaived({ intercept }: TestConsole, [fee]: FeeEntry[], onWaived = async () => {}) {
    const waived: string[] = []
    intercept.before = async ({ url }, _response, body) => {
      if (!url?.endsWith('/fees/waive')) return false
      await onWaived()
      waived.push((JSON.parse(body) as { id: string }).id)
      return false
    }
    intercept.after = ({ method, url }) => {
      if (url?.endsWith('/fees/waive')) return Response.json({ ...fee, id: waived.at(-1), status: 'posted' })
      const isGone = method === 'GET' && waived.some((id) => url?.includes(id))
      return isGone ? Response.json({ fees: [], nextPageToken: '' }) : null
    }
    return waived
  }

  test('the waiver is done where the balance rose by exactly its amount, and says so', async () => {
    const { desk, fee, input } = await deskWithFee()
    takeOutOnceWaived(desk, [fee])
    expect(await runAction('fee.waive', input)).toMatchObject({
      operation: {
        outcome: { state: 'done', happened: expect.stringMatching(/not listed any more.* rose by exactly 120\.50 /) },
      },
    })
  })

  test('the waiver is not confirmed where the balance moved otherwise, and both balances are stated', async () => {
    const { desk, account, fee, input } = await deskWithFee()
    takeOutOnceWaived(desk, [fee], async () => void (await chargeFees(desk, account.id, [1])))
    expect(await runAction('fee.waive', input)).toMatchObject({
      operation: {
        outcome: {
          state: 'unknown',
          finding: { text: expect.stringMatching(/not listed any more\. .*before and is .* now/) },
        },
      },
    })
  })

  test('a bulk job waives each fee once, and is done', async () => {
    const { desk, account, fee } = await deskWithFee()
    const [other] = await chargeFees(desk, account.id, [30])
    if (!other) throw new Error('a fee was charged')
    const waived = takeOutOnceWaived(desk, [fee])
    const ids = [fee.id, other.id]
    const chosen = { environment: 'sandbox' as const, ids, filters: {}, settings: {} }
    const read = await previewJob({ kind: 'fee.waive', ...chosen })
    if (read.kind !== 'read') throw new Error(JSON.stringify(read))
    const jobId = randomUUID()
    await startJob({
      kind: 'fee.waive',
      ...chosen,
      operationId: jobId,
      reason: 'goodwill',
      digest: read.preview.digest,
    })
    await bulkJobsDone()
    expect((await jobIn(desk, jobId)).states).toEqual(['done', 'done'])
    expect(waived.toSorted()).toEqual(ids.toSorted())
  })
})
