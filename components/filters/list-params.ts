import { createLoader, createSerializer, type inferParserType, parseAsInteger, parseAsString } from 'nuqs/server'
import { readSort } from '#components/data-table/table-params.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import { wholeDays } from './day-range.ts'

type Parsers = Parameters<typeof createLoader>[0]
type Given<Value> = NonNullable<Value> | undefined

const paging = { pageToken: parseAsString, from: parseAsInteger.withDefault(1) }

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
  const parsers = { ...filters, ...view, sort: parseAsString, ...paging }
  const names = Object.keys(filters)
  const read = (params: object, name: string) => (params as Record<string, unknown>)[name]
  const isSet = (params: object, name: string) => given(read(params, name)) !== undefined

  /** Whether the list can be sorted by a column as it is filtered now. */
  function isSortable(column: string, params: object): column is keyof Sorted & string {
    if (!Object.hasOwn(sorts, column)) return false
    const needed = sorts[column] ?? []
    return needed.length === 0 || needed.some((name) => isSet(params, name))
  }

  return {
    parsers,
    sorts: sorts as Sorts<Filters>,
    isSortable,
    load: createLoader(parsers),
    /** The URL of the list with other values, such as an opened row. */
    href: createSerializer(parsers),
    /** Takes every filter away; the view stays. */
    cleared: Object.fromEntries([...names, ...Object.keys(paging)].map((name) => [name, null])) as {
      [Name in keyof (Filters & typeof paging)]: null
    },
    /** How many filters are set; a range of days is one. */
    activeFilters(params: Partial<inferParserType<Filters>>): number {
      const set = names.filter((name) => isSet(params, name))
      return set.includes('dateRangeFrom') && set.includes('dateRangeTo') ? set.length - 1 : set.length
    },
    toSearch(
      params: Partial<inferParserType<Filters> & { pageToken: string | null; sort: string | null }>,
      zone: PageZone,
    ) {
      const set = names.flatMap((name) => {
        const value = given(read(params, name))
        return value === undefined ? [] : [[name, value] as const]
      })
      const search: Record<string, unknown> = {
        ...Object.fromEntries(set),
        ...toInstants(Object.fromEntries(set), zone),
      }
      const sort = readSort(params.sort ?? null)
      if (sort && isSortable(sort.column, params)) {
        search.sort = sort.column
        search.direction = sort.isDescending ? 'desc' : 'asc'
      }
      if (params.pageToken) search.pageToken = params.pageToken
      return search as ListSearch<Filters> & SortSearch<keyof Sorted & string>
    },
  }
}

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
