'use client'

import { clsx } from 'clsx'

/** Buttons for a few choices side by side, one of them pressed. */
export function ChoiceButtons<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}) {
  return (
    <fieldset className="inline-flex min-w-0 rounded-control border bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={clsx(
            'h-6.5 rounded-chip px-2.5 text-xs font-medium transition-colors pointer-large',
            option.value === value ? 'bg-surface text-ink shadow-control' : 'text-soft hover:text-ink',
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
