'use client'

import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { useQueryStates, type inferParserType, type UseQueryStatesKeysMap } from 'nuqs'
import type { DataTableProps } from '#components/data-table/data-table.tsx'
import { Button } from '#components/ui/button.tsx'
import { readFailure } from './read-failure.ts'

type Parsers = UseQueryStatesKeysMap
type List<All extends Parsers> = {
  parsers: All
  cleared: Partial<Record<keyof All, null>>
  activeFilters: (params: inferParserType<All>) => number
}
type Page = { prevPageToken: string | null; nextPageToken: string | null }

/** What the URL of a list holds. `change` sets filters and goes to the first page. */
export function useListParams<All extends Parsers>({ parsers, cleared, activeFilters }: List<All>) {
  const [params, setParams] = useQueryStates(parsers, { history: 'push' })
  const set = setParams as (values: object) => Promise<URLSearchParams>
  const active = activeFilters(params as inferParserType<All>)
  const clear = () => void set(cleared)
  return {
    params,
    setParams,
    /** How many filters are set; a range of days is one. */
    active,
    isFiltered: active > 0,
    /** Texts are read back by their parsers, as those of a URL are. */
    change: (values: { [Name in keyof All]?: string | readonly string[] | null }) =>
      void set({ ...values, pageToken: null, from: null }),
    clear,
    clearButton: <Button onClick={clear}>Clear filters</Button>,
    /** Undefined where the first page is shown. */
    toFirstPage: params.pageToken ? () => void set({ pageToken: null, from: null }) : undefined,
  }
}

/** A list's URL and what changes it, for its filter bar. */
export type ListOf<Definition extends List<Parsers>> = ReturnType<typeof useListParams<Definition['parsers']>>

/** The read of a list, with what its table shows of it: a page that cannot be read is left for the first one. */
export function useListRead<Data extends Page, Key extends QueryKey>(
  options: UseQueryOptions<Data, Error, Data, Key>,
  { what, pageSize, toFirstPage }: { what: string; pageSize: number; toFirstPage?: (() => void) | undefined },
) {
  const query = useQuery(options)
  const { data, error, isFetching, isPlaceholderData, refetch } = query
  const table: Pick<DataTableProps<never>, 'failure' | 'onRetry' | 'paging' | 'isRefreshing'> = {
    failure: data ? null : readFailure(error, what),
    onRetry: toFirstPage ?? (() => void refetch()),
    paging: data && { prevPageToken: data.prevPageToken, nextPageToken: data.nextPageToken, pageSize },
    isRefreshing: isPlaceholderData || (isFetching && data === undefined),
  }
  return { ...query, table }
}
