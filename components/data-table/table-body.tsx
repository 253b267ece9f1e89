'use client'

import type { ReactTable, Row as TanStackRow } from '@tanstack/react-table'
import { clsx } from 'clsx'
import { memo, type MouseEvent, type ReactNode, useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { BareCheckbox } from '#components/form/checkbox.tsx'
import { CopyButton } from '#components/ui/id-text.tsx'
import { Link } from '#components/ui/link.tsx'
import { isMissing, noValue } from '#components/ui/not-provided.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { priorityStyle, type DataColumn, type RowData, type TableFeatures } from './data-column.ts'

const linkStyle =
  'inline-block max-w-full rounded-chip py-0.5 font-medium text-ink hover:underline hover:decoration-faint hover:underline-offset-2'

// A narrow table needs the room for its text; the record that the row opens has the button too.
const copyStyle =
  '@max-[40rem]:hidden pointer-fine:opacity-0 pointer-fine:group-hover/row:opacity-100 pointer-fine:group-focus-within/row:opacity-100'

function CellContent({
  below,
  copy,
  isEnd,
  children,
}: {
  below: ReactNode
  copy: ReactNode
  isEnd: boolean
  children: ReactNode
}) {
  const hasBelow = below !== undefined && below !== null
  if (!hasBelow && copy === null) return children
  return (
    <div className={clsx('flex items-center gap-2', isEnd && 'justify-end')}>
      <div className="min-w-0">
        {children}
        {hasBelow && (
          <div className="-mt-1 pb-0.5 text-2xs/4 text-faint group-data-[density=dense]/table:hidden">{below}</div>
        )}
      </div>
      {copy}
    </div>
  )
}

/** A click anywhere in the row, outside its controls and links, opens the row. */
function openRow(event: MouseEvent<HTMLTableRowElement>) {
  if (event.target instanceof Element && event.target.closest('a, button, input, label, select, dialog, [role="menu"]'))
    return
  if (window.getSelection()?.isCollapsed === false) return
  const link = event.currentTarget.querySelector<HTMLAnchorElement>('a[data-row-link]')
  if (!link) return
  if (event.ctrlKey || event.metaKey) window.open(link.href, '_blank', 'noopener')
  else link.click()
}

export function TableBody<Row extends RowData>({
  table,
  columns,
  isPrioritised,
  isSelectable,
  formatLabel,
  isFaded,
  rowHref,
}: {
  table: ReactTable<TableFeatures, Row>
  /** Those that are shown. */
  columns: readonly DataColumn<Row>[]
  isPrioritised: boolean
  isSelectable: boolean
  formatLabel: ((row: Row) => string) | undefined
  isFaded: boolean
  rowHref: ((row: Row) => string | null) | undefined
}) {
  const { rows } = table.getRowModel()
  const hrefs = useMemo(() => rows.map(({ original }) => rowHref?.(original) ?? undefined), [rows, rowHref])
  const labels = useMemo(
    () => rows.map(({ original, index }) => `Choose ${formatLabel?.(original) ?? `row ${index + 1}`}`),
    [rows, formatLabel],
  )
  const last = useRef<string | null>(null)
  // Rows are memoized: what they call must not change with the selection.
  const current = useRef(table)
  useLayoutEffect(() => {
    current.current = table
  }, [table])
  const onChoose = useCallback((id: string, isChosen: boolean, isRange: boolean) => {
    const { rows } = current.current.getRowModel()
    const at = rows.findIndex((row) => row.id === id)
    const from = isRange ? rows.findIndex((row) => row.id === last.current) : at
    last.current = id
    const [first, final] = from === -1 ? [at, at] : [Math.min(from, at), Math.max(from, at)]
    const ids = rows.slice(first, final + 1).filter((row) => row.getCanSelect())
    const others = Object.entries(current.current.state.rowSelection).filter(
      ([id]) => !ids.some((row) => row.id === id),
    )
    const now = isChosen ? ids.map((row) => [row.id, true] as const) : []
    current.current.setRowSelection(Object.fromEntries([...others, ...now]))
  }, [])
  return (
    <tbody className={clsx('transition-opacity [&>tr:last-child>td]:border-b-0', isFaded && 'opacity-60')}>
      {rows.map((row, at) => (
        <TableRow
          key={row.id}
          row={row}
          columns={columns}
          isPrioritised={isPrioritised}
          choice={
            !isSelectable ? 'none' : !row.getCanSelect() ? 'never' : row.getIsSelected() ? 'chosen' : 'not chosen'
          }
          label={isSelectable ? (labels[at] ?? '') : ''}
          href={hrefs[at]}
          onChoose={onChoose}
        />
      ))}
    </tbody>
  )
}

type TableRowProps<Row extends RowData> = {
  /** Memoized by the table until its data change. */
  row: TanStackRow<TableFeatures, Row>
  columns: readonly DataColumn<Row>[]
  isPrioritised: boolean
  /** `none` where a table has nothing to choose, `never` for a row of one that has. */
  choice: 'none' | 'never' | 'not chosen' | 'chosen'
  label: string
  href: string | undefined
  /** `isRange`: with every row from the one that was chosen last. */
  onChoose: (id: string, isChosen: boolean, isRange: boolean) => void
}

/** Memoized: selecting one row must not render the others again. */
const TableRow = memo(function TableRow<Row extends RowData>({
  row,
  columns,
  isPrioritised,
  choice,
  label,
  href,
  onChoose,
}: TableRowProps<Row>) {
  return (
    // The row's own link is the way for the keyboard; the press on the row only repeats it for the mouse.
    <tr
      onClick={href ? openRow : undefined}
      aria-selected={choice === 'none' ? undefined : choice === 'chosen'}
      className={clsx(
        // A row is painted by itself: what changes in one leaves the others as they are.
        'group/row isolate has-[[data-row-link]:focus-visible]:bg-accent-wash aria-selected:bg-accent-wash',
        href && 'cursor-pointer hover:bg-hover',
      )}
    >
      {choice !== 'none' && (
        <td className="table-cell-box w-10">
          {choice !== 'never' && (
            <BareCheckbox
              aria-label={label}
              data-row-choice
              checked={choice === 'chosen'}
              onChange={({ target, nativeEvent }) =>
                onChoose(row.id, target.checked, nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey)
              }
            />
          )}
        </td>
      )}
      <RowCells row={row.original} columns={columns} isPrioritised={isPrioritised} href={href} />
    </tr>
  )
}) as <Row extends RowData>(props: TableRowProps<Row>) => ReactNode

type RowCellsProps<Row extends RowData> = {
  row: Row
  columns: readonly DataColumn<Row>[]
  isPrioritised: boolean
  href: string | undefined
}

/** Memoized apart from the row, which renders again when it is selected. */
const RowCells = memo(function RowCells<Row extends RowData>({
  row,
  columns,
  isPrioritised,
  href,
}: RowCellsProps<Row>) {
  return columns.map((column, index) => {
    const cell = column.cell(row)
    const content = isMissing(cell) ? <span className="text-faint">{noValue}</span> : cell
    const copy = column.copy?.(row)
    return (
      <td
        key={column.id}
        className={clsx(
          'table-cell-box',
          column.align === 'end' ? 'text-right' : 'text-left',
          isPrioritised && priorityStyle[column.priority ?? 1],
        )}
      >
        <CellContent
          below={column.below?.(row)}
          isEnd={column.align === 'end'}
          copy={copy ? <CopyButton text={copy.text} label={copy.label} className={copyStyle} /> : null}
        >
          {index === 0 && href ? (
            <Link data-row-link href={href} className={linkStyle}>
              {content}
            </Link>
          ) : (
            content
          )}
        </CellContent>
      </td>
    )
  })
}) as <Row extends RowData>(props: RowCellsProps<Row>) => ReactNode

const widths = ['w-32', 'w-24', 'w-20', 'w-28', 'w-16']

/** Placeholder rows, as high as real ones, so that nothing moves when the rows arrive. */
export function SkeletonRows<Row>({
  columns,
  isPrioritised,
  isSelectable,
  rows,
}: {
  columns: readonly DataColumn<Row>[]
  isPrioritised: boolean
  isSelectable: boolean
  rows: number
}) {
  return (
    <tbody aria-hidden="true" className="[&>tr:last-child>td]:border-b-0">
      {Array.from({ length: rows }, (_, row) => (
        <tr key={row}>
          {isSelectable && (
            <td className="table-cell-box w-10">
              <Skeleton className="size-4" />
            </td>
          )}
          {columns.map((column, index) => (
            <td
              key={column.id}
              className={clsx('table-cell-box', isPrioritised && priorityStyle[column.priority ?? 1])}
            >
              <Skeleton
                className={clsx(
                  'h-3 max-w-full',
                  widths[(row + index) % widths.length],
                  column.align === 'end' && 'ml-auto',
                )}
              />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}
