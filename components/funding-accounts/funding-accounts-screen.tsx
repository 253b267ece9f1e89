'use client'

import { AsOf, ListCoverage } from '#components/environment/as-of.tsx'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { ListViews } from '#components/environment/saved-views.tsx'
import { ServiceDays } from '#components/environment/service-days.tsx'
import { StatusTotalsPanel } from '#components/environment/status-totals.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { useList } from '#components/environment/use-list.tsx'
import { WhenRead } from '#components/environment/when-read.tsx'
import { ExportButton } from '#components/export/export-button.tsx'
import { FilterAmountRange } from '#components/filters/filter-amount-range.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { toOptions } from '#components/form/options.ts'
import { UnsettledNotice } from '#components/operations/unsettled-notice.tsx'
import { unsettledPayouts } from '#components/operations/unsettled-params.ts'
import { matchText } from '#components/ui/count.ts'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { Page } from '#components/ui/page.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import { sameId, shortId } from '#lib/shared/ids.ts'
import { AccountTiles, FundingTotals } from './account-tiles.tsx'
import { EntryDrawer } from './entry-drawer.tsx'
import { ledgerColumns } from './ledger-columns.tsx'
import {
  ledgerIntentLabel,
  ledgerIntentLabels,
  ledgerList,
  ledgerStatusEntry,
  ledgerStatusTable,
} from './ledger-labels.ts'

const intents = Object.keys(ledgerIntentLabels)
const statuses = Object.keys(ledgerStatusTable)

const names = { what: 'The ledger', noun: 'entry', tableId: 'account-ledger', caption: 'Account ledger', pageSize: 20 }

/** The funding accounts with what they hold, and the ledger of what moved their balances. */
export function FundingAccountsScreen() {
  const environment = useEnvironment()
  const accounts = useRead('listFundingAccounts')
  const list = useList(ledgerList, (search) => readQuery('listLedger', environment, search), names)
  const { params, setParams, change, filter, data, isFiltered } = list
  const { choices } = data ?? {}
  const isUnknownAccount =
    params.accountId !== null && accounts.data?.accounts.every(({ id }) => !sameId(id, params.accountId)) === true

  return (
    <Page
      isDense
      title="Funding accounts"
      actions={<ExportButton read="listLedger" tableId="account-ledger" search={list.search} />}
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
    >
      <UnsettledNotice of={unsettledPayouts} />
      <Accounts chosen={params.accountId} onChoose={(accountId) => change({ accountId })} />
      <section aria-label="Account ledger" className="grid min-w-0 gap-3">
        <h2 className="text-md font-semibold">
          Account ledger{' '}
          {data && (
            <span className="text-base font-normal text-soft">
              {matchText(data.totals.matching, 'entry', isFiltered, 'entries')} ·{' '}
              <ListCoverage coverage={data.coverage} />
            </span>
          )}
        </h2>
        {data && (
          <StatusTotalsPanel
            totals={data.totals}
            noun={['entry', 'entries']}
            net="Not void"
            toEntry={ledgerStatusEntry}
          />
        )}
        <ListFilters
          list={list}
          views={<ListViews list="account-ledger" columns={ledgerColumns} />}
          search={{ label: 'Search the ledger', placeholder: 'Description, name, ID', ...filter('q') }}
        >
          <FilterSelect
            label="Account"
            {...filter('accountId')}
            options={(accounts.data?.accounts ?? []).map(({ id, name, currency }) => ({
              value: id,
              label: [name || shortId(id), currency && `(${currency})`].filter(Boolean).join(' '),
            }))}
          />
          <FilterSelect
            label="Intent"
            {...filter('intent')}
            options={toOptions([...intents, ...(choices?.intents ?? [])], ledgerIntentLabel)}
          />
          <FilterSelect
            label="Status"
            {...filter('status')}
            options={toOptions([...statuses, ...(choices?.statuses ?? [])], (code) => ledgerStatusEntry(code).label)}
          />
          <FilterSelect label="Currency" {...filter('currency')} options={toOptions(choices?.currencies ?? [])} />
          <FilterAmountRange from={filter('amountFrom')} to={filter('amountTo')} />
          <ServiceDays params={params} onChange={change} />
        </ListFilters>
        <ExcludedNote read={data?.coverage} />
        <ListTable
          list={list}
          unmatched={isUnknownAccount ? 'This environment has no funding account with this ID.' : undefined}
          coverage={data?.coverage}
          columns={ledgerColumns}
          rows={data?.transactions}
          rowId={({ key }) => key}
          rowHref={({ key }) => ledgerList.href({ ...params, open: key })}
          total={data?.totals.matching}
          none={{ title: 'No entries yet', body: 'Top-ups, transfers and payouts are listed here.' }}
        />
      </section>
      <EntryDrawer openId={params.open} onClose={() => void setParams({ open: null })} />
    </Page>
  )
}

function Accounts({ chosen, onChoose }: { chosen: string | null; onChoose: (accountId: string | null) => void }) {
  const query = useRead('listFundingAccounts')
  return (
    <WhenRead query={query} what="The funding accounts" blocks={['h-24']}>
      {(read) =>
        read.accounts.length === 0 ? (
          <EmptyState title="No funding account">
            Without one no payout can be quoted. Ask the card service’s operator to open one.
          </EmptyState>
        ) : (
          <section aria-label="Accounts" className="grid min-w-0 gap-2">
            <AccountTiles accounts={read.accounts} chosen={chosen} onChoose={onChoose} />
            <FundingTotals accounts={read.accounts} />
            <ExcludedNote read={read} />
          </section>
        )
      }
    </WhenRead>
  )
}
