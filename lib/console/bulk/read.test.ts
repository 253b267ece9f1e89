import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Role } from '#lib/auth/permissions.ts'
import { bulkJobsDone } from '#lib/operations/bulk/run.ts'
import { startBulkJob } from '#lib/operations/bulk/start.ts'
import { bulkItems, bulkJobs } from '#lib/tables/bulk.ts'
import { reads } from '../reads.ts'
import { creditAccounts, limitJob } from '../testing/bulk.ts'
import { openConsole } from '../testing/open-console.ts'
import { cancelBulkJob, pauseBulkJob, resumeBulkJob } from './control.ts'

const { listBulkJobs, readBulkJob, bulkResultCsv } = reads

const environment = 'sandbox' as const

async function arrange(rows: number) {
  const desk = await openConsole({ seeded: 4 })
  const by = await desk.signIn('operations')
  const [account] = await creditAccounts(desk)
  if (!by || !account) throw new Error('the seed has nobody of Operations, or no credit account')
  const entry = limitJob(by, [...Array(rows - 1).fill(account.id), randomUUID()])
  return { desk, by, account, entry }
}

test('a job is read with its counts and its rows, page by page in both directions, by state', async () => {
  const { entry } = await arrange(5)
  await startBulkJob(entry)
  await bulkJobsDone()
  const first = await readBulkJob(environment, entry.id.toUpperCase(), { pageSize: '2' })
  expect(first.job).toMatchObject({
    state: 'finished',
    total: 5,
    by: { name: 'Olivia Poon', role: 'operations' },
    permission: 'limits.set',
    counts: { done: 4, refused: 1, waiting: 0, running: 0, unknown: 0, cancelled: 0 },
  })
  expect(first.columns.map(({ name }) => name)).toEqual(['Account', 'Limit before', 'New limit', 'Currency'])
  expect(first.money).toEqual([])
  expect(first.items.map(({ position }) => position)).toEqual([1, 2])
  expect(first.prevPageToken).toBeNull()
  const second = await readBulkJob(environment, entry.id, { pageSize: '2', pageToken: first.nextPageToken ?? '' })
  const third = await readBulkJob(environment, entry.id, { pageSize: '2', pageToken: second.nextPageToken ?? '' })
  expect([...second.items, ...third.items].map(({ position }) => position)).toEqual([3, 4, 5])
  expect(third.nextPageToken).toBeNull()
  const back = await readBulkJob(environment, entry.id, { pageSize: '2', pageToken: third.prevPageToken ?? '' })
  expect(back.items).toEqual(second.items)
  const refused = await readBulkJob(environment, entry.id, { state: 'refused' })
  expect(refused.items).toMatchObject([{ position: 5, code: 'CARD_ACCOUNT_NOT_FOUND', requestId: expect.any(String) }])
  for (const search of [
    { state: 'failed' },
    { pageToken: 'x' },
    { pageToken: first.nextPageToken ?? '', state: 'done' },
    { pageSize: '0' },
  ]) {
    await expect(readBulkJob(environment, entry.id, search)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' })
  }
})

test('how long a row takes leaves out the time in which the job was paused', async () => {
  const { desk, entry } = await arrange(5)
  await startBulkJob(entry)
  await bulkJobsDone()
  for (const [index, second] of [0, 3, 3603, 3605, 3609].entries()) {
    await desk.db
      .update(bulkItems)
      .set({ settledAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)) })
      .where(and(eq(bulkItems.jobId, entry.id), eq(bulkItems.position, index + 1)))
  }
  expect((await readBulkJob(environment, entry.id)).rowMs).toBe(3000)
})

test('a job that tags accounts has no column of cards, one that tags cards has it', async () => {
  const { entry, account } = await arrange(2)
  for (const type of ['cardaccount', 'card']) {
    const id = randomUUID()
    const items = entry.items.map((item) => ({ ...item, target: { ...item.target, type, parentId: account.id } }))
    await startBulkJob({ ...entry, id, kind: 'reference.set', items })
    const { columns } = await readBulkJob(environment, id)
    expect(columns.some(({ name }) => name === 'Card')).toBe(type === 'card')
  }
  await bulkJobsDone()
})

