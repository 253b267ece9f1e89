import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { listApprovals, readApproval } from '#lib/console/approvals/read.ts'
import { cancelBulkJob, resumeBulkJob } from '#lib/console/bulk/control.ts'
import { listBulkJobs, readBulkJob } from '#lib/console/bulk/read.ts'
import { bulkResultCsv } from '#lib/console/bulk/result-csv.ts'
import { readCardAccount } from '#lib/console/card-accounts/list.ts'
import { approvalIn, setPolicy } from '#lib/console/testing/approvals.ts'
import { creditAccounts, effectsOn, jobIn, letTimePass, limitJob } from '#lib/console/testing/bulk.ts'
import { openConsole, type TestConsole } from '#lib/console/testing/open-console.ts'
import { approvals } from '#lib/tables/approvals.ts'
import { bulkItems, bulkJobs } from '#lib/tables/bulk.ts'
import { operations } from '#lib/tables/operations.ts'
import { decideApproval } from '../approvals/decide.ts'
import type { PolicyRule } from '../approvals/policy-rules.ts'
import { startBulkJob } from './start.ts'

const environment = 'sandbox' as const

async function waitingJob(desk: TestConsole, rules: PolicyRule[] = [{ topic: 'bulk-jobs', when: 'count', count: 2 }]) {
  await setPolicy(desk, rules)
  const staff = await desk.signIn('operations')
  const [first, second] = await creditAccounts(desk)
  if (!staff || !first || !second) throw new Error('the seed has staff and accounts')
  const entry = limitJob(staff, [first.id, second.id])
  await startBulkJob(entry)
  await letTimePass(desk)
  return { id: entry.id, first: first.id, second: second.id }
}

async function decide(desk: TestConsole, approvalId: string, decision: 'approve' | 'decline') {
  await desk.signIn('approver')
  const { topic, fingerprint } = await approvalIn(desk, approvalId)
  return decideApproval({ environment, approvalId, topic, decision, reason: 'Checked', fingerprint })
}

