import type { ReactNode } from 'react'
import { ExactRateText } from '#components/rates/rate-text.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { partiesOf, type PayoutDetails, type PayoutEntry } from '#lib/contract/payout-entry.ts'
import type { Account } from '#lib/contract/records.ts'
import { countryLabel } from '#lib/shared/countries.ts'
import { exactSum } from '#lib/shared/exact-sum.ts'
import { shortId } from '#lib/shared/ids.ts'
import { payoutMethodLabel, purposeLabel, sourceOfFundsLabel } from '../code-labels.ts'
import { groupedDigits } from './account-digits.ts'
import { labelOf } from './labels.ts'
import type { HeldQuote } from './quote-state.ts'

/** Everything that is submitted, as it was when the dialog was opened. */
export type Submission = { held: HeldQuote; entry: PayoutEntry; details: PayoutDetails; account: Account }

type Row = { label: string; value: ReactNode }

/** Everything that is sent, each field as it is sent, and what it makes of the funding account. */
export function submissionRows(
  { held: { quote }, entry, details, account }: Submission,
  bank: string | null,
): readonly Row[] {
  const { method } = entry
  const { destination, source } = partiesOf(entry)
  const { accountNumber = '', surnameCN = '', firstNameCN = '' } = destination
  const isCard = method === 'NETWORK_CARD'
  const names = [`${destination.firstName ?? ''} ${destination.surname ?? ''}`, `${surnameCN}${firstNameCN}`]
  return [
    {
      label: 'Beneficiary',
      value: <strong className="wrap-anywhere">{names.filter((name) => name.trim() !== '').join(' · ')}</strong>,
    },
    {
      label: labelOf('destination.accountNumber', method),
      value: <span className="font-mono wrap-anywhere">{isCard ? groupedDigits(accountNumber) : accountNumber}</span>,
    },
    ...given('Bank', bank),
    ...given('Address', destination.address),
    ...given(labelOf('destination.mobileNumber', method), destination.mobileNumber),
    ...given(labelOf('destination.email', method), destination.email),
    ...given(labelOf('source.mobileNumber', method), source?.mobileNumber),
    { label: 'Method', value: `${payoutMethodLabel(method)} to ${countryLabel(quote.destinationCountry)}` },
    { label: 'You send', value: <Amount amount={quote.sourceAmount} currency={quote.sourceCurrency} size="large" /> },
    {
      label: 'They receive',
      value: <Amount amount={quote.destinationAmount} currency={quote.destinationCurrency} size="large" />,
    },
    {
      label: 'Rate',
      value: (
        <>
          1 {quote.sourceCurrency} = <ExactRateText rate={quote.rate} /> {quote.destinationCurrency}
        </>
      ),
    },
    { label: 'Quote', value: <IdText id={quote.id} label="quote id" /> },
    {
      label: `${account.name || `Account ${shortId(account.id)}`}, available`,
      value: <Available account={account} sent={quote.sourceAmount} />,
    },
    {
      label: 'Purpose',
      value: `${purposeLabel(details.purpose)}, from ${sourceOfFundsLabel(details.sourceOfFunds).toLowerCase()}`,
    },
    ...given('Remarks', details.remarks.trim()),
    ...(details.xid.trim()
      ? [{ label: 'External id', value: <span className="font-mono wrap-anywhere">{details.xid.trim()}</span> }]
      : []),
  ]
}

/** A field that was filled in. */
function given(label: string, text: string | null | undefined): Row[] {
  return text ? [{ label, value: <span className="wrap-anywhere">{text}</span> }] : []
}

/** What the account has, and what is left of it afterwards. */
function Available({ account, sent }: { account: Submission['account']; sent: string }) {
  if (account.available === null) return <NotProvided />
  const after = exactSum([account.available, `-${sent}`])
  const isShort = after.startsWith('-')
  return (
    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-1.5">
      <Amount amount={account.available} currency={account.currency} isCurrencyShown={false} /> →{' '}
      <Amount amount={after} currency={account.currency} {...(isShort ? { tone: 'bad' as const } : {})} />
      {isShort && <span className="text-xs text-bad">not enough: it would be refused</span>}
    </span>
  )
}
