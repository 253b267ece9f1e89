'use client'

import { ArrowRight, CircleCheck, RefreshCw, Send } from 'lucide-react'
import { PairRate } from '#components/rates/rate-text.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Ring } from '#components/ui/ring.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { SimilarPayouts } from '../similar-payouts.tsx'
import { QuoteDifference, RateComparison } from './rate-comparison.tsx'
import {
  countdownText,
  type HeldQuote,
  type Outdated,
  type QuoteProblem,
  type Remaining,
  type useQuote,
} from './use-quote.ts'
import { EntryProblem } from './validation.tsx'

const outdatedSentences: Record<Outdated, string> = {
  edited: 'You changed the details. Get a new quote to continue.',
  refused: 'This quote can’t be used any more. A new one keeps your entries.',
}

/** Describes a quote's state, read out once when it changes, and why there is no quote. */
function QuoteNotices({
  state,
  isCurrent,
  outdated,
  problem,
  submitted,
}: {
  state: Remaining['state']
  isCurrent: boolean
  outdated: Outdated | null
  problem: QuoteProblem | null
  submitted: Submitted
}) {
  return (
    <>
      {outdated && <Callout tone="warn">{outdatedSentences[outdated]}</Callout>}
      <output className="sr-only">
        {isCurrent && state === 'last-call' && 'The quote is about to expire and can’t be submitted.'}
      </output>
      {isCurrent && state === 'expired' && submitted !== 'open' && (
        <Callout tone="warn" title="This quote has expired." isAlert>
          {submitted === 'no' && 'Nothing was sent. '}A new quote keeps your entries and shows what changed.
        </Callout>
      )}
      {problem && (
        <EntryProblem problem={problem} title="Couldn’t get a quote.">
          Nothing was changed.{' '}
          {problem.kind === 'invalid' || problem.outcome.isSafeToRetry
            ? 'You can safely try again.'
            : problem.outcome.next}
        </EntryProblem>
      )}
    </>
  )
}

const tones = { none: 'accent', open: 'accent', 'last-call': 'warn', expired: 'bad' } as const

/** The remaining time of a quote, as a ring with the figure in the middle. */
function QuoteRing({ remaining, lifetimeMs }: { remaining: Remaining; lifetimeMs: number }) {
  const seconds = remaining.seconds ?? 0
  const isExpired = remaining.state === 'expired'
  return (
    <Ring
      share={Math.min(1, (seconds * secondMs) / lifetimeMs)}
      label={isExpired ? 'The quote has expired' : `${seconds} s until the quote expires`}
      tone={tones[remaining.state]}
      className="size-24"
    >
      <span className="font-mono text-md font-semibold">{countdownText(seconds * secondMs)}</span>
      <span className="text-2xs text-soft">{isExpired ? 'expired' : 'to expiry'}</span>
    </Ring>
  )
}

/** Why a quote cannot be requested, or not be submitted; `isSaidAbove`: the notice of the quote says it already. */
export type Unavailable = { quoting: string | undefined; submitting: string | undefined; isSaidAbove: boolean }

/** Whether the quote was submitted; `open`: it is not known yet what came of it. */
export type Submitted = 'no' | 'open' | 'ended'

/** The quote: requested, running, expired or outdated; and what can be done with it. */
export function QuotePanel({
  quoting,
  remaining,
  unavailable,
  submitted,
  onSubmit,
}: {
  quoting: ReturnType<typeof useQuote>
  remaining: Remaining
  unavailable: Unavailable
  submitted: Submitted
  onSubmit: () => void
}) {
  const { held, current, outdated, previous, problem, isRequesting } = quoting
  const isOver = held !== null && (current === null || remaining.state === 'expired')
  return (
    <Panel title="Quote" note={held && <IdText id={held.quote.id} label="quote ID" />}>
      <div className="grid gap-4">
        {!held && !problem && (
          <p className="max-w-prose text-soft">Checks the beneficiary and holds a rate for about a minute.</p>
        )}
        {held && <Held held={held} isCurrent={current !== null} remaining={remaining} />}
        {current && <SimilarPayouts similar={current.quote.similar} />}
        {current && <QuoteDifference previous={previous} quote={current.quote} />}
        <QuoteNotices
          state={remaining.state}
          isCurrent={current !== null}
          outdated={outdated}
          problem={problem}
          submitted={submitted}
        />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          {held && (
            <Button
              size="large"
              variant="primary"
              icon={<Send aria-hidden="true" />}
              unavailable={unavailable.submitting}
              reason={unavailable.isSaidAbove ? 'described' : 'beside'}
              aria-haspopup="dialog"
              onClick={onSubmit}
            >
              Submit…
            </Button>
          )}
          <Button
            type="submit"
            size="large"
            variant={held && (!isOver || submitted === 'open') ? 'secondary' : 'primary'}
            icon={<RefreshCw />}
            isPending={isRequesting}
            unavailable={unavailable.quoting}
            reason={held ? 'described' : 'beside'}
          >
            {held ? 'New quote' : 'Get quote'}
          </Button>
        </div>
      </div>
    </Panel>
  )
}

function Held({ held, isCurrent, remaining }: { held: HeldQuote; isCurrent: boolean; remaining: Remaining }) {
  const { quote, validatedAtMs } = held
  const isUsable = isCurrent && remaining.state !== 'expired'
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      {isCurrent && <QuoteRing remaining={remaining} lifetimeMs={Math.min(quote.expiresInMs, 60 * minuteMs)} />}
      <div className={isUsable ? 'min-w-0 flex-1 basis-72' : 'min-w-0 flex-1 basis-72 text-soft'}>
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="sr-only">You send </span>
          <Amount amount={quote.sourceAmount} currency={quote.sourceCurrency} size="display" />
          <ArrowRight aria-hidden="true" className="size-4 self-center text-faint" />
          <span className="sr-only"> and they receive </span>
          <Amount amount={quote.destinationAmount} currency={quote.destinationCurrency} size="display" />
        </p>
        <p className="mt-0.5 text-soft">
          {quote.sourceCurrency !== quote.destinationCurrency && (
            <>
              <PairRate source={quote.sourceCurrency} destination={quote.destinationCurrency} rate={quote.rate} />{' '}
              ·{' '}
            </>
          )}
          {remaining.state === 'expired' ? 'expired' : 'expires'}{' '}
          <Time
            instant={quote.expiresAt}
            format={quote.expiresInMs < 12 * 60 * minuteMs ? 'time-seconds' : 'date-time'}
            isZoneShown
          />
        </p>
        <RateComparison quote={quote} isFollowed={isCurrent} className="mt-0.5 text-soft" />
        {isCurrent && !quote.isValidated && (
          <p className="mt-1 text-warn">Beneficiary not validated: the card service doesn’t say whether it is valid.</p>
        )}
        {isCurrent && quote.isValidated && (
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
