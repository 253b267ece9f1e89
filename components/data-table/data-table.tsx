'use client'

import { useTable, type ColumnDef, type RowSelectionState } from '@tanstack/react-table'
import { clsx } from 'clsx'
import { useQueryStates } from 'nuqs'
import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import { Callout } from '#components/ui/callout.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { ErrorState, type Failure } from '#components/ui/error-state.tsx'
import { usePreferences } from '#components/ui/preferences-provider.tsx'
import { features, type DataColumn, type RowData, type TableFeatures } from './data-column.ts'
import { SkeletonRows, TableBody } from './table-body.tsx'
import { TableFooter } from './table-footer.tsx'
import { TableHead } from './table-head.tsx'
import { readSort, tableParams, writeSort, type Sort } from './table-params.ts'
import { useRowKeys } from './use-row-keys.ts'

/** Lets rows be chosen, on every page, Shift-click from the row chosen last; `selected` holds row ids. `formatLabel` names a row, `isChoosable` leaves some out. */
type RowSelection<Row> = {
  selected: ReadonlySet<string>
  onChange: (selected: Set<string>) => void
  isChoosable?: (row: Row) => boolean
  formatLabel?: (row: Row) => string
}

export type DataTableProps<Row> = {
  /** Names the table in the column cookie. Unique in the project; letters, digits and hyphens. */
  tableId: string
  /** Name of the table for a screen reader. */
  caption: string
  columns: readonly DataColumn<Row>[]
  /** Undefined while they load. */
  rows: readonly Row[] | undefined
  rowId: (row: Row) => string
  /** Where a row leads: its first cell becomes the link, and the whole row may be pressed. */
  rowHref?: ((row: Row) => string | null) | undefined
  empty: { title: string; body?: ReactNode; actions?: ReactNode; icon?: ReactNode }
  failure?: Failure | null | undefined
  onRetry?: (() => void) | undefined
  /** The rows are refetched, or another page loads. */
  isRefreshing?: boolean
  /** Keyset paging: the service's tokens; leave it out for a list without pages. */
  paging?: { prevPageToken: string | null; nextPageToken: string | null; pageSize?: number } | undefined
  total?: number | null | undefined
  /** Totals of what the filter leaves, beside the range. */
  totals?: ReactNode
  selection?: RowSelection<Row> | undefined
  /** Has a surface of its own unless a Panel holds it. */
  isBare?: boolean
  skeletonRows?: number
}

/** A page of which nothing is left, before others: a service may ignore the filter. */
const emptyPage = { title: 'Nothing on this page', body: 'The next page may have more.', actions: undefined }

/**
 * A list with its four states. Sorting and pages are in the URL (`tableParams`), columns and density in
 * cookies; the server sorts and cuts. j and k move through the rows, Enter opens one.
 */
