'use client'

import { clsx } from 'clsx'
import { RefreshCw, Send } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Ahead, confirmLabelAhead, useApprovalAhead } from '#components/approvals/approval-ahead.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { Checkbox } from '#components/form/checkbox.tsx'
import { OperationDialog } from '#components/operations/operation-dialog.tsx'
import { type OperationProps, useOperation } from '#components/operations/use-operation.ts'
import { PairRate } from '#components/rates/rate-text.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { Button } from '#components/ui/button.tsx'
import type { Facts } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { useIsShown } from '#components/ui/use-is-shown.ts'
import { type ActionInput } from '#lib/actions/run-action.ts'
import { type Quote, similarId } from '#lib/console/payouts/types.ts'
import { lastDigits } from '#lib/contract/account-digits.ts'
import { countryInSentence } from '#lib/contract/country-names.ts'
import { exactSum, isLess, negated } from '#lib/contract/exact-sum.ts'
import { type PayoutDetails, type PayoutEntry, toParties } from '#lib/contract/payout-entry.ts'
import type { Account } from '#lib/contract/records.ts'
import type { Outcome } from '#lib/operations/types.ts'
import { shortId } from '#lib/shared/ids.ts'
import { routes } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { payoutMethodLabel, purposeLabel, sourceOfFundsLabel } from '../code-labels.ts'
import { QuoteAmounts } from '../payout-amount.tsx'
import { SimilarPayouts } from '../similar-payouts.tsx'
import { useBankName } from '../use-bank-name.ts'
import { groupedDigits, fieldLabel, problemSentence } from './labels.ts'
import { QuoteDifference, RateComparison } from './rate-comparison.tsx'
import { countdownText, type HeldQuote, type Remaining } from './use-quote.ts'

type SubmitPayoutInput = ActionInput<'payout.submit'>

/** Everything that is submitted, as it was when the dialog was opened. */
export type Submission = {
  held: HeldQuote
  /** The quote that this one takes the place of, if the question was asked with it. */
  previous: Quote | null
  entry: PayoutEntry
  details: PayoutDetails
  account: Account
}

/** A submission as the service gets it. */
type EnteredPayout = Omit<SubmitPayoutInput, 'environment' | 'operationId'>

export type SubmissionEnd = { outcome: Outcome; payoutId: string | null; refusedFields: Record<string, string> }

