'use client'

import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { Logo } from '#components/layout/logo.tsx'
import { ExactRateText } from '#components/rates/rate-text.tsx'
import { amountText } from '#components/ui/amount.tsx'
import { Button } from '#components/ui/button.tsx'
import { type Fact, factValue } from '#components/ui/fact-list.tsx'
import { PageHeader } from '#components/ui/page.tsx'
import { Time } from '#components/ui/time.tsx'
import type { PayoutDetail } from '#lib/console/payouts/shapes.ts'
import { countryLabel } from '#lib/shared/countries.ts'
import { routes } from '#lib/shared/routes.ts'
import { payoutMethodLabel } from '../code-labels.ts'
import { beneficiaryName, cancellationText, payoutStatusEntry, payoutSubStatusEntry } from '../payout-labels.ts'

/** A payout's facts as the service has them now, for paper: the frame around it is not printed. */
export function PayoutReceiptScreen({ payoutId }: { payoutId: string }) {
  const payout = useRead('readPayout', payoutId)
  return (
    <WhenRead query={payout} what="The payout" blocks={['mx-auto h-96 max-w-[46rem]']}>
      {(detail) => <Receipt detail={detail} />}
    </WhenRead>
  )
}

function Receipt({ detail }: { detail: PayoutDetail }) {
  const environment = useEnvironment()
  const { payout, freshness } = detail
  const name = beneficiaryName(payout.destination)
  const isRead = freshness.source === 'service'
  return (
    <div className="grid min-w-0 gap-5">
      <div className="print:hidden">
        <PageHeader
          title="Payout receipt"
          label="Receipt"
          above={[
            { label: 'Payouts', href: routes.payouts(environment) },
            { label: `Payout to ${name}`, href: routes.payout(environment, payout.id) },
          ]}
          actions={
            <Button variant="primary" icon={<Printer aria-hidden="true" />} onClick={() => window.print()}>
              Print receipt
            </Button>
          }
        />
      </div>
      <article
        aria-label={`Receipt of the payout to ${name}`}
        className="mx-auto w-full max-w-[46rem] rounded-panel border bg-surface px-5 py-6 sm:px-10 sm:py-8 print:max-w-none print:border-0 print:p-0"
      >
        <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <h2 className="text-lg font-semibold wrap-anywhere">Payout to {name}</h2>
            <p className="text-soft">
              <span className="font-medium text-ink">{payoutStatusEntry(payout.status).label}.</span>{' '}
              {payoutStatusEntry(payout.status).meaning}
            </p>
          </div>
          <Logo />
        </header>
        {environment === 'sandbox' && (
          <p className="mt-3 rounded-control border border-dashed px-3 py-1.5 font-medium">
            Sandbox. This is test data, no money was moved.
          </p>
        )}
        {receiptSections(detail).map(({ title, facts }) => (
          <section key={title} className="mt-6 break-inside-avoid">
            <h3 className="mb-1.5 border-b pb-1.5 font-medium">{title}</h3>
            <Facts facts={facts} />
          </section>
        ))}
        <footer className="mt-6 border-t pt-3 text-xs text-soft">
          {isRead ? 'Read from the API' : 'The API isn’t responding. Read'} on{' '}
          <Time instant={freshness.asOf} format="exact" isZoneShown />.
        </footer>
      </article>
    </div>
  )
}

/** Label and value are close together, because a printed page has no pointer. */
function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid gap-y-1 sm:grid-cols-[10rem_minmax(0,1fr)] print:grid-cols-[12rem_minmax(0,1fr)]">
      {facts.map(({ label, value }) => (
        <div key={label} className="contents">
          <dt className="text-soft max-sm:mt-1">{label}</dt>
          <dd className="min-w-0 wrap-anywhere">{factValue(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Every fact of a receipt, the missing ones included: a reader of the paper cannot look elsewhere. */
function receiptSections({ payout, fundingAccountName }: PayoutDetail): { title: string; facts: Fact[] }[] {
  const { destination, method, sourceCurrency, destinationCurrency, rate } = payout
  const isCard = method === 'NETWORK_CARD' || destination.type === 'CARD_ACCOUNT'
  const number = destination.accountNumber
  return [
    {
      title: 'Amounts',
      facts: [
        { label: 'From the account', value: amountOf(payout.sourceAmount, sourceCurrency) },
        { label: 'To the beneficiary', value: amountOf(payout.destinationAmount, destinationCurrency) },
        {
          label: 'Rate',
          value: rate && sourceCurrency && destinationCurrency && (
            <>
              1 {sourceCurrency} = <ExactRateText rate={rate} /> {destinationCurrency}
            </>
          ),
        },
        { label: 'Funding account', value: fundingAccountName },
        { label: 'Funding account ID', value: mono(payout.accountId) },
      ],
    },
    {
      title: 'Beneficiary',
      facts: [
        { label: 'Name', value: destination.accountHolderName },
        { label: isCard ? 'Card number' : 'Account number', value: mono(number && isCard ? `•••• ${number}` : number) },
        { label: 'Bank', value: destination.bankName },
        { label: 'Bank’s address', value: destination.bankAddress },
        { label: 'Wire code', value: mono(destination.wireCode) },
        { label: 'Routing number', value: mono(destination.routingNumber) },
        { label: 'Country', value: destination.country && countryLabel(destination.country) },
        { label: 'Address', value: destination.accountHolderAddress },
      ],
    },
    {
      title: 'Payout',
      facts: [
        { label: 'Payout ID', value: mono(payout.id) },
        { label: 'External ID', value: mono(payout.xid) },
        { label: 'Method', value: method && payoutMethodLabel(method) },
        { label: 'Status', value: payout.status && payoutStatusEntry(payout.status).label },
        { label: 'Sub-status', value: payout.subStatus && payoutSubStatusEntry(payout.subStatus).label },
        ...(cancellationText(payout) ? [{ label: 'Reason', value: cancellationText(payout) }] : []),
        { label: 'Created', value: payout.created && <Time instant={payout.created} format="exact" isZoneShown /> },
        {
          label: 'Last changed',
          value: payout.updated && <Time instant={payout.updated} format="exact" isZoneShown />,
        },
      ],
    },
  ]
}

function amountOf(amount: string | null, currency: string | null): ReactNode {
  return amount && <span className="font-medium tabular-nums">{amountText(amount, currency)}</span>
}

function mono(text: string | null): ReactNode {
  return text && <span className="font-mono text-xs">{text}</span>
}
