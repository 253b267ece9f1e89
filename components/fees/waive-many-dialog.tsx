'use client'

import { useQuery } from '@tanstack/react-query'
import { HandCoins } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { ConfirmDialog } from '#components/form/confirm-dialog.tsx'
import { ReadFailed } from '#components/operations/operation-dialog.tsx'
import { lostResponse, OutcomeCallout, outcomeText } from '#components/operations/outcome-text.tsx'
import { type EnteredReason, ReasonFields, reasonIn, reasonProblems } from '#components/operations/reason-fields.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { LoadingBlocks } from '#components/ui/skeleton.tsx'
import { previewWaivers, startWaivers } from '#lib/actions/console.ts'
import type { Outcome } from '#lib/console/desk/shapes.ts'
import type { StartWaiversResult, WaiverPreview as Preview } from '#lib/console/fees/shapes.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { feeCount } from './fee-labels.ts'
import { WaiverPreview } from './waiver-preview.tsx'

export type WaiverChoice = {
  /** Null: everything that the filter matches. */
  feeIds: string[] | null
  filters: ReadSearch<'listFees'>
}

/** Waives many fees: the preview, a reason, the number typed, then the page of the job. */
export function WaiveManyDialog({
  environment,
  operationId: jobId,
  feeIds,
  filters,
  isOpen,
  onClose,
  onStarted,
}: WaiverChoice & {
  environment: Environment
  /** The id of the job that this dialog can start, once. */
  operationId: string
  isOpen: boolean
  onClose: () => void
  onStarted: () => void
}) {
  const router = useRouter()
  const isStarting = useRef(false)
  const [isPending, setIsPending] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [hasChanged, setHasChanged] = useState(false)
  const lastReason = useRef<EnteredReason>({})
  // Not below the key "fees": a live update must not change what the person is about to confirm.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [environment, 'waiver-preview', jobId],
    queryFn: () => previewWaivers({ environment, feeIds, filters }),
    enabled: isOpen,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const preview = data?.kind === 'read' ? data.preview : undefined
  const problem = problemOf(data, error)
  const ended = outcome ?? (preview?.feeIds.length === 0 ? nothingToWaive : null)
  const count = preview?.feeIds.length ?? 0
  const isRefused = ended?.state === 'refused' && ended !== nothingToWaive

  async function start(confirmed: Preview, reason: EnteredReason) {
    if (isStarting.current) return
    isStarting.current = true
    setIsPending(true)
    setOutcome(null)
    lastReason.current = reason
    try {
      settle(
        await startWaivers({
          environment,
          operationId: jobId,
          feeIds: confirmed.feeIds,
          filters,
          ...reason,
          confirmed: confirmed.totals,
        }),
      )
    } catch {
      setOutcome({ ...lostResponse, happened: lostStart })
    } finally {
      isStarting.current = false
      setIsPending(false)
    }
  }

  function settle(result: StartWaiversResult) {
    if (result.kind === 'refused') return setOutcome(result.outcome)
    if (result.kind === 'started') {
      onStarted()
      router.push(routes.bulkJob(environment, result.jobId))
      return
    }
    const { reason, comment, ...others } = result.fields
    if (reason || comment) return setErrors(result.fields)
    setHasChanged(Object.keys(others).length > 0)
    void refetch()
  }

  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      size="large"
      grade="high"
      title={ended || !preview ? 'Waive fees' : `Waive ${feeCount(count)}?`}
      consequence="Each fee is voided and credited to its account. This can’t be undone. You can pause or cancel the job; fees already waived stay waived."
      {...(preview && count > 0
        ? { typed: { digits: String(count), label: `Type the number of fees, ${count}, to confirm` } }
        : {})}
      {...(preview && !isFetching
        ? {}
        : { unavailable: problem ? 'The preview couldn’t be loaded.' : 'The fees are still loading.' })}
      confirmLabel={preview ? `Waive ${feeCount(count)}` : 'Waive fees'}
      confirmIcon={<HandCoins aria-hidden="true" />}
      cancelLabel="Keep fees"
      isPending={isPending}
      problem={isRefused && <OutcomeCallout outcome={ended} />}
      outcome={ended && !isRefused ? outcomeText(ended) : null}
      {...(outcome?.isSafeToRetry && preview ? { onRetry: () => void start(preview, lastReason.current) } : {})}
      onConfirm={(values) => {
        const reason = reasonIn(values)
        const wrong = reasonProblems('fee.waive', reason)
        setErrors(wrong)
        setHasChanged(false)
        if (Object.keys(wrong).length === 0 && preview) void start(preview, reason)
      }}
    >
      {problem && (
        <ReadFailed title="The preview could not be made." isRetrying={isFetching} onRetry={() => void refetch()}>
          {problem}
        </ReadFailed>
      )}
      {hasChanged && (
        <Callout tone="warn" title="Nothing was started." isAlert>
          The fees are not what you confirmed any more: some are void by now, or an amount changed. This is the preview
          as it is now.
        </Callout>
      )}
      {preview && <WaiverPreview preview={preview} />}
      {!preview && !problem && (
        <>
          <p className="text-soft">Checking each fee and its account…</p>
          <LoadingBlocks what="the selected fees and their accounts" blocks={['h-72']} />
        </>
      )}
      <ReasonFields kind="fee.waive" errors={errors} />
    </ConfirmDialog>
  )
}

const lostStart = 'Carddesk didn’t respond, so it’s unknown whether the job started.'

const nothingToWaive: Outcome = {
  state: 'refused',
  happened: 'None of these fees can be waived: each is void already, or the service does not know it.',
  changed: 'no',
  isSafeToRetry: false,
  needsReview: false,
  next: 'Nothing needs to be done.',
  code: null,
  status: null,
  requestId: null,
}

function problemOf(data: Awaited<ReturnType<typeof previewWaivers>> | undefined, error: Error | null): string | null {
  if (data?.kind === 'refused') return `${data.outcome.happened} ${data.outcome.next}`
  if (data?.kind === 'invalid') {
    return Object.entries(data.fields)
      .map(([field, wrong]) => `${field} ${wrong}.`)
      .join(' ')
  }
  return error ? 'Carddesk isn’t responding. Check your connection.' : null
}