test('jobs are listed newest first, page by page, by state and kind, each environment its own', async () => {
  const { desk, by, account } = await arrange(2)
  const ids: string[] = []
  for (let day = 1; day <= 5; day += 1) {
    const entry = limitJob(by, [account.id])
    await startBulkJob(entry)
    await bulkJobsDone()
    await desk.db
      .update(bulkJobs)
      .set({ createdAt: new Date(`2026-11-0${day}T00:00:00Z`) })
      .where(eq(bulkJobs.id, entry.id))
    ids.unshift(entry.id)
  }
  const first = await listBulkJobs(environment, { pageSize: '3' })
  expect(first.jobs.map(({ id }) => id)).toEqual(ids.slice(0, 3))
  const second = await listBulkJobs(environment, { pageSize: '3', pageToken: first.nextPageToken ?? '' })
  expect(second.jobs.map(({ id }) => id)).toEqual(ids.slice(3))
  expect(second.nextPageToken).toBeNull()
  const back = await listBulkJobs(environment, { pageSize: '3', pageToken: second.prevPageToken ?? '' })
  expect(back.jobs).toEqual(first.jobs)
  expect(first.jobs[0]).toMatchObject({ total: 1, counts: { done: 1 } })
  expect((await listBulkJobs(environment, { state: 'running' })).jobs).toEqual([])
  expect((await listBulkJobs(environment, { kind: 'fee.waive' })).jobs).toEqual([])
  expect((await listBulkJobs(environment, { state: 'finished', kind: 'account.set-limit' })).jobs).toHaveLength(5)
  expect((await listBulkJobs(environment, { state: 'partial' })).jobs).toEqual([])
  await desk.db
    .update(bulkItems)
    .set({ state: 'refused' })
    .where(eq(bulkItems.jobId, ids[0] ?? ''))
  expect((await listBulkJobs(environment, { state: 'partial' })).jobs.map(({ id }) => id)).toEqual([ids[0]])
  expect((await listBulkJobs(environment, { state: 'finished' })).jobs).toHaveLength(4)
  expect((await listBulkJobs('production', {})).jobs).toEqual([])
  await expect(listBulkJobs(environment, { kind: 'card.cancel' })).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' })
  await expect(readBulkJob('production', ids[0] ?? '')).rejects.toMatchObject({
    code: 'BULK_JOB_NOT_FOUND',
    status: 404,
  })
  await expect(readBulkJob(environment, "x' or 1=1")).rejects.toMatchObject({ code: 'BULK_JOB_NOT_FOUND' })
})

test('everybody who may read accounts sees jobs; only a person who may start that kind can stop one; attempts are audited', async () => {
  const { desk, entry } = await arrange(3)
  await startBulkJob(entry)
  await bulkJobsDone()
  const input = { environment, jobId: entry.id }
  for (const role of ['viewer', 'support', 'approver', 'admin'] satisfies Role[]) {
    await desk.signIn(role)
    expect((await listBulkJobs(environment, {})).jobs).toHaveLength(1)
    expect((await readBulkJob(environment, entry.id)).items).toHaveLength(3)
    for (const control of [pauseBulkJob, resumeBulkJob, cancelBulkJob]) {
      expect(await control(input)).toMatchObject({ kind: 'refused', outcome: { code: 'NOT_PERMITTED' } })
    }
  }
  await desk.signIn(null)
  for (const read of [
    listBulkJobs(environment, {}),
    readBulkJob(environment, entry.id),
    bulkResultCsv(environment, entry.id, {}),
  ]) {
    await expect(read).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  }
  expect(await cancelBulkJob(input)).toMatchObject({ kind: 'refused', outcome: { code: 'NOT_SIGNED_IN' } })
  await desk.signIn('operations')
  expect(await cancelBulkJob({ ...input, jobId: randomUUID() })).toMatchObject({
    outcome: { code: 'BULK_JOB_NOT_FOUND' },
  })
  const { rows } = await desk.db.$client.query(
    `select act, code from console.audit_entries where outcome = 'refused' and act like 'bulk.%'`,
  )
  expect(rows).toHaveLength(12)
})

