'use client'

import { RotateCcw, Undo2 } from 'lucide-react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Button } from '#components/ui/button.tsx'
import { formatCount } from '#components/ui/count.ts'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import { bulkKinds, undoingKind } from '#lib/operations/bulk/types.ts'
import type { ReadResult } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { kindTable, leftText } from './bulk-labels.ts'

const JobDialog = lazyDialog(() => import('./job-dialog.tsx').then((file) => file.JobDialog))

/** Starts a new job, with its own preview, of the rows that a finished one refused or never began, and no later one did. */
export function RetryRows({ detail: { job, left: rows } }: { detail: ReadResult<'readBulkJob'> }) {
  const environment = useEnvironment()
  const { may } = usePermissions()
  const { open, opened } = useOpened()
  const left = leftText(rows)
  if (job.finishedAt === null || left === null || !may.has(job.permission)) return null
  // Each row may have a limit of its own.
  if (job.kind === 'account.set-limit') {
    return <ButtonLink href={routes.limits(environment, { job: job.id })}>Retry {left}…</ButtonLink>
  }
  return (
    <>
      <Button icon={<RotateCcw aria-hidden="true" />} aria-haspopup="dialog" onClick={() => open({})}>
        Retry {left}…
      </Button>
      {opened && (
        <JobDialog key={opened.operationId} {...opened} kind={job.kind} ids={null} filters={{}} retryOf={job.id} />
      )}
    </>
  )
}

/** Starts a new job, with its own preview, that takes back what a finished one did and nobody has changed in Carddesk since. */
export function UndoRows({ detail: { job, undoable } }: { detail: ReadResult<'readBulkJob'> }) {
  const environment = useEnvironment()
  const { may } = usePermissions()
  const { open, opened } = useOpened()
  const kind = undoingKind(job.kind)
  if (kind === null || undoable === 0 || !may.has(bulkKinds[kind].permission)) return null
  // Each row has a limit of its own.
  if (kind === 'account.set-limit') {
    return (
      <ButtonLink href={routes.limits(environment, { undo: job.id })}>
        Set {formatCount(undoable, 'limit')} back…
      </ButtonLink>
    )
  }
  return (
    <>
      <Button icon={<Undo2 aria-hidden="true" />} aria-haspopup="dialog" onClick={() => open({})}>
        {kindTable[kind].short} {formatCount(undoable, 'card')}…
      </Button>
      {opened && <JobDialog key={opened.operationId} {...opened} kind={kind} ids={null} filters={{}} undoOf={job.id} />}
    </>
  )
}
