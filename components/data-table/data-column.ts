import { columnVisibilityFeature, rowSelectionFeature, rowSortingFeature, tableFeatures } from '@tanstack/react-table'
import type { ReactNode } from 'react'

export type DataColumn<Row> = {
  /** The name of its sort in `lib/api`, where it can be sorted. The `of` of an export names it, and cookies store it. */
  id: string
  header: string
  /** Explains the header in a tooltip. */
  hint?: string
  /** The cell, a dash where it is null or an empty text. In the first column of a table with `rowHref` this is the text of the row's link: no buttons in it. */
  cell: (row: Row) => ReactNode
  /** A second, quieter line of the cell, outside the row's link: an id. Not shown in dense rows. */
  below?: (row: Row) => ReactNode
  /** Text that a button at the end of the cell copies, such as the whole id. It shows while the row is pointed at or focused. */
  copy?: (row: Row) => { text: string; label: string } | null
  align?: 'start' | 'end'
  /** Nothing notes its absence where it has no room: it holds buttons, or another cell shows its figure there. */
  isUnnoted?: true
  /** 1 is always shown, 2 from a table width of 40 rem, 3 from 56 rem, 4 from 72 rem. */
  priority?: 1 | 2 | 3 | 4
  /** The server can sort by it: the URL gets `sort=id` or `sort=-id`. A list (`ListTable`) takes it from its definition. */
  isSortable?: boolean
  /** It is shown once a person chooses it. */
  isExtra?: boolean
  /** False keeps it out of the column chooser: it is always there. The first column always is. */
  isHideable?: boolean
}

/** Where columns of a priority appear, by the width of the table's own container. */
export const priorityStyle: Record<NonNullable<DataColumn<unknown>['priority']>, string> = {
  1: '',
  2: '@max-[40rem]:hidden',
  3: '@max-[56rem]:hidden',
  4: '@max-[72rem]:hidden',
}

/**
 * The column as it can be sorted now: amounts of several currencies cannot be sorted, and the header says why. Undefined for a column that
 * the list is never sorted by.
 */
export function sortableWithin<Row>(column: DataColumn<Row>, isSortable: boolean | undefined): DataColumn<Row> {
  if (isSortable === undefined) return column
  if (isSortable) return { ...column, isSortable }
  const advice = 'Choose a currency to sort by amount'
  return { ...column, hint: column.hint ? `${column.hint}. ${advice}` : advice }
}

export const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature, rowSortingFeature })
export type TableFeatures = typeof features
export type { RowData } from '@tanstack/react-table'
