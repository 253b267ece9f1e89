import 'server-only'
import { randomUUID } from 'node:crypto'
import { database, withPool } from '#lib/db/connection.ts'
import { processWide } from '#lib/shared/process-wide.ts'
import { logFailure } from '../desk/log.ts'
import { driveJob } from './drive.ts'
import { claimJob } from './lease.ts'

/** Jobs that a process drives at the same time, each row by row. */
const jobsAtOnce = 8

type Running = { underWay: Set<Promise<void>>; drivers: number; stopping: AbortController }
const running = processWide<Running>('carddeskBulkJobs', () => ({
  underWay: new Set(),
  drivers: 0,
  stopping: new AbortController(),
}))

/** Takes the jobs that no process drives: new ones, resumed ones, and those of a process that died. */
export async function runBulkJobs(): Promise<void> {
  const { stopping } = running()
  while (running().drivers < jobsAtOnce && !stopping.signal.aborted) {
    running().drivers += 1
    const holder = randomUUID()
    const job = await claimJob(database(), holder).catch((error: unknown) => {
      running().drivers -= 1
      throw error
    })
    if (!job) {
      running().drivers -= 1
      return
    }
    const driving = driveJob(job, holder, stopping.signal)
      .catch((error: unknown) => logFailure(error, { while: 'driving a bulk job', job: job.id }))
      .finally(() => (running().drivers -= 1))
    track(driving)
  }
}

/** Runs jobs immediately, after a change of one. It never fails and never waits. */
export function wakeBulkJobs(): void {
  track(
    withPool('background', runBulkJobs).catch((error: unknown) => logFailure(error, { while: 'taking on bulk jobs' })),
  )
}

/** Waits until this process drives none any more. */
export async function bulkJobsDone(): Promise<void> {
  while (running().underWay.size > 0) await Promise.all(running().underWay)
}

/** Releases every job after its current row; another process, or this one after its restart, continues. */
export async function stopBulkJobs(): Promise<void> {
  running().stopping.abort()
  await bulkJobsDone()
  running().stopping = new AbortController()
}

function track(work: Promise<void>): void {
  const { underWay } = running()
  underWay.add(work)
  void work.finally(() => underWay.delete(work))
}
