'use client'

import { clsx } from 'clsx'
import { Plus } from 'lucide-react'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { ListCoverage } from '#components/environment/as-of.tsx'
import { ListTable, ListFilters } from '#components/environment/list-parts.tsx'
import { ListViews } from '#components/environment/saved-views.tsx'
import { ServiceDays } from '#components/environment/service-days.tsx'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { useList, type ListOf } from '#components/environment/use-list.tsx'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { ExportButton } from '#components/export/export-button.tsx'
import { FilterMenu } from '#components/filters/filter-menu.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { defineListParams } from '#components/filters/list-params.ts'
import { toOptions } from '#components/form/options.ts'
import { UnsettledNotice } from '#components/operations/unsettled-notice.tsx'
import { unsettledPayouts } from '#components/operations/unsettled-params.ts'
import { CodeBadge } from '#components/ui/badge.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { matchText } from '#components/ui/count.ts'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { Provided } from '#components/ui/not-provided.tsx'
import { Page } from '#components/ui/page.tsx'
import { Time } from '#components/ui/time.tsx'
import { payoutSearch } from '#lib/api/payouts.ts'
import type { OfferedPayoutFilters, PayoutRecord } from '#lib/console/payouts/types.ts'
import { countryLabel } from '#lib/contract/country-names.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { shortId } from '#lib/shared/ids.ts'
import { routes } from '#lib/shared/routes.ts'
import { payoutMethodLabel } from '../code-labels.ts'
import { PayoutAmount } from '../payout-amount.tsx'
import { beneficiaryName, offeredPayoutStatuses, payoutStatusEntry, payoutSubStatusEntry } from '../payout-labels.ts'
import { PayoutTotals } from './payout-totals.tsx'
import { WaitingPayouts } from './waiting-payouts.tsx'

const payoutList = defineListParams(payoutSearch)

function SubStatus({ payout }: { payout: PayoutRecord }) {
  if (!payout.subStatus) return null
  const { label, isKnown } = payoutSubStatusEntry(payout.subStatus)
  return <span className={clsx('inline-block', !isKnown && 'font-mono wrap-anywhere')}>{label}</span>
}

function Below({ payout }: { payout: PayoutRecord }) {
  return (
    <span className="block max-w-72">
      <span className="flex flex-wrap items-center gap-x-1.5 gap-y-1 pb-1 @min-[40rem]:hidden">
        <CodeBadge code={payout.status} toEntry={payoutStatusEntry} />
        {payout.subStatus && !payoutSubStatusEntry(payout.subStatus).isKnown && <SubStatus payout={payout} />}
        <Time instant={payout.created} format="short" />
      </span>
      <span className="flex items-center gap-1.5">
        <span className="font-mono whitespace-nowrap">{shortId(payout.id)}</span>
        {payout.xid && <span className="truncate">{payout.xid}</span>}
      </span>
    </span>
  )
}

export const payoutColumns: readonly DataColumn<PayoutRecord>[] = [
  {
    id: 'beneficiary',
    header: 'Beneficiary',
    cell: ({ destination }) => (
      <span className="line-clamp-2 max-w-72 min-w-28 wrap-anywhere">{beneficiaryName(destination)}</span>
    ),
    below: (payout) => <Below payout={payout} />,
    copy: ({ id }) => ({ text: id, label: 'payout ID' }),
  },
  {
    id: 'status',
    header: 'Status',
    priority: 2,
    cell: ({ status }) => <CodeBadge code={status} toEntry={payoutStatusEntry} />,
    below: (payout) => (
      <span className="block pt-1">
        <SubStatus payout={payout} />
      </span>
    ),
  },
  {
    id: 'method',
    header: 'Method',
    priority: 4,
    cell: ({ method }) => (
      <span className="text-soft">
        <Provided>{method && payoutMethodLabel(method)}</Provided>
      </span>
    ),
    below: ({ destination }) =>
      [destination.country && countryLabel(destination.country), destination.bankName].filter(Boolean).join(' · ') ||
      null,
  },
  {
    id: 'sourceAmount',
    header: 'From the account',
    align: 'end',
    priority: 2,
    isUnnoted: true,
    cell: (payout) => <PayoutAmount payout={payout} side="source" />,
  },
  {
    id: 'destinationAmount',
    header: 'To the beneficiary',
    align: 'end',
    isHideable: false,
    cell: (payout) => (
      <span className="inline-grid justify-items-end">
        <PayoutAmount payout={payout} side="destination" />
        <span className="pt-1 @min-[40rem]:hidden">
          <PayoutAmount payout={payout} side="source" size="small" />
        </span>
      </span>
    ),
  },
  {
    id: 'created',
    header: 'Created',
    priority: 2,
    cell: ({ created }) => <Time instant={created} className="text-soft" />,
  },
  {
    id: 'updated',
    header: 'Changed',
    priority: 4,
    cell: ({ updated }) => <Time instant={updated} className="text-soft" />,
  },
]

