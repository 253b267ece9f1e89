'use client'

import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { shortId } from '#lib/shared/ids.ts'
import { setFilter } from './set-filter.ts'

/** A filter that is on or off. */
export function FilterToggle({
  label,
  isOn,
  onChange,
}: {
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
      className={clsx(
        'inline-flex h-8 max-w-72 items-center gap-2 rounded-control border px-3 font-medium shadow-control transition-colors pointer-large',
        isOn ? setFilter : 'bg-surface hover:bg-hover',
      )}
    >
      <span className="truncate">{label}</span>
      {isOn && <X aria-hidden="true" className="size-3.5 shrink-0" />}
    </button>
  )
}

/** A filter that only the links of other pages set: it is shown while it is on, to be taken away. `text` writes its value. */
export function LinkedFilter({
  label,
  value,
  text = shortId,
  onChange,
}: {
  label: string
  value: string | null
  text?: (value: string) => string
  onChange: (value: null) => void
}) {
  return value !== null && <FilterToggle label={`${label} ${text(value)}`} isOn onChange={() => onChange(null)} />
}
