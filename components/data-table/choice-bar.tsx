'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '#components/ui/button.tsx'
import { formatCount } from '#components/ui/count.ts'
import type { useChosenRows } from './use-chosen-rows.ts'

/**
 * The chosen rows and what can be done to them all. It stays visible below the list. Once everything is chosen the focus is here:
 * by the keyboard, what can be done is behind every row of the list.
 */
export function ChoiceBar<Row>({
  chosen,
  noun,
  allText,
  isAllOffered,
  summary,
  children,
}: {
  chosen: ReturnType<typeof useChosenRows<Row>>
  noun: string
  /** Everything that the filter matches, in words: "All 128 that match". */
  allText: string
  isAllOffered: boolean
  /** Totals of the chosen rows. */
  summary?: ReactNode
  /** The buttons of what can be done. */
  children: ReactNode
}) {
  const isAll = chosen.kind === 'filter'
  const isAny = isAll || chosen.rows.size > 0
  const text = isAll ? allText : formatCount(chosen.rows.size, noun)
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isAll) bar.current?.focus({ preventScroll: true })
  }, [isAll])
  return (
    <>
      <output className="sr-only">{isAny ? `${text} selected` : ''}</output>
      {isAny && (
        <section
          ref={bar}
          tabIndex={-1}
          aria-label={`Selected ${noun}s`}
          data-choice-bar
          className="sticky bottom-3 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-panel border bg-raised px-4 py-2.5 shadow-raised"
        >
          <span className="font-medium">{text} selected</span>
          {summary}
          <span className="ml-auto flex flex-wrap items-center gap-2">
            {!isAll && isAllOffered && (
              <Button variant="quiet" onClick={chosen.chooseAll}>
                {allText}
              </Button>
            )}
            <Button variant="quiet" onClick={chosen.clear}>
              Clear
            </Button>
            {children}
          </span>
        </section>
      )}
    </>
  )
}
