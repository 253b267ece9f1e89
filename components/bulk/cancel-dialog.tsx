'use client'

import { useQueryClient } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog, type ConfirmOutcome } from '#components/form/confirm-dialog.tsx'
import { lostResponse, outcomeText } from '#components/operations/outcome-text.tsx'
import { count } from '#components/ui/count.ts'
import { cancelBulkJob } from '#lib/actions/console.ts'
import type { BulkJob } from '#lib/console/bulk/shapes.ts'
import { headlineOf, kindTable } from './bulk-labels.ts'

/** Confirms the cancellation of a job: says which rows are done and which will not run. */
export function CancelDialog({ job, isOpen, onClose }: { job: BulkJob; isOpen: boolean; onClose: () => void }) {
  const client = useQueryClient()
  const [isPending, setIsPending] = useState(false)
  const [outcome, setOutcome] = useState<ConfirmOutcome | null>(null)
  const { counts } = job
  const left = counts.waiting

  async function cancel() {
    if (isPending) return
    setIsPending(true)
    try {
      const result = await cancelBulkJob({ environment: job.environment, jobId: job.id })
      if (result.kind === 'settled') {
        const { running, unknown } = result.job.counts
        setOutcome({
          tone: 'info',
          title: 'Cancelled.',
          body: (
            <>
              <p>{headlineOf(result.job)}.</p>
              {running + unknown > 0 && <p>Started rows finish and are shown here.</p>}
            </>
          ),
        })
      } else if (result.kind === 'refused') setOutcome(outcomeText(result.outcome))
    } catch {
      setOutcome(outcomeText(lostResponse))
    } finally {
      setIsPending(false)
      await client.invalidateQueries({ queryKey: [job.environment, 'bulk-jobs'] })
    }
  }

  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      grade="moderate"
      title={`Cancel “${job.title}”${outcome === null ? '?' : ''}`}
      consequence="Finished rows stay as they are. Rows not started will not run. The current row finishes."
      rows={[
        { label: `Done already (${kindTable[job.kind].done})`, value: count.format(counts.done) },
        ...(counts.refused > 0 ? [{ label: 'Refused', value: count.format(counts.refused) }] : []),
        ...(counts.unknown > 0 ? [{ label: 'Outcome not known yet', value: count.format(counts.unknown) }] : []),
        { label: 'Will not run', value: <strong>{count.format(left)}</strong> },
      ]}
      confirmLabel="Cancel job"
      confirmIcon={<Ban aria-hidden="true" />}
      cancelLabel="Keep going"
      isPending={isPending}
      outcome={outcome}
      onConfirm={() => void cancel()}
    />
  )
}
