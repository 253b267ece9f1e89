import {
  Ban,
  Check,
  CircleDashed,
  CircleHelp,
  Gauge,
  HandCoins,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  Pause,
  Tag,
  X,
} from 'lucide-react'
import { approvalStateTable } from '#components/approvals/approval-labels.ts'
import { cardActionUi } from '#components/cards/card-action-table.ts'
import { defineListParams } from '#components/filters/list-params.ts'
import { count, formatCount } from '#components/ui/count.ts'
import type { Tone } from '#components/ui/tone.ts'
import { bulkItemSearch, bulkJobSearch } from '#lib/api/bulk.ts'
import { shortLabel } from '#lib/contract/card-actions.ts'
import {
  type BulkCardAction,
  type BulkItemState,
  type BulkJob,
  type BulkKind,
  type bulkStatesInDetail,
  isUnapproved,
} from '#lib/operations/bulk/types.ts'
import type { ReadResult } from '#lib/queries/reads.ts'
import { secondMs } from '#lib/shared/time.ts'

type Label = { label: string; tone: Tone; icon: LucideIcon }

export const jobStateTable: Record<(typeof bulkStatesInDetail)[number], Label> = {
  running: { icon: LoaderCircle, label: 'Running', tone: 'info' },
  waiting: { icon: Hourglass, label: 'Waiting for approval', tone: 'warn' },
  paused: { icon: Pause, label: 'Paused', tone: 'warn' },
  unapproved: { icon: Ban, label: 'Not approved', tone: 'neutral' },
  cancelled: { icon: Ban, label: 'Cancelled', tone: 'neutral' },
  finished: { icon: Check, label: 'Finished', tone: 'good' },
  partial: { icon: Check, label: 'Finished in part', tone: 'warn' },
}

/** In the order in which counts are listed. */
export const itemStateTable: Record<BulkItemState, Label> = {
  done: { icon: Check, label: 'Done', tone: 'good' },
  refused: { icon: X, label: 'Refused', tone: 'bad' },
  unknown: { icon: CircleHelp, label: 'Not known', tone: 'warn' },
  running: { icon: LoaderCircle, label: 'In progress', tone: 'info' },
  waiting: { icon: CircleDashed, label: 'Waiting', tone: 'neutral' },
  cancelled: { icon: Ban, label: 'Not started', tone: 'neutral' },
}

type KindLabels = {
  label: string
  /** Label of its button beside the chosen rows. */
  short: string
  icon: LucideIcon
  /** Ending of a count of done rows: "187 of 200 fees waived". */
  done: string
}

function cardLabels(action: BulkCardAction, done: string): KindLabels {
  const { icon } = cardActionUi[action]
  const short = shortLabel(action)
  return { label: `${short} cards`, short, icon, done: `cards ${done}` }
}

export const kindTable: Record<BulkKind, KindLabels> = {
  'card.lock': cardLabels('lock', 'locked'),
  'card.unlock': cardLabels('unlock', 'unlocked'),
  'card.suspend': cardLabels('suspend', 'suspended'),
  'card.unsuspend': cardLabels('unsuspend', 'unsuspended'),
  'fee.waive': { label: 'Waive fees', short: 'Waive', icon: HandCoins, done: 'fees waived' },
  'account.set-limit': {
    label: 'Set fixed limits',
    short: 'Set limit',
    icon: Gauge,
    done: 'limits set',
  },
  'reference.set': { label: 'Tag records', short: 'Tag', icon: Tag, done: 'records tagged' },
}

/** The label of the job's state. A job that ended with rows not done never has the good tone. */
export function jobLabel(
  job: Pick<BulkJob, 'state' | 'pausedBecause' | 'approval' | 'finishedAt' | 'counts' | 'total'>,
): Label {
  const { state, counts, total } = job
  if (state === 'running' && job.pausedBecause)
    return { label: 'Waiting for the card service', tone: 'warn', icon: Hourglass }
  if (state === 'running' && counts.waiting + counts.running === 0)
    return { label: 'Settling', tone: 'warn', icon: Hourglass }
  if (state === 'paused' && job.approval?.state === 'waiting') return jobStateTable.waiting
  if (state === 'cancelled' && job.approval && isUnapproved(job)) return approvalStateTable[job.approval.state]
  if (state === 'cancelled' && job.finishedAt === null) return { label: 'Stopping', tone: 'warn', icon: Ban }
  if (state === 'finished' && counts.done < total) return jobStateTable.partial
  return jobStateTable[state]
}

/** How far it is, or how it ended, in one line: "187 of 200 fees waived, 11 refused, 2 not started". */
export function formatHeadline({ kind, total, counts }: Pick<BulkJob, 'kind' | 'total' | 'counts'>): string {
  const { done } = kindTable[kind]
  if (counts.done === total) return total === 1 ? `1 of 1 ${done}` : `All ${count.format(total)} ${done}`
  const others: [number, string][] = [
    [counts.refused, 'refused'],
    [counts.unknown, 'not known'],
    [counts.running, 'in progress'],
    [counts.waiting, 'waiting'],
    [counts.cancelled, 'not started'],
  ]
  const reported = others.filter(([rows]) => rows > 0).map(([rows, label]) => `${count.format(rows)} ${label}`)
  return [`${count.format(counts.done)} of ${count.format(total)} ${done}`, ...reported].join(', ')
}

/**
 * How long the rest takes, as text; null where it is unknown: by the time that a row takes (`rowMs`) where the service is slower than
 * the pace that was set.
 */
export function timeLeft(job: BulkJob, rowsPerSecond: number, rowMs: number | null): string | null {
  const rows = rowsAhead(job)
  if (job.state !== 'running' || job.pausedBecause !== null || rows === 0) return null
  const seconds = rows * Math.max(1 / rowsPerSecond, (rowMs ?? 0) / secondMs)
  if (seconds < 60) return 'less than a minute left'
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'about a minute left' : `about ${count.format(minutes)} minutes left`
}

/** The rows that are not sent yet, as far as is known: these a pause or a cancellation can hold back. */
export function rowsAhead({ counts }: Pick<BulkJob, 'counts'>): number {
  return counts.waiting + counts.running
}

/** The rows that a new job can do again: "1 refused", "3 rows left"; null where none is left. */
export function leftText({ refused, cancelled }: ReadResult<'readBulkJob'>['left']): string | null {
  if (cancelled > 0) return `${formatCount(refused + cancelled, 'row')} left`
  return refused > 0 ? `${count.format(refused)} refused` : null
}

export const bulkJobList = defineListParams(bulkJobSearch)
export const bulkItemList = defineListParams(bulkItemSearch)
