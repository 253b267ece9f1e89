'use client'

import { ArrowRight, Printer, Repeat2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmbedButton } from '#components/embed/embed-button.tsx'
import { RecordSubtitle } from '#components/environment/record-subtitle.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { NotesPanel } from '#components/notes/notes-panel.tsx'
import { ReproduceButton } from '#components/qa/reproduce-button.tsx'
import { PairRate } from '#components/rates/rate-text.tsx'
import { RecordDetails } from '#components/references/record-details.tsx'
import { PageStatus } from '#components/ui/badge.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { FactList, type Facts } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { NotProvided } from '#components/ui/not-provided.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { StatusRail } from '#components/ui/status-rail.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { PayoutDetail, PayoutRecord, PayoutStop } from '#lib/console/payouts/types.ts'
import { countryLabel } from '#lib/contract/country-names.ts'
import { isToCard } from '#lib/contract/payout-rules.ts'
import { shortId } from '#lib/shared/ids.ts'
import { routes } from '#lib/shared/routes.ts'
import { payoutMethodLabel, purposeLabel, sourceOfFundsLabel } from '../code-labels.ts'
import { PayoutAmount } from '../payout-amount.tsx'
import { beneficiaryName, cancellationText, payoutStatusEntry, payoutSubStatusEntry } from '../payout-labels.ts'
import { PayoutTimelinePanel } from './payout-timeline.tsx'

/** Where the money goes, as the service gives it: of a card number its last four digits. */
export function PayoutBeneficiary({ payout }: { payout: PayoutRecord }) {
  const { method, destination } = payout
  const { accountNumber, bankName, bankAddress, wireCode, routingNumber, country, accountHolderAddress, type } =
    destination
  const isCard = isToCard(payout)
  return (
    <Panel title="Beneficiary">
      <FactList
        facts={[
          { label: 'Name', value: destination.accountHolderName },
          { label: 'Method', value: method && payoutMethodLabel(method) },
          isCard
            ? { label: 'Card number', value: accountNumber && <Code>•••• {accountNumber}</Code> }
            : {
                label: 'Account number',
                value: accountNumber && <IdText id={accountNumber} label="account number" isWhole />,
              },
          // Which of the following there are depends on the method and the country.
          bankName && { label: 'Bank', value: bankName },
          bankAddress && { label: 'Bank’s address', value: bankAddress },
          wireCode && { label: 'Wire code', value: <Code>{wireCode}</Code> },
          routingNumber && { label: 'Routing number', value: <Code>{routingNumber}</Code> },
          { label: 'Country', value: country && countryLabel(country) },
          accountHolderAddress && { label: 'Address', value: accountHolderAddress },
          // The method implies it otherwise.
          type && type !== (isCard ? 'CARD_ACCOUNT' : 'BANK_ACCOUNT') && { label: 'Kind', value: type },
        ]}
      />
    </Panel>
  )
}

function Code({ children }: { children: ReactNode }) {
  return <span className="font-mono">{children}</span>
}

export function PayoutScreen({ payoutId }: { payoutId: string }) {
  const payout = useRead('readPayout', payoutId)
  return (
    <WhenRead query={payout} what="The payout" blocks={['h-7 w-64', 'h-32', 'h-64']}>
      {(detail) => <PayoutPage detail={detail} />}
    </WhenRead>
  )
}

function PayoutPage({ detail }: { detail: PayoutDetail }) {
  const environment = useEnvironment()
  const { payout, timeline, fundingAccountName, freshness } = detail
  const name = beneficiaryName(payout.destination)
  return (
    <Page
      title={`Payout to ${name}`}
      actions={
        <>
          <EmbedButton type="payout" id={payout.id} />
          <ReproduceButton record={{ type: 'payout', id: payout.id }} />
          <ButtonLink href={routes.payoutReceipt(environment, payout.id)} icon={<Printer />}>
            {payout.status === 'completed' ? 'Receipt' : 'Confirmation'}
          </ButtonLink>
          <RepeatButton payout={payout} />
        </>
      }
      badge={<PageStatus code={payout.status} toEntry={payoutStatusEntry} />}
      above={[{ label: 'Payouts', href: routes.payouts(environment) }]}
      subtitle={<RecordSubtitle noun="payout" id={payout.id} xid={payout.xid} freshness={freshness} />}
    >
      <PayoutState payout={payout} stops={timeline.stops} />
      <div className="grid min-w-0 items-start gap-5 *:grid *:min-w-0 *:gap-5 lg:grid-cols-2">
        <div>
          <PayoutMoney payout={payout} fundingAccountName={fundingAccountName} />
          <PayoutTimelinePanel payout={payout} entries={timeline.entries} />
          <NotesPanel target={{ type: 'payout', id: payout.id }} />
        </div>
        <div>
          <PayoutBeneficiary payout={payout} />
          <PayoutReferences payout={payout} submitted={detail.submitted} />
        </div>
      </div>
    </Page>
  )
}

/** Leads to a new payout with the same choices, beneficiary and amount; what names a person is not in the URL. */
function RepeatButton({ payout }: { payout: PayoutDetail['payout'] }) {
  const environment = useEnvironment()
  const { role, denied } = usePermissions()
  if (role === undefined) return null
  const { id, method, destination, destinationCurrency, accountId } = payout
  const search = { repeat: id, method, country: destination.country, currency: destinationCurrency, account: accountId }
  return (
    <ButtonLink
      href={routes.newPayout(environment, search)}
      icon={<Repeat2 aria-hidden="true" />}
      unavailable={denied('payouts.submit')}
    >
      Repeat payout
    </ButtonLink>
  )
}

