import { Ban, Check, CircleDashed, CircleHelp, Hourglass, LoaderCircle, Pause, X, type LucideIcon } from 'lucide-react'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import type { Tone } from '#components/ui/tone.ts'
import type { BulkItemState, BulkJob } from '#lib/console/bulk/shapes.ts'
import { itemStateTable, jobLabel } from './bulk-labels.ts'

const itemIcons: Record<BulkItemState, LucideIcon> = {
  done: Check,
  refused: X,
  unknown: CircleHelp,
  running: LoaderCircle,
  waiting: CircleDashed,
  cancelled: Ban,
}

const jobIcons: Record<BulkJob['state'], LucideIcon> = {
  running: LoaderCircle,
  paused: Pause,
  cancelled: Ban,
  finished: Check,
}

export function JobBadge({ job }: { job: BulkJob }) {
  const { label, tone } = jobLabel(job)
  const Icon = job.state === 'running' && tone === 'warn' ? Hourglass : jobIcons[job.state]
  return <StatusBadge tone={tone} label={label} icon={<Icon aria-hidden="true" />} />
}

/** The result of a row. A row whose outcome will never be known has another label than one that is being settled. */
export function ItemBadge({ state, isSettled }: { state: BulkItemState; isSettled: boolean }) {
  const { label, tone }: { label: string; tone: Tone } = itemStateTable[state]
  const Icon = itemIcons[state]
  return (
    <StatusBadge
      tone={tone}
      label={state === 'unknown' && !isSettled ? 'Being settled' : label}
      icon={<Icon aria-hidden="true" />}
    />
  )
}
