import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { asc, eq, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { cancelBulkJob, pauseBulkJob, resumeBulkJob } from '#lib/console/bulk/control.ts'
import { creditAccounts, effectsOn, holdRequest, jobIn, letTimePass, limitJob } from '#lib/console/testing/bulk.ts'
import { openConsole, type TestConsole } from '#lib/console/testing/open-console.ts'
import { msUntilRetry, prepareRequest } from '#lib/environments/environments.ts'
import { cardAccounts } from '#lib/service/tables/card-accounts.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { bulkJobs } from '#lib/tables/bulk.ts'
import { operations } from '#lib/tables/operations.ts'
import { staff } from '#lib/tables/staff.ts'
import { performOperation } from '../perform.ts'
import { settleUnknownOperations } from '../settle-due.ts'
import { bulkJobsDone, runBulkJobs } from './run.ts'
import { startBulkJob } from './start.ts'

const path = '/cardaccounts/fixed-limit'

/** A console, somebody of Operations who acts, and a job for nine accounts that is not started yet. */
async function arrange(options: Parameters<typeof openConsole>[0] = {}) {
  const desk = await openConsole(options)
  const by = await desk.signIn('operations')
  if (!by) throw new Error('there is nobody of Operations')
  const accounts = (await creditAccounts(desk)).slice(0, 9).map(({ id }) => id)
  return { desk, by, accounts, entry: limitJob(by, accounts) }
}

async function limitOf({ service }: TestConsole, accountId: string): Promise<number> {
  const [account] = await service.service.db.select().from(cardAccounts).where(eq(cardAccounts.id, accountId))
  return Number(account?.limit)
}

async function bulkTrail({ db }: TestConsole): Promise<string[]> {
  const rows = await db.select().from(auditEntries).orderBy(asc(auditEntries.number))
  return rows
    .filter(({ act }) => act.startsWith('bulk.'))
    .map(({ act, code, staffName }) => `${act} ${code ?? staffName}`)
}

test('rows are done one by one in their order, each an operation of its own that is audited', async () => {
  const { desk, accounts, entry } = await arrange()
  let underWay = 0
  let most = 0
  desk.intercept.before = async () => {
    underWay += 1
    most = Math.max(most, underWay)
    await new Promise((resolve) => setTimeout(resolve, 5))
    underWay -= 1
    return false
  }
  await startBulkJob(entry)
  await bulkJobsDone()
  const { job, items } = await jobIn(desk, entry.id)
  expect(job).toMatchObject({ state: 'finished', total: 9, finishedAt: expect.any(Date), leaseHolder: null })
  expect(items.every(({ state, requestId, settledAt }) => state === 'done' && requestId && settledAt)).toBe(true)
  expect(await Promise.all(accounts.map((id) => limitOf(desk, id)))).toEqual(accounts.map((_, index) => 1001 + index))
  expect(desk.requests.get(path)).toBe(9)
  expect(most).toBe(1)
  const trail = await desk.db.select().from(auditEntries).orderBy(asc(auditEntries.number))
  expect(trail.map(({ act, targetId }) => [act, targetId])).toEqual([
    ['bulk.start', entry.id],
    ...accounts.map((id) => ['account.set-limit', id]),
  ])
  expect(trail[3]).toMatchObject({ comment: 'Set 9 limits: row 3 of 9', staffName: 'Olivia Poon' })
})

test('a refused row shows its reason and the others continue: the job is finished, not done', async () => {
  const { desk, by, accounts } = await arrange()
  const [prepaid] = await desk.service.service.db
    .select()
    .from(cardAccounts)
    .where(eq(cardAccounts.accountType, 'prepaid'))
  const entry = limitJob(by, [accounts[0] ?? '', randomUUID(), prepaid?.id ?? '', accounts[1] ?? ''])
  await startBulkJob(entry)
  await bulkJobsDone()
  const { job, items, states } = await jobIn(desk, entry.id)
  expect(states).toEqual(['done', 'refused', 'refused', 'done'])
  expect(items[1]).toMatchObject({
    code: 'CARD_ACCOUNT_NOT_FOUND',
    message: 'The card service has no card account with this ID.',
    requestId: expect.any(String),
  })
  expect(items[2]?.message).toContain('a prepaid account has no limit')
  expect(job.state).toBe('finished')
})

test('a hundred starts under one id are one job with one effect a row; other content is refused and audited', async () => {
  const { desk, by, accounts, entry } = await arrange()
  const before = await effectsOn(desk, accounts[0] ?? '')
  await Promise.all(Array.from({ length: 100 }, () => startBulkJob(entry)))
  await bulkJobsDone()
  await startBulkJob(entry)
  await bulkJobsDone()
  expect(desk.requests.get(path)).toBe(9)
  expect((await effectsOn(desk, accounts[0] ?? '')) - before).toBe(1)
  const mismatch = { code: 'OPERATION_MISMATCH' }
  await expect(startBulkJob({ ...entry, reason: 'other' })).rejects.toMatchObject(mismatch)
  await expect(startBulkJob(limitJob(by, accounts.toReversed(), entry.id))).rejects.toMatchObject(mismatch)
  const other = await desk.signIn('admin')
  if (other) await expect(startBulkJob(limitJob(other, accounts, entry.id))).rejects.toMatchObject(mismatch)
  expect(desk.requests.get(path)).toBe(9)
  expect(await bulkTrail(desk)).toEqual(['bulk.start Olivia Poon', ...Array(3).fill('bulk.start OPERATION_MISMATCH')])
})

test('no job has no rows, or more than 5,000', async () => {
  const { by, accounts } = await arrange({ seeded: 2 })
  await expect(startBulkJob(limitJob(by, []))).rejects.toThrow(TypeError)
  await expect(startBulkJob(limitJob(by, Array(5001).fill(accounts[0])))).rejects.toThrow(TypeError)
})

test('a pause takes effect after the row in progress, and resuming continues there', async () => {
  const { desk, entry } = await arrange()
  const { arrived, letGo } = holdRequest(desk, 3)
  await startBulkJob(entry)
  await arrived
  const target = { environment: 'sandbox' as const, jobId: entry.id }
  expect(await pauseBulkJob(target)).toMatchObject({ kind: 'settled', job: { state: 'paused' } })
  expect(await pauseBulkJob(target)).toMatchObject({ kind: 'settled', job: { state: 'paused' } })
  letGo()
  await bulkJobsDone()
  await letTimePass(desk)
  const paused = await jobIn(desk, entry.id)
  expect(paused.states).toEqual([...Array(3).fill('done'), ...Array(6).fill('waiting')])
  expect(paused.job.pausedBecause).toBe('Olivia Poon paused it.')
  expect(await resumeBulkJob(target)).toMatchObject({ kind: 'settled', job: { state: 'running', pausedBecause: null } })
  await bulkJobsDone()
  const { job, states } = await jobIn(desk, entry.id)
  expect(job).toMatchObject({ state: 'finished', pausedBecause: null })
  expect(states).toEqual(Array(9).fill('done'))
  expect(desk.requests.get(path)).toBe(9)
  expect(await bulkTrail(desk)).toEqual(['bulk.start Olivia Poon', 'bulk.pause Olivia Poon', 'bulk.resume Olivia Poon'])
})

test('a cancellation skips the rows that have not started, and the row in progress completes', async () => {
  const { desk, entry } = await arrange()
  const { arrived, letGo } = holdRequest(desk, 4)
  await startBulkJob(entry)
  await arrived
  const target = { environment: 'sandbox' as const, jobId: entry.id }
  const cancelled = await cancelBulkJob(target)
  expect(cancelled).toMatchObject({
    job: { state: 'cancelled', finishedAt: null, counts: { running: 1, cancelled: 5 } },
  })
  letGo()
  await bulkJobsDone()
  const { job, states } = await jobIn(desk, entry.id)
  expect(states).toEqual([...Array(4).fill('done'), ...Array(5).fill('cancelled')])
  expect(job).toMatchObject({
    state: 'cancelled',
    pausedBecause: 'Olivia Poon cancelled it.',
    finishedAt: expect.any(Date),
  })
  expect(await resumeBulkJob(target)).toMatchObject({ kind: 'refused', outcome: { code: 'INVALID_PARAMETERS' } })
  await letTimePass(desk)
  expect(desk.requests.get(path)).toBe(4)
})

test('a job whose starter loses the permission is paused with the reason, and continues once it is granted again', async () => {
  const { desk, by, entry } = await arrange()
  const { arrived, letGo } = holdRequest(desk, 2)
  await startBulkJob(entry)
  await arrived
  await desk.db.update(staff).set({ role: 'support' }).where(eq(staff.id, by.id))
  letGo()
  await bulkJobsDone()
  const stopped = await jobIn(desk, entry.id)
  expect(stopped.states).toEqual([...Array(2).fill('done'), ...Array(7).fill('waiting')])
  expect(stopped.job).toMatchObject({
    state: 'paused',
    pausedBecause: expect.stringContaining('Olivia Poon, who started this, is Support now'),
  })
  const target = { environment: 'sandbox' as const, jobId: entry.id }
  expect(await resumeBulkJob(target)).toMatchObject({ kind: 'refused', outcome: { code: 'NOT_PERMITTED' } })
  await desk.signIn('qa')
  expect(await resumeBulkJob(target)).toMatchObject({ kind: 'refused', outcome: { code: 'STARTER_NOT_PERMITTED' } })
  expect(await bulkTrail(desk)).toEqual([
    'bulk.start Olivia Poon',
    'bulk.pause NOT_PERMITTED',
    'bulk.resume NOT_PERMITTED',
    'bulk.resume STARTER_NOT_PERMITTED',
  ])
  await desk.db.update(staff).set({ role: 'operations', disabledAt: new Date() }).where(eq(staff.id, by.id))
  await desk.db.update(bulkJobs).set({ state: 'running' })
  await letTimePass(desk)
  expect((await jobIn(desk, entry.id)).job.pausedBecause).toContain('has no access to the console any more')
  await desk.db.update(staff).set({ disabledAt: null }).where(eq(staff.id, by.id))
  expect(await resumeBulkJob(target)).toMatchObject({ kind: 'settled' })
  await bulkJobsDone()
  expect((await jobIn(desk, entry.id)).states).toEqual(Array(9).fill('done'))
})

test('a service that requests a pause gets it: no row fails for it, and the job continues on its own', async () => {
  const { desk, entry } = await arrange()
  await desk.service.control('POST', '/faults', { path, status: 429, times: 4, after: false, delayMs: 0 })
  await startBulkJob(entry)
  await bulkJobsDone()
  const resting = await jobIn(desk, entry.id)
  expect(resting.states).toEqual(['running', ...Array(8).fill('waiting')])
  expect(resting.job).toMatchObject({ state: 'running', silentRows: 1 })
  expect(resting.job.pausedBecause).toContain('Rate limit reached')
  expect(resting.job.nextAt.getTime()).toBeGreaterThan(Date.now())
  await delay(msUntilRetry('sandbox'))
  await letTimePass(desk)
  const { job, states } = await jobIn(desk, entry.id)
  expect(states).toEqual(Array(9).fill('done'))
  expect(job).toMatchObject({ state: 'finished', silentRows: 0, silentSince: null, pausedBecause: null })
}, 30_000)

test('what the rate limit allows is not used up: a tenth of it is left to people, and no row meets a 429', async () => {
  const { desk, entry } = await arrange()
  const { settings } = desk.service.service
  const statuses: number[] = []
  desk.intercept.before = (_request, response) => {
    response.once('finish', () => statuses.push(response.statusCode))
    return false
  }
  settings.rateLimitPerMinute = 8
  // The service counts by the minute of the clock.
  const leftMs = minuteMs - (Date.now() % minuteMs)
  if (leftMs < 10 * secondMs) await delay(leftMs)
  await startBulkJob(entry)
  await bulkJobsDone()
  const resting = await jobIn(desk, entry.id)
  expect(resting.states).toEqual([...Array(8).fill('done'), 'waiting'])
  expect(resting.job).toMatchObject({ state: 'running', silentRows: 0 })
  expect(resting.job.pausedBecause).toContain('The card service allows 8 of these requests a minute')
  const restMs = resting.job.nextAt.getTime() - Date.now()
  expect(restMs).toBeGreaterThan(0)
  expect(restMs).toBeLessThanOrEqual(minuteMs)
  settings.rateLimitPerMinute = 1200
  await letTimePass(desk)
  const { job, states } = await jobIn(desk, entry.id)
  expect(states).toEqual(Array(9).fill('done'))
  expect(job).toMatchObject({ state: 'finished', pausedBecause: null })
  expect(new Set(statuses)).toEqual(new Set([200]))
}, 60_000)

test('a job waits for a service that is down; after ten minutes it pauses with the reason', async () => {
  const { desk, entry } = await arrange()
  const { arrived, letGo } = holdRequest(desk, 2)
  await startBulkJob(entry)
  await arrived
  letGo()
  await pauseBulkJob({ environment: 'sandbox', jobId: entry.id })
  await bulkJobsDone()
  await desk.stopService()
  await resumeBulkJob({ environment: 'sandbox', jobId: entry.id })
  await bulkJobsDone()
  expect((await jobIn(desk, entry.id)).job.pausedBecause).toContain('The job continues')
  await desk.db.update(bulkJobs).set({ silentSince: sql`now() - interval '11 minutes'` })
  await letTimePass(desk)
  const { job, states } = await jobIn(desk, entry.id)
  expect(job).toMatchObject({ state: 'paused', pausedBecause: expect.stringContaining('more than ten minutes') })
  expect(states).toEqual([...Array(2).fill('done'), ...Array(7).fill('waiting')])
  // An hour later the console has closed what never left: the row begins again under another id.
  await desk.db.update(operations).set({ createdAt: sql`created_at - interval '2 hours'` })
  await settleUnknownOperations()
  await desk.startService()
  await vi.waitFor(
    async () => {
      await resumeBulkJob({ environment: 'sandbox', jobId: entry.id })
      await letTimePass(desk)
      expect((await jobIn(desk, entry.id)).states).toEqual(Array(9).fill('done'))
    },
    { timeout: 15_000 },
  )
}, 40_000)

test('a job that is resumed once what never left was closed goes on at once, and names no outage', async () => {
  const { desk, by, accounts } = await arrange()
  const entry = limitJob(by, accounts.slice(0, 2))
  await desk.stopService()
  await startBulkJob(entry)
  await bulkJobsDone()
  await pauseBulkJob({ environment: 'sandbox', jobId: entry.id })
  await desk.db.update(operations).set({ createdAt: sql`created_at - interval '2 hours'` })
  await settleUnknownOperations()
  await desk.startService()
  await delay(msUntilRetry('sandbox'))
  await resumeBulkJob({ environment: 'sandbox', jobId: entry.id })
  await bulkJobsDone()
  const { job, states } = await jobIn(desk, entry.id)
  expect(states).toEqual(['done', 'done'])
  expect(job).toMatchObject({ state: 'finished', pausedBecause: null, silentRows: 0 })
}, 30_000)

test('responses lost in the middle, after the effect: every row takes effect once', async () => {
  const { desk, accounts, entry } = await arrange()
  const before = await Promise.all(accounts.map((id) => effectsOn(desk, id)))
  await desk.service.control('POST', '/faults', { path, status: 0, times: 3, after: true, delayMs: 0 })
  await startBulkJob(entry)
  await bulkJobsDone()
  await letTimePass(desk)
  expect((await jobIn(desk, entry.id)).states).toEqual(Array(9).fill('done'))
  const after = await Promise.all(accounts.map((id) => effectsOn(desk, id)))
  expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual(Array(9).fill(1))
}, 30_000)

/** An outcome stays unknown only while the record cannot be read back. */
const unreadableAccounts = {
  path: '/cardaccounts',
  method: 'GET',
  status: 500,
  times: 'always',
  background: true,
}

test('a row without a known outcome is shown as that, the job is not finished before it is settled, and it takes effect once', async () => {
  const { desk, accounts, entry } = await arrange()
  const last = accounts.at(-1) ?? ''
  const before = await effectsOn(desk, last)
  const { arrived, letGo } = holdRequest(desk, 8)
  await startBulkJob(entry)
  await arrived
  await desk.service.control('POST', '/faults', { path, status: 500, times: 8, after: true, delayMs: 0 })
  await desk.service.control('POST', '/faults', unreadableAccounts)
  letGo()
  await bulkJobsDone()
  await letTimePass(desk)
  const open = await jobIn(desk, entry.id)
  expect(open.states.slice(7)).toEqual(['unknown', 'unknown'])
  expect(open.items[8]).toMatchObject({ settledAt: null, message: expect.stringContaining('don’t know yet') })
  expect(open.job).toMatchObject({ state: 'running', finishedAt: null })
  await desk.service.control('DELETE', '/faults')
  await desk.db.update(operations).set({ nextSettlementAt: sql`least(next_settlement_at, now())` })
  await settleUnknownOperations()
  await letTimePass(desk)
  expect(await jobIn(desk, entry.id)).toMatchObject({ job: { state: 'finished' }, states: Array(9).fill('done') })
  expect((await effectsOn(desk, last)) - before).toBe(1)
}, 40_000)

test('an outcome that cannot be determined any more ends as unknown', async () => {
  const { desk, by, accounts } = await arrange()
  const entry = limitJob(by, accounts.slice(0, 1))
  await desk.service.control('POST', '/faults', { path, status: 500, times: 99, after: true, delayMs: 0 })
  await desk.service.control('POST', '/faults', unreadableAccounts)
  await startBulkJob(entry)
  await bulkJobsDone()
  await letTimePass(desk)
  await desk.db
    .update(operations)
    .set({ serviceCreatedAt: sql`now() - interval '25 hours'`, nextSettlementAt: sql`now()` })
  await settleUnknownOperations()
  await letTimePass(desk)
  const { job, items } = await jobIn(desk, entry.id)
  expect(items[0]).toMatchObject({ state: 'unknown', settledAt: expect.any(Date) })
  expect(items[0]?.message).toContain('couldn’t confirm')
  expect(job.state).toBe('finished')
}, 30_000)

test('five rows in a row without a known outcome pause the job instead of making more of them', async () => {
  const { desk, entry } = await arrange()
  desk.intercept.before = (_, response) => {
    response.writeHead(500, { 'content-type': 'application/json' }).end('{"statusCode":500,"message":"no"}')
    return true
  }
  await startBulkJob(entry)
  await bulkJobsDone()
  for (let round = 0; round < 9; round += 1) await letTimePass(desk)
  const { job, states } = await jobIn(desk, entry.id)
  expect(states).toEqual([...Array(5).fill('unknown'), ...Array(4).fill('waiting')])
  expect(job).toMatchObject({
    state: 'paused',
    pausedBecause: '5 rows have no known outcome. Carddesk is settling them: resume the job once they are known.',
  })
}, 60_000)

test('a service that does not let the console in spoils no row: the job pauses, and the row is done after it is put right', async () => {
  const { desk, entry } = await arrange()
  desk.intercept.before = (_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"INVALID_ACCESS_KEY","message":"no"}')
    return true
  }
  await startBulkJob(entry)
  await bulkJobsDone()
  const stopped = await jobIn(desk, entry.id)
  expect(stopped.states).toEqual(Array(9).fill('waiting'))
  expect(stopped.job).toMatchObject({
    state: 'paused',
    pausedBecause: expect.stringMatching(/does not let the console in: .* Row 1 was not done either\.$/),
  })
  expect(desk.requests.get(path)).toBe(1)
  delete desk.intercept.before
  await resumeBulkJob({ environment: 'sandbox', jobId: entry.id })
  await bulkJobsDone()
  expect((await jobIn(desk, entry.id)).states).toEqual(Array(9).fill('done'))
})