export function DataTable<Row extends RowData>({
  tableId,
  caption,
  columns,
  rows,
  rowId,
  rowHref,
  empty,
  failure,
  onRetry,
  isRefreshing = false,
  paging,
  total,
  totals,
  selection,
  isBare = false,
  skeletonRows = 8,
}: DataTableProps<Row>) {
  const region = useRef<HTMLDivElement>(null)
  const isOverflowing = useIsOverflowing(region)
  useRowKeys(region)
  const { columns: chosenColumns, density } = usePreferences()
  const chosen = chosenColumns[tableId]
  const [address, setAddress] = useQueryStates(tableParams, { history: 'push' })
  const columnVisibility = useMemo(() => findVisible(columns, chosen), [columns, chosen])
  const shownColumns = useMemo(() => columns.filter(({ id }) => columnVisibility[id]), [columns, columnVisibility])
  const table = useRowTable({
    columns,
    columnVisibility,
    rows,
    rowId,
    selection,
    sort: readSort(address.sort),
    onSort: (sort) => void setAddress({ sort: writeSort(sort), pageToken: null, from: null }),
  })

  const isLoading = rows === undefined && !failure
  const hasRows = rows !== undefined && rows.length > 0
  // A page that names itself as the next is the last one that can be read.
  const isRepeated = !isRefreshing && paging?.nextPageToken === address.pageToken
  const nextPageToken = isRepeated ? null : paging?.nextPageToken
  const hasNextPage = Boolean(nextPageToken)
  const shownEmpty = hasNextPage ? emptyPage : empty
  const pageSize = paging?.pageSize ?? rows?.length ?? 0
  // A service may name no page before this one.
  const from = address.pageToken === null ? 1 : address.from
  const turn = (pageToken: string | null, first: number) => () =>
    void setAddress({ pageToken, from: first }, { scroll: true })

  return (
    <div
      data-density={density}
      className={clsx('group/table @container min-w-0', !isBare && 'overflow-clip rounded-panel border bg-surface')}
    >
      <div
        ref={region}
        data-table-region
        {...(isOverflowing ? { role: 'region', 'aria-label': caption, tabIndex: 0 } : {})}
        className={clsx(
          'shown-whole relative -outline-offset-2',
          isOverflowing === null && 'max-lg:overflow-x-auto lg:overflow-x-clip',
          isOverflowing === true && 'overflow-x-auto',
          isOverflowing === false && 'overflow-x-clip',
        )}
      >
        <table aria-busy={isLoading || isRefreshing} className="w-full border-separate border-spacing-0">
          <caption className="sr-only">
            {caption}
            {isLoading && ', loading'}
          </caption>
          <TableHead
            table={table}
            columns={columns}
            isPrioritised={chosen === undefined}
            isSticky={isOverflowing !== true}
            isSelectable={selection !== undefined}
          />
          {isLoading && (
            <SkeletonRows
              columns={shownColumns}
              isPrioritised={chosen === undefined}
              isSelectable={selection !== undefined}
              rows={skeletonRows}
            />
          )}
          {hasRows && (
            <TableBody
              table={table}
              columns={shownColumns}
              isPrioritised={chosen === undefined}
              isSelectable={selection !== undefined}
              formatLabel={selection?.formatLabel}
              isFaded={isRefreshing}
              rowHref={rowHref}
            />
          )}
        </table>
        <span data-end hidden />
      </div>
      {isLoading && <output className="sr-only">Loading {caption}</output>}
      {failure && hasRows && (
        <Callout tone="warn" title={failure.title} className="m-3" isAlert>
          These rows may be out of date. {failure.detail}
        </Callout>
      )}
      {failure && !hasRows && <ErrorState failure={failure} onRetry={onRetry} isRetrying={isRefreshing} />}
      {!failure && rows?.length === 0 && (
        <EmptyState title={shownEmpty.title} icon={empty.icon} actions={shownEmpty.actions}>
          {shownEmpty.body}
        </EmptyState>
      )}
      {hasRows && chosen === undefined && <HiddenColumns columns={shownColumns} />}
      {(hasRows || isLoading || hasNextPage) && (paging || totals || total) && (
        <TableFooter
          from={from}
          rows={rows?.length ?? null}
          total={total}
          totals={totals}
          hasPages={paging !== undefined}
          onPrevious={paging?.prevPageToken ? turn(paging.prevPageToken, Math.max(1, from - pageSize)) : null}
          onNext={nextPageToken ? turn(nextPageToken, from + pageSize) : null}
          isTurning={isRefreshing}
        />
      )}
    </div>
  )
}

/** The first column is always shown, and an extra one where it was chosen. */
function findVisible<Row>(columns: readonly DataColumn<Row>[], chosen: readonly string[] | undefined) {
  return Object.fromEntries(
    columns.map(({ id, isHideable, isExtra = false }, index) => [
      id,
      index === 0 || isHideable === false || (chosen?.includes(id) ?? !isExtra),
    ]),
  )
}

