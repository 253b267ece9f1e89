import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'

/** The filters of a list, and what takes them away again; beside them the chooser of its columns. */
export function FilterBar({
  isFiltered,
  onClear,
  columnChooser,
  isGrowing = false,
  children,
}: {
  isFiltered: boolean
  onClear: () => void
  columnChooser?: ReactNode
  /** A filter may grow downwards, by a message below it: the others stay where they are. */
  isGrowing?: boolean
  children: ReactNode
}) {
  const filters = (
    <fieldset
      className={clsx(
        'flex min-w-0 flex-wrap gap-2',
        columnChooser !== undefined && 'flex-1',
        isGrowing ? 'items-start' : 'items-center',
      )}
    >
      <legend className="sr-only">Filters</legend>
      {children}
      {isFiltered && (
        <Button variant="quiet" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </fieldset>
  )
  if (columnChooser === undefined) return filters
  return (
    <div className="flex items-start gap-2">
      {filters}
      {columnChooser}
    </div>
  )
}
