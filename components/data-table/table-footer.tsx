'use client'

import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { count } from '#components/ui/count.ts'
import { IconButton } from '#components/ui/icon-button.tsx'

/** `1–50 of 1,284`; where the total is not known `1–50`, and nothing of a page without rows, whose text says so. */
export function rangeText(from: number, rows: number, total: number | null | undefined): string {
  const isTotalKnown = total !== null && total !== undefined
  if (rows === 0) return isTotalKnown ? `0 of ${count.format(total)}` : ''
  const range = `${count.format(from)}–${count.format(from + rows - 1)}`
  return isTotalKnown ? `${range} of ${count.format(total)}` : range
}

/** The footer of a table: which rows these are, the totals of the filter, and the pages beside them. */
export function TableFooter({
  from,
  rows,
  total,
  totals,
  hasPages,
  onPrevious,
  onNext,
  isTurning,
}: {
  from: number
  /** Null while they load. */
  rows: number | null
  total: number | null | undefined
  totals: ReactNode
  hasPages: boolean
  onPrevious: (() => void) | null
  onNext: (() => void) | null
  isTurning: boolean
}) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2 border-t px-4 py-1.5 text-soft">
      <span aria-live="polite">{rows === null ? '' : rangeText(from, rows, total)}</span>
      {totals !== undefined && totals !== null && (
        <span className="flex flex-wrap items-baseline gap-x-2 border-l pl-4">{totals}</span>
      )}
      {hasPages && (
        <div className="ml-auto flex gap-2">
          <IconButton
            label="Previous page"
            icon={<ChevronLeft />}
            variant="secondary"
            isUnavailable={onPrevious === null}
            onClick={onPrevious ?? undefined}
          />
          <IconButton
            label="Next page"
            icon={<ChevronRight />}
            variant="secondary"
            isPending={isTurning && onNext !== null}
            isUnavailable={onNext === null}
            onClick={onNext ?? undefined}
          />
        </div>
      )}
    </div>
  )
}
