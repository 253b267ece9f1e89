'use client'

import { useQuery } from '@tanstack/react-query'
import { Printer, Repeat2 } from 'lucide-react'
import { EmbedButton } from '#components/embed/embed-button.tsx'
import { AsOf } from '#components/environment/as-of.tsx'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { NotesPanel } from '#components/notes/notes-panel.tsx'
import { EditReferenceButton } from '#components/references/edit-reference-button.tsx'
import { MetadataList } from '#components/references/metadata-list.tsx'
import { OtherFields } from '#components/references/other-fields.tsx'
import { StatusBadge, CodeBadge } from '#components/ui/badge.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Button } from '#components/ui/button.tsx'
import { Dotted } from '#components/ui/dotted.tsx'
import { FactList, type Fact } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import { onlyRoles } from '#lib/console/desk/permissions.ts'
import type { PayoutDetail, PayoutRecord } from '#lib/console/payouts/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { countryLabel } from '#lib/shared/countries.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { payoutMethodLabel } from '../code-labels.ts'
import { beneficiaryName, payoutStatusEntry } from '../payout-labels.ts'
import { PayoutMoney } from './payout-money.tsx'
import { PayoutState } from './payout-state.tsx'
import { PayoutTimeline } from './payout-timeline.tsx'

/** Where the money goes, as the service gives it: of a card number its last four digits. */
export function PayoutBeneficiary({ payout }: { payout: PayoutRecord }) {
  const { destination, method } = payout
  const isCard = method === 'NETWORK_CARD' || destination.type === 'CARD_ACCOUNT'
  const rows: [string, Fact['value']][] = [
    ['Name', destination.accountHolderName],
    ['Method', method && payoutMethodLabel(method)],
    [
      isCard ? 'Card number' : 'Account number',
      destination.accountNumber && isCard ? (
        <span className="font-mono">•••• {destination.accountNumber}</span>
      ) : (
        destination.accountNumber && <IdText id={destination.accountNumber} label="account number" isWhole />
      ),
    ],
    ['Bank', destination.bankName],
    ['Bank’s address', destination.bankAddress],
    ['Wire code', destination.wireCode && <span className="font-mono">{destination.wireCode}</span>],
    ['Routing number', destination.routingNumber && <span className="font-mono">{destination.routingNumber}</span>],
    ['Country', destination.country && countryLabel(destination.country)],
    ['Address', destination.accountHolderAddress],
    ['Kind', destination.type && destination.type !== kindOf(isCard) ? destination.type : null],
  ]
  return (
    <Panel title="Beneficiary">
      <FactList
        facts={rows
          .filter(([label, value]) => expected.includes(label) || Boolean(value))
          .map(([label, value]) => ({ label, value }))}
      />
    </Panel>
  )
}

/** Shown as not provided where they are missing; other fields depend on the method and the country. */
const expected = ['Name', 'Method', 'Card number', 'Account number', 'Country']

/** The method implies it, so it needs no line. */
function kindOf(isCard: boolean): string {
  return isCard ? 'CARD_ACCOUNT' : 'BANK_ACCOUNT'
}

export function PayoutScreen({ environment, payoutId }: { environment: Environment; payoutId: string }) {
  const payout = useQuery(readQuery('readPayout', environment, payoutId))
  return (
    <WhenRead query={payout} what="The payout" blocks={['h-7 w-64', 'h-32', 'h-64']}>
      {(detail) => <PayoutPage environment={environment} detail={detail} />}
    </WhenRead>
  )
}

function PayoutPage({ environment, detail }: { environment: Environment; detail: PayoutDetail }) {
  const { payout, timeline, fundingAccountName, freshness } = detail
  const name = beneficiaryName(payout.destination)
  return (
    <div className="grid min-w-0 gap-5">
      <PageHeader
        title={<span className="wrap-anywhere">Payout to {name}</span>}
        actions={
          <>
            <EmbedButton object={{ environment, type: 'payout', id: payout.id, cardAccountId: null }} />
            <ButtonLink prefetch={false} href={routes.payoutReceipt(environment, payout.id)} icon={<Printer />}>
              Receipt
            </ButtonLink>
            <RepeatButton environment={environment} payout={payout} />
          </>
        }
        badge={
          payout.status ? (
            <CodeBadge code={payout.status} entryOf={payoutStatusEntry} />
          ) : (
            <StatusBadge label="Status not provided" />
          )
        }
        breadcrumbs={[{ label: 'Payouts', href: routes.payouts(environment) }, { label: `Payout to ${name}` }]}
        subtitle={
          <Dotted>
            <IdText id={payout.id} label="payout ID" />
            {payout.xid && <span className="min-w-0 wrap-anywhere">{payout.xid}</span>}
            <span>
              <AsOf freshness={freshness} />
            </span>
          </Dotted>
        }
      />
      <PayoutState payout={payout} stops={timeline.stops} />
      <div className="-mb-5 min-w-0 gap-5 *:mb-5 *:break-inside-avoid lg:columns-2">
        <PayoutMoney environment={environment} payout={payout} fundingAccountName={fundingAccountName} />
        <PayoutTimeline environment={environment} payout={payout} entries={timeline.entries} />
        <NotesPanel target={{ environment, type: 'payout', id: payout.id }} />
        <PayoutBeneficiary payout={payout} />
        <PayoutReferences environment={environment} payout={payout} />
      </div>
    </div>
  )
}

/** Leads to a new payout with the same choices, beneficiary and amount; what names a person is not in the URL. */
function RepeatButton({ environment, payout }: { environment: Environment; payout: PayoutDetail['payout'] }) {
  const { role, may } = usePermissions(environment)
  if (role === undefined) return null
  const icon = <Repeat2 aria-hidden="true" />
  if (!may.has('payouts.submit')) {
    return (
      <Button icon={icon} unavailable={onlyRoles('payouts.submit')}>
        Repeat payout
      </Button>
    )
  }
  const { id, method, destination, destinationCurrency, accountId } = payout
  const search = { repeat: id, method, country: destination.country, currency: destinationCurrency, account: accountId }
  return (
    <ButtonLink prefetch={false} href={routes.newPayout(environment, search)} icon={icon}>
      Repeat payout
    </ButtonLink>
  )
}

/** The caller's own references, the times, and every field that the service sent and the interface does not name. */
function PayoutReferences({ environment, payout }: { environment: Environment; payout: PayoutRecord }) {
  const { xid, xmetadata, created, updated, otherFields } = payout
  return (
    <Panel
      title="Details"
      actions={
        <EditReferenceButton
          environment={environment}
          target={{ type: 'payout', id: payout.id, label: `payout to ${beneficiaryName(payout.destination)}` }}
          xid={xid}
          xmetadata={xmetadata}
        />
      }
    >
      <FactList
        facts={[
          { label: 'External ID', value: xid ? <IdText id={xid} label="external ID" isWhole /> : 'None' },
          { label: 'Created', value: <Time instant={created} format="exact" /> },
          { label: 'Last changed', value: <Time instant={updated} format="exact" /> },
        ]}
      />
      <h3 className="mt-3 mb-1.5 border-t pt-3 font-medium">Metadata</h3>
      <MetadataList xmetadata={xmetadata} />
      <OtherFields fields={otherFields} />
    </Panel>
  )
}
