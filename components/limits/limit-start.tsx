'use client'

import { Gauge } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import {
  ApprovalAhead,
  confirmLabelAhead,
  type RequestAhead,
  useApprovalAhead,
} from '#components/approvals/approval-ahead.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { Checkbox } from '#components/form/checkbox.tsx'
import { ConfirmDialog } from '#components/form/confirm-dialog.tsx'
import { lostResponse, OutcomeCallout, outcomeText, refusedAfterLoss } from '#components/operations/outcome-text.tsx'
import { type EnteredReason, ReasonFields, reasonProblems } from '#components/operations/reason-fields.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { Button } from '#components/ui/button.tsx'
import { count, formatCount } from '#components/ui/count.ts'
import { Panel } from '#components/ui/panel.tsx'
import { useIsShown } from '#components/ui/use-is-shown.ts'
import { runAction } from '#lib/actions/run-action.ts'
import type { LimitLine, LimitPreview } from '#lib/console/limits/types.ts'
import { exactSum, isLess, partialSum } from '#lib/contract/exact-sum.ts'
import type { Outcome } from '#lib/operations/types.ts'
import { routes } from '#lib/shared/routes.ts'

/** Whether a line raises a limit to more than ten times of what it is: perhaps a digit too many. */
export function isTenfold({ limitNow, limitNew, problem }: LimitLine): boolean {
  return problem === null && Number(limitNow) > 0 && Number(limitNew) > 10 * Number(limitNow)
}

