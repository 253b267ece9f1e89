'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ColumnChooser } from '#components/data-table/column-chooser.tsx'
import { DataTable } from '#components/data-table/data-table.tsx'
import { AsOf } from '#components/environment/as-of.tsx'
import { readFailure } from '#components/environment/read-failure.ts'
import { SavedViews } from '#components/environment/saved-views.tsx'
import { ServiceDays } from '#components/environment/service-days.tsx'
import { useListParams, useListRead, type ListOf } from '#components/environment/use-list.tsx'
import { WhenRead } from '#components/environment/when-read.tsx'
import { ExportButton } from '#components/export/export-button.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import type { Account } from '#lib/contract/records.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { shortId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { AccountTiles, CurrencyTotals } from './account-tiles.tsx'
import { EntryWindow } from './entry-window.tsx'
import { ledgerColumns } from './ledger-columns.tsx'
import { entryKey, ledgerIntents, ledgerIntentLabels, ledgerStatuses, ledgerStatusTable } from './ledger-labels.ts'
import { ledgerList } from './ledger-params.ts'

const intentOptions = ledgerIntents.map((value) => ({ value, label: ledgerIntentLabels[value] }))
const statusOptions = ledgerStatuses.map((value) => ({ value, label: ledgerStatusTable[value].label }))

function LedgerFilterBar({
  environment,
  list,
  accounts,
  columns,
}: {
  environment: Environment
  list: ListOf<typeof ledgerList>
  accounts: readonly Account[]
  columns: ReturnType<typeof ledgerColumns>
}) {
  const { params, change } = list
  return (
    <FilterBar
      list={list}
      columnChooser={
        <>
          <SavedViews environment={environment} list="account-ledger" />
          <ColumnChooser tableId="account-ledger" columns={columns} />
        </>
      }
    >
      <FilterSelect
        label="Account"
        value={params.accountId}
        options={accounts.map(({ id, name, currency }) => ({
          value: id,
          label: [name || shortId(id), currency && `(${currency})`].filter(Boolean).join(' '),
        }))}
        onChange={(accountId) => change({ accountId })}
      />
      <FilterSelect
        label="Intent"
        value={params.intent}
        options={intentOptions}
        onChange={(intent) => change({ intent })}
      />
      <FilterSelect
        label="Status"
        value={params.status}
        options={statusOptions}
        onChange={(status) => change({ status })}
      />
      <ServiceDays params={params} onChange={change} />
    </FilterBar>
  )
}

/** The funding accounts with what they hold, and the ledger of what moved their balances. */
export function FundingAccountsScreen({ environment }: { environment: Environment }) {
  const zone = usePageZone()
  const list = useListParams(ledgerList)
  const { params, setParams, isFiltered, change, toFirstPage } = list
  const filters = ledgerList.searchOf(params, zone)
  const accounts = useQuery(readQuery('listFundingAccounts', environment))
  const { data, error, isPlaceholderData, table } = useListRead(readQuery('listLedger', environment, filters), {
    what: 'The ledger',
    pageSize: 20,
    toFirstPage,
  })
  const columns = useMemo(() => ledgerColumns(environment), [environment])

  return (
    <div className="grid min-w-0 gap-4">
      <PageHeader
        title="Funding accounts"
        breadcrumbs={[{ label: 'Funding accounts' }]}
        actions={<ExportButton environment={environment} list="ledger" tableId="account-ledger" search={filters} />}
        subtitle={
          <>
            The accounts that payouts are paid from
            {accounts.data && (
              <>
                , <AsOf freshness={accounts.data.freshness} />
              </>
            )}
          </>
        }
      />
      <Accounts environment={environment} chosen={params.accountId} onChoose={(accountId) => change({ accountId })} />
      <section aria-label="Account ledger" className="grid min-w-0 gap-3">
        <h2 className="text-md font-semibold">
          Account ledger{' '}
          {data && (
            <span className="text-base font-normal text-soft">
              in posting order, <AsOf freshness={data.freshness} />
            </span>
          )}
        </h2>
        <LedgerFilterBar
          environment={environment}
          list={list}
          accounts={accounts.data?.accounts ?? []}
          columns={columns}
        />
        <IgnoredFilters parsers={ledgerList.parsers} />
        <ExcludedNote read={data} />
        <DataTable
          tableId="account-ledger"
          caption="Account ledger"
          columns={columns}
          rows={data?.transactions}
          rowId={entryKey}
          rowHref={(entry) => ledgerList.href({ ...params, open: entryKey(entry) })}
          {...table}
          failure={data && !isPlaceholderData ? null : readFailure(error, 'The ledger')}
          empty={
            isFiltered
              ? { title: 'No entry matches these filters', actions: list.clearButton }
              : { title: 'No entries yet', body: 'Top-ups, transfers and payouts are listed here.' }
          }
        />
      </section>
      <EntryWindow
        environment={environment}
        openKey={params.open}
        entries={data?.transactions}
        onClose={() => void setParams({ open: null })}
      />
    </div>
  )
}

function Accounts({
  environment,
  chosen,
  onChoose,
}: {
  environment: Environment
  chosen: string | null
  onChoose: (accountId: string | null) => void
}) {
  const query = useQuery(readQuery('listFundingAccounts', environment))
  return (
    <WhenRead query={query} what="The funding accounts" skeleton={<AccountsSkeleton />}>
      {(read) =>
        read.accounts.length === 0 ? (
          <EmptyState title="There is no funding account">
            Without one no payout can be quoted. Ask the API’s operator to open one.
          </EmptyState>
        ) : (
          <section aria-label="Accounts" className="grid min-w-0 gap-2">
            <AccountTiles accounts={read.accounts} chosen={chosen} onChoose={onChoose} />
            <CurrencyTotals accounts={read.accounts} />
            <ExcludedNote read={read} />
          </section>
        )
      }
    </WhenRead>
  )
}

function AccountsSkeleton() {
  return (
    <>
      <Loading what="the funding accounts" />
      <Skeleton className="h-24 w-full rounded-panel" />
    </>
  )
}
