'use client'

import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { OperationDialog } from '#components/operations/operation-dialog.tsx'
import { useOperation } from '#components/operations/use-operation.ts'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { submitPayout } from '#lib/actions/payouts.ts'
import type { Outcome } from '#lib/console/desk/operations/outcome.ts'
import type { SubmitPayoutInput } from '#lib/console/payouts/operations.ts'
import type { PayoutDetails, PayoutEntry } from '#lib/contract/payout-entry.ts'
import type { Account } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { secondMs } from '#lib/shared/time.ts'
import { lastDigits } from './account-digits.ts'
import { problemSentence } from './labels.ts'
import type { HeldQuote } from './quote-state.ts'
import { countdownText } from './quote-time.ts'
import { RateComparison } from './rate-comparison.tsx'
import { submissionRows } from './submission-rows.tsx'
import type { Remaining } from './use-remaining.ts'

/** Everything that is submitted, as it was when the dialog was opened. */
export type Submission = { held: HeldQuote; entry: PayoutEntry; details: PayoutDetails; account: Account }

/** What a submission may have changed on screen. */
const touched = ['payouts', 'funding-accounts', 'overview'] as const

export type SubmissionEnd = { outcome: Outcome; payoutId: string | null; refusedFields: Record<string, string> }

/** The last look before money leaves: a summary, the last digits of the account typed, then the truth. */
export function SubmitDialog({
  environment,
  operationId,
  submission,
  remaining,
  isOpen,
  finalFocus,
  onClose,
  onOutcome,
}: {
  environment: Environment
  operationId: string
  submission: Submission
  remaining: Remaining
  isOpen: boolean
  /** Where the focus goes once it is closed; null: to the button that opened it. */
  finalFocus: () => HTMLElement | null
  onClose: () => void
  /** Told of each outcome, the open ones too. */
  onOutcome: (end: SubmissionEnd) => void
}) {
  const [response, setResponse] = useState<Omit<SubmissionEnd, 'outcome'>>({ payoutId: null, refusedFields: {} })
  const operation = useOperation(environment, operationId, touched, ({ operation, fields }) =>
    setResponse({ payoutId: operation.resultId, refusedFields: fields }),
  )
  const { outcome } = operation
  const { data: polled } = useQuery({ ...readQuery('readOperation', environment, operationId), enabled: false })
  const bank = useBank(environment, submission.entry)
  const payoutId = polled?.resultId ?? response.payoutId
  const { refusedFields } = response
  const { held, entry } = submission
  const { quote } = held
  const digits = lastDigits(entry.destination.accountNumber)

  const latestOnOutcome = useRef(onOutcome)
  /** What is sent, also by a retry: the number is forgotten with the outcome. */
  const sent = useRef<SubmitPayoutInput | null>(null)
  useEffect(() => {
    latestOnOutcome.current = onOutcome
  })
  useEffect(() => {
    if (!outcome) return
    if (outcome.state === 'done') sent.current = null
    latestOnOutcome.current({ outcome, payoutId, refusedFields })
  }, [outcome, payoutId, refusedFields])

  function submit() {
    if (!remaining.isOpenNow()) return
    sent.current = inputOf(environment, operationId, submission, digits)
    operation.start(async () => {
      if (!sent.current) throw new Error('the submission was forgotten with its outcome')
      return submitPayout(sent.current)
    })
  }

  return (
    <OperationDialog
      isOpen={isOpen}
      onClose={onClose}
      finalFocus={finalFocus}
      operation={{ ...operation, outcome: outcome && withoutVainRetry(outcome) }}
      problem={(path, wrong) => problemSentence(path, wrong, entry.method)}
      grade="high"
      title={outcome === null ? 'Submit this payout?' : 'Payout'}
      consequence="The amount leaves the funding account at once. A payout cannot be called back from here."
      rows={submissionRows(submission, bank)}
      typed={{
        digits,
        label: `Type the last ${digits.length === 4 ? 'four' : ''} digits of the ${numberLabel(entry)}, ${digits}, to confirm`,
      }}
      confirmLabel="Submit payout"
      confirmIcon={<Send aria-hidden="true" />}
      unavailable={unavailableBy(remaining)}
      size="large"
      note={<Countdown remaining={remaining} />}
      ending={
        outcome?.state === 'done' &&
        payoutId && (
          <ButtonLink size="small" className="mt-2" href={routes.payout(environment, payoutId)}>
            View payout
          </ButtonLink>
        )
      }
      onConfirm={submit}
    >
      <RateComparison
        environment={environment}
        quote={quote}
        isFollowed={isOpen && outcome === null}
        className="text-soft"
      />
    </OperationDialog>
  )
}

/** A refusal is final: the same operation would end the same. */
function withoutVainRetry(outcome: Outcome): Outcome {
  return outcome.state === 'refused' && outcome.status !== null ? { ...outcome, isSafeToRetry: false } : outcome
}

function unavailableBy({ state }: Remaining): string | undefined {
  if (state === 'open') return undefined
  return state === 'expired'
    ? 'The quote has expired. Cancel and get a new one.'
    : 'The quote is about to expire. Cancel and get a new one.'
}

function Countdown({ remaining }: { remaining: Remaining }) {
  if (remaining.seconds === null) return null
  if (remaining.state === 'expired') return 'The quote has expired. Cancel and get a new one.'
  const text = `Expires in ${countdownText(remaining.seconds * secondMs)}`
  return remaining.state === 'last-call' ? `${text}: too late to submit` : text
}

function numberLabel({ method }: PayoutEntry): string {
  return method === 'NETWORK_CARD' ? 'card number' : 'account number'
}

function inputOf(
  environment: Environment,
  operationId: string,
  { held: { quote }, entry, details }: Submission,
  confirmDigits: string,
): SubmitPayoutInput {
  return {
    environment,
    operationId,
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
    confirmDigits,
  }
}

/** The bank that was chosen, with the name that the list has for its code; null where none was. */
function useBank(environment: Environment, { destination, destinationCountry }: PayoutEntry): string | null {
  const { bankCode } = destination
  const { data } = useQuery({
    ...readQuery('listPayoutBanks', environment, destinationCountry),
    enabled: bankCode !== '',
  })
  if (bankCode === '') return null
  const name = data?.banks.find(({ code }) => code === bankCode)?.name
  return name === undefined ? bankCode : `${name} · ${bankCode}`
}
