import { count } from '#components/ui/count.ts'
import type { Tone } from '#components/ui/tone.ts'
import type { BulkItemState, BulkJob, BulkKind, BulkState } from '#lib/console/bulk/shapes.ts'

type Label = { label: string; tone: Tone }

export const jobStateTable: Record<BulkState, Label> = {
  running: { label: 'Running', tone: 'info' },
  paused: { label: 'Paused', tone: 'warn' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  finished: { label: 'Finished', tone: 'good' },
}

/** In the order in which counts are listed. */
export const itemStateTable: Record<BulkItemState, Label> = {
  done: { label: 'Done', tone: 'good' },
  refused: { label: 'Refused', tone: 'bad' },
  unknown: { label: 'Not known', tone: 'warn' },
  running: { label: 'In progress', tone: 'info' },
  waiting: { label: 'Waiting', tone: 'neutral' },
  cancelled: { label: 'Not started', tone: 'neutral' },
}

/** The labels of a kind of job: its name, its rows that are done ("187 of 200 fees waived"), and a single row. */
export const kindTable: Record<BulkKind, { label: string; done: string; doneOne: string }> = {
  'fee.waive': { label: 'Waive fees', done: 'fees waived', doneOne: 'Waived' },
  'account.set-limit': { label: 'Set fixed limits', done: 'limits set', doneOne: 'Set' },
}

/** The job's state in a word: one that ended with less than everything done is never called good. */
export function jobLabel(job: Pick<BulkJob, 'state' | 'pausedBecause' | 'finishedAt' | 'counts' | 'total'>): Label {
  const { state, counts, total } = job
  if (state === 'running' && job.pausedBecause) return { label: 'Waiting for the service', tone: 'warn' }
  if (state === 'running' && counts.waiting + counts.running === 0) return { label: 'Settling', tone: 'warn' }
  if (state === 'cancelled' && job.finishedAt === null) return { label: 'Stopping', tone: 'warn' }
  if (state === 'finished' && counts.done < total) return { label: 'Finished in part', tone: 'warn' }
  return jobStateTable[state]
}

/** How far it is, or how it ended, in one line: "187 of 200 fees waived, 11 refused, 2 not started". */
export function headlineOf({ kind, total, counts }: Pick<BulkJob, 'kind' | 'total' | 'counts'>): string {
  const { done } = kindTable[kind]
  if (counts.done === total) return total === 1 ? `1 of 1 ${done}` : `All ${count.format(total)} ${done}`
  const others: [number, string][] = [
    [counts.refused, 'refused'],
    [counts.unknown, 'not known'],
    [counts.running, 'in progress'],
    [counts.waiting + counts.cancelled, 'not started'],
  ]
  const reported = others.filter(([rows]) => rows > 0).map(([rows, label]) => `${count.format(rows)} ${label}`)
  return [`${count.format(counts.done)} of ${count.format(total)} ${done}`, ...reported].join(', ')
}

/** How long the rest takes at most at this pace, as text; null where it is unknown. */
export function timeLeft(job: BulkJob, rowsPerSecond: number): string | null {
  const rows = job.counts.waiting + job.counts.running
  if (job.state !== 'running' || job.pausedBecause !== null || rows === 0) return null
  const seconds = rows / rowsPerSecond
  if (seconds < 60) return 'less than a minute left'
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'about a minute left' : `about ${count.format(minutes)} minutes left`
}