test('a 403 refuses its row alone; the third in a row pauses the job, which goes on from there', async () => {
  const { desk, entry } = await arrange()
  const forbidden = new Set([2, 4, 5, 6])
  let sent = 0
  desk.intercept.before = ({ method }, response) => {
    if (method !== 'POST' || !forbidden.has((sent += 1))) return false
    response.writeHead(403, { 'content-type': 'application/json' }).end('{"message":"not this account"}')
    return true
  }
  await startBulkJob(entry)
  await bulkJobsDone()
  const stopped = await jobIn(desk, entry.id)
  const before = ['done', 'refused', 'done', 'refused', 'refused', 'refused']
  expect(stopped.states).toEqual([...before, 'waiting', 'waiting', 'waiting'])
  expect(stopped.job).toMatchObject({ state: 'paused', pausedBecause: expect.stringContaining('HTTP 403') })
  await resumeBulkJob({ environment: 'sandbox', jobId: entry.id })
  await bulkJobsDone()
  expect((await jobIn(desk, entry.id)).states).toEqual([...before, 'done', 'done', 'done'])
})

test('two processes on one database drive a job one at a time: each row is sent once', async () => {
  const { desk, entry } = await arrange()
  const { arrived, letGo } = holdRequest(desk, 2)
  await startBulkJob(entry)
  await arrived
  const globals = globalThis as { carddeskBulkJobs?: unknown; carddeskOperations?: unknown }
  const first = globals.carddeskBulkJobs
  delete globals.carddeskBulkJobs
  await runBulkJobs()
  await bulkJobsDone()
  globals.carddeskBulkJobs = first
  letGo()
  await bulkJobsDone()
  expect((await jobIn(desk, entry.id)).states).toEqual(Array(9).fill('done'))
  expect(desk.requests.get(path)).toBe(9)
})

