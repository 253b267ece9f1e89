'use client'

import { useEffect, useRef } from 'react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { WhenRead, readFailure } from '#components/environment/when-read.tsx'
import { LiveRate } from '#components/rates/live-rate.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { formatCount } from '#components/ui/count.ts'
import { lazyDialog, preloadDialog } from '#components/ui/dialog.tsx'
import { ErrorState } from '#components/ui/error-state.tsx'
import { Page } from '#components/ui/page.tsx'
import { useTypedWork } from '#components/ui/typed-work.ts'
import type { PayoutToRepeat } from '#lib/console/payouts/types.ts'
import { readAmount } from '#lib/contract/amount-entry.ts'
import { shortId } from '#lib/shared/ids.ts'
import { routes, type Environment } from '#lib/shared/routes.ts'
import { listed } from '#lib/shared/texts.ts'
import { AmountPanel, DetailsPanel, overdraft, WherePanel } from './entry-panels.tsx'
import { fieldNoun } from './labels.ts'
import { QuotePanel, type Unavailable } from './quote-panel.tsx'
import { SubmissionNotice, useSubmission } from './submission.tsx'
import { usePayoutForm, type PayoutForm } from './use-payout-form.ts'
import { forAccount, type Outdated, type Remaining, useQuote, useRemaining } from './use-quote.ts'
import { ValidationStep, useValidation } from './validation.tsx'

const loadSubmitDialog = () => import('./submit-dialog.tsx').then((file) => file.SubmitDialog)
const SubmitDialog = lazyDialog(loadSubmitDialog)

/** The environment lets quotes be executed. */
type Offered = { isOffered: boolean }

/** A payout from its quote to its submission, or one that takes its entry over from the payout `repeat`. */
export function NewPayoutScreen({ repeat, isOffered }: Offered & { repeat: string | null }) {
  const why = usePermissions().denied('payouts.submit')
  if (why !== undefined) return <NotPermitted why={why} />
  return repeat === null ? (
    <NewPayout isOffered={isOffered} />
  ) : (
    <RepeatedPayout isOffered={isOffered} payoutId={repeat} />
  )
}

function NotPermitted({ why }: { why: string }) {
  const environment = useEnvironment()
  return (
    <Page title="New payout" above={[{ label: 'Payouts', href: routes.payouts(environment) }]}>
      <Callout
        tone="info"
        title="You can view payouts but not send them."
        actions={<ButtonLink href={routes.payouts(environment)}>View payouts</ButtonLink>}
      >
        {why}
      </Callout>
    </Page>
  )
}

function RepeatedPayout({ payoutId, isOffered }: Offered & { payoutId: string }) {
  const repeated = useRead('readPayoutToRepeat', payoutId)
  return (
    <WhenRead query={repeated} what="The payout to repeat" blocks={['h-96']}>
      {(found) => <NewPayout isOffered={isOffered} repeated={found} />}
    </WhenRead>
  )
}

