'use client'

import { useQuery } from '@tanstack/react-query'
import { ArrowRight, HandCoins } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { ApprovalAhead } from '#components/approvals/approval-ahead.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { ConfirmDialog } from '#components/form/confirm-dialog.tsx'
import { ReadFailed } from '#components/operations/operation-dialog.tsx'
import { lostResponse, OutcomeCallout, outcomeText, refusedHere } from '#components/operations/outcome-text.tsx'
import { type EnteredReason, ReasonFields, reasonIn, reasonProblems } from '#components/operations/reason-fields.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { Callout } from '#components/ui/callout.tsx'
import type { DialogProps } from '#components/ui/dialog.tsx'
import { LoadingBlocks } from '#components/ui/skeleton.tsx'
import { Time } from '#components/ui/time.tsx'
import { previewWaivers, startWaivers } from '#lib/actions/console.ts'
import type { LeftOutFee, StartWaiversResult, WaiverPreview as Preview } from '#lib/console/fees/types.ts'
import type { Outcome } from '#lib/operations/types.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { accountName, FeeAccountId } from './fee-account.tsx'
import { feeCount } from './fee-labels.ts'

export type WaiverChoice = {
  /** Null: everything that the filter matches. */
  feeIds: string[] | null
  filters: ReadSearch<'listFees'>
  /** The job whose rows that were refused or never began are meant. */
  leftOverOf?: string
}

/** Waives many fees: the preview, a reason, the number typed, then the page of the job. */
export function WaiveManyDialog({
  operationId: jobId,
  feeIds,
  filters,
  leftOverOf,
  onStarted,
  ...dialog
}: DialogProps &
  WaiverChoice & {
    /** The id of the job that this dialog can start, once. */
    operationId: string
    onStarted: () => void
  }) {
  const environment = useEnvironment()
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
    queryFn: () => previewWaivers({ environment, feeIds, filters, ...(leftOverOf && { leftOverOf }) }),
    enabled: dialog.isOpen,
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
      {...dialog}
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
      {preview && <ApprovalAhead request={{ topic: 'bulk-jobs', rows: count }} />}
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

const nothingToWaive = refusedHere({
  happened: 'None of these fees can be waived: each is void already, or the card service does not know it.',
  next: 'Nothing needs to be done.',
})

function problemOf(data: Awaited<ReturnType<typeof previewWaivers>> | undefined, error: Error | null): string | null {
  if (data?.kind === 'refused') return `${data.outcome.happened} ${data.outcome.next}`
  if (data?.kind === 'invalid') {
    return Object.entries(data.fields)
      .map(([field, wrong]) => `${field} ${wrong}.`)
      .join(' ')
  }
  return error ? 'Carddesk isn’t responding. Check your connection.' : null
}

/** As many accounts as are listed one by one. */
const listed = 200

/** What a bulk waiver will do: how many fees, what is returned per currency, and the balance that each account should have. */
function WaiverPreview({ preview }: { preview: Preview }) {
  const { totals, effects, leftOut, isCut, feeIds, asOf } = preview
  return (
    <div className="grid gap-3">
      {isCut && (
        <Callout tone="warn" title="Not all that match.">
          One job takes the newest 5,000 fees of the filter. Start another one for the rest.
        </Callout>
      )}
      {leftOut.length > 0 && <LeftOut leftOut={leftOut} />}
      <dl className="divide-y rounded-panel border">
        {totals.map(({ currency, fees, amount, excluded }) => (
          <div key={currency ?? ''} className="flex flex-wrap items-baseline justify-between gap-x-4 px-3 py-2">
            <dt className="text-soft">
              {feeCount(fees)} {currency ? `in ${currency}` : 'without a currency'}, returned
            </dt>
            <dd>
              <Amount amount={amount} currency={currency} isSigned tone="good" size="large" />
              {amount !== null && excluded > 0 && (
                <span className="block text-xs text-warn">
                  Excludes {feeCount(excluded)} without an amount or direction
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <section aria-labelledby="waiver-effects" className="min-w-0">
        <h3 id="waiver-effects" className="font-medium">
          Effect per account
        </h3>
        <p className="text-xs text-faint">
          Amount returned, balance now and expected · {feeCount(feeIds.length)}, as of{' '}
          <Time instant={asOf} format="time-seconds" isZoneShown />.
        </p>
        <section
          aria-label="Effect per account, a list that scrolls"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls takes the keyboard
          tabIndex={0}
          className="mt-1.5 max-h-64 overflow-y-auto rounded-panel border -outline-offset-2"
        >
          <ul className="divide-y">
            {effects.slice(0, listed).map(({ account, currency, fees, amount, before, after }) => (
              <li
                key={`${JSON.stringify(account)} ${currency}`}
                className="flex flex-wrap items-baseline justify-between gap-x-4 px-3 py-2"
              >
                <span className="min-w-0 wrap-anywhere">
                  {accountName(account)} <FeeAccountId account={account} />{' '}
                  <span className="text-xs text-soft">{feeCount(fees)}</span>
                </span>
                <span className="ml-auto flex flex-wrap items-baseline justify-end gap-x-2">
                  <Amount amount={amount} currency={currency} isSigned tone="good" className="sm:min-w-28" />
                  {before === null ? (
                    <span className="text-right text-xs text-faint sm:min-w-64">balance not provided</span>
                  ) : (
                    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-1.5">
                      <Amount amount={before} currency={currency} isCurrencyShown={false} className="sm:min-w-28" />
                      <ArrowRight aria-hidden="true" className="size-3 self-center text-faint" />
                      <span className="sr-only">expected</span>
                      <Amount amount={after} currency={currency} className="sm:min-w-32" />
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ul>
          {effects.length > listed && (
            <p className="border-t px-3 py-2 text-xs text-soft">
              and {effects.length - listed} more accounts, included in the totals above.
            </p>
          )}
        </section>
      </section>
    </div>
  )
}

function LeftOut({ leftOut }: { leftOut: readonly LeftOutFee[] }) {
  const voids = leftOut.filter(({ because }) => because === 'void').length
  const unknown = leftOut.length - voids
  return (
    <Callout tone="info" title="Skipped.">
      {[
        voids > 0 &&
          `${feeCount(voids)} ${voids === 1 ? 'is' : 'are'} void already: waived or cancelled before, and not counted in any balance.`,
        unknown > 0 && `${feeCount(unknown)} ${unknown === 1 ? 'is' : 'are'} not known to the card service.`,
      ]
        .filter(Boolean)
        .join(' ')}
    </Callout>
  )
}