const names = { what: 'The payouts', noun: 'payout', tableId: 'payouts', caption: 'Payouts' }

export function PayoutListScreen() {
  const environment = useEnvironment()
  const list = useList(payoutList, (search) => readQuery('listPayouts', environment, search), names)
  const { isFiltered, data } = list
  return (
    <Page
      isDense
      title="Payouts"
      subtitle={
        data && (
          <>
            {matchText(data.matching, 'payout', isFiltered)} · <ListCoverage coverage={data.coverage} />
          </>
        )
      }
      actions={
        <>
          <ExportButton read="listPayouts" tableId="payouts" search={list.search} />
          <NewPayout />
        </>
      }
    >
      <UnsettledNotice of={unsettledPayouts} />
      <WaitingPayouts />
      <PayoutFilterBar list={list} offered={data?.offered} />
      <ExcludedNote read={data?.coverage} />
      <ListTable
        list={list}
        unmatched="Search by beneficiary, external ID or payout ID."
        columns={payoutColumns}
        coverage={data?.coverage}
        rows={data?.payouts}
        rowId={({ id }) => id}
        rowHref={({ id }) => routes.payout(environment, id)}
        total={data?.matching}
        totals={data && <PayoutTotals payouts={data.payouts} matching={data.matching} totals={data.totals} />}
        none={{ title: 'No payouts yet', body: 'Payouts appear here once they are sent.' }}
      />
    </Page>
  )
}

function NewPayout() {
  const environment = useEnvironment()
  const { role, denied } = usePermissions()
  if (role === undefined) return null
  return (
    <ButtonLink
      variant="primary"
      icon={<Plus />}
      href={routes.newPayout(environment)}
      unavailable={denied('payouts.submit')}
    >
      New payout
    </ButtonLink>
  )
}

const nothing: OfferedPayoutFilters = {
  statuses: [],
  methods: [],
  sourceCurrencies: [],
  destinationCurrencies: [],
  accounts: [],
}

function PayoutFilterBar({
  list,
  offered = nothing,
}: {
  list: ListOf<typeof payoutList>
  offered: OfferedPayoutFilters | undefined
}) {
  const { params, change, filter } = list
  return (
    <ListFilters
      list={list}
      views={<ListViews list="payouts" columns={payoutColumns} />}
      search={{
        label: 'Search payouts',
        placeholder: 'Beneficiary, external ID, payout ID',
        cardNumberAdvice: 'Search for the beneficiary’s name instead.',
        ...filter('q'),
      }}
    >
      <FilterMenu
        label="Status"
        {...filter('status')}
        options={toOptions([...offeredPayoutStatuses, ...offered.statuses], (code) => payoutStatusEntry(code).label)}
      />
      <FilterSelect label="Method" {...filter('method')} options={toOptions(offered.methods, payoutMethodLabel)} />
      <FilterSelect label="Sent in" {...filter('sourceCurrency')} options={toOptions(offered.sourceCurrencies)} />
      <FilterSelect
        label="Received in"
        {...filter('destinationCurrency')}
        options={toOptions(offered.destinationCurrencies)}
      />
      <FilterSelect
        label="Account"
        {...filter('accountId')}
        options={offered.accounts.map(({ id, name, currency }) => ({
          value: id,
          label: name ?? `${currency} ${shortId(id)}`,
        }))}
      />
      <ServiceDays label="Created from" params={params} onChange={change} />
    </ListFilters>
  )
}
