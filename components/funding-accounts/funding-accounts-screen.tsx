'use client'

import { AsOf } from '#components/environment/as-of.tsx'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { ServiceDays } from '#components/environment/service-days.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { useList } from '#components/environment/use-list.tsx'
import { WhenRead } from '#components/environment/when-read.tsx'
import { ExportButton } from '#components/export/export-button.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { tableOptions } from '#components/form/options.ts'
import { UnsettledNotice } from '#components/operations/unsettled-notice.tsx'
import { unsettledPayouts } from '#components/operations/unsettled-params.ts'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { Page } from '#components/ui/page.tsx'
import { readQuery } from '#lib/queries/reads.ts'
import { shortId } from '#lib/shared/ids.ts'
import { AccountTiles, CurrencyTotals } from './account-tiles.tsx'
import { EntryDrawer } from './entry-drawer.tsx'
import { ledgerColumns } from './ledger-columns.tsx'
import { entryKey, ledgerIntentLabels, ledgerStatusTable, ledgerList } from './ledger-labels.ts'

const intentOptions = tableOptions(ledgerIntentLabels)
const statusOptions = tableOptions(ledgerStatusTable)

const names = { what: 'The ledger', noun: 'entry', tableId: 'account-ledger', caption: 'Account ledger', pageSize: 20 }

/** The funding accounts with what they hold, and the ledger of what moved their balances. */
export function FundingAccountsScreen() {
  const environment = useEnvironment()
  const accounts = useRead('listFundingAccounts')
  const list = useList(ledgerList, (search) => readQuery('listLedger', environment, search), names)
  const { params, setParams, change, filter, data } = list

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
              in posting order, <AsOf freshness={data.freshness} />
            </span>
          )}
        </h2>
        <ListFilters list={list} saved="account-ledger" columns={ledgerColumns}>
          <FilterSelect
            label="Account"
            {...filter('accountId')}
            options={(accounts.data?.accounts ?? []).map(({ id, name, currency }) => ({
              value: id,
              label: [name || shortId(id), currency && `(${currency})`].filter(Boolean).join(' '),
            }))}
          />
          <FilterSelect label="Intent" {...filter('intent')} options={intentOptions} />
          <FilterSelect label="Status" {...filter('status')} options={statusOptions} />
          <ServiceDays params={params} onChange={change} />
        </ListFilters>
        <ExcludedNote read={data} />
        <ListTable
          list={list}
          columns={ledgerColumns}
          rows={data?.transactions}
          rowId={entryKey}
          rowHref={(entry) => ledgerList.href({ ...params, open: entryKey(entry) })}
          none={{ title: 'No entries yet', body: 'Top-ups, transfers and payouts are listed here.' }}
        />
      </section>
      <EntryDrawer openId={params.open} entries={data?.transactions} onClose={() => void setParams({ open: null })} />
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
            <CurrencyTotals accounts={read.accounts} />
            <ExcludedNote read={read} />
          </section>
        )
      }
    </WhenRead>
  )
}
