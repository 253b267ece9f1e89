import { parseAsInteger, parseAsString } from 'nuqs/server'

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
