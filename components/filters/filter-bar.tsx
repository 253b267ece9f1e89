'use client'

import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { Children, Fragment, type ReactNode, useId, useState } from 'react'
import { Button } from '#components/ui/button.tsx'

/** So many filters are always shown. More fold behind a button where the window is narrow. */
const shownUnfolded = 2

/** The filters of a list, and what takes them away again; beside them its search and its views. */
export function FilterBar({
  list: { active, clear, clearings = 0 },
  search,
  views,
  isGrid = false,
  children,
}: {
  /** How many filters are set, what clears them, and how often it did: their fields begin anew, also one whose text is no filter. */
  list: { active: number; clear: () => void; clearings?: number }
  search?: ReactNode
  views?: ReactNode
  /** Columns of one width, each as wide as its column, so that nothing moves as the font arrives. */
  isGrid?: boolean
  children?: ReactNode
}) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const isFolding = Children.toArray(children).length > shownUnfolded
  return (
    <div className="shown-whole flex min-w-0 items-start gap-2">
      <div
        data-grid={isGrid || undefined}
        className={clsx(
          'flex min-w-0 flex-1 flex-wrap items-start gap-2',
          isGrid && 'sm:grid sm:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))]',
        )}
      >
        <Fragment key={clearings}>{search}</Fragment>
        {isFolding && (
          <Button
            className="sm:hidden"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
            icon={<ChevronDown aria-hidden="true" className={clsx('transition-transform', isOpen && 'rotate-180')} />}
          >
            {active === 0 ? 'Filters' : `Filters (${active})`}
          </Button>
        )}
        <div
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- browsers lay out a fieldset without a box incompletely
          role="group"
          aria-label="Filters"
          id={id}
          className={clsx(
            'flex min-w-0 flex-wrap items-start gap-2 sm:contents',
            isFolding && !isOpen && 'max-sm:hidden',
          )}
        >
          <Fragment key={clearings}>{children}</Fragment>
          {active > 0 && (
            <Button variant="quiet" onClick={clear}>
              Clear filters
            </Button>
          )}
        </div>
      </div>
      {views}
      <span data-end hidden />
    </div>
  )
}
