import type { DataColumn } from '#components/data-table/data-column.ts'
import { Time } from '#components/ui/time.tsx'
import type { BulkJob } from '#lib/console/bulk/shapes.ts'
import { roleNames } from '#lib/console/desk/permissions.ts'
import { JobBadge } from './bulk-badges.tsx'
import { headlineOf, kindTable } from './bulk-labels.ts'
import { BulkProgress } from './bulk-progress.tsx'

export const bulkJobColumns: DataColumn<BulkJob>[] = [
  {
    id: 'title',
    header: 'Job',
    cell: ({ title }) => <span className="wrap-anywhere">{title}</span>,
    below: ({ kind, reason }) => <span className="line-clamp-1 wrap-anywhere">{reason ?? kindTable[kind].label}</span>,
  },
  { id: 'state', header: 'State', cell: (job) => <JobBadge job={job} /> },
  {
    id: 'progress',
    header: 'Progress',
    priority: 2,
    cell: (job) => (
      <div className="grid max-w-80 min-w-40 gap-1 py-1.5">
        <span className="text-xs text-soft">{headlineOf(job)}</span>
        <BulkProgress job={job} isThin />
      </div>
    ),
  },
  {
    id: 'by',
    header: 'Started by',
    priority: 3,
    cell: ({ by }) => <span className="wrap-anywhere">{by.name}</span>,
    below: ({ by }) => roleNames[by.role],
  },
  {
    id: 'started',
    header: 'Started',
    priority: 3,
    cell: ({ createdAt }) => <Time instant={createdAt} className="text-soft" />,
  },
  {
    id: 'finished',
    header: 'Ended',
    priority: 4,
    cell: ({ finishedAt }) =>
      finishedAt ? (
        <Time instant={finishedAt} className="text-soft" />
      ) : (
        <span className="text-faint">not finished</span>
      ),
  },
]
