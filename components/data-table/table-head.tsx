'use client'

import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { BareCheckbox } from '#components/form/checkbox.tsx'
import { Tooltip } from '#components/ui/tooltip.tsx'
import { priorityStyle, type DataColumn } from './data-column.ts'
import type { Sort } from './table-params.ts'

const cell = 'h-8 border-b bg-surface px-3 text-2xs font-medium whitespace-nowrap text-faint first:pl-4 last:pr-4'

/** The header row: sortable columns have a button and state their order. */
export function TableHead<Row>({
  columns,
  sort,
  onSort,
  isPrioritised,
  isSticky,
  choice,
}: {
  /** Those that are shown. */
  columns: readonly DataColumn<Row>[]
  sort: Sort | null
  onSort: (column: DataColumn<Row>) => void
  isPrioritised: boolean
  isSticky: boolean
  /** How many of the page's rows are chosen, and how all of them are; undefined where none can be. */
  choice: { isAll: boolean; isSome: boolean; onAll: (isChosen: boolean) => void } | undefined
}) {
  return (
    <thead className={clsx(isSticky && 'sticky top-(--sticky-top) z-10')}>
      <tr>
        {choice && (
          <th scope="col" className={clsx(cell, 'w-10')}>
            <BareCheckbox
              aria-label="Choose all rows of this page"
              checked={choice.isAll}
              isMixed={choice.isSome && !choice.isAll}
              onChange={({ target }) => choice.onAll(target.checked)}
            />
          </th>
        )}
        {columns.map((column) => {
          const { id, header, hint, align, priority = 1, isSortable = false } = column
          const order = isSortable && sort?.column === id ? (sort.isDescending ? 'descending' : 'ascending') : undefined
          const isEnd = align === 'end'
          return (
            <th
              key={id}
              scope="col"
              aria-sort={order}
              className={clsx(cell, isEnd ? 'text-right' : 'text-left', isPrioritised && priorityStyle[priority])}
            >
              <Hinted hint={hint}>
                {isSortable ? (
                  <button
                    type="button"
                    onClick={() => onSort(column)}
                    className={clsx(
                      '-mx-1.5 inline-flex h-6 items-center gap-1 rounded-chip px-1.5 hover:bg-hover hover:text-ink',
                      isEnd && 'flex-row-reverse',
                      order && 'text-ink',
                    )}
                  >
                    {header}
                    <SortMark order={order} />
                  </button>
                ) : hint === undefined ? (
                  header
                ) : (
                  <button type="button" className="cursor-help underline decoration-dotted underline-offset-3">
                    {header}
                  </button>
                )}
              </Hinted>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

/** A header with what is to be known of its column: how it is sorted, or why it is not. */
function Hinted({ hint, children }: { hint: string | undefined; children: ReactNode }) {
  return hint === undefined ? children : <Tooltip text={hint}>{children}</Tooltip>
}

function SortMark({ order }: { order: 'ascending' | 'descending' | undefined }) {
  const Mark = order === 'ascending' ? ArrowUp : order === 'descending' ? ArrowDown : ChevronsUpDown
  return <Mark aria-hidden="true" className={clsx('size-3', !order && 'opacity-60')} />
}