/** Confirms a payout: a summary, and the last digits of the account typed. Ends on the payout's page. */
export function SubmitDialog({
  submission: submissionNow,
  remaining: remainingNow,
  finalFocus,
  onRenew,
  onOutcome,
  ...dialog
}: OperationProps & {
  submission: Submission
  remaining: Remaining
  /** Where the focus goes once it is closed; null: to the button that opened it. */
  finalFocus: () => HTMLElement | null
  /** Asks again with a new quote. */
  onRenew: () => void
  /** Called with each outcome, the open ones too; with null while there is none, also where it turns out that nothing began. */
  onOutcome: (end: SubmissionEnd | null) => void
}) {
  const { isOpen, onClose } = dialog
  const submission = useWhileOpen(isOpen, submissionNow)
  const remaining = useWhileOpen(isOpen, remainingNow)
  const environment = useEnvironment()
  const router = useRouter()
  const isShown = useIsShown()
  /** It waited for an approval: a person who closed the dialog has moved on. */
  const hasWaited = useRef(false)
  const operation = useOperation({
    ...dialog,
    kind: 'payout.submit',
    onDone: ({ operation: { resultId, outcome } }) => {
      onOutcome({ outcome, payoutId: resultId, refusedFields: {} })
      if (resultId && isShown() && (isOpen || !hasWaited.current)) router.push(routes.payout(environment, resultId))
      // What the record shows instead is on the payout's page, too.
      if (outcome.remark) return { tone: 'warn', description: outcome.remark }
      return { description: <QuoteAmounts quote={submission.held.quote} /> }
    },
  })
  const { outcome, problem, errors } = operation
  const { sourceAmount: amount, sourceCurrency: currency } = submission.held.quote
  const ahead = useApprovalAhead({ topic: 'payouts', amount, currency })
  const [isOther, setIsOther] = useState(false)
  const { similar } = submission.held.quote
  const bank = useBankName(submission.entry.destinationCountry, submission.entry.destination.bankCode)
  const { held, entry } = submission
  const { quote } = held
  const digits = lastDigits(entry.destination.accountNumber)

  const report = useEffectEvent((now: Outcome) => {
    if (now.state === 'waiting') hasWaited.current = true
    onOutcome({ outcome: now, payoutId: null, refusedFields: now.state === 'refused' ? errors : {} })
    // The service's error is about what the page's form holds; one of the console's own may pass.
    if (now.state === 'refused' && now.status !== null) onClose()
  })
  const reportNone = useEffectEvent(() => {
    if (!operation.isDone) onOutcome(null)
  })
  const now = problem ?? outcome
  useEffect(() => {
    if (now) report(now)
    else reportNone()
  }, [now])

  function submit() {
    if (!remaining.isOpenNow()) return
    operation.start(toActionInput(submission, digits))
  }

  return (
    <OperationDialog
      {...dialog}
      finalFocus={finalFocus}
      operation={operation}
      problem={(path, wrong) => problemSentence(path, wrong, entry.method)}
      confirmationLevel="high"
      title="Submit this payout?"
      consequence={consequenceText(ahead)}
      rows={submissionRows(submission, bank)}
      typed={{
        digits,
        label: `Type the last ${digits.length === 4 ? 'four' : ''} digits of the ${numberLabel(entry)}, ${digits}, to confirm`,
      }}
      confirmLabel={confirmLabelAhead(ahead, 'Submit payout')}
      confirmIcon={<Send aria-hidden="true" />}
      cancelLabel="Go back"
      unavailable={
        unavailableBy(remaining) ??
        (similar.length > 0 && !isOther ? 'Confirm first that this is another payment.' : undefined)
      }
      size="large"
      note={<Countdown remaining={remaining} onRenew={onRenew} />}
      onConfirm={submit}
    >
      <QuoteDifference previous={submission.previous} quote={quote} />
      <SimilarPayouts similar={similar} />
      {similar.length > 0 && (
        <Checkbox
          label="I checked: this is another payment."
          checked={isOther}
          onChange={(event) => setIsOther(event.target.checked)}
        />
      )}
      <RateComparison quote={quote} isFollowed={isOpen && outcome === null} className="text-soft" />
    </OperationDialog>
  )
}

/** The value now; while the dialog closes, the last one before that: the page has emptied its form by then. */
function useWhileOpen<Value>(isOpen: boolean, now: Value): Value {
  const [last, setLast] = useState(now)
  if (isOpen && last !== now) setLast(now)
  return isOpen ? now : last
}

function unavailableBy({ state }: Remaining): string | undefined {
  if (state === 'open') return undefined
  return state === 'expired' ? 'The quote has expired. Get a new one.' : 'The quote is about to expire. Get a new one.'
}

/** How long the quote can be submitted, and a new one once it can't. */
function Countdown({ remaining: { seconds, state }, onRenew }: { remaining: Remaining; onRenew: () => void }) {
  if (seconds === null) return null
  if (state === 'open') return `Expires in ${countdownText(seconds * secondMs)}`
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {state === 'expired' ? 'The quote has expired.' : 'Too late to submit this quote.'}
      <Button icon={<RefreshCw aria-hidden="true" />} onClick={onRenew}>
        New quote
      </Button>
    </span>
  )
}

function numberLabel({ method }: PayoutEntry): string {
  return method === 'NETWORK_CARD' ? 'card number' : 'account number'
}

function toActionInput({ held: { quote }, entry, details }: Submission, confirmDigits: string): EnteredPayout {
  return {
    quoteId: quote.id,
    accountId: quote.accountId,
    method: entry.method,
    destinationCountry: quote.destinationCountry,
    destinationCurrency: quote.destinationCurrency,
    destinationAmount: quote.destinationAmount,
    sourceAmount: quote.sourceAmount,
    sourceCurrency: quote.sourceCurrency,
    rate: quote.rate,
    expiresAt: quote.expiresAt,
    seal: quote.seal,
    destination: entry.destination,
    source: entry.source,
    purpose: details.purpose as SubmitPayoutInput['purpose'],
    sourceOfFunds: details.sourceOfFunds as SubmitPayoutInput['sourceOfFunds'],
    remarks: details.remarks,
    xid: details.xid,
    xmetadata: details.xmetadata,
    confirmDigits,
    similarShown: quote.similar.map(similarId),
  }
}

