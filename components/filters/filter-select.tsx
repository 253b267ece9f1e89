'use client'

import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useReplayPreHydrationInput } from '#components/form/early-entry.ts'
import { sameId } from '#lib/shared/ids.ts'
import { setFilter } from './set-filter.ts'

/** One filter with one value, as the browser's own select. The empty value means all. */
export function FilterSelect({
  label,
  value,
  options,
  allLabel = 'all',
  isQuiet = false,
  onChange,
}: {
  label: string
  value: string | null
  options: readonly { value: string; label: string }[]
  /** Null where one value always applies. */
  allLabel?: string | null
  /** Not a filter, only a choice: it is not drawn as one that narrows. */
  isQuiet?: boolean
  onChange: (value: string | null) => void
}) {
  const isSet = value !== null && !isQuiet
  const earlyEntry = useReplayPreHydrationInput()
  // An id in the URL may be spelled in another case than the option's.
  const selected =
    value === null
      ? undefined
      : (options.find((option) => option.value === value) ?? options.find((option) => sameId(option.value, value)))
  return (
    <label
      className={clsx(
        'relative inline-flex h-8 min-w-0 items-center rounded-control border shadow-control transition-colors pointer-large',
        isSet ? setFilter : 'bg-surface hover:bg-hover',
      )}
    >
      <span className={clsx('pointer-events-none pl-3 whitespace-nowrap', isSet ? '' : 'text-soft')}>{label}</span>
      <select
        ref={earlyEntry}
        value={selected?.value ?? value ?? ''}
        onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
        className="field-sizing-content h-full max-w-56 min-w-0 appearance-none sm:in-data-grid:max-w-none sm:in-data-grid:flex-1 truncate rounded-control bg-transparent pr-7 pl-1.5 font-medium [&>option]:bg-raised [&>option]:text-ink"
      >
        {allLabel !== null && <option value="">{allLabel}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
        {value !== null && !selected && <option value={value}>{value}</option>}
      </select>
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute right-2 size-3.5 opacity-70" />
    </label>
  )
}