/** Declared details, the caller's references, the times, and every field that the service sent and the interface does not name. */
function PayoutReferences({ payout, submitted }: { payout: PayoutRecord; submitted: PayoutDetail['submitted'] }) {
  const { created, updated } = payout
  return (
    <RecordDetails
      target={{ type: 'payout', id: payout.id, label: `payout to ${beneficiaryName(payout.destination)}` }}
      record={payout}
      facts={[
        ...(submitted ? submittedFacts(submitted) : []),
        { label: 'Created', value: <Time instant={created} format="exact" /> },
        { label: 'Last changed', value: <Time instant={updated} format="exact" /> },
      ]}
    />
  )
}

/** Details declared with the payout, as far as the journal still has them. */
function submittedFacts({ purpose, sourceOfFunds, remarks }: NonNullable<PayoutDetail['submitted']>): Facts {
  return [
    purpose && { label: 'Purpose', value: purposeLabel(purpose) },
    sourceOfFunds && { label: 'Source of funds', value: sourceOfFundsLabel(sourceOfFunds) },
    remarks && { label: 'Remarks', value: remarks },
  ]
}

/** Amount debited, rate, and amount that arrives. */
function PayoutMoney({ payout, fundingAccountName }: { payout: PayoutRecord; fundingAccountName: string | null }) {
  const environment = useEnvironment()
  const { accountId, sourceCurrency, destinationCurrency, rate } = payout
  return (
    <Panel title="Amounts" className="@container">
      <div className="grid items-center gap-x-4 gap-y-3 @lg:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
        <div className="min-w-0">
          <p className="text-xs text-soft">
            From{' '}
            {accountId ? (
              <TextLink
                href={routes.fundingAccounts(environment, { accountId })}
                className="inline-flex min-h-6 items-center"
              >
                {fundingAccountName ?? `funding account ${shortId(accountId)}`}
              </TextLink>
            ) : (
              <NotProvided what="Account" />
            )}
          </p>
          <PayoutAmount payout={payout} side="source" size="display" />
        </div>
        <ArrowRight aria-hidden="true" className="size-5 text-faint @max-lg:rotate-90" />
        <div className="min-w-0">
          <p className="flex min-h-6 items-center text-xs text-soft">To the beneficiary</p>
          <PayoutAmount payout={payout} side="destination" size="display" />
        </div>
      </div>
      <p className="mt-3 border-t pt-2.5 text-soft">
        {rate === null || !sourceCurrency || !destinationCurrency ? (
          'Rate not provided'
        ) : sourceCurrency === destinationCurrency && Number(rate) === 1 ? (
          'Same currency: nothing is exchanged.'
        ) : (
          <>
            <PairRate
              source={sourceCurrency}
              destination={destinationCurrency}
              rate={rate}
              className="font-medium text-ink"
            />
            <span className="text-faint"> · locked rate</span>
          </>
        )}
      </p>
    </Panel>
  )
}

/** Where the payout is on its way, and in sentences what its status and sub-status mean. */
function PayoutState({ payout, stops }: { payout: PayoutRecord; stops: readonly PayoutStop[] }) {
  const status = payoutStatusEntry(payout.status)
  const subStatus = payout.subStatus ? payoutSubStatusEntry(payout.subStatus) : null
  const reason = cancellationText(payout)
  return (
    <Panel className="@container">
      <h2 className="sr-only">Status</h2>
      {stops.length > 0 && <PayoutRail stops={stops} />}
      <dl className="grid gap-1 text-soft [ol+&]:mt-4 [ol+&]:border-t [ol+&]:pt-3">
        {/* An unknown sub-status may take back what the status says: a payment that was completed, and returned since. */}
        <Meaning label="Status" text={status.label} meaning={subStatus?.isKnown === false ? '' : status.meaning} />
        {subStatus && (
          <Meaning
            label="Sub-status"
            text={subStatus.label}
            meaning={subStatus.meaning}
            code={subStatus.isKnown ? (payout.subStatus ?? undefined) : undefined}
          />
        )}
      </dl>
      {reason && (
        <Callout
          tone={status.isReturned ? 'bad' : 'warn'}
          title={payout.status === 'cancelled' ? 'Why it was cancelled:' : 'Reason:'}
          className="mt-3"
        >
          <span className="wrap-anywhere">{reason}</span>
        </Callout>
      )}
    </Panel>
  )
}

function Meaning({ label, text, meaning, code }: { label: string; text: string; meaning: string; code?: string }) {
  return (
    <div className="flex flex-wrap gap-x-1.5">
      <dt className="sr-only">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">
        <span className="font-medium text-ink" title={code}>
          {text}.
        </span>{' '}
        {meaning}
      </dd>
    </div>
  )
}

/** A payout's way so far, and what comes next where that is known. */
function PayoutRail({ stops }: { stops: readonly PayoutStop[] }) {
  return (
    <StatusRail
      labelClassName="wrap-anywhere"
      stops={stops.map(({ status, at, isNow }) => {
        const isReached = at !== null || isNow
        return {
          ...(status === null ? { label: 'Created', tone: 'neutral' as const } : payoutStatusEntry(status)),
          status,
          isNow,
          isReached,
          ...(isReached ? { detail: <Time instant={at} /> } : {}),
        }
      })}
    />
  )
}
