'use client'

import { ArrowRight, CircleCheck, RefreshCw, Send } from 'lucide-react'
import { useId } from 'react'
import { ExactRateText } from '#components/rates/rate-text.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { buttonStyle } from '#components/ui/button-style.ts'
import { Button } from '#components/ui/button.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import type { Environment } from '#lib/shared/routes.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { differenceSentences } from './quote-difference.ts'
import { QuoteNotices } from './quote-notices.tsx'
import { QuoteRing } from './quote-ring.tsx'
import type { HeldQuote, Outdated } from './quote-state.ts'
import { RateComparison } from './rate-comparison.tsx'
import type { useQuote } from './use-quote.ts'
import type { Remaining } from './use-remaining.ts'

export type Unavailable = { quoting: string | undefined; submitting: string | undefined }

/** The quote: requested, running, expired or outdated; and what can be done with it. */
export function QuotePanel({
  environment,
  quoting,
  remaining,
  unavailable,
  onSubmit,
}: {
  environment: Environment
  quoting: ReturnType<typeof useQuote>
  remaining: Remaining
  unavailable: Unavailable
  onSubmit: () => void
}) {
  const { held, outdated, previous, problem, isRequesting } = quoting
  return (
    <Panel title="Quote" {...(held ? { note: <IdText id={held.quote.id} label="quote id" /> } : {})}>
      <div className="grid gap-4">
        {!held && !problem && (
          <p className="max-w-prose text-soft">
            The beneficiary is validated first. Then the service holds a rate for about a minute; nothing moves before
            you submit.
          </p>
        )}
        {held && <Held environment={environment} held={held} outdated={outdated} remaining={remaining} />}
        {held && previous && outdated === null && (
          <ul
            aria-label="What changed since the quote before"
            className="grid gap-0.5 rounded-control bg-hover px-3 py-2"
          >
            {differenceSentences(previous, held.quote).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
        <QuoteNotices state={remaining.state} hasQuote={held !== null} outdated={outdated} problem={problem} />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          {held && <SubmitButton unavailable={unavailable.submitting} onSubmit={onSubmit} />}
          <Button
            type="submit"
            size="large"
            variant={held ? 'secondary' : 'primary'}
            icon={<RefreshCw />}
            isPending={isRequesting}
            {...(unavailable.quoting === undefined ? {} : { unavailable: unavailable.quoting })}
          >
            {held ? 'New quote' : 'Get quote'}
          </Button>
        </div>
      </div>
    </Panel>
  )
}

/** One and the same button while it comes and goes: the focus that a dialog gives back finds it. */
function SubmitButton({ unavailable, onSubmit }: { unavailable: string | undefined; onSubmit: () => void }) {
  const reasonId = useId()
  const isUnavailable = unavailable !== undefined
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      <button
        type="button"
        className={buttonStyle({ variant: 'primary', size: 'large', isUnavailable })}
        {...(isUnavailable
          ? { 'aria-disabled': true, 'aria-describedby': reasonId }
          : { onClick: onSubmit, 'aria-haspopup': 'dialog' as const })}
      >
        <Send aria-hidden="true" />
        Submit…
      </button>
      {isUnavailable && (
        <span id={reasonId} className="text-xs text-faint">
          {unavailable}
        </span>
      )}
    </span>
  )
}

function Held({
  environment,
  held,
  outdated,
  remaining,
}: {
  environment: Environment
  held: HeldQuote
  outdated: Outdated | null
  remaining: Remaining
}) {
  const { quote, validatedAtMs } = held
  const isUsable = outdated === null && remaining.state !== 'expired'
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      {outdated === null && <QuoteRing remaining={remaining} lifetimeMs={Math.min(quote.expiresInMs, 60 * minuteMs)} />}
      <div className={isUsable ? 'min-w-0 flex-1 basis-72' : 'min-w-0 flex-1 basis-72 text-soft'}>
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="sr-only">You send </span>
          <Amount amount={quote.sourceAmount} currency={quote.sourceCurrency} size="display" />
          <ArrowRight aria-hidden="true" className="size-4 self-center text-faint" />
          <span className="sr-only"> and they receive </span>
          <Amount amount={quote.destinationAmount} currency={quote.destinationCurrency} size="display" />
        </p>
        <p className="mt-0.5 text-soft">
          1 {quote.sourceCurrency} = <ExactRateText rate={quote.rate} /> {quote.destinationCurrency} · expires{' '}
          <Time instant={quote.expiresAt} format="time-seconds" isZoneShown /> by the service’s clock
        </p>
        <RateComparison
          environment={environment}
          quote={quote}
          isFollowed={outdated === null}
          className="mt-0.5 text-soft"
        />
        {outdated === null && (
          <p className="mt-1 flex items-center gap-1.5 text-good">
            <CircleCheck aria-hidden="true" className="size-4 shrink-0" />
            <span>
              Beneficiary validated <RelativeTime instant={validatedAtMs} format="time-seconds" />
            </span>
          </p>
        )}
      </div>
    </div>
  )
}
