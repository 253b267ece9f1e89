'use client'

import { UserPlus } from 'lucide-react'
import { useMemo } from 'react'
import { cardStatusTable } from '#components/cards/card-status.ts'
import { CoverageText } from '#components/environment/as-of.tsx'
import { ListFilters, ListTable } from '#components/environment/list-parts.tsx'
import { ListViews } from '#components/environment/saved-views.tsx'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { useList, type ListOf } from '#components/environment/use-list.tsx'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { readFailure } from '#components/environment/when-read.tsx'
import { ExportButton } from '#components/export/export-button.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { FilterToggle, LinkedFilter } from '#components/filters/filter-toggle.tsx'
import { tableOptions, toOptions } from '#components/form/options.ts'
import { LimitsLink } from '#components/limits/limit-buttons.tsx'
import { disputeAges } from '#components/transactions/dispute-age.tsx'
import { Amount } from '#components/ui/amount.tsx'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { matchText, formatCount } from '#components/ui/count.ts'
import { ExcludedNote } from '#components/ui/excluded-note.tsx'
import { Page } from '#components/ui/page.tsx'
import { groupsWithin } from '#lib/api/card-accounts.ts'
import { accountTypes } from '#lib/contract/terms.ts'
import type { CurrencyTotals } from '#lib/index/types.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { routes } from '#lib/shared/routes.ts'
import { accountColumns } from './account-columns.tsx'
import { useAccountJobs } from './account-jobs.tsx'
import { accountTypeLabel, groupName, identityTable } from './account-labels.ts'
import { BalanceTiles, BalanceTilesSkeleton } from './balance-tiles.tsx'
import {
  type CardAccountParams,
  cardAccountList,
  toCardAccountSearch,
  filtersInEffect,
  findGroupKey,
  isOfDisputes,
  regrouped,
  tileSearch,
  withoutGroup,
} from './filter-params.ts'

/** Leads to the form of a new account, for those who may open one. */
function OpenAccountLink() {
  const environment = useEnvironment()
  const { may } = usePermissions()
  if (!may.has('accounts.open')) return null
  return (
    <ButtonLink variant="primary" href={routes.openAccount(environment)} icon={<UserPlus aria-hidden="true" />}>
      Open card account
    </ButtonLink>
  )
}

export function AccountListScreen() {
  const environment = useEnvironment()
  const { data: metadata } = useRead('listMetadataKeys')
  const keys = metadata?.keys ?? []
  const list = useList(
    {
      ...cardAccountList,
      activeFilters: (params: CardAccountParams) =>
        cardAccountList.activeFilters(filtersInEffect(params, findGroupKey(params, keys))),
      toSearch: (params: CardAccountParams, zone) => toCardAccountSearch(params, findGroupKey(params, keys), zone),
    },
    (search) => readQuery('listCardAccounts', environment, search),
    { what: 'The card accounts', noun: 'account', tableId: 'card-accounts', caption: 'Card accounts' },
  )
  const { params, isFiltered, change, search, data } = list
  const { currency } = params
  const groupKey = findGroupKey(params, keys)
  const aggregates = useRead('readAggregateBalances', tileSearch(search))
  const disputesAt = isOfDisputes(params) ? (data?.serviceAt ?? null) : null
  const columns = useMemo(
    () =>
      accountColumns(
        groupKey,
        { currency, disputesAt },
        (metadata?.keys ?? []).map(({ key }) => key),
      ),
    [groupKey, currency, disputesAt, metadata],
  )
  const jobs = useAccountJobs(data, list.filters)
  const currencies = aggregates.data?.currencies ?? []

  return (
    <Page
      isDense
      className="[&_:is(a,button,input)]:scroll-mb-24"
      title="Card accounts"
      actions={
        <>
          <LimitsLink />
          <ExportButton read="listCardAccounts" tableId="card-accounts" search={search} />
          <OpenAccountLink />
        </>
      }
      subtitle={
        data && (
          <>
            {matchText(data.matching, 'account', isFiltered)} · <CoverageText coverage={data.coverage} />
          </>
        )
      }
    >
      {aggregates.data && (
        <BalanceTiles
          data={aggregates.data}
          groupKey={aggregates.data.groupKey}
          chosen={params.ungrouped === 'yes' ? '' : params.group}
          onChoose={(group) =>
            change({ groupKey, group: group === '' ? null : group, ungrouped: group === '' ? 'yes' : null })
          }
        />
      )}
      {!aggregates.data && aggregates.error && (
        <Callout tone="warn" title="The balances could not be read.">
          {readFailure(aggregates.error, 'They')?.detail} Carddesk keeps trying.
        </Callout>
      )}
      {!aggregates.data && !aggregates.error && <BalanceTilesSkeleton />}
      <ExcludedNote read={data?.coverage} />
      <AccountFilterBar list={list} groupKey={groupKey} keys={keys} currencies={currencies} columns={columns} />
      <ListTable
        list={list}
        unmatched="Search by name, external ID, account ID or the last four digits of a card."
        columns={columns}
        rows={data?.rows}
        rowId={({ account }) => account.id}
        rowHref={({ account }) => routes.cardAccount(environment, account.id)}
        total={data?.matching}
        selection={jobs.selection}
        totals={
          data && <FilteredTotals totals={data.totals} totalsExcluded={data.totalsExcluded} isFiltered={isFiltered} />
        }
        coverage={data?.coverage}
        none={{
          title: 'No card accounts yet',
          body: 'Accounts appear here once they are opened.',
          actions: <OpenAccountLink />,
        }}
      />
      {jobs.bar}
    </Page>
  )
}

