'use client'

import { type ReactNode, useMemo } from 'react'
import { sortableWithin } from '#components/data-table/data-column.ts'
import { DataTable, type DataTableProps } from '#components/data-table/data-table.tsx'
import { FilterBar } from '#components/filters/filter-bar.tsx'
import { IgnoredFilters } from '#components/filters/ignored-filters.tsx'
import { SearchField } from '#components/filters/search-field.tsx'
import type { ListTableProps } from './use-list.tsx'

type ListFiltersProps = {
  list: Parameters<typeof FilterBar>[0]['list'] & Parameters<typeof IgnoredFilters>[0]
  /** The list's `ListViews`: a list without saved views doesn't load them. */
  views?: ReactNode
  search?: Parameters<typeof SearchField>[0]
  /** A field that takes the place of the search. */
  find?: ReactNode
  isGrid?: boolean
  children?: ReactNode
}

/** The filters of a list with its search and views; below them the names in the URL that were ignored. */
export function ListFilters({ list, views, search, find, isGrid = false, children }: ListFiltersProps) {
  return (
    <>
      <FilterBar list={list} isGrid={isGrid} search={search ? <SearchField {...search} /> : find} views={views}>
        {children}
      </FilterBar>
      <IgnoredFilters parsers={list.parsers} />
    </>
  )
}

/**
 * The table of a list, sorted by the columns that its definition names; where filters leave nothing, it says so and offers to clear them. A
 * list that is still being read is not called empty.
 */
export function ListTable<Row extends object>({
  list,
  unmatched,
  none,
  coverage,
  ...table
}: Omit<DataTableProps<Row>, keyof ListTableProps | 'empty'> & {
  list: {
    noun: string
    isFiltered: boolean
    clearButton: ReactNode
    sorts: Record<string, boolean>
    table: ListTableProps
  }
  /** Advice where no row matches the filters. */
  unmatched?: string
  /** Content of an empty list without filters. */
  none: DataTableProps<Row>['empty']
  /** How much of the list the index has. */
  coverage?: { isComplete: boolean } | undefined
}) {
  const { noun, isFiltered, clearButton } = list
  const sorts = JSON.stringify(list.sorts)
  const columns = useMemo(
    () => table.columns.map((column) => sortableWithin(column, (JSON.parse(sorts) as typeof list.sorts)[column.id])),
    [table.columns, sorts],
  )
  const isStillRead = coverage?.isComplete === false
  const stillRead = 'The list is still being read'
  return (
    <DataTable
      {...table}
      {...list.table}
      columns={columns}
      empty={
        isFiltered
          ? {
              title: `No ${noun} matches these filters`,
              body: isStillRead ? `${stillRead}.` : unmatched,
              actions: clearButton,
            }
          : isStillRead
            ? { title: stillRead, body: 'Its rows appear here as they are read.' }
            : none
      }
    />
  )
}
