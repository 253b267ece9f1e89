'use client'

import { type RefObject, useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { OutcomeCallout } from '#components/operations/outcome-text.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import type { Quote } from '#lib/console/payouts/types.ts'
import { routes } from '#lib/shared/routes.ts'
import { QuoteAmounts } from '../payout-amount.tsx'
import type { Submission, SubmissionEnd } from './submit-dialog.tsx'
import type { PayoutForm } from './use-payout-form.ts'
import type { HeldQuote, useQuote } from './use-quote.ts'

type Opened = { operationId: string; isOpen: boolean; submission: Submission }

/** Errors after which the quote cannot be used again. */
const spentBy = new Set(['QUOTE_EXPIRED', 'QUOTE_ALREADY_USED', 'QUOTE_NOT_FOUND'])

/**
 * The submission of a quote: one operation for each dialog. While its outcome is open, nothing else can be submitted
 * and the dialog can be reopened. Once it is done, the form is cleared.
 */
export function useSubmission({ form, quoting }: { form: PayoutForm; quoting: ReturnType<typeof useQuote> }) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [end, setEnd] = useState<SubmissionEnd | null>(null)
  const state = end?.outcome.state
  const isOutcomeOpen = state === 'unknown' || state === 'running'

  function onOutcome(next: SubmissionEnd | null) {
    setEnd(next)
    // A request that waited for an approval has already left the form, which now holds another one.
    if (next === null || end?.outcome.state === 'waiting') return
    const { outcome, refusedFields } = next
    if (outcome.state === 'done' || outcome.state === 'waiting') {
      setOpened((now) => now && { ...now, submission: withoutNumber(now.submission) })
      form.forget()
      quoting.restart()
    }
    if (outcome.state !== 'refused') return
    if (outcome.code !== null && spentBy.has(outcome.code)) quoting.outdate('refused')
    const short =
      outcome.code === 'INSUFFICIENT_FUNDS' ? { [form.amountPath]: 'is more than the account has available' } : {}
    const fields = { ...refusedFields, ...short }
    if (Object.keys(fields).length > 0) form.refuse(fields, false)
  }

  const ended: Ended | null =
    end && opened && (!opened.isOpen || end.outcome.state === 'done')
      ? {
          ...end,
          quote: opened.submission.held.quote,
          beneficiary: beneficiaryName(opened.submission),
        }
      : null

  return {
    opened,
    ended,
    isOutcomeOpen,
    submitted: isOutcomeOpen ? ('open' as const) : end ? ('ended' as const) : ('no' as const),
    onOutcome,
    /** Asks whether this quote is to be submitted; `previous` is the one that it was asked with before. */
    open(held: HeldQuote, previous: Quote | null = null) {
      if (!form.account || isOutcomeOpen) return
      setEnd(null)
      const submission = { held, previous, entry: form.entry, details: form.details, account: form.account }
      setOpened({ operationId: crypto.randomUUID(), isOpen: true, submission })
    },
    close() {
      setOpened((now) => now && { ...now, isOpen: false })
    },
    reopen() {
      setOpened((now) => now && { ...now, isOpen: true })
    },
    /** Removes the notice of the last submission, once its outcome is known. */
    dismiss() {
      if (isOutcomeOpen) return
      setOpened(null)
      setEnd(null)
    },
  }
}

/** The submission without the account number, to show after it was sent. */
function withoutNumber(submission: Submission): Submission {
  const { entry } = submission
  return { ...submission, entry: { ...entry, destination: { ...entry.destination, accountNumber: '' } } }
}

function beneficiaryName({ entry: { destination } }: Submission): string {
  return `${destination.firstName.trim()} ${destination.surname.trim()}`
}

type Ended = SubmissionEnd & { quote: Quote; beneficiary: string }

/** How the last submission ended, or that it is not known yet, after its dialog was closed. */
export function SubmissionNotice({
  ended,
  link,
  onShow,
}: {
  ended: Ended
  /** Link to the new payout; receives the focus when the dialog closes. */
  link: RefObject<HTMLAnchorElement | null>
  onShow: () => void
}) {
  const environment = useEnvironment()
  const { outcome, payoutId, quote, beneficiary } = ended
  if (outcome.state === 'done') {
    return (
      <Callout
        tone={outcome.remark ? 'warn' : 'good'}
        title="Payout submitted."
        actions={
          payoutId && (
            <ButtonLink ref={link} variant="primary" href={routes.payout(environment, payoutId)}>
              View payout
            </ButtonLink>
          )
        }
      >
        {outcome.remark ?? (
          <>
            <QuoteAmounts quote={quote} /> to {beneficiary}.
          </>
        )}{' '}
        {payoutId && <IdText id={payoutId} label="payout ID" />}
      </Callout>
    )
  }
  if (outcome.state === 'waiting') {
    return (
      <Callout tone="info" title="Waiting for approval." actions={<Button onClick={onShow}>View request</Button>}>
        <QuoteAmounts quote={quote} /> to {beneficiary}. Sent once another person approves it.
      </Callout>
    )
  }
  if (outcome.state === 'refused') return <OutcomeCallout outcome={outcome} />
  return (
    <Callout
      tone="warn"
      title="The last submission isn’t confirmed yet."
      actions={<Button onClick={onShow}>Show</Button>}
    >
      Carddesk keeps checking. Nothing else can be submitted here until it’s known, so nothing is paid twice.
    </Callout>
  )
}
