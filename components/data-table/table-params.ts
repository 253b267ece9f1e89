import { parseAsInteger, parseAsString } from 'nuqs/server'
import type { DataColumn } from './data-column.ts'

/**
 * The URL parameters of a table: `sort` is a column's id, with a minus for descending; `pageToken` is the service's;
 * `from` is the number of the page's first row, which a keyset page cannot know by itself.
 */
export const tableParams = {
  sort: parseAsString,
  pageToken: parseAsString,
  from: parseAsInteger.withDefault(1),
}

export type Sort = { column: string; isDescending: boolean }

export function readSort(text: string | null): Sort | null {
  if (text === null || text === '' || text === '-') return null
  return text.startsWith('-') ? { column: text.slice(1), isDescending: true } : { column: text, isDescending: false }
}

export function writeSort(sort: Sort | null): string | null {
  return sort === null ? null : `${sort.isDescending ? '-' : ''}${sort.column}`
}

/** The sort after a press on a column's header: figures begin with the largest, then the other way round, then unsorted. */
export function nextSort(sort: Sort | null, { id, align }: Pick<DataColumn<never>, 'id' | 'align'>): Sort | null {
  const first = { column: id, isDescending: align === 'end' }
  if (sort?.column !== id) return first
  return sort.isDescending === first.isDescending ? { column: id, isDescending: !first.isDescending } : null
}
