'use client'

import { clsx } from 'clsx'
import { memo, type MouseEvent, type ReactNode, useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { BareCheckbox } from '#components/form/checkbox.tsx'
import { CopyButton } from '#components/ui/id-text.tsx'
import { Link } from '#components/ui/link.tsx'
import { isMissing, noValue } from '#components/ui/not-provided.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { priorityStyle, type DataColumn } from './data-column.ts'
import { idsBetween, type RowSelection, withChoice } from './row-selection.ts'

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

export function TableBody<Row>({
  rows,
  rowId,
  columns,
  isPrioritised,
  selection,
  choosable,
  isFaded,
  rowHref,
}: {
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** Those that are shown. */
  columns: readonly DataColumn<Row>[]
  isPrioritised: boolean
  selection: RowSelection<Row> | undefined
  /** The ids of the rows that can be chosen. */
  choosable: readonly string[]
  isFaded: boolean
  rowHref: ((row: Row) => string | null) | undefined
}) {
  const hrefs = useMemo(() => rows.map((row) => rowHref?.(row) ?? undefined), [rows, rowHref])
  const formatLabel = selection?.formatLabel
  const labels = useMemo(
    () => rows.map((row, index) => `Choose ${formatLabel?.(row) ?? `row ${index + 1}`}`),
    [rows, formatLabel],
  )
  const last = useRef<string | null>(null)
  // Rows are memoized: what they call must not change with the selection.
  const current = useRef({ selection, choosable })
  useLayoutEffect(() => {
    current.current = { selection, choosable }
  }, [selection, choosable])
  const onChoose = useCallback((id: string, isChosen: boolean, isRange: boolean) => {
    const { selection, choosable } = current.current
    const ids = idsBetween(choosable, isRange ? last.current : id, id)
    last.current = id
    selection?.onChange(withChoice(selection.selected, ids, isChosen))
  }, [])
  const choiceOf = (id: string) => {
    if (!selection) return 'none'
    if (!choosable.includes(id)) return 'never'
    return selection.selected.has(id) ? 'chosen' : 'not chosen'
  }
  return (
    <tbody className={clsx('transition-opacity [&>tr:last-child>td]:border-b-0', isFaded && 'opacity-60')}>
      {rows.map((row, at) => {
        const id = rowId(row)
        return (
          <TableRow
            key={id}
            id={id}
            row={row}
            columns={columns}
            isPrioritised={isPrioritised}
            choice={choiceOf(id)}
            label={selection ? (labels[at] ?? '') : ''}
            href={hrefs[at]}
            onChoose={onChoose}
          />
        )
      })}
    </tbody>
  )
}

type TableRowProps<Row> = {
  id: string
  row: Row
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
const TableRow = memo(function TableRow<Row>({
  id,
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
        'group/row has-[[data-row-link]:focus-visible]:bg-accent-wash aria-selected:bg-accent-wash',
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
                onChoose(id, target.checked, nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey)
              }
            />
          )}
        </td>
      )}
      <RowCells row={row} columns={columns} isPrioritised={isPrioritised} href={href} />
    </tr>
  )
}) as <Row>(props: TableRowProps<Row>) => ReactNode

type RowCellsProps<Row> = {
  row: Row
  columns: readonly DataColumn<Row>[]
  isPrioritised: boolean
  href: string | undefined
}

/** Memoized apart from the row, which renders again when it is selected. */
const RowCells = memo(function RowCells<Row>({ row, columns, isPrioritised, href }: RowCellsProps<Row>) {
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
}) as <Row>(props: RowCellsProps<Row>) => ReactNode

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