/** The table of rows that the server sorts: what is shown, sorted by and chosen is its caller's. */
function useRowTable<Row extends RowData>({
  columns,
  columnVisibility,
  rows,
  rowId,
  selection,
  sort,
  onSort,
}: Pick<DataTableProps<Row>, 'columns' | 'rows' | 'rowId' | 'selection'> & {
  columnVisibility: Record<string, boolean>
  sort: Sort | null
  onSort: (sort: Sort | null) => void
}) {
  const definitions = useMemo(
    () =>
      columns.map((column): ColumnDef<TableFeatures, Row> => ({
        id: column.id,
        header: column.header,
        cell: ({ row }) => column.cell(row.original),
        // The server sorts; the table only needs an accessor before it lets a column be sorted.
        accessorFn: () => null,
        enableSorting: column.isSortable ?? false,
        sortDescFirst: column.align === 'end',
      })),
    [columns],
  )
  const data = useMemo(() => (rows ? [...rows] : []), [rows])
  const isSorted = columns.some(({ id, isSortable }) => isSortable && id === sort?.column)
  const sorting = sort && isSorted ? [{ id: sort.column, desc: sort.isDescending }] : []
  const rowSelection: RowSelectionState = Object.fromEntries(
    [...(selection?.selected ?? [])].map((id) => [id, true as const]),
  )
  return useTable({
    features,
    columns: definitions,
    data,
    getRowId: rowId,
    manualSorting: true,
    enableRowSelection: ({ original }) => selection !== undefined && (selection.isChoosable?.(original) ?? true),
    state: { sorting, columnVisibility, rowSelection },
    onSortingChange: (updater) => {
      const [next] = typeof updater === 'function' ? updater(sorting) : updater
      onSort(next ? { column: next.id, isDescending: next.desc } : null)
    },
    onRowSelectionChange: (updater) => {
      const next = typeof updater === 'function' ? updater(rowSelection) : updater
      selection?.onChange(new Set(Object.keys(next).filter((id) => next[id])))
    },
  })
}

const missingAt = { 1: '', 2: '@max-[40rem]:inline', 3: '@max-[56rem]:inline', 4: '@max-[72rem]:inline' }

/** Names the columns of figures that have no room at this width: a missing column must not look like a missing amount. */
function HiddenColumns<Row>({ columns }: { columns: readonly DataColumn<Row>[] }) {
  const figures = columns.filter(({ align, priority = 1, isUnnoted }) => align === 'end' && priority > 1 && !isUnnoted)
  if (figures.length === 0) return null
  const lowest = figures.reduce<1 | 2 | 3 | 4>((most, { priority = 1 }) => (priority > most ? priority : most), 1)
  return (
    <p className={clsx('hidden border-t px-4 py-1.5 text-xs text-faint', lineAt[lowest])}>
      Not shown at this width
      {figures.map(({ id, header, priority = 1 }) => (
        <span key={id} className={clsx('hidden', missingAt[priority])}>
          {' · '}
          {header}
        </span>
      ))}
    </p>
  )
}

const lineAt = { 1: '', 2: '@max-[40rem]:block', 3: '@max-[56rem]:block', 4: '@max-[72rem]:block' }

/**
 * Whether a table is wider than its region. Then the region scrolls by itself and takes the keyboard; otherwise it
 * clips, which lets the header row stick to the window. Null before it is measured.
 */
function useIsOverflowing(region: RefObject<HTMLElement | null>): boolean | null {
  const [isOverflowing, setIsOverflowing] = useState<boolean | null>(null)
  useEffect(() => {
    const element = region.current
    const table = element?.querySelector('table')
    if (!element || !table) return
    const observer = new ResizeObserver(() => setIsOverflowing(table.scrollWidth > element.clientWidth + 1))
    observer.observe(element)
    observer.observe(table)
    return () => observer.disconnect()
  }, [region])
  return isOverflowing
}
