'use client'

import { cardStatusTable } from '#components/cards/card-status.ts'
import { ColumnChooser } from '#components/data-table/column-chooser.tsx'
import { SavedViews } from '#components/environment/saved-views.tsx'
import type { ListOf } from '#components/environment/use-list.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { FilterSelect } from '#components/filters/filter-select.tsx'
import { FilterToggle } from '#components/filters/filter-toggle.tsx'
import { SearchField } from '#components/filters/search-field.tsx'
import { cardStatuses } from '#lib/contract/card-terms.ts'
import type { Environment } from '#lib/shared/routes.ts'
import type { accountColumns } from './account-columns.tsx'
import { accountTypes, accountTypeLabel, clientIdentityStatuses, groupName, identityEntry } from './account-labels.ts'
import type { cardAccountList } from './filter-params.ts'

const typeOptions = accountTypes.map((value) => ({ value, label: accountTypeLabel(value) }))
const identityOptions = clientIdentityStatuses.map((value) => ({ value, label: identityEntry(value).label }))
const limitOptions = [
  { value: 'over', label: 'exceeded' },
  { value: 'near', label: 'nearly used up' },
]
const cardStatusOptions = cardStatuses.map((value) => ({ value, label: cardStatusTable[value].label }))

export function AccountFilterBar({
  environment,
  list,
  groupKey,
  keys,
  currencies,
  columns,
}: {
  environment: Environment
  list: ListOf<typeof cardAccountList>
  groupKey: string | null
  keys: readonly { key: string }[]
  currencies: readonly string[]
  columns: ReturnType<typeof accountColumns>
}) {
  const { params, change } = list
  const group = params.ungrouped === 'yes' ? '' : params.group
  return (
    <FilterBar
      list={list}
      search={
        <SearchField
          label="Search card accounts"
          placeholder="Name, xid, last four"
          value={params.q}
          instead="Search for its last four digits instead."
          onSearch={(q) => change({ q })}
        />
      }
      columnChooser={
        <>
          <SavedViews environment={environment} list="card-accounts" />
          <ColumnChooser tableId="card-accounts" columns={columns} />
        </>
      }
    >
      {keys.length > 0 && (
        <FilterSelect
          label="Group by"
          allLabel="nothing"
          value={groupKey}
          options={keys.map(({ key }) => ({ value: key, label: key }))}
          onChange={(key) => change({ groupKey: key ?? '', group: null, ungrouped: null })}
          isQuiet
        />
      )}
      {currencies.length > 1 && (
        <FilterSelect
          label="Currency"
          value={params.currency}
          options={currencies.map((value) => ({ value, label: value }))}
          onChange={(currency) => change({ currency })}
        />
      )}
      <FilterSelect
        label="Type"
        value={params.accountType}
        options={typeOptions}
        onChange={(accountType) => change({ accountType })}
      />
      <FilterSelect
        label="Identity"
        value={params.identity}
        options={identityOptions}
        onChange={(identity) => change({ identity })}
      />
      <FilterSelect
        label="With a card"
        allLabel="in any status"
        value={params.cardStatus}
        options={cardStatusOptions}
        onChange={(cardStatus) => change({ cardStatus })}
      />
      <FilterSelect
        label="Limit"
        allLabel="any"
        value={params.limit}
        options={limitOptions}
        onChange={(limit) => change({ limit })}
      />
      <FilterToggle
        label="Outstanding > 0"
        isOn={params.outstanding === 'yes'}
        onChange={(isOn) => change({ outstanding: isOn ? 'yes' : null })}
      />
      <FilterToggle
        label="Disputed > 0"
        isOn={params.disputed === 'yes'}
        onChange={(isOn) => change({ disputed: isOn ? 'yes' : null })}
      />
      {group !== null && (
        <FilterToggle
          label={groupKey === null ? group : `${groupKey}: ${groupName(group, groupKey)}`}
          isOn
          onChange={() => change({ group: null, ungrouped: null })}
        />
      )}
    </FilterBar>
  )
}
