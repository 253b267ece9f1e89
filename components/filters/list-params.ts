import { createLoader, createSerializer, type inferParserType } from 'nuqs/server'
import { readSort, tableParams } from '#components/data-table/table-params.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import { wholeDays } from './day-range.ts'

type Parsers = Parameters<typeof createLoader>[0]
type Given<Value> = NonNullable<Value> | undefined

/** The page that a list opens with, as values of its URL. */
export const firstPage = { pageToken: null, from: null }

/** Search of a list's read: the filters that are set, and the page. */
type ListSearch<Filters extends Parsers> = {
  [Name in keyof Filters]?: Given<inferParserType<Filters>[Name]>
} & { pageToken?: string }

/** The sort of a list's read; a list without sorts has none. */
type SortSearch<Column extends string> = { sort?: Column; direction?: 'asc' | 'desc' }

/** For `satisfies`: a filter that the read does not know is an error. */
export type FilterNames<Search> = { [Name in keyof Search]?: unknown }

/** The columns that a list can be sorted by, each with the filters of which one must be set; none where it always can be. */
type Sorts<Filters> = Readonly<Record<string, readonly Extract<keyof Filters, string>[]>>

/** The values of a list's URL. */
export type ParamsOf<List extends { parsers: Parsers }> = inferParserType<List['parsers']>

/**
 * The URL parameters of a list, by the names that the list is read with. `filters` narrow it; `view` does not: the opened row. Days of
 * `dateRangeFrom` and `dateRangeTo` are whole days of the page's zone.
 */
export function defineListParams<
  Filters extends Parsers,
  View extends Parsers = Record<never, never>,
  Sorted extends Sorts<Filters> = Record<never, never>,
>(filters: Filters, view: View = {} as View, sorts: Sorted = {} as Sorted) {
  const parsers = { ...filters, ...view, ...tableParams }
  const names = Object.keys(filters)

  /** The filters that are set, by name. */
  function filtersSet(params: object): Record<string, unknown> {
    const values = params as Record<string, unknown>
    return Object.fromEntries(
      names.map((name) => [name, given(values[name])]).filter(([, value]) => value !== undefined),
    )
  }

  function isSortable(column: string, params: object): column is keyof Sorted & string {
    if (!Object.hasOwn(sorts, column)) return false
    const needed = sorts[column] ?? []
    const set = filtersSet(params)
    return needed.length === 0 || needed.some((name) => name in set)
  }

  /** The sort of the read; none where the list cannot be sorted by the column as it is filtered now. */
  function readableSort(params: { sort?: string | null }): SortSearch<keyof Sorted & string> {
    const sort = readSort(params.sort ?? null)
    if (!sort || !isSortable(sort.column, params)) return {}
    return { sort: sort.column, direction: sort.isDescending ? 'desc' : 'asc' }
  }

  return {
    parsers,
    load: createLoader(parsers),
    /** The URL of the list with other values, such as an opened row. */
    href: createSerializer(parsers),
    /** Takes every filter away; the view stays. */
    cleared: { ...Object.fromEntries(names.map((name) => [name, null])), ...firstPage } as {
      [Name in keyof Filters | keyof typeof firstPage]: null
    },
    /** The columns that the list can be sorted by: whether it can as it is filtered now. */
    sortable: (params: object): Record<string, boolean> =>
      Object.fromEntries(Object.keys(sorts).map((column) => [column, isSortable(column, params)])),
    /** How many filters are set; a range of days is one. */
    activeFilters(params: Partial<inferParserType<Filters>>): number {
      const set = Object.keys(filtersSet(params))
      return set.includes('dateRangeFrom') && set.includes('dateRangeTo') ? set.length - 1 : set.length
    },
    /** What the list is read with, by the values of its URL: the filters, days as instants, the sort and the page. */
    toSearch(
      params: Partial<inferParserType<Filters> & { pageToken: string | null; sort: string | null }>,
      zone: PageZone,
    ) {
      const filters = filtersSet(params)
      return {
        ...filters,
        ...toInstants(filters, zone),
        ...readableSort(params),
        ...(params.pageToken && { pageToken: params.pageToken }),
      } as ListSearch<Filters> & SortSearch<keyof Sorted & string>
    },
  }
}

/** A list as `defineListParams` defines it. */
export type ListDefinition = ReturnType<typeof defineListParams>

type PageAndSort = { pageToken?: unknown; sort?: unknown; direction?: unknown }

/** The filters of a search: what a job of all that match, a total or a count is about. */
export function withoutPage<Search extends object>(search: Search): Omit<Search, keyof PageAndSort> {
  const { pageToken: _pageToken, sort: _sort, direction: _direction, ...filters } = search as Search & PageAndSort
  return filters
}

/** The value of a filter that is set: trimmed text, or sorted values, so that equal filters have one cache key. */
function given(value: unknown): unknown {
  if (typeof value === 'string') return value.trim() || undefined
  if (!Array.isArray(value)) return value ?? undefined
  const items = value.filter((item) => item !== '')
  return items.length === 0 ? undefined : items.toSorted()
}

function toInstants({ dateRangeFrom, dateRangeTo }: Record<string, unknown>, zone: PageZone): object {
  if (dateRangeFrom === undefined && dateRangeTo === undefined) return {}
  const { from, to } = wholeDays({ since: toText(dateRangeFrom), until: toText(dateRangeTo) }, zone)
  return { ...(from && { dateRangeFrom: from }), ...(to && { dateRangeTo: to }) }
}

const toText = (value: unknown) => (typeof value === 'string' ? value : null)