test('the result CSV names the job, the result of each row and its completeness, and holds no formula', async () => {
  const { desk, entry } = await arrange(4)
  await startBulkJob({
    ...entry,
    reason: '=HYPERLINK("http://x") for a@b.example',
    items: entry.items.map((item) => ({ ...item, facts: { ...item.facts, account: '=1+1' } })),
  })
  await bulkJobsDone()
  await desk.db.update(bulkItems).set({ state: 'cancelled', settledAt: new Date() }).where(eq(bulkItems.position, 3))
  await desk.signIn('viewer')
  const response = await bulkResultCsv(environment, entry.id, { zone: 'Asia/Hong_Kong' })
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="bulk-job-[\d-]+-[0-9a-f]{8}\.csv"$/,
  )
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(Array.from(bytes.subarray(0, 3))).toEqual([0xef, 0xbb, 0xbf])
  const lines = new TextDecoder().decode(bytes).split('\r\n')
  expect(factsOf(response)).toEqual([
    ['Bulk job', 'Set 4 limits (sandbox)'],
    ['Job id', entry.id],
    ['Started by', 'Olivia Poon (operations)'],
    ['Started', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/)],
    ['Finished', expect.stringMatching(/^\d{4}/)],
    ['Time zone', 'Asia/Hong_Kong'],
    ['Reason', '=HYPERLINK("http://x") for a•••@b.example'],
    ['State', 'finished'],
    ['Rows', '4'],
    ['Done', '2'],
    ['Refused', '1'],
    ['Outcome not known', '0'],
    ['Not started', '1'],
    ['Not finished yet', '0'],
    ['Complete', 'yes, every row with its final result'],
  ])
  const [header, ...rows] = lines
  expect(header?.replaceAll('"', '')).toBe(
    'Row,Result,Account,Limit before,New limit,Currency,On,On id,Account id,Code,What happened,Request,Operation,Settled',
  )
  expect(rows[0]).toMatch(/^"1","done","'=1\+1","","1001.00","HKD","cardaccount",.*,"","Set\.",/)
  expect(rows[2]).toMatch(/^"3","cancelled",.*,"Cancelled before it began\.",/)
  expect(rows[3]).toContain(',"CARD_ACCOUNT_NOT_FOUND","The card service has no card account with this ID.",')
  await desk.db.update(bulkItems).set({ state: 'waiting', settledAt: null }).where(eq(bulkItems.position, 3))
  const open = new Map(factsOf(await bulkResultCsv(environment, entry.id, {})))
  expect([open.get('Time zone'), open.get('Complete')]).toEqual(['UTC', 'NO: 1 row has no final result yet'])
  await expect(bulkResultCsv(environment, entry.id, { zone: 'Moon/Sea' })).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
  })
})

test('the result CSV gives a fee the sign that it has on the screen', async () => {
  const { by, account, entry } = await arrange(2)
  const items = [
    { amount: '25', change: '-25', currency: 'HKD' },
    { amount: '25', change: null, currency: 'HKD' },
  ].map((facts) => {
    const target = { type: 'fee', id: randomUUID(), parentId: account.id, label: null }
    return { target, endpoint: 'waiveFee' as const, body: { id: target.id }, facts }
  })
  await startBulkJob({ ...entry, by: { id: by.id, name: by.name, role: by.role }, kind: 'fee.waive', items })
  await bulkJobsDone()
  const [, signed, unsigned] = (await (await bulkResultCsv(environment, entry.id, {})).text()).split('\r\n')
  expect(signed).toMatch(/^"1","refused","","","-25\.00","HKD",/)
  expect(unsigned).toMatch(/^"2","refused","","","25\.00","HKD",/)
})

function factsOf(response: Response): [string, string][] {
  return JSON.parse(decodeURIComponent(response.headers.get('x-file-facts') ?? '[]')) as [string, string][]
}
