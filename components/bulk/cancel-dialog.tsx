'use client'

import { Ban } from 'lucide-react'
import { ActionDialog } from '#components/operations/action-dialog.tsx'
import { count } from '#components/ui/count.ts'
import type { DialogProps } from '#components/ui/dialog.tsx'
import type { BulkJob } from '#lib/operations/bulk/types.ts'
import { kindTable } from './bulk-labels.ts'

/** Confirms the cancellation of a job: says which rows are done and which will not run. */
export function CancelDialog({ job, ...dialog }: DialogProps & { job: BulkJob }) {
  const { counts } = job
  return (
    <ActionDialog
      {...dialog}
      action="cancelBulkJob"
      input={{ jobId: job.id }}
      confirmationLevel="moderate"
      title={`Cancel “${job.title}”?`}
      consequence="Finished rows stay as they are. Rows not started will not run. The current row finishes."
      rows={[
        { label: `Done already (${kindTable[job.kind].done})`, value: count.format(counts.done) },
        counts.refused > 0 && { label: 'Refused', value: count.format(counts.refused) },
        counts.unknown > 0 && { label: 'Not confirmed yet', value: count.format(counts.unknown) },
        { label: 'Will not run', value: <strong>{count.format(counts.waiting)}</strong> },
      ]}
      confirmLabel="Cancel job"
      confirmIcon={<Ban aria-hidden="true" />}
      cancelLabel="Keep going"
    />
  )
}