/** A job that sets one limit, from the one that the account has. */
async function comparedJob() {
  const { desk, by, accounts } = await arrange({ seeded: 4 })
  const [accountId = ''] = accounts
  const entry = limitJob(by, [accountId])
  for (const { facts } of entry.items) facts.limitBefore = String(await limitOf(desk, accountId))
  return { desk, by, accountId, entry }
}

test('a process that lost its job while it compared a row refuses nothing: what the next one did stands', async () => {
  const { desk, accountId, entry } = await comparedJob()
  const [comparing, compare, readBack, settle] = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  let reads = 0
  desk.intercept.before = async ({ method, url }) => {
    if (method !== 'GET' || !url?.includes(accountId)) return false
    reads += 1
    if (reads === 1) {
      comparing?.resolve()
      await compare?.promise
    } else if (reads === 3) {
      readBack?.resolve()
      await settle?.promise
    }
    return false
  }
  const globals = globalThis as { carddeskBulkJobs?: unknown }
  await startBulkJob(entry)
  await comparing?.promise
  await desk.db.update(bulkJobs).set({ leaseUntil: new Date(0) })
  const first = globals.carddeskBulkJobs
  delete globals.carddeskBulkJobs
  await runBulkJobs()
  await readBack?.promise
  const second = globals.carddeskBulkJobs
  globals.carddeskBulkJobs = first
  compare?.resolve()
  await bulkJobsDone()
  globals.carddeskBulkJobs = second
  settle?.resolve()
  await bulkJobsDone()
  expect((await jobIn(desk, entry.id)).states).toEqual(['done'])
  const trail = await desk.db.select().from(auditEntries).orderBy(asc(auditEntries.number))
  expect(trail.map(({ act, outcome }) => `${act} ${outcome}`)).toEqual(['bulk.start done', 'account.set-limit done'])
})

