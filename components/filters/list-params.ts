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

/** For `satisfies`: a filter that the read does not know is an error. */
export type FilterNames<Search> = { [Name in keyof Search]?: unknown }

/** The values of a list's URL. */
export type ParamsOf<List extends { parsers: Parsers }> = inferParserType<List['parsers']>

/**
 * The URL parameters of a list, by the names that the list is read with. `filters` narrow it; `view` does not: the opened row, the
 * sort. Days of `dateRangeFrom` and `dateRangeTo` are whole days of the page's zone.
 */
export function defineListParams<Filters extends Parsers, View extends Parsers = Record<never, never>>(
  filters: Filters,
  view: View = {} as View,
) {
  const parsers = { ...filters, ...view, ...paging }
  const names = Object.keys(filters)
  const read = (params: object, name: string) => (params as Record<string, unknown>)[name]
  return {
    parsers,
    load: createLoader(parsers),
    /** The URL of the list with other values, such as an opened row. */
    href: createSerializer(parsers),
    /** Takes every filter away; the view stays. */
    cleared: Object.fromEntries([...names, ...Object.keys(paging)].map((name) => [name, null])) as {
      [Name in keyof (Filters & typeof paging)]: null
    },
    /** How many filters are set; a range of days is one. */
    activeFilters(params: Partial<inferParserType<Filters>>): number {
      const set = names.filter((name) => given(read(params, name)) !== undefined)
      return set.includes('dateRangeFrom') && set.includes('dateRangeTo') ? set.length - 1 : set.length
    },
    toSearch(params: Partial<inferParserType<Filters> & { pageToken: string | null }>, zone: PageZone) {
      const set = names.flatMap((name) => {
        const value = given(read(params, name))
        return value === undefined ? [] : [[name, value] as const]
      })
      const search: Record<string, unknown> = {
        ...Object.fromEntries(set),
        ...toInstants(Object.fromEntries(set), zone),
      }
      if (params.pageToken) search.pageToken = params.pageToken
      return search as ListSearch<Filters>
    },
  }
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

/** The sort of a URL as a read takes it; nothing where the list has no such sort. */
export function parseSort<Column extends string>(
  text: string | null,
  isSortable: (column: string) => column is Column,
): { sort?: Column; direction?: 'asc' | 'desc' } {
  const sort = readSort(text)
  return sort && isSortable(sort.column) ? { sort: sort.column, direction: sort.isDescending ? 'desc' : 'asc' } : {}
}

/** The list whose search has the sort of its URL, too, where `isSortable` allows it beside the filters as they are. */
export function withSort<Params, Search, Rest extends object, Beside, Column extends string>(
  { toSearch, ...rest }: Rest & { toSearch: (params: Params, zone: PageZone) => Search },
  isSortable: (column: string, beside: Beside) => column is Column,
) {
  return {
    ...rest,
    toSearch: (params: Params & Beside & { sort: string | null }, zone: PageZone) => ({
      ...toSearch(params, zone),
      ...parseSort(params.sort, (column): column is Column => isSortable(column, params)),
    }),
  }
}
