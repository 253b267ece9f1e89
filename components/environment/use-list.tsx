'use client'

import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { useQueryStates, type UseQueryStatesKeysMap, type inferParserType } from 'nuqs'
import { useState } from 'react'
import type { DataTableProps } from '#components/data-table/data-table.tsx'
import { firstPage, type ListDefinition } from '#components/filters/list-params.ts'
import { Button } from '#components/ui/button.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import type { PageZone } from '#components/ui/time-format.ts'
import { type FindProblem, withoutPage } from '#lib/api/search.ts'
import { readFailure } from './when-read.tsx'

type List<All extends UseQueryStatesKeysMap> = Pick<ListDefinition, 'cleared' | 'activeFilters' | 'sortable'> & {
  parsers: All
}
/** What a list is called: `what` in a sentence ("The fees"), `noun` for one row ("fee"), `caption` for its table. */
type ListNames = { what: string; noun: string; tableId: string; caption: string }
/** The part of a list's table that follows from its URL, its names and its read. */
export type ListTableProps = Pick<
  DataTableProps<never>,
  'tableId' | 'caption' | 'failure' | 'onRetry' | 'paging' | 'isRefreshing'
>
type Page = { prevPageToken: string | null; nextPageToken: string | null }
type Value = string | readonly string[] | null

/** Parameters of a list's URL, and the functions that change them. */
export function useListParams<All extends UseQueryStatesKeysMap>(definition: List<All>) {
  const { parsers, cleared, activeFilters, sortable } = definition
  const [params, setParams] = useQueryStates(parsers, { history: 'push' })
  const set = setParams as (values: object) => Promise<URLSearchParams>
  const active = activeFilters(params)
  const [clearings, setClearings] = useState(0)
  const clear = () => {
    setClearings((count) => count + 1)
    void set(cleared)
  }
  /** Sets filters and goes to the first page. Texts are read back by their parsers, as those of a URL are. */
  const change = (values: { [Name in keyof All]?: Value }) => void set({ ...values, ...firstPage })
  const changeOne = (name: keyof All, value: Value) => change({ [name]: value } as { [Name in keyof All]?: Value })
  return {
    parsers,
    params,
    setParams,
    /** How many filters are set; a range of days is one. */
    active,
    isFiltered: active > 0,
    change,
    /** The value of a filter, and how its field changes it. */
    filter: <Name extends keyof All>(name: Name) => {
      const problem = problemIn(parsers[name])
      return {
        value: params[name],
        onChange: (value: Value) => changeOne(name, value),
        ...(problem && { problem }),
      }
    },
    /** A filter that is on or off. Without the value that turns it on it can only be taken away. */
    toggle: (name: keyof All, on: string | null = null) => ({
      isOn: params[name] !== null,
      onChange: (isOn: boolean) => changeOne(name, isOn ? on : null),
    }),
    sorts: sortable(params),
    clear,
    clearings,
    clearButton: <Button onClick={clear}>Clear filters</Button>,
    /** Undefined where the first page is shown. */
    toFirstPage: params.pageToken ? () => void set(firstPage) : undefined,
  }
}

/** A list's URL and what changes it, for its filters. */
export type ListOf<Definition extends List<UseQueryStatesKeysMap>> = ReturnType<
  typeof useListParams<Definition['parsers']>
>

/** A list by its URL: the filters, `search` as it is read, and the page that was read. A page that cannot be read is left for the first one. */
export function useList<
  All extends UseQueryStatesKeysMap,
  Search extends object,
  Data extends Page,
  Key extends QueryKey,
>(
  definition: List<All> & { toSearch: (params: inferParserType<All>, zone: PageZone) => Search },
  read: (search: Search) => UseQueryOptions<Data, Error, Data, Key>,
  { what, noun, pageSize = 50, ...named }: ListNames & { pageSize?: number },
) {
  const list = useListParams(definition)
  const search = definition.toSearch(list.params as inferParserType<All>, usePageZone())
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(read(search))
  const table: ListTableProps = {
    ...named,
    failure: data ? null : readFailure(error, what),
    onRetry: list.toFirstPage ?? (() => void refetch()),
    paging: data && { prevPageToken: data.prevPageToken, nextPageToken: data.nextPageToken, pageSize },
    isRefreshing: isPlaceholderData || (isFetching && data === undefined),
  }
  return { ...list, search, filters: withoutPage(search), data, noun, table }
}

/** How the texts of a filter are checked, where they are (`parseAsChecked`). */
function problemIn(parser: object | undefined): FindProblem | undefined {
  return parser && 'problem' in parser ? (parser.problem as FindProblem) : undefined
}
