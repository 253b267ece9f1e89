'use client'

import { ColumnChooser } from '#components/data-table/column-chooser.tsx'
import { SavedViews } from '#components/environment/saved-views.tsx'
import { ServiceDays } from '#components/environment/service-days.tsx'
import type { ListOf } from '#components/environment/use-list.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterMenu } from '#components/filters/filter-menu.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { SearchField } from '#components/filters/search-field.tsx'
import type { OfferedPayoutFilters } from '#lib/console/payouts/shapes.ts'
import { shortId } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { payoutMethodLabel } from '../code-labels.ts'
import { knownPayoutStatuses, payoutStatusEntry } from '../payout-labels.ts'
import type { payoutColumns } from './payout-columns.tsx'
import type { payoutList } from './payout-params.ts'

const nothing: OfferedPayoutFilters = {
  statuses: [],
  methods: [],
  sourceCurrencies: [],
  destinationCurrencies: [],
  accounts: [],
}

const asTheyAre = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

/** Known statuses in their order, then unknown ones that occur, then those that only the URL has. */
function statusOptions(there: readonly string[], chosen: readonly string[]) {
  const statuses = new Set<string>([...knownPayoutStatuses, ...there, ...chosen])
  return [...statuses].map((value) => ({ value, label: payoutStatusEntry(value).label }))
}

export function PayoutFilterBar({
  environment,
  list,
  offered = nothing,
  columns,
}: {
  environment: Environment
  list: ListOf<typeof payoutList>
  offered: OfferedPayoutFilters | undefined
  columns: ReturnType<typeof payoutColumns>
}) {
  const { params, change } = list
  return (
    <FilterBar
      list={list}
      search={
        <SearchField
          label="Search payouts"
          placeholder="Beneficiary, xid, id"
          value={params.q}
          instead="Search for the beneficiary’s name instead."
          onSearch={(q) => change({ q })}
        />
      }
      columnChooser={
        <>
          <SavedViews environment={environment} list="payouts" />
          <ColumnChooser tableId="payouts" columns={columns} />
        </>
      }
    >
      <FilterMenu
        label="Status"
        values={params.status}
        options={statusOptions(offered.statuses, params.status ?? [])}
        onChange={(status) => change({ status })}
      />
      <FilterSelect
        label="Method"
        value={params.method}
        options={offered.methods.map((value) => ({ value, label: payoutMethodLabel(value) }))}
        onChange={(method) => change({ method })}
      />
      <FilterSelect
        label="Sent in"
        value={params.sourceCurrency}
        options={asTheyAre(offered.sourceCurrencies)}
        onChange={(sourceCurrency) => change({ sourceCurrency })}
      />
      <FilterSelect
        label="Received in"
        value={params.destinationCurrency}
        options={asTheyAre(offered.destinationCurrencies)}
        onChange={(destinationCurrency) => change({ destinationCurrency })}
      />
      <FilterSelect
        label="Account"
        value={params.accountId}
        options={offered.accounts.map(({ id, name, currency }) => ({
          value: id,
          label: name ?? `${currency} ${shortId(id)}`,
        }))}
        onChange={(accountId) => change({ accountId })}
      />
      <ServiceDays label="Created from" params={params} onChange={change} />
    </FilterBar>
  )
}