/** The way from a preview to its job: that lines are left out is agreed to, a reason given, the number of accounts typed. */
export function LimitStart({
  text,
  preview,
  jobId,
  onAgain,
}: {
  text: string
  preview: LimitPreview
  jobId: string
  onAgain: () => void
}) {
  const environment = useEnvironment()
  const router = useRouter()
  const isShown = useIsShown()
  const isStarting = useRef(false)
  const [isPending, setIsPending] = useState(false)
  const [hasAgreed, setHasAgreed] = useState(false)
  const [reason, setReason] = useState<EnteredReason>({})
  const [isOpen, setIsOpen] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { accounts, leftOut, digest, lines } = preview
  const ahead = useApprovalAhead(
    ...(isOpen ? [{ topic: 'bulk-jobs', rows: accounts } as const, ...raisesIn(lines)] : []),
  )
  const leftOutLabels = formatCount(leftOut, 'line')
  const missing =
    accounts === 0
      ? 'No line can be done.'
      : leftOut > 0 && !hasAgreed
        ? `Confirm that ${leftOutLabels} ${leftOut === 1 ? 'is' : 'are'} skipped, or correct the file.`
        : Object.keys(reasonProblems('account.set-limit', reason, true)).length > 0
          ? 'Choose a reason first.'
          : undefined

  async function start() {
    if (isStarting.current) return
    isStarting.current = true
    setIsPending(true)
    setErrors({})
    try {
      const result = await runAction('startLimits', {
        environment,
        operationId: jobId,
        text,
        ...reason,
        confirmed: { accounts, leftOut, digest },
      })
      if (result.kind === 'started') {
        if (isShown()) router.push(routes.bulkJob(environment, result.jobId))
        return
      }
      if (result.kind === 'refused') {
        return setOutcome((before) => (before?.state === 'unknown' ? refusedAfterLoss(result.outcome) : result.outcome))
      }
      setErrors(result.fields)
      setIsOpen(false)
    } catch {
      setOutcome(lostResponse)
    } finally {
      isStarting.current = false
      setIsPending(false)
    }
  }

  if (accounts === 0) return null
  const limits = formatCount(accounts, 'limit')
  const negative = lines.filter(({ isBelowOutstanding }) => isBelowOutstanding).length
  const tenfold = lines.filter(isTenfold).length
  return (
    <Panel title={accounts === 1 ? 'Set the limit' : `Set ${limits}`}>
      <div className="grid max-w-xl gap-3">
        {leftOut > 0 && (
          <Checkbox
            label={`Continue and skip ${leftOutLabels}`}
            hint="Correct them above and start another job."
            checked={hasAgreed}
            onChange={(event) => setHasAgreed(event.target.checked)}
          />
        )}
        <ReasonFields kind="account.set-limit" errors={errors} isRequired onEntered={setReason} />
        {errors.confirmed && (
          <p role="alert" className="text-bad">
            What you confirmed {errors.confirmed}. No limit was set.{' '}
            <button type="button" className="underline" onClick={onAgain}>
              Check the lines again
            </button>
          </p>
        )}
        <div>
          <Button
            variant="primary"
            icon={<Gauge aria-hidden="true" />}
            unavailable={missing}
            onClick={() => setIsOpen(true)}
          >
            {`Set ${limits}…`}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => {
          setIsOpen(false)
          setOutcome(null)
        }}
        confirmationLevel="high"
        title={`Set ${limits}?`}
        consequence="A job sets them one by one, with a result for each. You can pause or cancel it; limits already set stay."
        rows={[
          { label: 'Accounts', value: <strong>{count.format(accounts)}</strong> },
          leftOut > 0 && { label: 'Lines skipped', value: count.format(leftOut) },
          negative > 0 && { label: 'Below what is owed', value: count.format(negative) },
          tenfold > 0 && { label: 'More than ten times the limit now', value: count.format(tenfold) },
          ...sumByCurrency(preview).map(({ currency, now, after, missing }) => ({
            label: currency ? `Limits in ${currency}, added up` : 'Limits without a currency, added up',
            value: (
              <span className="inline-flex flex-wrap items-baseline justify-end gap-x-1.5">
                <Amount amount={now} currency={currency} isCurrencyShown={false} /> →{' '}
                <Amount amount={after} currency={currency} />
                {now !== null && missing > 0 && (
                  <span className="w-full text-xs text-warn">
                    The first figure excludes {formatCount(missing, 'account')} without a limit
                  </span>
                )}
              </span>
            ),
          })),
        ]}
        typed={{ digits: String(accounts), label: `Type the number of accounts, ${accounts}, to confirm` }}
        confirmLabel={confirmLabelAhead(ahead, `Set ${limits}`)}
        confirmIcon={<Gauge aria-hidden="true" />}
        cancelLabel="Keep limits"
        isPending={isPending}
        problem={outcome?.state === 'refused' && <OutcomeCallout outcome={outcome} />}
        outcome={outcome === null || outcome.state === 'refused' ? null : outcomeText(outcome)}
        onRetry={outcome?.isSafeToRetry ? () => void start() : undefined}
        onConfirm={() => void start()}
      >
        <ApprovalAhead ahead={ahead} />
      </ConfirmDialog>
    </Panel>
  )
}

/** The rows that rules about limit raises apply to. A limit that is not known before may be raised. */
function raisesIn(lines: LimitPreview['lines']): RequestAhead[] {
  return lines
    .filter(({ problem, limitNow, limitNew }) => problem === null && (limitNow === null || isLess(limitNow, limitNew)))
    .map(({ limitNew, account }) => ({
      topic: 'limit-raises',
      amount: limitNew,
      currency: account?.currency ?? null,
    }))
}

type LimitSum = { currency: string | null; now: string | null; after: string; missing: number }

/** The limits per currency, now and afterwards; `missing` accounts have no limit now and are not in `now`. */
function sumByCurrency({ lines }: LimitPreview): LimitSum[] {
  const good = lines.flatMap((line) => (line.problem === null && line.account ? [{ ...line, ...line.account }] : []))
  return [...Map.groupBy(good, ({ currency }) => currency)].map(([currency, own]) => {
    const { sum, missing } = partialSum(own.map(({ limitNow }) => limitNow))
    return { currency, now: sum, after: exactSum(own.map(({ limitNew }) => limitNew)), missing }
  })
}
