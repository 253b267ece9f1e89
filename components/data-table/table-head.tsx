'use client'

import type { ReactTable } from '@tanstack/react-table'
import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { BareCheckbox } from '#components/form/checkbox.tsx'
import { Tooltip } from '#components/ui/tooltip.tsx'
import { priorityStyle, type DataColumn, type RowData, type TableFeatures } from './data-column.ts'

const cell = 'h-8 border-b bg-surface px-3 text-2xs font-medium whitespace-nowrap text-faint first:pl-4 last:pr-4'

/** The header row: sortable columns have a button and state their order. */
export function TableHead<Row extends RowData>({
  table,
  columns,
  isPrioritised,
  isSticky,
  isSelectable,
}: {
  table: ReactTable<TableFeatures, Row>
  columns: readonly DataColumn<Row>[]
  isPrioritised: boolean
  isSticky: boolean
  isSelectable: boolean
}) {
  return (
    <thead className={clsx(isSticky && 'sticky top-(--sticky-top) z-10')}>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {isSelectable && (
            <th scope="col" className={clsx(cell, 'w-10')}>
              <ChooseAll table={table} />
            </th>
          )}
          {group.headers.map((header) => {
            const column = columns.find(({ id }) => id === header.column.id)
            const sorted = header.column.getIsSorted()
            const isEnd = column?.align === 'end'
            return (
              <th
                key={header.id}
                scope="col"
                aria-sort={sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : undefined}
                className={clsx(
                  cell,
                  isEnd ? 'text-right' : 'text-left',
                  isPrioritised && priorityStyle[column?.priority ?? 1],
                )}
              >
                <Hinted hint={column?.hint}>
                  {header.column.getCanSort() ? (
                    <button
                      type="button"
                      onClick={header.column.getToggleSortingHandler()}
                      className={clsx(
                        '-mx-1.5 inline-flex h-6 items-center gap-1 rounded-chip px-1.5 hover:bg-hover hover:text-ink',
                        isEnd && 'flex-row-reverse',
                        sorted && 'text-ink',
                      )}
                    >
                      {column?.header}
                      <SortMark sorted={sorted} />
                    </button>
                  ) : column?.hint === undefined ? (
                    column?.header
                  ) : (
                    <button type="button" className="cursor-help underline decoration-dotted underline-offset-3">
                      {column.header}
                    </button>
                  )}
                </Hinted>
              </th>
            )
          })}
        </tr>
      ))}
    </thead>
  )
}

/** A header with what is to be known of its column: how it is sorted, or why it is not. */
function Hinted({ hint, children }: { hint: string | undefined; children: ReactNode }) {
  return hint === undefined ? children : <Tooltip text={hint}>{children}</Tooltip>
}

function SortMark({ sorted }: { sorted: false | 'asc' | 'desc' }) {
  const Mark = sorted === 'asc' ? ArrowUp : sorted === 'desc' ? ArrowDown : ChevronsUpDown
  return <Mark aria-hidden="true" className={clsx('size-3', !sorted && 'opacity-60')} />
}

/** What the page's own rows say: rows of other pages may be chosen as well. */
function ChooseAll<Row extends RowData>({ table }: { table: ReactTable<TableFeatures, Row> }) {
  const choosable = table.getRowModel().rows.filter((row) => row.getCanSelect())
  const chosen = choosable.filter((row) => row.getIsSelected()).length
  const isWhole = chosen > 0 && chosen === choosable.length
  return (
    <BareCheckbox
      aria-label="Choose all rows of this page"
      checked={isWhole}
      isMixed={chosen > 0 && !isWhole}
      onChange={() => table.toggleAllRowsSelected(!isWhole)}
    />
  )
}
