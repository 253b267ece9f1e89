'use client'

import { clsx } from 'clsx'
import { useState } from 'react'
import { keepEarlyEntry } from '#components/form/early-entry.ts'

/** A day as the browser's own date field. */
export function FilterDay({
  label,
  value,
  zone,
  onChange,
}: {
  label: string
  value: string | null
  /** The zone in which the day begins and ends, said once for both ends of a range. */
  zone?: string
  onChange: (day: string | null) => void
}) {
  const [typed, setTyped] = useState(value ?? '')
  const [shown, setShown] = useState(value)
  if (value !== shown) {
    setShown(value)
    setTyped(value ?? '')
  }
  return (
    <label
      className={clsx(
        'inline-flex h-8 items-center gap-2 rounded-control border pl-3 shadow-control transition-colors pointer-large',
        value === null ? 'bg-surface hover:bg-hover' : 'border-accent/30 bg-accent-wash text-accent',
      )}
    >
      <span className={value === null ? 'text-soft' : undefined}>{label}</span>
      <input
        ref={keepEarlyEntry}
        type="date"
        value={typed}
        min="2000-01-01"
        max="2100-12-31"
        onChange={(event) => {
          setTyped(event.target.value)
          if (event.target.value === '' || event.target.validity.valid) onChange(event.target.value || null)
        }}
        className="h-full rounded-control bg-transparent pr-2"
      />
      {zone && <span className="pr-3 text-2xs text-faint">{zone}</span>}
    </label>
  )
}