/** Effect of submitting. While the policy is not known, the effect without one. */
function consequenceText(ahead: Ahead | null): string {
  if (!ahead) return 'Funds leave the account immediately. Payouts can’t be recalled here.'
  return ahead.isCertain
    ? `${ahead.sentence} Funds leave the account after that.`
    : `${ahead.sentence} Otherwise funds leave the account immediately.`
}

/** Everything that is sent, each field as it is sent, and what it makes of the funding account. */
export function submissionRows({ held: { quote }, entry, details, account }: Submission, bank: string | null): Facts {
  const { method } = entry
  const { destination, source } = toParties(entry)
  const { accountNumber = '', surnameCN = '', firstNameCN = '' } = destination
  const isCard = method === 'NETWORK_CARD'
  const names = [`${destination.firstName ?? ''} ${destination.surname ?? ''}`, `${surnameCN}${firstNameCN}`]
  return [
    {
      label: 'Beneficiary',
      value: <strong className="wrap-anywhere">{names.filter((name) => name.trim() !== '').join(' · ')}</strong>,
    },
    {
      label: fieldLabel('destination.accountNumber', method),
      value: <span className="font-mono wrap-anywhere">{isCard ? groupedDigits(accountNumber) : accountNumber}</span>,
    },
    // A second look notices a bank that was left out.
    ...(isCard ? [] : [{ label: 'Bank', value: bank ?? 'None chosen' }]),
    given('Address', destination.address),
    given(fieldLabel('destination.mobileNumber', method), destination.mobileNumber),
    given(fieldLabel('destination.email', method), destination.email),
    given(fieldLabel('source.mobileNumber', method), source?.mobileNumber),
    { label: 'Method', value: `${payoutMethodLabel(method)} to ${countryInSentence(quote.destinationCountry)}` },
    { label: 'You send', value: <Amount amount={quote.sourceAmount} currency={quote.sourceCurrency} size="large" /> },
    {
      label: 'They receive',
      value: <Amount amount={quote.destinationAmount} currency={quote.destinationCurrency} size="large" />,
    },
    ...(quote.sourceCurrency === quote.destinationCurrency
      ? []
      : [
          {
            label: 'Rate',
            value: <PairRate source={quote.sourceCurrency} destination={quote.destinationCurrency} rate={quote.rate} />,
          },
        ]),
    { label: 'Quote', value: <IdText id={quote.id} label="quote ID" /> },
    {
      label: `${account.name || `Account ${shortId(account.id)}`}, available`,
      value: <Available account={account} sent={quote.sourceAmount} />,
    },
    {
      label: 'Purpose',
      value: `${purposeLabel(details.purpose)}, from ${sourceOfFundsLabel(details.sourceOfFunds).toLowerCase()}`,
    },
    given('Remarks', details.remarks.trim()),
    given('External ID', details.xid.trim(), 'font-mono'),
    given('Metadata', details.xmetadata, 'font-mono'),
  ]
}

/** A field that was filled in. */
function given(label: string, text: string | null | undefined, className = ''): Facts[number] {
  return text && { label, value: <span className={clsx('wrap-anywhere', className)}>{text}</span> }
}

/** The account's available amount, and what remains of it afterwards. */
function Available({ account, sent }: { account: Submission['account']; sent: string }) {
  const after = exactSum([account.available, negated(sent)])
  if (!after) return <NotProvided />
  const isShort = isLess(after, 0)
  return (
    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-1.5">
      <Amount amount={account.available} currency={account.currency} isCurrencyShown={false} /> →{' '}
      <Amount amount={after} currency={account.currency} tone={isShort ? 'bad' : undefined} />
      {isShort && <span className="text-xs text-bad">not enough: it would be refused</span>}
    </span>
  )
}
