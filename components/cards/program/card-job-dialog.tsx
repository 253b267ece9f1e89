'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ApprovalAhead } from '#components/approvals/approval-ahead.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { ConfirmDialog } from '#components/form/confirm-dialog.tsx'
import { ReadFailed } from '#components/operations/operation-dialog.tsx'
import { OutcomeCallout } from '#components/operations/outcome-text.tsx'
import { type EnteredReason, ReasonFields, reasonIn, reasonProblems } from '#components/operations/reason-fields.tsx'
import { useAction } from '#components/operations/use-action.ts'
import { Callout } from '#components/ui/callout.tsx'
import { countOf } from '#components/ui/count.ts'
import type { DialogProps } from '#components/ui/dialog.tsx'
import { LoadingBlocks } from '#components/ui/skeleton.tsx'
import { previewCardJob, startCardJob } from '#lib/actions/console.ts'
import type { CardJobPreview } from '#lib/console/cards/types.ts'
import type { BulkCardAction } from '#lib/operations/bulk/types.ts'
import type { ReadSearch } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { cardActionTable } from '../card-action-table.ts'
import { statusInSentence } from '../card-status.ts'

export type CardChoice = {
  action: BulkCardAction
  /** Null: everything that the filter matches. */
  cardIds: string[] | null
  filters: ReadSearch<'listProgramCards'>
  /** The job whose rows that were refused or never began are meant. */
  leftOverOf?: string
}

/** Does one action to many cards: which it is possible for, a reason, the number typed, then the page of the job. */
export function CardJobDialog({
  operationId: jobId,
  action,
  cardIds,
  filters,
  leftOverOf,
  onStarted,
  ...dialog
}: DialogProps & CardChoice & { operationId: string; onStarted: () => void }) {
  const environment = useEnvironment()
  const router = useRouter()
  const { isPending, problem, errors, run } = useAction('bulk-jobs')
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [environment, 'card-job-preview', jobId],
    queryFn: () => previewCardJob({ environment, action, cardIds, filters, ...(leftOverOf && { leftOverOf }) }),
    enabled: dialog.isOpen,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const preview = data?.kind === 'read' ? data.preview : undefined
  const unread = data?.kind === 'refused' ? `${data.outcome.happened} ${data.outcome.next}` : (error?.message ?? null)
  const cards = preview?.cardIds.length ?? 0
  const { label, icon: Icon, consequence } = cardActionTable[action]
  const kind = `card.${action}` as const
  const [sentence = ''] = consequence.split('. ')

  async function start(confirmed: string[], reason: EnteredReason) {
    const input = { environment, operationId: jobId, action, cardIds: confirmed, ...reason }
    const result = await run(() => startCardJob(input))
    if (!result) return
    onStarted()
    router.push(routes.bulkJob(environment, result.jobId))
  }

  return (
    <ConfirmDialog
      {...dialog}
      size="large"
      grade="high"
      title={preview && cards > 0 ? `${label} ${countOf(cards, 'card')}?` : `${label} cards`}
      consequence={`For each card: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}. You can pause or cancel the job; cards already done stay so.`}
      {...(cards > 0
        ? { typed: { digits: String(cards), label: `Type the number of cards, ${cards}, to confirm` } }
        : { unavailable: preview ? 'No chosen card is in a status that allows it.' : 'The cards are still loading.' })}
      confirmLabel={cards > 0 ? `${label} ${countOf(cards, 'card')}` : `${label} cards`}
      confirmIcon={<Icon aria-hidden="true" />}
      cancelLabel="Change nothing"
      isPending={isPending}
      problem={problem && <OutcomeCallout outcome={problem} />}
      onConfirm={(values) => {
        const reason = reasonIn(values)
        const problems = reasonProblems(kind, reason, true)
        setWrong(problems)
        if (Object.keys(problems).length > 0 || !preview) return
        void start(preview.cardIds, reason)
      }}
    >
      {cards > 0 && <ApprovalAhead request={{ topic: 'bulk-jobs', rows: cards }} />}
      {unread !== null && (
        <ReadFailed title="The preview could not be made." isRetrying={isFetching} onRetry={() => void refetch()}>
          {unread}
        </ReadFailed>
      )}
      {errors.cardIds && (
        <Callout tone="warn" title="Nothing was started." isAlert>
          The cards {errors.cardIds}. Close this and choose again.
        </Callout>
      )}
      {preview && <Preview preview={preview} />}
      {!preview && unread === null && <LoadingBlocks what="the chosen cards" blocks={['h-16']} />}
      <ReasonFields kind={kind} errors={{ ...errors, ...wrong }} isRequired />
    </ConfirmDialog>
  )
}

function Preview({ preview: { cardIds, accounts, leftOut, unknown, isCut } }: { preview: CardJobPreview }) {
  return (
    <div className="grid gap-3">
      {isCut && (
        <Callout tone="warn" title="Not all that match.">
          One job takes the newest 5,000 cards of the filter. Start another one for the rest.
        </Callout>
      )}
      <p>
        {countOf(cardIds.length, 'card')} of {countOf(accounts, 'account')}.
      </p>
      {(leftOut.length > 0 || unknown > 0) && (
        <Callout tone="info" title="Skipped.">
          {leftOut.map(({ status, cards }) => `${countOf(cards, 'card')} ${statusInSentence(status)}`).join(', ')}
          {leftOut.length > 0 && unknown > 0 && ', '}
          {unknown > 0 && `${countOf(unknown, 'card')} not known to Carddesk`}.
        </Callout>
      )}
    </div>
  )
}