describe('a bulk job that needs an approval', () => {
  test('sends no row before it, also when somebody resumes it, and every row once after it', async () => {
    const desk = await openConsole()
    const { id, first, second } = await waitingJob(desk)
    expect(await resumeBulkJob({ environment, jobId: id })).toMatchObject({ kind: 'refused' })
    await letTimePass(desk)
    expect((await jobIn(desk, id)).states).toEqual(['waiting', 'waiting'])
    expect(await readBulkJob(environment, id)).toMatchObject({ job: { approval: { state: 'waiting', by: null } } })
    expect((await listBulkJobs(environment, { state: 'waiting' })).jobs).toMatchObject([{ id }])
    expect((await listBulkJobs(environment, { state: 'paused' })).jobs).toEqual([])
    expect(desk.requests.get('/cardaccounts/fixed-limit')).toBeUndefined()
    expect(await decide(desk, id, 'approve')).toEqual({ kind: 'settled', state: 'approved' })
    await letTimePass(desk)
    expect((await jobIn(desk, id)).states).toEqual(['done', 'done'])
    expect(await readBulkJob(environment, id)).toMatchObject({
      job: { approval: { state: 'approved', by: { name: 'Ada Ng' } } },
    })
    expect([await effectsOn(desk, first), await effectsOn(desk, second)]).toEqual([1, 1])
  })

  test('shows its approver what it returns by currency, in the list and on its page', async () => {
    const desk = await openConsole()
    await setPolicy(desk, [{ topic: 'bulk-jobs', when: 'count', count: 2 }])
    const staff = await desk.signIn('operations')
    const [account] = await creditAccounts(desk)
    if (!staff || !account) throw new Error('the seed has staff and accounts')
    const id = randomUUID()
    const by = { id: staff.id, name: staff.name, role: staff.role }
    const changes = [
      ['-10.5', 'USD'],
      ['-397.47', 'USD'],
      [null, 'USD'],
      ['-20', 'HKD'],
    ] as const
    const items = changes.map(([change, currency]) => {
      const target = { type: 'fee', id: randomUUID(), parentId: account.id, label: null }
      return { target, endpoint: 'waiveFee' as const, body: { id: target.id }, facts: { change, currency } }
    })
    await startBulkJob({ id, environment, kind: 'fee.waive', title: 'Waive 4 fees', reason: null, by, items })
    const refunds = [
      { currency: 'USD', whole: '407.97', excluded: 1 },
      { currency: 'HKD', whole: '20', excluded: 0 },
    ]
    await desk.signIn('approver')
    expect(await readApproval(environment, id)).toMatchObject({ approval: { amount: null, refunds }, limits: [] })
    const { approvals: listed } = await listApprovals(environment, {})
    expect(listed).toMatchObject([{ id, refunds }])
  })

  test('shows its approver the limits that it sets', async () => {
    const desk = await openConsole()
    const { id } = await waitingJob(desk)
    await desk.signIn('approver')
    expect(await readApproval(environment, id)).toMatchObject({
      approval: { refunds: [] },
      limits: [{ currency: 'HKD', lowest: '1001', highest: '1002', raised: 2, rows: 2 }],
    })
  })

  test('is cancelled where it is declined, or its maker cancels it', async () => {
    const desk = await openConsole()
    const declined = await waitingJob(desk)
    await decide(desk, declined.id, 'decline')
    expect((await jobIn(desk, declined.id)).job).toMatchObject({
      state: 'cancelled',
      pausedBecause: 'Ada Ng declined it: Checked',
    })
    expect((await listBulkJobs(environment, { state: 'unapproved' })).jobs).toMatchObject([{ id: declined.id }])
    expect((await listBulkJobs(environment, { state: 'cancelled' })).jobs).toEqual([])
    const csv = await bulkResultCsv(environment, declined.id, {})
    const facts = decodeURIComponent(csv.headers.get('x-file-facts') ?? '')
    expect(facts).toContain('["Requested by","Olivia Poon (operations)"]')
    expect(facts).toContain('["Approval","declined by Ada Ng (approver)"]')
    expect(await csv.text()).toContain('"Not approved: the job was declined."')
    const cancelled = await waitingJob(desk)
    await cancelBulkJob({ environment, jobId: cancelled.id })
    expect(await approvalIn(desk, cancelled.id)).toMatchObject({ state: 'withdrawn', decidedByName: 'Olivia Poon' })
    expect(await decide(desk, cancelled.id, 'approve')).toMatchObject({ kind: 'refused' })
    expect([...desk.requests.keys()].filter((path) => path.includes('Limit'))).toEqual([])
  })

  test('a rule about limit raises holds for the rows of a file, too', async () => {
    const desk = await openConsole()
    const rule = { topic: 'limit-raises', when: 'amount', amount: '1002', currency: 'HKD' } as const
    const { id } = await waitingJob(desk, [rule])
    expect(await approvalIn(desk, id)).toMatchObject({
      state: 'waiting',
      because: ['Limit raises to 1,002.00 HKD or more.'],
    })
  })

  test('a rule about the amount of a job holds back no job without amounts', async () => {
    const desk = await openConsole()
    await setPolicy(desk, [{ topic: 'bulk-jobs', when: 'amount', amount: '1000', currency: 'HKD' }])
    const staff = await desk.signIn('operations')
    const [account] = await creditAccounts(desk)
    if (!staff || !account) throw new Error('the seed has staff and accounts')
    const id = randomUUID()
    const by = { id: staff.id, name: staff.name, role: staff.role }
    const [cardId, parentId] = [randomUUID(), account.id]
    const target = { type: 'card', id: cardId, parentId, label: null }
    const row = { target, endpoint: 'lockCard' as const, body: { cardAccountId: parentId, cardId }, facts: {} }
    const reason = 'Suspected fraud'
    await startBulkJob({ id, environment, kind: 'card.lock', title: 'Lock 1 card', reason, by, items: [row] })
    expect((await jobIn(desk, id)).job.pausedBecause).toBeNull()
    expect(await desk.db.$count(approvals)).toBe(0)
  })

  test('a rule about the number of limit raises counts the rows of other jobs before they are sent', async () => {
    const desk = await openConsole()
    await setPolicy(desk, [{ topic: 'limit-raises', when: 'count', count: 4 }])
    const staff = await desk.signIn('operations')
    const [one, two, three, four] = (await creditAccounts(desk)).map(({ id }) => id)
    if (!staff || !one || !two || !three || !four) throw new Error('the seed has staff and accounts')
    const [first, second] = [limitJob(staff, [one, two]), limitJob(staff, [three, four])]
    await desk.stopService()
    await startBulkJob(first)
    await startBulkJob(second)
    expect((await jobIn(desk, first.id)).job.state).toBe('running')
    expect((await jobIn(desk, second.id)).job.state).toBe('paused')
    expect(await approvalIn(desk, second.id)).toMatchObject({
      because: ['Limit raises: from a person’s 4th within 24 hours.'],
    })
  })

  test('a rule about the number of limit raises counts no limit that was lowered, or is about to be', async () => {
    const desk = await openConsole()
    const staff = await desk.signIn('operations')
    const [single, sent, waiting, raised] = await creditAccounts(desk)
    if (!staff || !single || !sent || !waiting || !raised) throw new Error('the seed has staff and accounts')
    await setPolicy(desk, [{ topic: 'limit-raises', when: 'count', count: 2 }])
    const limitOf = async ({ id }: { id: string }) => (await readCardAccount(environment, id)).account.limit ?? 0
    const set = async (account: { id: string }, change: number) => {
      const limitBefore = await limitOf(account)
      const limit = String(limitBefore + change)
      const given = {
        environment,
        operationId: randomUUID(),
        cardAccountId: account.id,
        reason: 'credit-review',
      } as const
      return runAction('account.set-limit', { ...given, limit, limitBefore })
    }
    const lowered = async (account: { id: string }) => {
      const limitBefore = await limitOf(account)
      const limit = limitBefore - 1
      const job = limitJob(staff, [account.id])
      const items = job.items.map(({ body, facts, ...item }) => ({
        ...item,
        body: { ...body, limit },
        facts: { ...facts, limit: String(limit), limitBefore: String(limitBefore) },
      }))
      return { ...job, items }
    }
    const state = (result: Awaited<ReturnType<typeof set>>) =>
      result.kind === 'settled' ? result.operation.outcome.state : result
    expect(state(await set(single, -1))).toBe('done')
    await startBulkJob(await lowered(sent))
    await letTimePass(desk)
    expect(await desk.db.$count(operations)).toBe(2)
    const later = await lowered(waiting)
    await startBulkJob(later)
    await desk.db.update(bulkJobs).set({ state: 'paused' }).where(eq(bulkJobs.id, later.id))
    expect(state(await set(raised, 1))).toBe('done')
    expect(state(await set(raised, 1))).toBe('waiting')
  })

  test('rows that were changed are neither approved nor sent', async () => {
    const desk = await openConsole()
    const { id, first } = await waitingJob(desk)
    const change = { body: { cardAccountId: first, limit: 999_999 } }
    await desk.db.update(bulkItems).set(change).where(eq(bulkItems.jobId, id))
    expect(await decide(desk, id, 'approve')).toMatchObject({ kind: 'refused', outcome: { code: 'APPROVAL_MISMATCH' } })
    await decide(desk, id, 'decline')

    const later = await waitingJob(desk)
    await desk.stopService()
    await decide(desk, later.id, 'approve')
    await letTimePass(desk)
    await desk.db.update(bulkItems).set(change).where(eq(bulkItems.jobId, later.id))
    await desk.db.update(operations).set({ settledAt: new Date() })
    await desk.startService()
    await letTimePass(desk)
    expect((await jobIn(desk, later.id)).job).toMatchObject({ state: 'paused' })
    expect(await effectsOn(desk, first)).toBe(0)
  })

  test('a job that is set to running in the database sends nothing', async () => {
    const desk = await openConsole()
    const { id, first } = await waitingJob(desk)
    await desk.db.update(bulkJobs).set({ state: 'running', nextAt: new Date(0) })
    await letTimePass(desk)
    expect((await jobIn(desk, id)).job).toMatchObject({
      state: 'paused',
      pausedBecause: 'The rows are not those that were approved.',
    })
    expect(await effectsOn(desk, first)).toBe(0)
  })
})
