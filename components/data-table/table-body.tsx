'use client'

import type { ReactTable } from '@tanstack/react-table'
import { clsx } from 'clsx'
import Link from 'next/link'
import type { MouseEvent, ReactNode } from 'react'
import { Checkbox } from '#components/form/checkbox.tsx'
import { CopyButton } from '#components/ui/id-text.tsx'
import { type DataColumn, priorityStyle } from './data-column.ts'
import type { RowData, TableFeatures } from './table-features.ts'

export const cellStyle =
  'h-10 border-b px-3 py-0 first:pl-4 last:pr-4 group-data-[density=dense]/table:h-8 group-data-[density=dense]/table:py-0'

const linkStyle =
  'inline-block max-w-full rounded-chip py-0.5 font-medium text-ink hover:underline hover:decoration-faint hover:underline-offset-2'

const copyStyle =
  'pointer-fine:opacity-0 pointer-fine:group-hover/row:opacity-100 pointer-fine:group-focus-within/row:opacity-100'

function CellContent({ below, copy, children }: { below: ReactNode; copy: ReactNode; children: ReactNode }) {
  const hasBelow = below !== undefined && below !== null
  if (!hasBelow && copy === null) return children
  return (
    <div className="flex items-center gap-2">
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

/** A press anywhere in the row that meets nothing else opens the row, as its link does. */
function openRow(event: MouseEvent<HTMLTableRowElement>) {
  if (event.target instanceof Element && event.target.closest('a, button, input, label, select, [role="menu"]')) return
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
  selectLabel,
  isFaded,
  rowHref,
}: {
  table: ReactTable<TableFeatures, Row>
  columns: readonly DataColumn<Row>[]
  isPrioritised: boolean
  isSelectable: boolean
  selectLabel: ((row: Row) => string) | undefined
  isFaded: boolean
  rowHref: ((row: Row) => string) | undefined
}) {
  const byId = new Map(columns.map((column, index) => [column.id, { column, isFirst: index === 0 }]))
  return (
    <tbody className={clsx('transition-opacity [&>tr:last-child>td]:border-b-0', isFaded && 'opacity-60')}>
      {table.getRowModel().rows.map((row) => (
        // The row's own link is the way for the keyboard; the press on the row only repeats it for the mouse.
        <tr
          key={row.id}
          {...(rowHref ? { onClick: openRow } : {})}
          {...(isSelectable ? { 'aria-selected': row.getIsSelected() } : {})}
          className={clsx(
            'group/row has-[[data-row-link]:focus-visible]:bg-accent-wash aria-selected:bg-accent-wash',
            rowHref && 'cursor-pointer hover:bg-hover',
          )}
        >
          {isSelectable && (
            <td className={clsx(cellStyle, 'w-10')}>
              {row.getCanSelect() && (
                <Checkbox
                  label={`Choose ${selectLabel?.(row.original) ?? `row ${row.index + 1}`}`}
                  isLabelHidden
                  checked={row.getIsSelected()}
                  onChange={row.getToggleSelectedHandler()}
                />
              )}
            </td>
          )}
          {row.getVisibleCells().map((cell) => {
            const { column, isFirst } = byId.get(cell.column.id) ?? {}
            if (!column) return null
            const content = column.cell(row.original)
            const below = column.below?.(row.original)
            const copy = column.copy?.(row.original)
            return (
              <td
                key={cell.id}
                className={clsx(
                  cellStyle,
                  column.align === 'end' ? 'text-right' : 'text-left',
                  isPrioritised && priorityStyle[column.priority ?? 1],
                )}
              >
                <CellContent
                  below={below}
                  copy={copy ? <CopyButton text={copy.text} label={copy.label} className={copyStyle} /> : null}
                >
                  {isFirst && rowHref ? (
                    <Link data-row-link href={rowHref(row.original)} prefetch={false} className={linkStyle}>
                      {content}
                    </Link>
                  ) : (
                    content
                  )}
                </CellContent>
              </td>
            )
          })}
        </tr>
      ))}
    </tbody>
  )
}