test('a row that never left is compared again before it does: a limit that was changed meanwhile stays', async () => {
  const { desk, by, accountId, entry } = await comparedJob()
  await desk.stopService()
  await startBulkJob(entry)
  await bulkJobsDone()
  const { items } = await jobIn(desk, entry.id)
  for (const { operationId, body, endpoint, targetId: id } of items) {
    const { row } = await performOperation({
      id: operationId,
      environment: 'sandbox',
      kind: 'account.set-limit',
      by,
      target: { type: 'cardaccount', id, parentId: null, label: 'account 1' },
      reason: null,
      comment: 'Set 1 limits: row 1 of 1',
      request: prepareRequest('sandbox', endpoint, body),
    })
    expect(row.state).toBe('not-sent')
  }
  await desk.startService()
  await desk.service.call('setFixedLimit', { body: { cardAccountId: accountId, limit: 4321 } })
  await vi.waitFor(async () => {
    await letTimePass(desk)
    expect((await jobIn(desk, entry.id)).items).toMatchObject([{ state: 'refused', code: 'CHANGED_MEANWHILE' }])
  })
  expect(await limitOf(desk, accountId)).toBe(4321)
})

test('several jobs run concurrently and share the pace', async () => {
  const { desk, by, accounts } = await arrange({ settings: { bulkRowsPerSecond: 20 } })
  const jobs = [limitJob(by, accounts.slice(0, 4)), limitJob(by, accounts.slice(4, 8))]
  const began = performance.now()
  for (const job of jobs) await startBulkJob(job)
  await bulkJobsDone()
  const tookMs = performance.now() - began
  for (const { id } of jobs) expect((await jobIn(desk, id)).job.state).toBe('finished')
  const started = await desk.db.select().from(operations).orderBy(asc(operations.createdAt))
  expect(new Set(started.slice(0, 4).map(({ targetId }) => accounts.indexOf(targetId) < 4))).toEqual(
    new Set([true, false]),
  )
  expect(tookMs).toBeGreaterThan(300)
})

test('a job cancelled during a requested pause shows the result of the row in progress, not that it never started', async () => {
  const { desk, accounts, entry } = await arrange()
  const [first = ''] = accounts
  const before = await effectsOn(desk, first)
  await desk.service.control('POST', '/faults', { path, status: 429, times: 4, after: false, delayMs: 0 })
  await startBulkJob(entry)
  await bulkJobsDone()
  await cancelBulkJob({ environment: 'sandbox', jobId: entry.id })
  await bulkJobsDone()
  expect((await jobIn(desk, entry.id)).states).toEqual(['unknown', ...Array(8).fill('cancelled')])
  await delay(msUntilRetry('sandbox'))
  await desk.db.update(operations).set({ nextSettlementAt: sql`least(next_settlement_at, now())` })
  await settleUnknownOperations()
  await letTimePass(desk)
  const { job, states } = await jobIn(desk, entry.id)
  expect(states).toEqual(['done', ...Array(8).fill('cancelled')])
  expect(job.finishedAt).not.toBeNull()
  expect((await effectsOn(desk, first)) - before).toBe(1)
}, 30_000)
