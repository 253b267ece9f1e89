'use client'

import { type ReactNode, useId } from 'react'
import type { FieldChange } from '#lib/contract/xmetadata-rules.ts'

type Mode = FieldChange['mode']

/** Keep, replace or remove, each with its effect here. */
export function ChangeChoice({
  legend,
  mode,
  keepHint,
  removeHint,
  onChange,
  children,
}: {
  legend: string
  mode: Mode
  keepHint: ReactNode
  removeHint: string
  onChange: (mode: Mode) => void
  /** The editor of the new value; shown for "replace". */
  children: ReactNode
}) {
  const name = useId()
  const options: { value: Mode; label: string; hint: ReactNode }[] = [
    { value: 'keep', label: 'Keep', hint: keepHint },
    { value: 'replace', label: 'Replace', hint: 'Send the new value' },
    { value: 'remove', label: 'Remove', hint: removeHint },
  ]
  return (
    <fieldset className="min-w-0 rounded-panel border p-3">
      <legend className="-ml-1 px-1 font-medium">{legend}</legend>
      <div className="grid gap-1">
        {options.map(({ value, label, hint }) => (
          <div key={value} className="flex min-h-6 items-start gap-2">
            <span className="flex size-6 shrink-0 items-center justify-center">
              <input
                id={`${name}-${value}`}
                type="radio"
                name={name}
                value={value}
                checked={mode === value}
                aria-describedby={`${name}-${value}-hint`}
                onChange={() => onChange(value)}
                className="size-4 cursor-pointer appearance-none rounded-full border border-edge bg-surface checked:border-[0.3125rem] checked:border-accent"
              />
            </span>
            <div className="min-w-0 pt-0.5 wrap-anywhere">
              <label htmlFor={`${name}-${value}`} className="cursor-pointer font-medium">
                {label}
              </label>{' '}
              <span id={`${name}-${value}-hint`} className="text-xs text-faint">
                {hint}
              </span>
            </div>
          </div>
        ))}
      </div>
      {mode === 'replace' && <div className="mt-3 grid min-w-0 gap-3 border-t pt-3">{children}</div>}
    </fieldset>
  )
}
