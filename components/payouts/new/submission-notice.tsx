'use client'

import type { RefObject } from 'react'
import { OutcomeCallout } from '#components/operations/outcome-text.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import type { Quote } from '#lib/console/payouts/shapes.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import type { SubmissionEnd } from './submit-dialog.tsx'

export type Ended = SubmissionEnd & { quote: Quote; beneficiary: string }

/** How the last submission ended, or that it is not known yet, after its dialog was closed. */
export function SubmissionNotice({
  environment,
  ended,
  link,
  onShow,
}: {
  environment: Environment
  ended: Ended
  /** Of the payout that was made: the focus goes there once the dialog is closed. */
  link: RefObject<HTMLAnchorElement | null>
  onShow: () => void
}) {
  const { outcome, payoutId, quote, beneficiary } = ended
  if (outcome.state === 'done') {
    return (
      <Callout
        tone="good"
        title="Payout submitted."
        actions={
          payoutId && (
            <ButtonLink ref={link} variant="primary" href={routes.payout(environment, payoutId)}>
              View payout
            </ButtonLink>
          )
        }
      >
        <Amount amount={quote.sourceAmount} currency={quote.sourceCurrency} /> →{' '}
        <Amount amount={quote.destinationAmount} currency={quote.destinationCurrency} /> to {beneficiary}.{' '}
        {payoutId && <IdText id={payoutId} label="payout ID" />}
      </Callout>
    )
  }
  if (outcome.state === 'waiting') {
    return (
      <Callout tone="info" title="Waiting for approval." actions={<Button onClick={onShow}>View request</Button>}>
        <Amount amount={quote.sourceAmount} currency={quote.sourceCurrency} /> →{' '}
        <Amount amount={quote.destinationAmount} currency={quote.destinationCurrency} /> to {beneficiary}. Nothing is
        sent until another person approves it.
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
