'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import {
  ApprovalAhead,
  confirmLabelAhead,
  type RequestAhead,
  useApprovalAhead,
} from '#components/approvals/approval-ahead.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { ConfirmDialog } from '#components/form/confirm-dialog.tsx'
import { ReadFailed } from '#components/operations/operation-dialog.tsx'
import { OutcomeCallout } from '#components/operations/outcome-text.tsx'
import { type EnteredReason, ReasonFields, reasonIn, reasonProblems } from '#components/operations/reason-fields.tsx'
import { useAction } from '#components/operations/use-action.ts'
import { Callout } from '#components/ui/callout.tsx'
import { formatCount } from '#components/ui/count.ts'
import type { DialogProps } from '#components/ui/dialog.tsx'
import { LoadingBlocks, Skeleton } from '#components/ui/skeleton.tsx'
import { useIsShown } from '#components/ui/use-is-shown.ts'
import { operationDefinition } from '#lib/api/actions.ts'
import type { JobPreview, JobSettings, LeftOut } from '#lib/console/bulk/types.ts'
import { type BulkKind, hasAmounts } from '#lib/operations/bulk/types.ts'
import { routes } from '#lib/shared/routes.ts'
import { kindTable } from './bulk-labels.ts'
import { jobKindTable } from './job-kind-table.tsx'
import { useJobPreview } from './use-job-preview.ts'

export type JobChoice = {
  kind: BulkKind
  /** Null: everything that the filter matches. */
  ids: string[] | null
  /** The filter of the list that they were chosen in. */
  filters: Record<string, unknown>
  /** Settings of the kind beyond the chosen rows, as far as they are known. */
  settings?: JobSettings
  /** Currencies of the chosen accounts, for a limit. */
  currencies?: readonly string[]
  /** The job whose rows that were refused or never began are meant. */
  retryOf?: string
  /** The job whose rows that are done are meant. */
  undoOf?: string
}

/** Starts a bulk job: its settings, its preview, a reason, the number typed, then the page of the job. */
export function JobDialog({
  operationId: jobId,
  kind,
  ids,
  filters,
  settings: given = {},
  currencies = [],
  retryOf,
  undoOf,
  onStarted,
  ...dialog
}: DialogProps & JobChoice & { operationId: string; onStarted?: () => void }) {
  const environment = useEnvironment()
  const router = useRouter()
  const isShown = useIsShown()
  const { isPending, problem, errors, run } = useAction()
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const [settings, setSettings] = useState(given)
  const {
    verb,
    noun: formatNoun,
    consequence,
    keepLabel,
    leftOut,
    fields,
    Effects,
    rowsAhead,
    effectsHeight,
  } = jobKindTable[kind]
  const { icon: Icon } = kindTable[kind]
  const height = effectsHeight(ids?.length ?? Number.POSITIVE_INFINITY)
  const hasFields = fields !== undefined && retryOf === undefined
  const isComplete = !hasFields || fields.isComplete(settings)
  const { preview, unread, fieldIssues, isLoading, isFetching, refetch } = useJobPreview(
    jobId,
    { kind, ids, filters, settings, retryOf, undoOf },
    { isOpen: dialog.isOpen, isComplete },
  )
  const noun = formatNoun(preview?.settings ?? settings)
  const rows = preview?.ids.length ?? 0
  const label = rows > 0 ? `${verb} ${formatCount(rows, noun)}` : `${verb} ${noun}s`
  const isReasonRequired = operationDefinition(kind).reasons !== undefined
  const job: RequestAhead = { topic: 'bulk-jobs', rows, ...(!hasAmounts(kind) && { amount: null }) }
  const ahead = useApprovalAhead(...(preview && rows > 0 ? [job, ...(rowsAhead?.(preview) ?? [])] : []))

  async function start({ ids: confirmed, settings: used, digest }: JobPreview, reason: EnteredReason) {
    const input = { environment, operationId: jobId, ids: confirmed, filters, settings: used, digest, ...reason }
    const result = await run('startJob', { kind, ...input })
    if (result === null) return void refetch()
    onStarted?.()
    if (isShown()) router.push(routes.bulkJob(environment, result.jobId))
  }

  return (
    <ConfirmDialog
      {...dialog}
      size="large"
      confirmationLevel="high"
      title={rows > 0 ? `${label}?` : label}
      consequence={consequence}
      typed={rows > 0 ? { digits: String(rows), label: `Type the number of ${noun}s, ${rows}, to confirm` } : undefined}
      unavailable={isFetching || rows === 0 ? whyUnavailable(isComplete, preview, unread, noun) : undefined}
      confirmLabel={confirmLabelAhead(ahead, label)}
      confirmIcon={<Icon aria-hidden="true" />}
      cancelLabel={keepLabel}
      isPending={isPending}
      problem={problem && <OutcomeCallout outcome={problem} />}
      onConfirm={(values) => {
        const reason = reasonIn(values)
        const problems = reasonProblems(kind, reason, isReasonRequired)
        setWrong(problems)
        if (Object.keys(problems).length > 0 || !preview) return
        void start(preview, reason)
      }}
    >
      {hasFields && (
        <fields.Fields settings={settings} currencies={currencies} errors={fieldIssues} onChange={setSettings} />
      )}
      <ApprovalAhead ahead={ahead} />
      {unread !== null && (
        <ReadFailed title="The preview could not be made." isRetrying={isFetching} onRetry={() => void refetch()}>
          {unread}
        </ReadFailed>
      )}
      {errors.confirmed && (
        <Callout tone="warn" title="Nothing was started." isAlert>
          The {noun}s are not what you confirmed any more: some were changed since. This is the preview as it is now.
        </Callout>
      )}
      {preview && (
        <div className="grid gap-3">
          {preview.isTruncated && (
            <Callout tone="warn" title="Not all that match.">
              One job takes the newest 5,000 {noun}s of the filter. Start another one for the rest.
            </Callout>
          )}
          <Skipped leftOut={preview.leftOut} noun={noun} formatReason={leftOut} />
          {rows > 0 && <Effects preview={preview} height={height} />}
        </div>
      )}
      {isLoading && <LoadingBlocks what={`the chosen ${noun}s`} blocks={[height]} />}
      <ReasonFields
        kind={kind}
        errors={{ ...errors, ...wrong }}
        isRequired={isReasonRequired}
        onEntered={() => setWrong({})}
      />
      {isLoading && <Skeleton className="h-15 w-full" />}
    </ConfirmDialog>
  )
}

function whyUnavailable(
  isComplete: boolean,
  preview: JobPreview | undefined,
  unread: string | null,
  noun: string,
): string {
  if (!isComplete) return 'Fill in the fields first.'
  if (unread !== null) return 'The preview couldn’t be made.'
  return preview ? `There is no ${noun} to change.` : `The ${noun}s are still loading.`
}

function Skipped({
  leftOut,
  noun,
  formatReason,
}: {
  leftOut: readonly LeftOut[]
  noun: string
  formatReason: (because: string | null, rows: number) => string
}) {
  if (leftOut.length === 0) return null
  return (
    <Callout tone="info" title="Skipped.">
      {leftOut
        .map(({ because, rows }) => {
          const text = because === 'unknown' ? 'not known to Carddesk' : formatReason(because, rows)
          return `${formatCount(rows, noun)} ${text}`
        })
        .join(', ')}
      .
    </Callout>
  )
}