function NewPayout({ isOffered, repeated }: Offered & { repeated?: PayoutToRepeat }) {
  const environment = useEnvironment()
  const { data: funding, error, refetch, isFetching } = useRead('listFundingAccounts')
  const element = useRef<HTMLFormElement>(null)
  const madeLink = useRef<HTMLAnchorElement>(null)
  const requested = useQuote()
  const validation = useValidation()
  const edited = () => {
    requested.edited()
    validation.edited()
  }
  const form = usePayoutForm(element, funding?.accounts, edited, repeated)
  const { account, choices } = form
  const quoting = forAccount(requested, account?.id)
  const remaining = useRemaining(quoting.held, !quoting.outdated)
  const submission = useSubmission({ form, quoting })
  useTypedWork(
    form.isDirty || submission.isOutcomeOpen ? 'this payout' : null,
    submission.isOutcomeOpen
      ? 'It isn’t known yet whether it was made. Look for it under Payouts before you make it again.'
      : undefined,
  )
  const failure = funding ? null : readFailure(error, 'The funding accounts')
  const unavailable = unavailableReasons({
    environment,
    isOffered,
    state: remaining.state,
    outdated: quoting.outdated,
    isRequesting: quoting.isRequesting,
    isOutcomeOpen: submission.isOutcomeOpen,
    overdrawn: overdrawnBy(form, quoting.current),
  })

  /** The new quote, or null where there is none. */
  async function getQuote() {
    if (unavailable.quoting !== undefined || !form.isRight() || !account) return null
    submission.dismiss()
    preloadDialog()
    loadSubmitDialog().catch(() => undefined)
    const answer = await quoting.request({ environment, accountId: account.id, ...form.entry })
    if (answer?.result.kind === 'invalid') form.refuse(answer.result.fields, true)
    return answer?.held ?? null
  }

  // The details may be corrected while a quote is on its way: the question is about those that the form has then.
  const ask = useRef<typeof submission.open>(() => undefined)
  useEffect(() => {
    ask.current = (held, previous) => form.isRight() && submission.open(held, previous)
  })

  /** Asks again with a new quote, whose figures are read and whose digits are typed anew. */
  async function renewQuote() {
    const previous = quoting.held && quoting.held.quote
    submission.close()
    const held = await getQuote()
    if (held) ask.current(held, previous)
  }

  return (
    <Page
      title="New payout"
      above={[{ label: 'Payouts', href: routes.payouts(environment) }]}
      subtitle={
        account && (
          <>
            From {account.name || `account ${shortId(account.id)}`} ·{' '}
            <Amount amount={account.available} currency={account.currency} /> available
          </>
        )
      }
    >
      {!isOffered && (
        <Callout tone="info" title={`Submitting is switched off for ${environment}.`}>
          Quotes are live. An admin turns submitting on with{' '}
          <code className="font-mono">SERVICE_PRODUCTION_PAYOUTS=on</code>, once the card service supports it.
        </Callout>
      )}
      {repeated && !submission.ended && (
        <Callout tone="info" title={`Copied from the payout to ${repeated.name ?? 'an unnamed beneficiary'}.`}>
          Check each field, then get a new quote. {leftEmpty(form)}
        </Callout>
      )}
      {failure && <ErrorState failure={failure} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {submission.ended && <SubmissionNotice ended={submission.ended} link={madeLink} onShow={submission.reopen} />}
      <form
        ref={element}
        // A press before hydration does nothing: this method sends nothing outside of a dialog.
        method="dialog"
        noValidate
        aria-label="New payout"
        data-work="none"
        className="grid min-w-0 grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_21rem]"
        onSubmit={(event) => {
          event.preventDefault()
          void getQuote()
        }}
      >
        <div className="grid min-w-0 gap-4">
          <WherePanel form={form}>
            <ValidationStep form={form} validation={validation} />
          </WherePanel>
          <AmountPanel form={form} quote={quoting.current && quoting.current.quote} />
          <DetailsPanel form={form} />
        </div>
        <div className="grid min-w-0 gap-4 lg:sticky lg:top-[calc(var(--sticky-top)+1rem)]">
          <IssueSummary form={form} />
          <QuotePanel
            quoting={quoting}
            remaining={remaining}
            unavailable={unavailable}
            submitted={submission.submitted}
            onSubmit={() => {
              if (quoting.held && form.isRight() && remaining.isOpenNow()) submission.open(quoting.held)
            }}
          />
          <aside aria-label="Live rate" className="min-w-0">
            {account?.currency && choices.currency !== '' ? (
              <LiveRate source={account.currency} destination={choices.currency} />
            ) : (
              <p className="rounded-panel border border-dashed p-4 text-faint">
                Choose a country and currency to see the live rate.
              </p>
            )}
          </aside>
        </div>
      </form>
      {submission.opened && (
        <SubmitDialog
          key={submission.opened.operationId}
          operationId={submission.opened.operationId}
          submission={submission.opened.submission}
          remaining={remaining}
          isOpen={submission.opened.isOpen}
          finalFocus={() => madeLink.current}
          onClose={submission.close}
          onRenew={() => void renewQuote()}
          onOutcome={submission.onOutcome}
        />
      )}
    </Page>
  )
}

/** Why the account can't pay what was entered, or what the quote debits; null where it can. */
function overdrawnBy({ account, choices, draft }: PayoutForm, held: { quote: { sourceAmount: string } } | null) {
  if (!account) return null
  if (held) return overdraft(account, held.quote.sourceAmount)
  const entered = readAmount(draft.amount ?? '', account.currency)
  return choices.side === 'source' && 'amount' in entered ? overdraft(account, entered.amount) : null
}

/** Which fields that are needed the earlier payout could not fill. */
function leftEmpty({ toFill, choices }: PayoutForm): string {
  return toFill.length === 0 ? '' : `Still empty: ${listed(toFill.map((path) => fieldNoun(path, choices.method)))}.`
}

/** Everything that is wrong, each a link to its field. */
function IssueSummary({ form }: { form: PayoutForm }) {
  const { errors, isRefused, goTo } = form
  if (errors.size === 0) return null
  return (
    <Callout tone="bad" title={`Fix ${formatCount(errors.size, 'field')} to get a quote.`}>
      {isRefused ? 'Nothing was changed.' : 'Nothing was sent.'}
      <ul className="mt-1 list-disc pl-4">
        {[...errors].map(([path, sentence]) => (
          <li key={path}>
            <button type="button" className="min-h-6 text-left underline underline-offset-2" onClick={() => goTo(path)}>
              {sentence}
            </button>
          </li>
        ))}
      </ul>
    </Callout>
  )
}

/** Why a quote cannot be requested, or not be submitted, right now; undefined where it can. */
export function unavailableReasons({
  environment,
  isOffered,
  state,
  outdated,
  isRequesting,
  isOutcomeOpen,
  overdrawn = null,
}: {
  environment: Environment
  isOffered: boolean
  state: Remaining['state']
  outdated: Outdated | null
  /** A new quote is about to replace this one, and its time with it. */
  isRequesting: boolean
  isOutcomeOpen: boolean
  /** More than the account has available: why the service would refuse it. */
  overdrawn?: string | null
}): Unavailable {
  const first = [
    !isOffered && `Submitting payouts is switched off for ${environment}.`,
    isOutcomeOpen && 'The last submission isn’t confirmed yet.',
    overdrawn !== null && `${overdrawn}.`,
  ].find((reason) => reason !== false)
  const ofQuote = [
    outdated === 'edited' && 'Get a new quote for the changed details first.',
    outdated !== null && 'This quote can’t be used any more.',
    state === 'expired' && 'This quote has expired.',
    state === 'last-call' && 'Too late: the quote expires within five seconds.',
    isRequesting && 'Wait for the new quote.',
  ].find((reason) => reason !== false)
  return {
    quoting: overdrawn === null ? undefined : `${overdrawn}.`,
    submitting: first ?? ofQuote,
    isSaidAbove: first === undefined && (outdated !== null || state === 'expired'),
  }
}