/** Totals of all matching accounts, on every page, per currency. */
function FilteredTotals({
  totals,
  totalsExcluded,
  isFiltered,
}: {
  totals: readonly CurrencyTotals[]
  /** Accounts that are in no total, because their currency was not provided. */
  totalsExcluded: number
  isFiltered: boolean
}) {
  if (totals.length === 0 && totalsExcluded === 0) return null
  return (
    <>
      <span className="text-faint">{isFiltered ? 'Filtered totals' : 'Totals'}</span>
      {totals.map(({ currency, balance, outstanding, excluded }) => (
        <span key={currency ?? ''} className="inline-flex flex-wrap items-baseline gap-x-1.5">
          <Amount amount={balance} currency={currency} />
          {outstanding !== '0' && (
            <span className="text-xs text-faint">
              (outstanding{' '}
              <Amount amount={outstanding} currency={currency} isCurrencyShown={false} className="text-xs" />)
            </span>
          )}
          {excluded > 0 && (
            <span className="text-2xs text-warn">
              {formatCount(excluded, 'account lacks a figure and is', 'accounts lack a figure and are')} not in its sum
            </span>
          )}
        </span>
      ))}
      {totalsExcluded > 0 && (
        <span className="text-2xs text-warn">Excludes {formatCount(totalsExcluded, 'account')} without a currency</span>
      )}
    </>
  )
}

const typeOptions = toOptions(accountTypes, accountTypeLabel)
const identityOptions = tableOptions(identityTable)
const limitOptions = [
  { value: 'over', label: 'exceeded' },
  { value: 'near', label: 'nearly used up' },
]
const cardStatusOptions = tableOptions(cardStatusTable)

function AccountFilterBar({
  list,
  groupKey,
  keys,
  currencies,
  columns,
}: {
  list: ListOf<typeof cardAccountList>
  groupKey: string | null
  keys: readonly { key: string }[]
  currencies: readonly string[]
  columns: ReturnType<typeof accountColumns>
}) {
  const { params, change, filter, toggle } = list
  const group = groupKey === null ? null : params.ungrouped === 'yes' ? '' : params.group
  return (
    <ListFilters
      list={list}
      views={<ListViews list="card-accounts" columns={columns} />}
      search={{
        label: 'Search card accounts',
        placeholder: 'Name, external ID, last four',
        cardNumberAdvice: 'Search for its last four digits instead.',
        ...filter('q'),
      }}
    >
      {keys.length > 0 && (
        <FilterSelect
          label="Group by"
          allLabel="nothing"
          value={groupKey}
          options={keys.map(({ key }) => ({ value: key, label: key }))}
          onChange={(key) => change(regrouped(params, groupKey, key ?? ''))}
          isQuiet
        />
      )}
      {currencies.length > 1 && (
        <FilterSelect label="Currency" {...filter('currency')} options={toOptions(currencies)} />
      )}
      <FilterSelect label="Type" {...filter('accountType')} options={typeOptions} />
      <FilterSelect label="Identity" {...filter('identity')} options={identityOptions} />
      <FilterSelect
        label="With a card"
        allLabel="in any status"
        {...filter('cardStatus')}
        options={cardStatusOptions}
      />
      <FilterSelect label="Limit" allLabel="any" {...filter('limit')} options={limitOptions} />
      <FilterToggle label="Outstanding > 0" {...toggle('outstanding', 'yes')} />
      <FilterToggle label="Disputed > 0" {...toggle('disputed', 'yes')} />
      {isOfDisputes(params) && (
        <FilterSelect label="Disputed for" allLabel="any time" {...filter('disputeDays')} options={disputeAges} />
      )}
      <LinkedFilter
        label={`${groupKey}:`}
        value={group}
        text={(value) => groupName(value, groupKey ?? '')}
        onChange={() => change({ group: null, ungrouped: null })}
      />
      {groupsWithin(params).map(([key, value]) => (
        <FilterToggle
          key={key}
          label={`${key}: ${groupName(value, key)}`}
          isOn
          onChange={() => change(withoutGroup(params, key))}
        />
      ))}
    </ListFilters>
  )
}
