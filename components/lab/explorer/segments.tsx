'use client'

import { clsx } from 'clsx'

/** A choice of one among a few, all in view. */
export function Segments<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}) {
  return (
    <fieldset className="inline-flex rounded-control border bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={clsx(
            'min-h-6 rounded-chip px-2.5 text-xs font-medium transition-colors pointer-large',
            option.value === value ? 'bg-surface text-ink shadow-control' : 'text-soft hover:text-ink',
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
