import type { Environment } from '#lib/shared/routes.ts'
import type { CsvCell } from '../desk/csv/write.ts'
import { maskedForReader } from '../desk/masked-reads.ts'
import type { Permission } from '../desk/permissions.ts'

/** Search parameters as a page or an address has them. */
export type ExportSearch = Readonly<Record<string, string | string[] | undefined>>

/** How an instant is written: `2026-11-21 15:04:05` in the zone that the file names. */
export type InstantText = (instant: string | null | undefined) => string | null

/** A column of the file. `of` is the column of the list's table that it belongs to. */
type Column<Row> = { name: string; of?: string; value: (row: Row, at: InstantText) => CsvCell }

/** A list that can be exported: the very function that fills its page, called to the end. */
export type ExportList = {
  title: string
  permission: Permission
  columns: readonly Column<unknown>[]
  readPage: (
    environment: Environment,
    search: ExportSearch,
    pageToken: string | undefined,
  ) => Promise<ExportPage<unknown>>
}

/**
 * One page. `excluded` counts records that could not be read; `missing` says why the list lacks others, null where it lacks
 * none.
 */
type ExportPage<Row> = {
  rows: readonly Row[]
  nextPageToken: string | null
  excluded?: number
  missing?: string | null
}

/** The largest page that the console's lists give. */
const exportPageSize = '100'

export function exportOf<Row>({
  title,
  permission,
  columns,
  read,
}: {
  title: string
  permission: Permission
  columns: readonly Column<Row>[]
  /** One page of the list, by the search of its screen with `pageSize` and `pageToken`. */
  read: (environment: Environment, search: ExportSearch) => Promise<ExportPage<Row>>
}): ExportList {
  return {
    title,
    permission,
    // The rows that a column gets are those that `readPage` of the same list gives.
    columns: columns as readonly Column<unknown>[],
    async readPage(environment, search, pageToken) {
      const found = await read(environment, { ...search, pageSize: exportPageSize, pageToken })
      return maskedForReader(found, environment)
    },
  }
}

/** What the console's mirror of a list lacks. It is the same on every page, so the first one counts it. */
export function mirrorGaps(
  { excluded, isComplete }: { excluded: number; isComplete: boolean },
  search: ExportSearch,
): Pick<ExportPage<unknown>, 'excluded' | 'missing'> {
  return {
    excluded: search.pageToken === undefined ? excluded : 0,
    missing: isComplete ? null : 'the console has not read the whole list from the service',
  }
}

/** Metadata as one cell: text as it is, anything else as JSON. */
export function metadataCell(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
