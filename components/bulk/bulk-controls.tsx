'use client'

import { useQueryClient } from '@tanstack/react-query'
import { Ban, Pause, Play } from 'lucide-react'
import { lazy, Suspense, useId, useState } from 'react'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { lostResponse } from '#components/operations/outcome-text.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { pauseBulkJob, resumeBulkJob } from '#lib/actions/bulk.ts'
import type { BulkControlResult, BulkJob } from '#lib/console/bulk/shapes.ts'
import { onlyRoles } from '#lib/console/desk/permissions.ts'
import type { Outcome } from '#lib/console/desk/shapes.ts'

const CancelDialog = lazy(() => import('./cancel-dialog.tsx').then((file) => ({ default: file.CancelDialog })))

type Control = (input: Parameters<typeof pauseBulkJob>[0]) => Promise<BulkControlResult>

/** Pause, resume and cancel, with the result of the last press where it is not the requested one. */
export function BulkControls({ job, isWaitingForApproval }: { job: BulkJob; isWaitingForApproval: boolean }) {
  const client = useQueryClient()
  const overId = useId()
  const { role, may } = usePermissions(job.environment)
  const [pending, setPending] = useState<Control | null>(null)
  const [problem, setProblem] = useState<Outcome | null>(null)
  const [cancelling, setCancelling] = useState<'never' | 'open' | 'closed'>('never')
  const isOver = job.finishedAt !== null || job.state === 'cancelled'
  // A job that ends while the page is open keeps its buttons, so that the focus has a place to be.
  const [wasOpen] = useState(!isOver)
  if (!wasOpen) return null

  async function run(control: Control) {
    if (pending) return
    setPending(() => control)
    setProblem(null)
    try {
      const result = await control({ environment: job.environment, jobId: job.id })
      if (result.kind === 'refused') setProblem(result.outcome)
    } catch {
      setProblem(lostResponse)
    } finally {
      setPending(null)
      await client.invalidateQueries({ queryKey: [job.environment, 'bulk-jobs'] })
    }
  }

  const notPermitted = role !== undefined && !may.has(job.permission) ? { unavailable: onlyRoles(job.permission) } : {}
  // Not the button's own way of being unavailable, which would put another element in the place of the focused one.
  const over = isOver
    ? { 'aria-disabled': true, 'aria-describedby': overId, className: 'border-dashed opacity-60' }
    : {}
  const isPaused = job.state === 'paused'
  const control = isPaused ? resumeBulkJob : pauseBulkJob
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant={isPaused ? 'primary' : 'secondary'}
          icon={isPaused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
          isPending={pending !== null}
          {...over}
          {...(isWaitingForApproval ? { unavailable: 'Waits for another person’s approval.' } : {})}
          {...notPermitted}
          reason="described"
          onClick={() => (isOver ? undefined : void run(control))}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        <Button
          variant="danger-quiet"
          icon={<Ban aria-hidden="true" />}
          {...over}
          {...notPermitted}
          onClick={() => (isOver ? undefined : setCancelling('open'))}
        >
          Cancel job…
        </Button>
        {isOver && (
          <span id={overId} className="text-xs text-faint">
            Ended
          </span>
        )}
      </div>
      {problem && (
        <Callout tone="bad" title="Not done" isAlert>
          {problem.happened} {problem.next}
        </Callout>
      )}
      {cancelling !== 'never' && (
        <Suspense fallback={null}>
          <CancelDialog job={job} isOpen={cancelling === 'open'} onClose={() => setCancelling('closed')} />
        </Suspense>
      )}
    </div>
  )
}
