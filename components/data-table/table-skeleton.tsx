import { clsx } from 'clsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { type DataColumn, priorityStyle } from './data-column.ts'
import { cellStyle } from './table-body.tsx'

const widths = ['w-32', 'w-24', 'w-20', 'w-28', 'w-16']

/** Rows on their way, as high as the real ones, so that nothing moves when they come. */
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
            <td className={clsx(cellStyle, 'w-10')}>
              <Skeleton className="size-4" />
            </td>
          )}
          {columns.map((column, index) => (
            <td key={column.id} className={clsx(cellStyle, isPrioritised && priorityStyle[column.priority ?? 1])}>
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
