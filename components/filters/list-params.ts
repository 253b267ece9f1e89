import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsArrayOf,
  parseAsString,
  parseAsStringLiteral,
  type SingleParserBuilder,
} from 'nuqs/server'
import { readSort, tableParams } from '#components/data-table/table-params.ts'
import type { PageZone } from '#components/ui/time-format.ts'
import { type Filter, type Filters, type SearchDefinition, type Sorts } from '#lib/api/search.ts'
import { dayRange, wholeDays } from './day-range.ts'
import { parseAsChecked, parseAsDay, parseAsDays, parseAsServiceId, parseAsUuid } from './filter-values.ts'

type Parsers = Parameters<typeof createLoader>[0]
type Given<Value> = NonNullable<Value> | undefined

/** The parser of a filter in the URL. The free text `q` is empty where it isn't set; every other filter is null. */
type FilterParser<One extends Filter, Name> = One extends { kind: 'choice'; choices: readonly (infer Choice)[] }
  ? SingleParserBuilder<Choice>
  : One extends { kind: 'texts' | 'ids' }
    ? SingleParserBuilder<string[]>
    : Name extends 'q'
      ? ReturnType<typeof parseAsString.withDefault>
      : SingleParserBuilder<string>
type ParsersOf<Filtered extends Filters> = { [Name in keyof Filtered]: FilterParser<Filtered[Name], Name> }

const parsersByKind: { [Kind in Filter['kind']]: (filter: Extract<Filter, { kind: Kind }>) => Parsers[string] } = {
  text: () => parseAsString,
  texts: () => parseAsArrayOf(parseAsString),
  id: () => parseAsServiceId,
  ids: () => parseAsArrayOf(parseAsServiceId),
  uuid: () => parseAsUuid,
  day: () => parseAsDay,
  days: ({ maximum }) => parseAsDays(maximum),
  choice: ({ choices }) => parseAsStringLiteral(choices),
  checked: ({ findProblem }) => parseAsChecked(findProblem),
}

function toParsers<Filtered extends Filters>(filters: Filtered): ParsersOf<Filtered> {
  const parsers = Object.entries(filters).map(([name, filter]) => [
    name,
    name === 'q'
      ? parseAsString.withDefault('')
      : (parsersByKind[filter.kind] as (filter: Filter) => Parsers[string])(filter),
  ])
  return Object.fromEntries(parsers) as ParsersOf<Filtered>
}

/** The page that a list opens with, as values of its URL. */
export const firstPage = { pageToken: null, from: null }

/** Search of a list's read: the filters that are set, and the page. */
type ListSearch<Filtered extends Filters> = {
  [Name in keyof Filtered]?: Given<inferParserType<ParsersOf<Filtered>[Name]>>
} & { pageToken?: string }

/** The sort of a list's read; a list without sorts has none. */
type SortSearch<Column extends string> = { sort?: Column; direction?: 'asc' | 'desc' }

/** The values of a list's URL. */
export type ParamsOf<List extends { parsers: Parsers }> = inferParserType<List['parsers']>

/**
 * The URL parameters of a list, by the names that the list is read with. The filters of its search narrow it; `view` does not: the
 * opened row. Days are whole days of the page's zone.
 */
export function defineListParams<
  Filtered extends Filters,
  Sorted extends Sorts,
  View extends Parsers = Record<never, never>,
>({ filters, sorts }: SearchDefinition<Filtered, Sorted>, view: View = {} as View) {
  const parsers = { ...toParsers(filters), ...view, ...tableParams }
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
      [Name in keyof Filtered | keyof typeof firstPage]: null
    },
    /** The columns that the list can be sorted by: whether it can as it is filtered now. */
    sortable: (params: object): Record<string, boolean> =>
      Object.fromEntries(Object.keys(sorts).map((column) => [column, isSortable(column, params)])),
    /** How many filters are set; a range of days is one. */
    activeFilters(params: object): number {
      const set = Object.keys(filtersSet(params))
      return set.includes('dateRangeFrom') && set.includes('dateRangeTo') ? set.length - 1 : set.length
    },
    /** What the list is read with, by the values of its URL: the filters, days as instants, the sort and the page. */
    toSearch(
      params: Partial<inferParserType<ParsersOf<Filtered>> & { pageToken: string | null; sort: string | null }>,
      zone: PageZone,
    ) {
      const set = filtersSet(params)
      return {
        ...set,
        ...toInstants(set, filters, zone),
        ...readableSort(params),
        ...(params.pageToken && { pageToken: params.pageToken }),
      } as ListSearch<Filtered> & SortSearch<keyof Sorted & string>
    },
  }
}

/** A list as `defineListParams` defines it. */
export type ListDefinition = ReturnType<typeof defineListParams>

/** The value of a filter that is set: trimmed text, or sorted values, so that equal filters have one cache key. */
function given(value: unknown): unknown {
  if (typeof value === 'string') return value.trim() || undefined
  if (!Array.isArray(value)) return value ?? undefined
  const items = value.filter((item) => item !== '')
  return items.length === 0 ? undefined : items.toSorted()
}

/** The instants of the days that are set: of a range its first and last, of any other day the first. */
function toInstants(set: Record<string, unknown>, filters: Filters, zone: PageZone): object {
  const { dateRangeFrom, dateRangeTo, ...others } = Object.fromEntries(
    Object.entries(set).filter(([name]) => filters[name]?.kind === 'day'),
  ) as Record<string, string>
  const { from, to } = wholeDays({ since: dateRangeFrom ?? null, until: dateRangeTo ?? null }, zone)
  return {
    ...Object.fromEntries(Object.entries(others).map(([name, day]) => [name, dayRange(day, zone.name).from])),
    ...(from && { dateRangeFrom: from }),
    ...(to && { dateRangeTo: to }),
  }
}
