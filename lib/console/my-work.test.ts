import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { jobLabel } from '#components/bulk/bulk-labels.ts'
import type { Staff } from '#lib/auth/types.ts'
import { approvals, policies } from '#lib/tables/approvals.ts'
import { bulkItems, bulkJobs } from '#lib/tables/bulk.ts'
import { readBulkJob } from './bulk/read.ts'
import { readMyWork } from './my-work.ts'
import { shareConsole } from './testing/open-console.ts'

const desk = shareConsole({ seeded: 1 })
const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * 3_600_000)
const target = { targetType: 'cardaccount', targetId: 'account-1', targetParentId: null, targetLabel: 'Chan Tai Man' }

async function signIn(role: 'operations' | 'admin'): Promise<Staff> {
  const staff = await desk.signIn(role)
  if (!staff) throw new Error('there is a person of each role')
  return staff
}

async function waitingIds(source: string): Promise<string[]> {
  const { sections } = await readMyWork('sandbox')
  return sections.find((section) => section.source === source)?.items.map(({ id }) => id) ?? []
}

const aJob = (me: Staff, state: 'running' | 'finished', finishedAt: Date | null) =>
  ({
    id: randomUUID(),
    environment: 'sandbox',
    kind: 'fee.waive',
    title: 'Waive 2 fees',
    staffId: me.id,
    staffName: me.name,
    staffRole: me.role,
    contentDigest: '',
    state,
    total: 1,
    createdAt: finishedAt ?? new Date(),
    finishedAt,
    leaseUntil: finishedAt ?? new Date(),
    leaseHolder: null,
    nextAt: finishedAt ?? new Date(),
  }) as typeof bulkJobs.$inferInsert

const anItem = (jobId: string, state: 'done' | 'refused' | 'unknown') => ({
  jobId,
  position: 1,
  operationId: randomUUID(),
  ...target,
  body: {},
  facts: {},
  endpoint: 'waiveFee' as const,
  state,
})

test('a job of mine has the state that its own page has: settling once no row is left to send', async () => {
  const job = aJob(await signIn('operations'), 'running', null)
  await desk.db.insert(bulkJobs).values(job)
  await desk.db.insert(bulkItems).values(anItem(job.id, 'unknown'))
  const { sections } = await readMyWork('sandbox')
  const item = sections.find(({ source }) => source === 'bulk-jobs')?.items.find(({ id }) => id === job.id)
  expect(item?.job).toEqual((await readBulkJob('sandbox', job.id)).job)
  expect(item?.job && jobLabel(item.job).label).toBe('Settling')
})

test('a job of mine that ended with refused rows waits for three days, and one that ended whole does not', async () => {
  const me = await signIn('operations')
  const job = async (state: 'done' | 'refused', hoursAgo: number, code: string | null = null) => {
    const row = aJob(me, 'finished', at(hoursAgo))
    await desk.db.insert(bulkJobs).values(row)
    await desk.db.insert(bulkItems).values({ ...anItem(row.id, state), code })
    return row.id
  }
  const inPart = await job('refused', 1)
  await job('done', 2)
  // Nothing is left to do of it.
  await job('refused', 2, 'FEE_ALREADY_VOID')
  await job('refused', 100)
  const left = async () => (await readBulkJob('sandbox', inPart)).left
  expect(await waitingIds('jobs-in-part')).toEqual([inPart])
  expect(await left(), 'on its own page').toEqual({ refused: 1, cancelled: 0 })
  await job('done', 0.5)
  expect(await waitingIds('jobs-in-part'), 'a later job did the row').toEqual([])
  expect(await left()).toEqual({ refused: 0, cancelled: 0 })
})

test('my requests that were decided within a day are there, and nobody else’s', async () => {
  const me = await signIn('operations')
  const request = async (makerId: string, hoursAgo: number, state: 'declined' | 'withdrawn' = 'declined') => {
    const id = randomUUID()
    await desk.db.insert(approvals).values({
      id,
      environment: 'sandbox',
      subject: 'operation',
      kind: 'card.cancel',
      topic: 'card.cancel',
      makerId,
      makerName: 'Somebody',
      makerRole: 'operations',
      makerEmail: 'somebody@example.com',
      ...target,
      effect: 'Cancel card ending 4821',
      because: [],
      fingerprint: '',
      state,
      createdAt: at(hoursAgo + 1),
      expiresAt: at(hoursAgo - 20),
      decidedAt: at(hoursAgo),
      decidedByName: 'Ada Ng',
    } as unknown as typeof approvals.$inferInsert)
    return id
  }
  const mine = await request(me.id, 2)
  await request(me.id, 30)
  await request(me.id, 2, 'withdrawn')
  await request(randomUUID(), 2)
  expect(await waitingIds('decisions')).toEqual([mine])
})

test('a policy that another admin proposed waits for an admin, never for the one who proposed it', async () => {
  const me = await signIn('admin')
  const propose = async (proposedById: string, environment: 'sandbox' | 'production') => {
    const id = randomUUID()
    await desk.db.insert(policies).values({
      id,
      environment,
      state: 'proposed',
      rules: [],
      expiryHours: 24,
      tolerancePercent: '1',
      comment: 'Stricter',
      proposedById,
      proposedByName: 'Another admin',
      proposedByEmail: 'another@example.com',
      proposedAt: at(1),
    })
    return id
  }
  await propose(me.id, 'production')
  expect((await readMyWork('production')).sections.find(({ source }) => source === 'policies')?.count).toBe(0)
  const other = await propose(randomUUID(), 'sandbox')
  expect(await waitingIds('policies')).toEqual([other])
  await signIn('operations')
  expect(await waitingIds('policies')).toEqual([])
})
